#!/usr/bin/env python3
"""Turns configs/cost/rtl_counts.toml (tools/rtl_size.py) into configs/cost/rtl_blocks.toml, the cost model's entries.

LUTs of distributed RAM are taken off: the model counts memories from the configuration.
"""
import os
import tomllib

COST = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "configs", "cost")

HEAD = '''# Replaces entries of vitis_blocks.toml by own RTL designed for 4 KiB packets (tests/rtl/sv), `cost.source = "rtl"`.
# Written by tools/rtl_cost_table.py from rtl_counts.toml: do not edit.
# Post-synthesis counts of yosys for UltraScale+: no place and route, no timing closure, so no clock is claimed (0 MHz).
kind = "blocks"
title = "own RTL (yosys, post-synthesis, no timing)"
entry = [
'''


def entry(name, value, unit, source, valid=""):
    node = "16 nm" if unit in ("LUT", "FF", "MHz", "BRAM36") else "any"
    more = f", valid = {{ {valid} }}" if valid else ""
    return (f'    {{ name = "{name}", value = {value}, unit = "{unit}", node = "{node}", provenance = "derived", '
            f'source = "{source}"{more} }},\n')


def lane_logic(name, counts, lanes):
    """LUT, FF and gates of a block of `lanes` lanes, for one of them."""
    def value(amount):
        return -(-amount // lanes)
    source = f"own RTL: {counts['what']}, divided by {lanes}; {counts['source']}"
    return (entry(name + ".lut", value(counts["lut"] - counts["lut_memory"]), "LUT", source, "lanes = [1, 64]") +
            entry(name + ".ff", value(counts["ff"]), "FF", source) +
            entry(name + ".gates", value(counts["gates"]), "gate", source))


def logic(name, counts, valid="", less=None):
    """LUT, FF and gates of a block, less those of another one that it contains."""
    def value(key):
        own = counts[key] - (counts["lut_memory"] if key == "lut" else 0)
        if less is not None:
            own -= less[key] - (less["lut_memory"] if key == "lut" else 0)
        return max(own, 0)
    source = f"own RTL: {counts['what']}; {counts['source']}" + (f"; less {less['what']}" if less is not None else "")
    return (entry(name + ".lut", value("lut"), "LUT", source, valid) + entry(name + ".ff", value("ff"), "FF", source) +
            entry(name + ".width", counts["bytes_per_cycle"], "B/cycle", source) +
            entry(name + ".gates", value("gates"), "gate", source))


def main():
    with open(os.path.join(COST, "rtl_counts.toml"), "rb") as file:
        counts = tomllib.load(file)
    stage = "width = [16, 128]"
    text = HEAD
    text += logic("integer_delta", counts["delta_decoder"], stage)
    text += logic("minimum_tree", counts["delta_encoder"], stage, less=counts["delta_decoder"])
    text += logic("grouper", counts["grouper"], stage) + logic("ungrouper", counts["ungrouper"], stage)
    compressor = counts["lz4_compressor"]
    text += logic("lz4_compress", compressor, "width = [1, 1], candidates = [1, 8], candidate_bytes = [4, 8]")
    source = f"own RTL: {compressor['what']}; {compressor['source']}"
    text += entry("lz4_compress.candidate_bytes", 4, "B", source)
    text += entry("lz4_compress.sustained", 0.996, "B/cycle",
                  "own RTL, Verilator: 4114 cycles per 4096 incompressible bytes")
    text += entry("lz4_compress.clock", 0, "MHz", "no timing closure was done")
    decompressor = counts["lz4_decompressor"]
    width = decompressor["bytes_per_cycle"]
    text += logic("lz4_decompress", decompressor, f"width = [{width}, {2 * width}]")
    source = f"own RTL: {decompressor['what']}; {decompressor['source']}"
    text += entry("lz4_decompress.sustained", width, "B/cycle", source)
    text += entry("lz4_decompress.clock", 0, "MHz", "no timing closure was done")
    text += logic("exponent_window_compress", counts["exponent_window_encoder"], stage)
    text += logic("exponent_prefix_compress", counts["exponent_prefix_encoder"], stage)
    text += logic("exponent_window_decompress", counts["exponent_window_decoder"], stage)
    text += lane_logic("exponent_prefix_decompress", counts["exponent_prefix_decoder"], 32)
    source = "own RTL: found inside the exponent-prefix encoder"
    text += entry("exponent_scale.lut", 0, "LUT", source) + entry("exponent_scale.ff", 0, "FF", source)
    with open(os.path.join(COST, "rtl_blocks.toml"), "w") as file:
        file.write(text + "]\n")


if __name__ == "__main__":
    main()
