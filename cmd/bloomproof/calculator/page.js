"use strict";
// What both pages of the calculator share.

const $ = (id) => document.getElementById(id);

// note says beside a field how it was taken, or with bad what is wrong.
function note(name, text, bad) {
  const at = $(name + "-read");
  at.textContent = text;
  at.className = bad ? "read bad" : "read";
  if (bad) $(name).setAttribute("aria-invalid", "true");
  else $(name).removeAttribute("aria-invalid");
}

// readFields returns what was typed by name, each as its reader takes it, or null if one cannot be read. A reader
// returns [value, how it was taken] or throws what is wrong.
function readFields(readers) {
  const taken = {};
  let bad = false;
  for (const [name, reader] of Object.entries(readers)) {
    const text = $(name).value.trim();
    note(name, "");
    if (!text) continue;
    try {
      const [value, how] = reader(text);
      taken[name] = value;
      note(name, how);
    } catch (wrong) {
      if (typeof wrong !== "string") throw wrong;
      note(name, wrong, true);
      bad = true;
    }
  }
  if (bad) $("status").textContent = "A value cannot be read.";
  return bad ? null : taken;
}

const readRate = (text) => {
  const p = rate(text);
  return [p, six(p)];
};
const readSize = (text) => {
  const x = whole(text, true);
  return [String(x), grouped(x) + " bits, " + bytes(x)];
};
const readCount = (text) => {
  const x = whole(text, false);
  return [String(x), grouped(x)];
};
const readPositions = (text) => {
  const x = whole(text, false);
  if (x > 4096n) throw "must be between 1 and 4096";
  return [String(x), grouped(x)];
};

// copies lets each button copy the text that it is named after.
function copies(...what) {
  for (const name of what) {
    $("copy-" + name).addEventListener("click", () => navigator.clipboard.writeText($(name).textContent).then(
      () => { $("status").textContent = "Copied."; }, () => { $("status").textContent = "The browser does not permit copying."; }));
  }
}

// drawn is a promise of a plot, or of a sentence that says why there is none.
async function drawn(title, draw) {
  try {
    return await draw() || title + ": no rate above 0";
  } catch (wrong) {
    if (typeof wrong !== "string") throw wrong;
    return title + ": " + wrong;
  }
}

function showPlots(all) {
  $("plots").replaceChildren(...all.map((d) => {
    if (typeof d !== "string") return d;
    const p = document.createElement("p");
    p.textContent = d;
    return p;
  }));
}

// address writes values into the address of the page, those that are there.
function address(values) {
  history.pushState(null, "", "?" + new URLSearchParams(Object.entries(values).filter(([, value]) => value)));
}
