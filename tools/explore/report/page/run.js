"use strict";
// One run in pictures: latency, where the time went, ratio by kind and layer, cost. A chart without numbers is left out.

(function () {
  const byName = new Map(page.statistics.map((s) => [s.name, s]));
  const get = (name) => byName.get(name);
  const charts = [];

  function card(heading, unit, note, height) {
    const box = element("div", { class: "chart" });
    if (height) box.style.height = height + "px";
    document.querySelector("main").append(element("section", { class: "card" }, element("h2", {}, heading), box,
      element("p", { class: "note" }, note)));
    const chart = echarts.init(box);
    charts.push({ title: heading, chart, unit, note });
    return chart;
  }

  function easy(statistic) {
    if (typeof statistic.value !== "number") return quantity(statistic.value, statistic.unit);
    const { unit, by } = scaled(statistic.unit, [statistic.value]);
    return quantity(statistic.value * by, unit);
  }

  function headline() {
    const wanted = [["summary.time", "time"], ["summary.time_plain", "time without compression"], ["summary.speedup", "speed-up"],
      ["summary.ratio", "compressed / original"], ["summary.lossless", "lossless"], ["summary.bottleneck", "bottleneck"],
      ["summary.packets", "packets"], ["latency.packet.p99", "p99 packet latency"], ["cost.asic.area", "area"]];
    for (const [name, words] of wanted) {
      const s = get(name);
      if (s) document.getElementById("headline").append(element("span", { class: "soft", title: about(s) }, words,
        element("b", {}, easy(s))));
    }
  }

  // [{label, statistic}] of the names that match, whose first group is the label.
  function family(pattern) {
    return page.statistics.map((s) => ({ match: pattern.exec(s.name), statistic: s }))
      .filter((item) => item.match && typeof item.statistic.value === "number")
      .map((item) => ({ label: item.match[1], statistic: item.statistic }));
  }

  // Stages in the order a packet passes them; what is not in the list stays behind it.
  const way = ["dma_read", "tx_demux", "delta_encoder", "staging_buffer", "grouper", "compressor", "merge", "tx_slices",
    "tx_bypass", "tx_mux", "protocol_tx", "link", "switch", "egress_link", "protocol_rx", "rx_demux", "decompressor",
    "ungrouping_buffer", "ungrouper", "delta_decoder", "rx_slices", "rx_bypass", "rx_mux", "dma_write"];
  const place = (label) => (way.indexOf(label.split(".").pop()) + way.length + 1) % (way.length + 1);
  const alongTheWay = (items) => items.sort((a, b) => place(a.label) - place(b.label));
  // Stages that no packet passed say nothing.
  const passed = (items) => items.filter((i) => (get("stage." + i.label + ".packets") || { value: 1 }).value > 0);

  // A unit in which the largest of the values is easy to read.
  function scaled(unit, values) {
    const most = Math.max(...values.map(Math.abs));
    if (unit === "b/s" && most >= 1e9) return { unit: "Gb/s", by: 1e-9 };
    if (unit === "ns" && most >= 1e6) return { unit: "ms", by: 1e-6 };
    if (unit === "ns" && most >= 1e3) return { unit: "us", by: 1e-3 };
    return { unit: unit && unit !== "1" ? unit : "", by: 1 };
  }

  const origin = (items) => [...new Set(items.map((i) => origins[i.statistic.provenance] || i.statistic.provenance))].join("; ") + ".";
  const tooltip = { trigger: "axis", axisPointer: { type: "shadow" }, confine: true, valueFormatter: number };

  function bars(heading, items, words, options) {
    if (items.length === 0) return;
    const { sorted, reference } = options || {};
    if (sorted) items = [...items].sort((a, b) => b.statistic.value - a.statistic.value);
    const { unit: label, by } = scaled(items[0].statistic.unit, items.map((i) => i.statistic.value));
    const chart = card(heading, label, words + " " + origin(items), Math.max(180, 90 + 24 * items.length));
    const series = { name: heading, type: "bar", color: palette[0], barMaxWidth: 18, data: items.map((i) => i.statistic.value * by),
      label: { show: true, position: "right", formatter: (hit) => number(hit.value) } };
    if (reference) series.markLine = { symbol: "none", data: [{ xAxis: reference.value * by, name: reference.name }],
      label: { formatter: reference.name }, lineStyle: { color: palette[1] } };
    chart.setOption({ animation: false, tooltip, grid: { left: 8, right: 70, top: 10, bottom: 34, containLabel: true },
      xAxis: { type: "value", name: label, nameLocation: "middle", nameGap: 24, axisLabel: { formatter: number, hideOverlap: true } },
      yAxis: { type: "category", inverse: true, data: items.map((i) => i.label) }, series: [series] });
  }

  // The exact quantiles of the run, joined by straight lines.
  function latency() {
    const shares = { min: 0, p01: 0.01, p05: 0.05, p10: 0.1, p25: 0.25, p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99,
      p999: 0.999, max: 1 };
    const lines = [["latency.packet", "packet complete"], ["latency.compress_first_byte", "compression, first byte"],
      ["latency.decompress_first_byte", "decompression, first byte"]]
      .map(([name, words]) => ({ words, data: Object.entries(shares).filter(([key]) => get(name + "." + key))
        .map(([key, share]) => [get(name + "." + key).value, share * 100, key]) }))
      .filter((line) => line.data.length > 1);
    if (lines.length === 0) return;
    const count = get("latency.packet.count");
    const chart = card("Latency distribution", "ns", "Share of packets that take at most this long: nearest-rank quantiles of " +
      (count ? number(count.value) + " packets" : "all packets") + ", joined by lines. Packet complete: first byte into the " +
      "NIC to last byte in the memory of the other node. " + origin([{ statistic: get("latency.packet.max") || count }]));
    chart.setOption({ animation: false, legend: { top: 0 }, grid: { left: 60, right: 30, top: 34, bottom: 46 },
      tooltip: { confine: true, formatter: (hit) => escaped(hit.seriesName) + "<br>" + hit.data[2] + ": <b>" + number(hit.data[0]) + " ns</b>" },
      xAxis: { type: "log", name: "ns", nameLocation: "middle", nameGap: 28, axisLabel: { formatter: number },
        min: (range) => range.min * 0.8, max: (range) => range.max * 1.2 },
      yAxis: { type: "value", max: 100, axisLabel: { formatter: "{value} %" } },
      series: lines.map((line, i) => ({ name: line.words, type: "line", color: palette[i], symbolSize: 7, data: line.data })) });
  }

  function stages() {
    const items = alongTheWay(passed(family(/^stage\.(.+)\.busy$/)));
    if (items.length === 0) return;
    const chart = card("Where the time went, per stage", "%", "Share of the run in which a stage worked (busy), had nothing to do " +
      "(starved) or was held up by the next one (blocked); of a bank of engines, the mean of its engines. " + origin(items),
      Math.max(220, 90 + 24 * items.length));
    const value = (label, what) => { const s = get("stage." + label + "." + what); return s ? s.value * 100 : 0; };
    const colors = { busy: palette[0], starved: "#dde3ea", blocked: palette[5] };
    chart.setOption({ animation: false, legend: { top: 0 }, grid: { left: 8, right: 30, top: 30, bottom: 20, containLabel: true },
      tooltip: { ...tooltip, valueFormatter: (v) => number(v) + " %" },
      xAxis: { type: "value", max: 100, axisLabel: { formatter: "{value} %" } },
      yAxis: { type: "category", inverse: true, data: items.map((i) => i.label) },
      series: ["busy", "blocked", "starved"].map((what) => ({ name: what, type: "bar", stack: "run", color: colors[what],
        barMaxWidth: 18, data: items.map((i) => value(i.label, what)) })) });
  }

  function everything() {
    const rows = element("tbody", {});
    const input = element("input", { type: "text", placeholder: "part of a name", oninput: () => fill() });
    const fill = () => rows.replaceChildren(...page.statistics.filter((s) => s.name.includes(input.value)).map((s) =>
      element("tr", { title: about(s) }, element("td", {}, s.name), element("td", { class: "number" }, quantity(s.value, s.unit)),
        element("td", { class: "soft" }, s.provenance))));
    fill();
    document.querySelector("main").append(element("section", { class: "card wide" }, element("h2", {}, "All statistics"), input,
      element("div", { class: "scroll" }, element("table", {}, rows))));
  }

  headline();
  latency();
  stages();
  bars("Latency by station", alongTheWay(family(/^latency\.station\.(.+)\.mean$/)), "Mean time of a packet between two stations of its way.");
  bars("What each stage could carry", alongTheWay(family(/^stage\.(.+)\.capacity$/)), "Tensor bits per second with this data, if nothing else " +
    "were in the way; the line is the link.", { reference: get("rate.link") && { value: get("rate.link").value, name: "link" } });
  bars("Ratio by kind of tensor", family(/^kind\.(.+)\.ratio$/), "Compressed / original bytes, headers included; lower is better.",
    { sorted: true });
  bars("Ratio by layer", family(/^layer\.(.+)\.ratio$/), "Compressed / original bytes, headers included; lower is better.");
  bars("Area per stage, ASIC", family(/^cost\.stage\.(.+)\.asic\.area$/), "Typical estimate.", { sorted: true });
  bars("LUTs per stage, FPGA", family(/^cost\.stage\.(.+)\.fpga\.luts?$/), "Typical estimate.", { sorted: true });
  bars("Power per stage, ASIC", family(/^cost\.run\.asic\.stage\.(.+)\.power$/), "From the actions of this run; typical estimate.",
    { sorted: true });
  everything();
  addEventListener("resize", () => charts.forEach((c) => c.chart.resize()));
  // For whoever drives the page from outside, as its test does.
  window.netzipsim = { charts };
})();
