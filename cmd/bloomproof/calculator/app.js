"use strict";
// The page: it asks the command for each shape, and writes what it answers.

const $ = (id) => document.getElementById(id);
const fields = ["n", "p", "m", "k"];
const shapes = [
  { name: "standard", flags: {} },
  { name: "classic", flags: { hashing: "classic" } },
  { name: "partitioned", flags: { hashing: "partitioned" } },
  { name: "blocks of 512", flags: { block: "512" }, block: 512n },
  { name: "blocks of 512, a bit in each word of 64", flags: { block: "512", hashing: "partitioned", k: "8" }, block: 512n },
  { name: "blocks of 256, a bit in each word of 32", flags: { block: "256", hashing: "partitioned", k: "8" }, block: 256n },
];
let asked = 0;

// read returns what was typed as flags of size, or null, and says beside each field how it was taken.
function read() {
  const flags = {}, left = [];
  let bad = false;
  for (const name of fields) {
    const text = $(name).value.trim(), note = $(name + "-read");
    note.textContent = "";
    note.className = "read";
    $(name).removeAttribute("aria-invalid");
    if (!text) continue;
    try {
      if (name === "p") {
        flags.fpr = rate(text);
        note.textContent = Number(flags.fpr).toPrecision(6).replace(/\.?0+(e|$)/, "$1");
      } else {
        const x = whole(text, name === "m");
        if (name === "k" && x > 4096n) throw "must be between 1 and 4096";
        flags[name] = String(x);
        note.textContent = name === "m" ? grouped(x) + " bits, " + bytes(x) : grouped(x);
      }
    } catch (wrong) {
      if (typeof wrong !== "string") throw wrong;
      note.textContent = wrong;
      note.className = "read bad";
      $(name).setAttribute("aria-invalid", "true");
      bad = true;
    }
  }
  if (flags.n && flags.m && flags.fpr) {
    delete flags.fpr;
    $("p-read").textContent = "left out: it follows from items and size";
  }
  if (bad) return null;
  if (["n", "fpr", "m"].filter((name) => flags[name]).length < 2) {
    $("status").textContent = "Two of items, rate and size are needed.";
    return null;
  }
  return flags;
}

async function ask(flags) {
  const answer = await fetch("api/size?" + new URLSearchParams(flags));
  const object = await answer.json();
  if (object.error) throw (object.error.parameter ? object.error.parameter + ": " : "") + object.error.message;
  return object;
}

function row(shape, cells, wide) {
  const tr = document.createElement("tr"), head = document.createElement("th");
  head.scope = "row";
  head.textContent = shape.name;
  tr.append(head);
  for (const text of cells) {
    const td = document.createElement("td");
    td.textContent = text;
    if (wide) td.colSpan = 9;
    tr.append(td);
  }
  return tr;
}

function describe(shape, a, flags) {
  const m = BigInt(a.m), n = BigInt(a.n), within = shape.block || m, lines = (within - 1n) / 512n + 1n;
  const t = a.heuristic;
  let textbook = "-";
  if (t) textbook = flags.m ? (flags.n ? "k = " + t.k : grouped(t.n) + " items") : grouped(t.m) + " bits";
  const perKey = n ? (Number(m * 1000n / n) / 1000).toFixed(3) : "-";
  return [grouped(m), bytes(m), perKey, a.k, lines < BigInt(a.k) ? lines : a.k, grouped(n), a.fpr.mid, textbook, t && t.fpr ? t.fpr.mid : "-"];
}

async function compute() {
  const turn = ++asked, flags = read();
  if (!flags) return;
  $("status").textContent = "Computing ...";
  $("command").textContent = "bloomproof size " + Object.entries(flags).map(([name, value]) => "-" + name + " " + value).join(" ");
  const rows = await Promise.all(shapes.map(async (shape) => {
    const own = { ...flags, ...shape.flags };
    if (shape.block && own.m) {
      const m = BigInt(own.m) / shape.block * shape.block;
      if (m === 0n) return row(shape, ["smaller than a block"], true);
      own.m = String(m);
    }
    try {
      return row(shape, describe(shape, await ask(own), flags));
    } catch (wrong) {
      return row(shape, [typeof wrong === "string" ? wrong : "no answer from the server"], true);
    }
  }));
  if (turn !== asked) return; // something else was typed since
  $("shapes").replaceChildren(...rows);
  $("status").textContent = "Done.";
}

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const state = new URLSearchParams(fields.filter((name) => $(name).value.trim()).map((name) => [name, $(name).value.trim()]));
  history.pushState(null, "", "?" + state);
  compute();
});
$("copy").addEventListener("click", () => navigator.clipboard.writeText($("command").textContent).then(
  () => { $("status").textContent = "Copied."; }, () => { $("status").textContent = "The browser does not permit copying."; }));
function load() {
  const state = new URLSearchParams(location.search);
  for (const name of fields) $(name).value = state.get(name) || "";
  if (!fields.some((name) => $(name).value)) [$("n").value, $("p").value] = ["1,000,000", "1 %"];
  compute();
}
addEventListener("popstate", load);
load();
