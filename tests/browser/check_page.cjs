// Opens a report page in headless Chromium without network and checks what a person would see.
// Usage: node check_page.cjs NODE_MODULES sweep|run PAGE.html [SCREENSHOT.png]
"use strict";
const assert = require("assert");
const path = require("path");
const [, , modules, kind, file, screenshot] = process.argv;
const { chromium } = require(path.join(modules, "playwright-core"));

async function checkSweep(page) {
  const facts = await page.evaluate(() => ({
    shown: window.netzipsim.points.length,
    drawn: window.netzipsim.chart.getOption().series.filter((s) => s.type === "scatter")
      .reduce((sum, s) => sum + s.data.length, 0),
    front: document.querySelectorAll("#front tr.pick").length,
    provenance: document.getElementById("provenance").textContent,
    x: document.getElementById("x").value,
    y: document.getElementById("y").value,
  }));
  assert(facts.shown > 0, "the page has no points");
  assert.strictEqual(facts.drawn, facts.shown, "not every point is drawn");
  assert(facts.front > 0, "no Pareto front");
  assert(facts.provenance.includes(facts.x) && facts.provenance.includes(facts.y), "the axes are not explained");

  // A click on the last point of the front selects it.
  const target = await page.evaluate(() => {
    const n = window.netzipsim;
    const best = document.querySelectorAll("#front tr.pick");
    const index = Number(best[best.length - 1].firstChild.textContent);
    const point = n.points.find((p) => p.index === index);
    const box = document.getElementById("chart").getBoundingClientRect();
    const [x, y] = n.position(point);
    return { index, x: box.x + x, y: box.y + y, axes: point.axes };
  });
  await page.mouse.move(target.x, target.y);
  await page.waitForTimeout(200);
  const tooltip = await page.evaluate(() => document.getElementById("chart").textContent);
  assert(target.axes.every((value) => tooltip.includes(value)), "hovering does not show the configuration: " + tooltip);
  await page.mouse.click(target.x, target.y);
  await page.waitForTimeout(100);
  assert.strictEqual(await page.evaluate(() => window.netzipsim.state.selected && window.netzipsim.state.selected.index),
    target.index, "a click does not select the point");
  const details = await page.textContent("#details");
  assert(details.includes("Point " + target.index) && details.includes("--set"), "the selected point is not described");

  // A filter takes points away and gives them back; another axis and a logarithmic scale draw.
  const box = page.locator("#filters input").first();
  const drawn = () => page.evaluate(() => window.netzipsim.chart.getOption().series
    .filter((s) => s.type === "scatter").reduce((sum, s) => sum + s.data.length, 0));
  await box.uncheck();
  assert(await drawn() < facts.drawn, "a filter takes nothing away");
  await box.check();
  assert.strictEqual(await drawn(), facts.drawn);
  const parameter = await page.evaluate(() => document.querySelector("#color option:nth-child(2)").value);
  await page.selectOption("#x", parameter);
  await page.check("#log-y");
  assert.strictEqual(await drawn(), facts.drawn, "a parameter on the horizontal axis loses points");
}

async function checkRun(page) {
  const charts = await page.evaluate(() => window.netzipsim.charts.map((c) => ({
    title: c.title, points: c.chart.getOption().series.reduce((sum, s) => sum + s.data.length, 0),
    unit: c.unit, note: c.note })));
  assert(charts.length >= 3, "expected at least three charts, got " + charts.length);
  for (const chart of charts) {
    assert(chart.points > 0, chart.title + ": empty");
    assert(chart.note.length > 0, chart.title + ": not explained");
  }
  const headline = await page.textContent("#headline");
  assert(headline.trim().length > 0, "no headline");
}

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"] });
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) problems.push(message.text()); });
  page.on("request", (request) => { if (!request.url().startsWith("file:")) problems.push("asks the network for " + request.url()); });
  try {
    await page.goto("file://" + path.resolve(file));
    if (screenshot) await page.screenshot({ path: screenshot, fullPage: true });
    await (kind === "sweep" ? checkSweep : checkRun)(page);
    if (screenshot) await page.screenshot({ path: screenshot.replace(".png", "_after.png"), fullPage: true });
    assert.deepStrictEqual(problems, []);
    console.log("fine: " + file);
  } finally {
    await browser.close();
  }
})().catch((error) => { console.error(error.message); process.exit(1); });
