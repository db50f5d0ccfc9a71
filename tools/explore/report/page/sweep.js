"use strict";
// Scatter of the points of a sweep: choosers, filters, the Pareto front of what is shown, and one selected point.

(function () {
  const statistics = page.statistics;
  const points = page.points.filter((p) => p.status === "ok");
  const failed = page.points.filter((p) => p.status !== "ok");
  const state = { x: "", y: "", color: "", selected: null, filters: page.axes.map(() => new Set()) };

  // "300 MHz" -> {number: 3e8, unit: "Hz"}; null when it is a word.
  function measure(text) {
    const match = /^(-?[0-9.]+(?:e[-+]?[0-9]+)?)\s*(.*)$/i.exec(text);
    if (!match) return null;
    const prefixes = { Ki: 1024, Mi: 1048576, Gi: 1073741824, k: 1e3, M: 1e6, G: 1e9, T: 1e12, m: 1e-3, u: 1e-6,
      n: 1e-9, p: 1e-12, f: 1e-15 };
    for (const [prefix, scale] of Object.entries(prefixes)) {
      const unit = match[2].slice(prefix.length);
      if (match[2].startsWith(prefix) && /^(B|b\/s|B\/s|Hz|s)$/.test(unit)) return { number: match[1] * scale, unit };
    }
    return { number: Number(match[1]), unit: match[2] };
  }

  const axes = page.axes.map((name, index) => {
    const values = [...new Set(page.points.map((p) => p.axes[index]))];
    const measured = values.map(measure);
    const numeric = measured.every((m) => m !== null);
    if (numeric) values.sort((a, b) => measure(a).number - measure(b).number);
    return { name, index, values, numeric };
  });

  // Every thing that can be on an axis of the chart, by its name.
  const variables = new Map();
  for (const axis of axes) {
    const many = axis.numeric && axis.values.length > 12;
    variables.set(axis.name, { name: axis.name, better: "none", parameter: axis, category: !many,
      label: axis.name + (many && measure(axis.values[0]).unit ? " [" + measure(axis.values[0]).unit + "]" : ""),
      read: (p) => many ? measure(p.axes[axis.index]).number : p.axes[axis.index] });
  }
  statistics.forEach((statistic, index) => {
    if (!points.some((p) => typeof p.values[index] === "number")) return;
    variables.set(statistic.name, { name: statistic.name, better: statistic.better, statistic, category: false,
      label: title(statistic), read: (p) => p.values[index] });
  });

  const wanted = page.objectives.map((o) => o.name).filter((name) => variables.has(name));
  const numbers = [...variables.values()].filter((v) => v.statistic).map((v) => v.name);
  state.y = wanted[0] || ["summary.time", ...numbers].find((name) => variables.has(name));
  state.x = wanted[1] || numbers.find((name) => name !== state.y) || axes[0].name;
  state.color = (axes.filter((a) => a.values.length > 1 && a.values.length <= 12)
    .sort((a, b) => Math.abs(a.values.length - 4) - Math.abs(b.values.length - 4))[0] || { name: "" }).name;

  function direction(name) {
    const objective = page.objectives.find((o) => o.name === name);
    return objective ? objective.better : variables.get(name).better;
  }

  function visible() {
    return points.filter((p) => state.filters.every((hidden, i) => !hidden.has(p.axes[i])) &&
      [state.x, state.y].every((name) => variables.get(name).read(p) !== null));
  }

  // Points that no other one beats in both objectives, from one end of the front to the other.
  function front(shown) {
    const [dx, dy] = [direction(state.x), direction(state.y)];
    if (![dx, dy].every((d) => d === "lower" || d === "higher")) return [];
    const read = (p) => [[state.x, dx], [state.y, dy]]
      .map(([name, d]) => variables.get(name).read(p) * (d === "lower" ? 1 : -1));
    const sorted = shown.map((p) => ({ p, at: read(p) })).sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1]);
    const best = [];
    let lowest = Infinity;
    for (const item of sorted) {
      const twin = best.length && best[best.length - 1].at.every((v, i) => v === item.at[i]);
      if (item.at[1] < lowest || twin) best.push(item);
      lowest = Math.min(lowest, item.at[1]);
    }
    return best.map((item) => item.p);
  }

  const chart = echarts.init(document.getElementById("chart"));
  const place = (id) => document.getElementById(id);

  function axisOption(name) {
    const variable = variables.get(name);
    const log = place("log-" + (name === state.x ? "x" : "y")).checked;
    const common = { name: variable.label, nameLocation: "middle", nameGap: name === state.y ? 64 : 30, scale: true,
      nameTextStyle: { fontWeight: 600 } };
    if (variable.category) return { ...common, type: "category", data: variable.parameter.values };
    return { ...common, type: log ? "log" : "value", axisLabel: { formatter: number } };
  }

  function tooltip(point) {
    const rows = axes.map((a) => "<tr><td>" + escaped(a.name) + "</td><td><b>" + escaped(point.axes[a.index]) + "</b></td></tr>");
    for (const name of [state.x, state.y]) {
      const statistic = variables.get(name).statistic;
      if (!statistic) continue;
      rows.push("<tr><td>" + escaped(name) + "</td><td><b>" + escaped(quantity(variables.get(name).read(point), statistic.unit)) +
        "</b> <span style='color:#888'>" + escaped(statistic.provenance) + "</span></td></tr>");
    }
    return "point " + point.index + "<table>" + rows.join("") + "</table>";
  }

  function draw() {
    const shown = visible();
    const best = front(shown);
    const colorAxis = axes.find((a) => a.name === state.color);
    const at = (p) => [variables.get(state.x).read(p), variables.get(state.y).read(p)];
    const item = (p) => ({ value: at(p), point: p, itemStyle: p === state.selected ? { borderColor: "#000", borderWidth: 2.5 } : {},
      symbolSize: p === state.selected ? 17 : best.includes(p) ? 13 : 9 });
    const groups = colorAxis ? colorAxis.values : [""];
    const series = groups.map((value, i) => ({ name: colorAxis ? colorAxis.name.split(".").pop() + " " + value : "points", type: "scatter",
      color: palette[i % palette.length], itemStyle: { opacity: 0.8 },
      data: shown.filter((p) => !colorAxis || p.axes[colorAxis.index] === value).map(item) }));
    if (best.length) {
      series.push({ name: "Pareto front", type: "line", step: false, symbol: "none", color: "#1c2430", z: 1,
        lineStyle: { width: 1.5, type: "dashed" }, data: best.map(at), silent: true });
    }
    chart.setOption({ animation: false, legend: { type: "scroll", top: 0 },
      grid: { left: 90, right: 24, top: 40, bottom: 52 }, xAxis: axisOption(state.x), yAxis: axisOption(state.y),
      tooltip: { confine: true, formatter: (hit) => hit.data && hit.data.point ? tooltip(hit.data.point) : "" }, series }, true);
    place("count").textContent = shown.length + " of " + page.points.length + " points shown" +
      (failed.length ? ", " + failed.length + " failed" : "");
    provenance(best);
    frontTable(best);
  }

  function provenance(best) {
    const lines = [...new Set([state.x, state.y])].map((name) => {
      const variable = variables.get(name);
      return variable.statistic ? about(variable.statistic) : variable.label + ": a parameter of the sweep.";
    });
    lines.push(best.length ? best.length + " points are on the Pareto front of these two: no shown point is as good in both and better in one."
      : "No Pareto front: one of the two has no better direction.");
    place("provenance").replaceChildren(...lines.map((text) => element("p", { class: "note" }, text)));
  }

  function frontTable(best) {
    place("front-card").hidden = best.length === 0;
    const rows = best.map((p) => element("tr", { class: "pick" + (p === state.selected ? " selected" : ""), onclick: () => select(p) },
      element("td", {}, String(p.index)), ...p.axes.map((v) => element("td", {}, v)),
      ...[state.x, state.y].map((name) => element("td", { class: "number" }, number(variables.get(name).read(p))))));
    const head = element("tr", {}, ...["point", ...axes.map((a) => a.name)].map((h) => element("th", {}, h)),
      ...[state.x, state.y].map((name) => element("th", { class: "number" }, variables.get(name).label)));
    place("front").replaceChildren(element("table", {}, head, ...rows));
  }

  function select(point) {
    state.selected = point;
    draw();
    details();
  }

  function details() {
    const p = state.selected;
    if (!p) return;
    const search = place("search").value.toLowerCase();
    const sets = axes.map((a) => "--set '" + a.name + "=" + p.axes[a.index] + "'").join(" ");
    const rows = statistics.map((s, i) => [s, p.values[i]])
      .filter(([s, value]) => value !== null && s.name.toLowerCase().includes(search));
    place("details").replaceChildren(
      element("p", {}, element("b", {}, "Point " + p.index)),
      element("table", {}, ...axes.map((a) => element("tr", {}, element("td", {}, a.name), element("td", {}, p.axes[a.index])))),
      element("p", { class: "note" }, "Run it again:"), element("code", {}, page.command + " " + sets),
      element("div", { class: "scroll" }, element("table", {}, ...rows.map(([s, value]) =>
        element("tr", { title: about(s) }, element("td", {}, s.name), element("td", { class: "number" }, quantity(value, s.unit)))))));
  }

  function chooser(id, choices, current) {
    const node = place(id);
    node.replaceChildren(...choices.map(([value, text]) => option(value, text, value === current)));
    node.addEventListener("change", () => { state[id] = node.value; draw(); });
  }

  function filters() {
    const box = place("filters");
    for (const axis of axes.filter((a) => a.values.length > 1)) {
      if (axis.values.length > 24) continue;
      const chips = axis.values.map((value) => element("label", {}, element("input", { type: "checkbox", checked: true,
        onchange: (event) => { state.filters[axis.index][event.target.checked ? "delete" : "add"](value); draw(); } }), value));
      box.append(element("fieldset", {}, element("legend", {}, axis.name), element("div", { class: "chips" }, ...chips)));
    }
  }

  const all = [...variables.values()].map((v) => [v.name, v.label]);
  chooser("x", all, state.x);
  chooser("y", all, state.y);
  chooser("color", [["", "nothing"], ...axes.map((a) => [a.name, a.name])], state.color);
  for (const id of ["log-x", "log-y"]) place(id).addEventListener("change", draw);
  place("search").addEventListener("input", details);
  filters();
  if (failed.length) {
    place("failed").append(element("h2", { class: "failed" }, failed.length + " failed points"),
      element("table", {}, ...failed.map((p) => element("tr", {}, element("td", {}, String(p.index)),
        ...p.axes.map((v) => element("td", {}, v)), element("td", { class: "failed" }, p.error)))));
  } else {
    place("failed").remove();
  }
  chart.on("click", (hit) => { if (hit.data && hit.data.point) select(hit.data.point); });
  addEventListener("resize", () => chart.resize());
  draw();
  // For whoever drives the page from outside, as its test does.
  window.netzipsim = { chart, state, points, position: (p) => chart.convertToPixel({ seriesIndex: 0 },
    [variables.get(state.x).read(p), variables.get(state.y).read(p)]) };
})();
