"use strict";
// The page: it asks the command for each shape, and writes what it answers.

const fields = ["n", "p", "m", "k"];
const shapes = [
  { name: "standard", flags: {}, go: "bloomproof.Standard" },
  { name: "classic", flags: { hashing: "classic" }, go: "bloomproof.Classic" },
  { name: "partitioned", flags: { hashing: "partitioned" }, go: "bloomproof.Partitioned" },
  { name: "blocks of 512", flags: { block: "512" }, block: 512n, go: "bloomproof.Standard" },
  { name: "blocks of 512, a bit in each word of 64", flags: { block: "512", hashing: "partitioned", k: "8" }, block: 512n, go: "bloomproof.Partitioned" },
  { name: "blocks of 256, a bit in each word of 32", flags: { block: "256", hashing: "partitioned", k: "8" }, block: 256n, go: "bloomproof.Partitioned" },
];
const plotPoints = 32;
let chosen = "standard"; // the shape that is plotted and written as a command and as code

// read returns what was typed as flags of size, or null.
function read() {
  const taken = readFields({ n: readCount, p: readRate, m: readSize, k: readPositions });
  if (!taken) return null;
  const { p, ...flags } = taken;
  if (p && flags.n && flags.m) note("p", "left out: it follows from items and size");
  else if (p) flags.fpr = p;
  if (["n", "fpr", "m"].filter((name) => flags[name]).length < 2) {
    $("status").textContent = "Two of items, rate and size are needed.";
    return null;
  }
  return flags;
}

function rows() {
  const like = $("like").value;
  return like ? [...shapes, { name: like, flags: { like }, like: true }] : shapes;
}

function row(shape, cells, { wide, quick } = {}) {
  const head = cell(0, ""), button = document.createElement("button");
  button.type = "button";
  button.textContent = shape.name;
  button.setAttribute("aria-pressed", String(shape.name === chosen));
  button.addEventListener("click", () => { chosen = shape.name; remember(); compute(); });
  head.append(button);
  const values = cells.map((text, i) => cell(i + 1, text));
  if (wide) values.forEach((value) => { value.colSpan = 10; });
  const tr = line([head, ...values]);
  if (quick) tr.className = "quick";
  return tr;
}

function describe(shape, a, flags) {
  const m = BigInt(a.m), n = BigInt(a.n), within = shape.block || m, lines = (within - 1n) / 512n + 1n;
  const t = a.heuristic || a.own;
  let textbook = "-", off = "-";
  if (t) textbook = flags.m ? (flags.n ? "k = " + t.k : grouped(t.n) + " items") : grouped(t.m) + " bits";
  if (t && t.fpr && flags.fpr) off = ((Number(t.fpr.mid) / Number(flags.fpr) - 1) * 100).toPrecision(3) + " %";
  const perKey = n ? (Number(m * 1000n / n) / 1000).toFixed(3) : "-";
  const rate = a.quick ? "about " + a.fpr.mid : a.fpr.mid;
  return [grouped(m), bytes(m), perKey, a.k, shape.like ? "-" : lines < BigInt(a.k) ? lines : a.k, grouped(n), rate, textbook, t && t.fpr ? t.fpr.mid : "-", off];
}

// flagsOf returns the flags of size for a shape, or throws why there are none.
function flagsOf(shape, flags) {
  const own = { ...flags, ...shape.flags };
  if (shape.like) delete own.k; // most have one k only
  if (shape.block && own.m) {
    const m = BigInt(own.m) / shape.block * shape.block;
    if (m === 0n) throw "smaller than a block";
    own.m = String(m);
  }
  return own;
}

function asGo(shape, a) {
  if (shape.like) return "// The module kernel/compat has some filters of other libraries by their own names.";
  let geometry = `M: ${a.m}, K: ${a.k}`;
  if (shape.flags.hashing) geometry += `, Hashing: ${shape.go}`;
  if (shape.block) geometry += `, Block: ${shape.block}`;
  return `filter, err := kernel.New(bloomproof.Geometry{${geometry}}, kernel.Options{}) // rate ${a.fpr.mid} with ${a.n} keys`;
}

// points returns [x, rate as text] for a range of one flag of fpr.
async function points(shape, at, name, from, to) {
  const flags = { m: at.m, k: at.k, n: at.n, ...shape.flags, digits: 6 };
  if (shape.like) delete flags.k;
  flags[name] = `${from}..${to}/${plotPoints}`;
  if (name === "k" && to - from <= 2n * BigInt(plotPoints)) flags.k = `${from}..${to}`; // each of them
  const answer = await ask("fpr", flags, { signal: stop.signal });
  return answer.rows.map((r) => [Number(r[name]), r.fpr.mid]);
}

async function plots(shape, a) {
  const m = BigInt(a.m), n = BigInt(a.n), k = BigInt(a.k);
  // Each m of the plot is a whole number of blocks, or of slices.
  const unit = (shape.block || (shape.flags.hashing === "partitioned" ? k : 1n)) * BigInt(plotPoints);
  const from = m / 2n / unit * unit || unit, to = (2n * m / unit + 1n) * unit;
  const one = (title, axis, ask, x) => drawn(title, async () => plot(title, axis, await ask(), [x, a.fpr.mid]));
  const all = [one("Rate over items", "items", () => points(shape, a, "n", n / 4n || 1n, 2n * n + BigInt(plotPoints)), Number(n))];
  if (!shape.like) all.push(one("Rate over size", "bits", () => points(shape, a, "m", from, to), Number(m)));
  if (!shape.flags.hashing || shape.flags.hashing === "classic") {
    const most = 2n * k + 4n < m ? 2n * k + 4n : m;
    all.push(one("Rate over positions per item", "k", () => points(shape, a, "k", 1n, most < 4096n ? most : 4096n), Number(k)));
  }
  return Promise.all(all);
}

// answers returns the answer for each shape, or a message.
function answers(all, flags, more, how) {
  return Promise.all(all.map(async (shape) => {
    try {
      const own = flagsOf(shape, flags);
      return { shape, own, answer: await ask("size", { ...own, ...more }, { ...how, signal: stop.signal }) };
    } catch (wrong) {
      if (typeof wrong !== "string") throw wrong;
      return { shape, wrong };
    }
  }));
}

async function compute() {
  const turn = newTurn();
  const flags = read();
  if (!flags) return;
  $("status").textContent = "Computing ...";
  const all = rows();
  if (!all.some((shape) => shape.name === chosen)) chosen = "standard";
  // The answers in float64 come first. They do not wait for the proven ones, nor these for them.
  const proven = answers(all, flags, {}, {});
  const quick = await answers(all.filter((shape) => !shape.like), flags, { quick: true }, { first: true });
  if (turn !== asked) return; // something else was typed since
  $("shapes").replaceChildren(...quick.filter((q) => q.answer).map((q) => row(q.shape, describe(q.shape, q.answer, flags), { quick: true })));
  performance.mark("first answer");
  const found = await proven;
  if (turn !== asked) return;
  const lines = found.map((f) => f.answer ? row(f.shape, describe(f.shape, f.answer, flags)) : row(f.shape, [f.wrong], { wide: true }));
  const { shape: shown, own, answer } = found.find((f) => f.shape.name === chosen);
  $("shapes").replaceChildren(...lines);
  performance.mark("proven answer");
  $("command").textContent = answer ? asCommand("size", own) : "-";
  $("go").textContent = answer ? asGo(shown, answer) : "-";
  $("json").textContent = answer ? JSON.stringify(answer, null, 2) : "-";
  const figures = answer ? await plots(shown, answer) : [];
  if (turn !== asked) return;
  showPlots(figures);
  $("plotted").textContent = "Rates of: " + chosen;
  $("status").textContent = "Done.";
}

// remember writes what was typed into the page's address.
function remember() {
  const values = Object.fromEntries(fields.map((name) => [name, $(name).value.trim()]));
  address({ ...values, like: $("like").value, shape: chosen === "standard" ? "" : chosen });
}

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  remember();
  compute();
});

function load() {
  const given = new URLSearchParams(location.search);
  for (const name of fields) $(name).value = given.get(name) || "";
  $("like").value = given.get("like") || "";
  if ($("like").selectedIndex < 0) $("like").value = "";
  chosen = given.get("shape") || "standard";
  if (!fields.some((name) => $(name).value)) [$("n").value, $("p").value] = ["1,000,000", "1 %"];
  compute();
}
addEventListener("popstate", load);
// The list of libraries is not needed for the first answer, unless the address names one.
const listed = () => ask("like", {}).then((answer) => {
  $("like").append(...answer.filters.map((f) => new Option(f.name, f.name)));
}, () => {});
if (new URLSearchParams(location.search).get("like")) listed().then(load);
else {
  load();
  listed();
}
