"use strict";
// Plots as SVG. The vertical axis is logarithmic, unless a plot is linear.

const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes, text) {
  const e = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  if (text !== undefined) e.textContent = text;
  return e;
}

// short writes a number for an axis.
function short(x) {
  if (x < 1e4) return String(Math.round(x));
  const e = Math.floor(Math.log10(x) + 1e-12), lead = (x / 10 ** e).toFixed(2).replace(/\.?0+$/, "");
  return lead + "e" + e;
}

// log10 is the logarithm of a rate as text, which may be below the least number of JavaScript.
function log10(text) {
  const [lead, e] = String(text).split("e");
  return Math.log10(Number(lead)) + Number(e || 0);
}

// ticks are a few round numbers from 0 to high.
function ticks(high) {
  const step = 10 ** Math.floor(Math.log10(high / 4)), by = [1, 2, 5, 10].find((n) => high / (step * n) <= 5) * step;
  return Array.from({ length: Math.floor(high / by * (1 + 1e-9)) + 1 }, (_, i) => i * by);
}

// brief writes a value of a linear axis.
function brief(y) {
  if (y >= 1e4) return short(y);
  return String(Number(y.toPrecision(3)));
}

// plot draws points [x, value as text] in order of x; chosen is one of them, or null. The options are linear for a
// linear vertical axis, and level: [value as text, what it is] for a horizontal line.
function plot(title, axis, points, chosen, { linear, level } = {}) {
  const width = 360, height = 240, left = 64, right = 24, top = 34, bottom = 44;
  const at = linear ? Number : log10;
  points = points.filter((p) => at(p[1]) > -Infinity);
  if (points.length < 2) return null;
  const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
  svg.append(element("title", {}, title));
  const xs = points.map((p) => p[0]), values = points.map((p) => at(p[1]));
  if (level) values.push(at(level[0]));
  const x0 = Math.min(...xs), x1 = Math.max(...xs);
  const low = linear ? 0 : Math.floor(Math.min(...values)), high = linear ? Math.max(...values) || 1 : Math.max(low + 1, Math.ceil(Math.max(...values)));
  const X = (x) => left + (x - x0) / (x1 - x0) * (width - left - right);
  const Y = (y) => top + (high - y) / (high - low) * (height - top - bottom);
  svg.append(element("desc", {}, `${title}, from ${points[0][1]} at ${points[0][0]} to ${points.at(-1)[1]} at ${points.at(-1)[0]}` +
    (chosen ? `; the filter above has ${chosen[1]} at ${chosen[0]}` : "") + (level ? `; ${level[1]} is ${level[0]}` : "") + "."));
  svg.append(element("text", { x: left, y: 18, class: "head" }, title));
  const every = Math.ceil((high - low) / 5), decades = [];
  for (let decade = low; !linear && decade <= high; decade += every) decades.push(decade);
  for (const y of linear ? ticks(high) : decades) {
    svg.append(element("line", { x1: left, x2: width - right, y1: Y(y), y2: Y(y), class: "grid" }));
    svg.append(element("text", { x: left - 6, y: Y(y) + 4, "text-anchor": "end" }, linear ? brief(y) : y === 0 ? "1" : "1e" + y));
  }
  for (const [x, anchor] of [[x0, "start"], [x1, "end"]]) {
    svg.append(element("text", { x: X(x), y: height - bottom + 16, "text-anchor": anchor }, short(x)));
  }
  svg.append(element("text", { x: (left + width - right) / 2, y: height - 10, "text-anchor": "middle" }, axis + (level ? "; dashed: " + level[1] : "")));
  if (level) svg.append(element("line", { x1: left, x2: width - right, y1: Y(at(level[0])), y2: Y(at(level[0])), class: "level" }));
  svg.append(element("polyline", { points: points.map((p, i) => X(p[0]).toFixed(2) + "," + Y(values[i]).toFixed(2)).join(" "), class: "curve" }));
  if (chosen && at(chosen[1]) > -Infinity) svg.append(element("circle", { cx: X(chosen[0]), cy: Y(at(chosen[1])), r: 5, class: "chosen" }));
  return svg;
}
