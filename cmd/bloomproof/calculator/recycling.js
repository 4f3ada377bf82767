"use strict";
// The page of recycling filters: it asks recycle, and with a workload fnr, and writes what they answer.

const bounds = ["sigma", "messages", "target"]; // one of them is given
const chooses = ["hashing", "phases", "retain", "copy", "freeze", "positions"];
const fields = ["m", "k", ...bounds, ...chooses, "popularity", "repeat"];
const plotPoints = 32, thresholds = 16, cycles = 3;

// readShare reads a probability from 0 to 1, both included.
function readShare(text) {
  if (/^(0|1|0 ?%|100 ?%)$/.test(text)) return text.startsWith("0") ? ["0", "0"] : ["1", "1"];
  if (/^\d/.test(text) && !/[%/:]|in|percent/i.test(text) && Number(text.replace(/[_, ]/g, "")) > 1) throw "must be from 0 to 1, such as 0.5 or 50 %";
  return readRate(text);
}

// read returns what was typed as flags of recycle and of the workload, or null.
function read() {
  const taken = readFields({ m: readSize, k: readPositions, sigma: readCount, messages: readCount, target: readRate, repeat: readShare });
  if (!taken) return null;
  const say = (text) => {
    $("status").textContent = text;
    return null;
  };
  const given = bounds.filter((name) => taken[name]);
  if (!taken.m) return say("The size is needed.");
  if (given.length !== 1) return say("One of threshold, messages and rate is needed.");
  if (!taken.k && !taken.target) return say("Positions are needed, unless a rate is given.");
  const popularity = $("popularity").value.trim();
  note("popularity", popularity ? "" : "zipf:ALPHA:D, uniform:D, biuniform:S:PH:D or list:W,W,...");
  if (!popularity !== !taken.repeat) return say("A workload has both a popularity and a share of repeats.");
  const { repeat, ...flags } = taken;
  for (const name of chooses) if ($(name).value) flags[name] = $(name).value;
  return { flags, bound: given[0], workload: popularity ? { popularity, repeat } : null };
}

// place says beside a field what the command refuses about it.
function place(wrong) {
  const [, name, message] = /^([a-z]+): (.*)$/s.exec(wrong) || [];
  if (name && $(name + "-read")) note(name, message, true);
  $("status").textContent = "No answer: " + wrong;
}

const orDash = (text) => text === null || text === undefined ? "-" : six(text);

// lines returns the rows of the table: what, value, how it is known.
function lines(a, lost) {
  const all = [["Average false-positive rate", a.fpr.mid, "proven, for traffic without repeats"]];
  all.push(["Capacity", a.capacity ? a.capacity.mid : "-", a.capacity ? "proven: new messages in a cycle, including the message that ends the cycle" : "none: the filter calls every message a repeat, and never clears itself again"]);
  all.push(["Bits of an array (m)", grouped(a.m), bytes(a.m)], ["Positions (k)", String(a.k), a.target ? "given, or chosen for the largest capacity" : "given"]);
  if (a.sigma !== undefined) all.push(["Threshold (sigma)", grouped(a.sigma), a.target ? "the largest with at most the given rate" : "given"]);
  if (a.phases !== undefined) all.push(["Phases", String(a.phases), a.retain ? "the message that triggers clearing is inserted again" : "the message that triggers clearing is not inserted again"]);
  if (a.fluid) all.push(["Rate in the limit of many bits", orDash(a.fluid.fpr), "computed in float64"]);
  if (a.fpr_printed) all.push(["Rate by the paper's formula", orDash(a.fpr_printed), "the formula as printed, which may differ from the true rate"]);
  for (const [name, what] of [["average", "(3)"], ["oracle", "(2)"], ["worst", "(1)"]]) {
    const x = a[name];
    if (!x) continue;
    if (typeof x === "string") all.push(["Rate by equation " + what, orDash(x), `estimate of the naive rule "${name}"`]);
    else all.push(["Messages by equation " + what, grouped(x.n), `size by the naive rule "${name}", with k = ${x.k}`]);
  }
  if (a.fnr !== undefined) {
    all.push(["False negatives per arrival", orDash(a.fnr), [`model ${a.model}`, a.kind, a.note].filter(Boolean).join("; ")]);
    all.push(...under(a.workload_fpr, a.cycle));
  }
  if (lost) {
    const best = lost.models[lost.best];
    all.push(["False negatives per arrival", orDash(best?.fnr), [`model ${lost.best}, the most accurate`, best?.kind, best?.note].filter(Boolean).join("; ")]);
    for (const [name, x] of Object.entries(lost.models)) {
      if (name !== lost.best && x.fnr !== null) all.push([`False negatives, model ${name}`, orDash(x.fnr), [x.kind, x.note].filter(Boolean).join("; ")]);
    }
    all.push(...under(lost.fpr, lost.cycle));
  }
  return all;
}

const under = (fpr, cycle) => [
  ["False positives per arrival", orDash(fpr.per_arrival), "under the workload"], ["False positives per new message", orDash(fpr.per_new), "under the workload"],
  ["Arrivals in a cycle", orDash(cycle), "under the workload"],
];

const row = (texts) => line(texts.map((text, i) => cell(i, text)));

function asGo(a) {
  const rule = [a.messages ? "Messages: " + a.messages : "Sigma: " + a.sigma];
  if (a.retain) rule.push("Retain: true");
  if (a.phases === 2) rule.push("TwoPhase: true");
  if (!a.copy) rule.push("NoCopyOver: true");
  if (a.freeze === "before") rule.push("FreezeBefore: true");
  if (a.positions === "fresh") rule.push("FreshPositions: true");
  const geometry = `M: ${a.m}, K: ${a.k}` + (a.hashing === "classic" ? ", Hashing: bloomproof.Classic" : "");
  return `filter, err := kernel.NewRecycling(bloomproof.Geometry{${geometry}}, bloomproof.Recycling{${rule.join(", ")}}, kernel.Options{}) // average rate ${a.fpr.mid}`;
}

// plots draws the course of the rate over some cycles, and the rate and the capacity over the threshold.
function plots(a, bound) {
  const { signal } = stop, all = [], hashing = a.hashing === "classic" ? { hashing: "classic" } : {};
  if (a.capacity) {
    const two = a.phases === 2, title = two ? "Course of the active array's rate" : "Course of the rate";
    all.push(drawn(title, async () => {
      const length = Math.ceil(Number(a.capacity.mid));
      const answer = await ask("fpr", { m: String(a.m), k: String(a.k), n: `0..${BigInt(length)}/${plotPoints}`, digits: "6", ...hashing }, { signal });
      const cycle = answer.rows.map((r) => [Number(r.n), r.fpr.mid]);
      const course = Array.from({ length: cycles }, (_, i) => cycle.map(([x, y]) => [x + i * length, y])).flat();
      return plot(title, "new messages", course, null, { linear: true, level: [a.fpr.mid, two ? "average of both arrays" : "average"] });
    }));
  }
  if (bound !== "messages" && a.sigma !== undefined) {
    const sigma = BigInt(a.sigma), m = BigInt(a.m), to = sigma * 3n / 2n < m ? sigma * 3n / 2n : m - 1n, from = sigma / 2n || 1n;
    const table = ask("recycle", {
      m: String(m), k: String(a.k), sigma: `${from}..${to}/${thresholds}`, digits: "6", ...hashing, phases: String(a.phases), retain: String(a.retain),
      copy: String(a.copy), freeze: a.freeze, positions: a.positions,
    }, { signal });
    const over = (title, value, options) => drawn(title, async () => {
      const points = (await table).rows.filter((r) => r.capacity).map((r) => [Number(r.sigma), value(r)]);
      return plot(title, "threshold (sigma)", points, a.capacity ? [Number(sigma), value(a)] : null, options);
    });
    all.push(over("Average rate over the threshold", (r) => r.fpr.mid), over("Capacity over the threshold", (r) => r.capacity.mid, { linear: true }));
  }
  return Promise.all(all);
}

async function compute() {
  const turn = newTurn();
  const question = read();
  if (!question) return;
  const { flags, bound, workload } = question, { signal } = stop;
  $("status").textContent = "Computing ...";
  const asks = [["recycle", bound === "target" && workload ? { ...flags, ...workload } : flags]];
  if (bound !== "target" && workload) asks.push(["fnr", { ...flags, ...workload }]);
  const show = (found) => {
    $("answers").replaceChildren(...lines(...found).map(row));
    $("command").textContent = asks.map((x) => asCommand(...x)).join("\n");
    $("go").textContent = asGo(found[0]);
    $("json").textContent = found.map((x) => JSON.stringify(x, null, 2)).join("\n");
  };
  try {
    const rest = asks.slice(1).map(([command, own]) => ask(command, own, { signal }));
    rest.forEach((promise) => promise.catch(() => {})); // it is awaited below, unless the first fails
    const a = await ask(...asks[0], { signal });
    if (turn !== asked) return;
    show([a]); // the models of a workload may take seconds more
    const figures = plots(a, bound);
    const lost = await Promise.all(rest);
    if (turn !== asked) return;
    show([a, ...lost]);
    const shown = await figures;
    if (turn !== asked) return;
    showPlots(shown);
    $("status").textContent = "Done.";
  } catch (wrong) {
    if (typeof wrong !== "string") throw wrong;
    if (turn !== asked) return;
    for (const name of ["answers", "command", "go", "json", "plots"]) $(name).replaceChildren();
    place(wrong);
  }
}

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  address(Object.fromEntries(fields.map((name) => [name, $(name).value.trim()])));
  compute();
});

function load() {
  const given = new URLSearchParams(location.search);
  for (const name of fields) {
    $(name).value = given.get(name) || "";
    if ($(name).selectedIndex < 0) $(name).selectedIndex = 0;
  }
  if (!fields.some((name) => given.get(name))) [$("m").value, $("target").value] = ["1 MiB", "1 %"];
  compute();
}
addEventListener("popstate", load);
load();
