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

// Each section below the plots has a text and a button that copies it.
for (const [name, title, label, button] of [
  ["command", "The same on the command line", "Command", "Copy the command"],
  ["go", "In Go", "Go code", "Copy the code"],
  ["json", "As JSON", "JSON", "Copy the JSON"],
]) {
  const made = (kind, attributes) => Object.assign(document.createElement(kind), attributes);
  const text = made("pre", { id: name, tabIndex: 0, role: "region", ariaLabel: label });
  const copy = made("button", { type: "button", textContent: button });
  copy.addEventListener("click", () => navigator.clipboard.writeText(text.textContent).then(
    () => { $("status").textContent = "Copied."; }, () => { $("status").textContent = "The browser does not permit copying."; }));
  document.querySelector("main").append(made("h2", { textContent: title }), text, copy);
}

// cell returns a cell of the table: the heading of a row for column 0, or a value. On narrow screens the style sheet
// shows each row as a block, and the label of the cell's column beside the cell. The roles keep the table a table there
// for screen readers.
function cell(column, text) {
  const made = document.createElement(column ? "td" : "th");
  if (!column) made.scope = "row";
  made.setAttribute("role", column ? "cell" : "rowheader");
  made.dataset.label = document.querySelectorAll("thead th")[column].textContent;
  made.textContent = text;
  return made;
}

// line returns a row of the table.
function line(cells) {
  const tr = document.createElement("tr");
  tr.setAttribute("role", "row");
  tr.append(...cells);
  return tr;
}

let asked = 0; // counts questions, so that a late answer to an older one is dropped
let stop = new AbortController(); // ends the requests of the last question

// newTurn ends the last question, and returns the number of the new one.
function newTurn() {
  stop.abort();
  stop = new AbortController();
  return ++asked;
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
