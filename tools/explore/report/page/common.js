"use strict";
// Shared by both pages: elements, numbers with units, and what is known about a statistic.

const page = JSON.parse(document.getElementById("data").textContent);

function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else if (value !== false && value !== undefined) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function escaped(text) {
  return String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
}

// Five significant digits; whole numbers in full, in groups of three.
function number(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value.toLocaleString("en-US");
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e9 || size < 1e-4)) return value.toExponential(4);
  return value.toLocaleString("en-US", { maximumSignificantDigits: 5 });
}

function quantity(value, unit) {
  return unit && unit !== "1" ? number(value) + " " + unit : number(value);
}

function title(statistic) {
  return statistic.name + (statistic.unit && statistic.unit !== "1" ? " [" + statistic.unit + "]" : "");
}

const origins = { measured: "measured: counted or timed by the run",
  calibrated: "calibrated: from a model fitted to a published measurement", quoted: "quoted from a source",
  assumed: "assumed: nobody measured it", derived: "derived: computed from other numbers" };

function about(statistic) {
  const direction = { lower: "lower is better", higher: "higher is better" }[statistic.better];
  return title(statistic) + ": " + (direction ? direction + "; " : "") +
    (origins[statistic.provenance] || statistic.provenance) + ".";
}

function option(value, text, selected) {
  return element("option", { value, selected }, text);
}

const palette = ["#0b6bcb", "#d1622b", "#2f9e5b", "#8a4fbf", "#c2a100", "#c2355f", "#3aa6b9", "#7a5c3e", "#5f6b7a",
  "#9bbf30", "#1f3f8f", "#e08bb4"];
