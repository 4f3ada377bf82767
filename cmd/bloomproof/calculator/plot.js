"use strict";
// Plots of the rate, as SVG. The vertical axis is logarithmic.

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

// plot draws points [x, rate as text] in order of x; chosen is one of them.
function plot(title, axis, points, chosen) {
  const width = 360, height = 240, left = 64, right = 24, top = 34, bottom = 44;
  points = points.filter((p) => log10(p[1]) > -Infinity);
  if (points.length < 2) return null;
  const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
  svg.append(element("title", {}, title));
  const xs = points.map((p) => p[0]), logs = points.map((p) => log10(p[1]));
  const x0 = Math.min(...xs), x1 = Math.max(...xs), low = Math.floor(Math.min(...logs)), high = Math.max(low + 1, Math.ceil(Math.max(...logs)));
  const X = (x) => left + (x - x0) / (x1 - x0) * (width - left - right);
  const Y = (log) => top + (high - log) / (high - low) * (height - top - bottom);
  svg.append(element("desc", {}, `${title}, from ${points[0][1]} at ${points[0][0]} to ${points.at(-1)[1]} at ${points.at(-1)[0]}` +
    `; the filter above has ${chosen[1]} at ${chosen[0]}.`));
  svg.append(element("text", { x: left, y: 18, class: "head" }, title));
  const every = Math.ceil((high - low) / 5);
  for (let decade = low; decade <= high; decade += every) {
    svg.append(element("line", { x1: left, x2: width - right, y1: Y(decade), y2: Y(decade), class: "grid" }));
    svg.append(element("text", { x: left - 6, y: Y(decade) + 4, "text-anchor": "end" }, decade === 0 ? "1" : "1e" + decade));
  }
  for (const [x, anchor] of [[x0, "start"], [x1, "end"]]) {
    svg.append(element("text", { x: X(x), y: height - bottom + 16, "text-anchor": anchor }, short(x)));
  }
  svg.append(element("text", { x: (left + width - right) / 2, y: height - 10, "text-anchor": "middle" }, axis));
  svg.append(element("polyline", { points: points.map((p, i) => X(p[0]).toFixed(2) + "," + Y(logs[i]).toFixed(2)).join(" "), class: "curve" }));
  if (log10(chosen[1]) > -Infinity) svg.append(element("circle", { cx: X(chosen[0]), cy: Y(log10(chosen[1])), r: 5, class: "chosen" }));
  return svg;
}
