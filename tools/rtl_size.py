#!/usr/bin/env python3
"""Counts what yosys makes of every RTL block and writes configs/cost/rtl_counts.toml.

Post-synthesis, no place and route, no timing: the counts say how much logic, not how fast.
Run from anywhere: tools/rtl_size.py [block ...]   (without arguments: all; others keep their entry)
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = os.path.join(ROOT, "tests", "rtl", "sv")
OUTPUT = os.path.join(ROOT, "configs", "cost", "rtl_counts.toml")

# name of the entry: (top module, parameters, what it is, bytes per cycle)
BLOCKS = {
    "delta_encoder": ("delta_encoder", {}, "integer delta, 32 lanes, 64 base registers, running minimum", 64),
    "delta_decoder": ("delta_decoder", {}, "integer delta decoder, 32 lanes", 64),
    "grouper": ("grouper", {}, "bit and byte grouper, double staging buffer of 2 x 4 KiB", 64),
    "ungrouper": ("ungrouper", {}, "bit and byte ungrouper, double staging buffer of 2 x 4 KiB", 64),
    "lz4_compressor": ("lz4_compressor", {}, "LZ4 compressor, hash 2^10, one candidate, 256 sequences, history 8 KiB", 1),
    "exponent_window_encoder": ("exponent_window_encoder", {}, "exponent-window encoder, 3 bits, 4 slots of 4 KiB", 64),
    "exponent_prefix_encoder": ("exponent_prefix_encoder", {}, "exponent-prefix encoder, 32 lanes, 2 halves of 4 KiB", 64),
    "exponent_window_decoder": ("exponent_window_decoder", {}, "exponent-window decoder, 3 bits, 4 slots of 4 KiB", 64),
    "exponent_prefix_decoder": ("exponent_prefix_decoder", {}, "exponent-prefix decoder, 32 lanes, 4 slots of 4 KiB", 64),
    "lz4_decompressor": ("lz4_decompressor", {}, "LZ4 decompressor, history 4 KiB, every offset at full width", 8),
}

# BRAM36 and BRAM18 hold 36,864 and 18,432 bits with parity. CARRY4 sits beside LUTs and takes none.
LUTRAM_LUTS = {"RAM32M": 4, "RAM32M16": 8, "RAM64M": 4, "RAM64M8": 8, "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4,
               "RAM256X1D": 8, "RAM32X1S": 1, "RAM64X1S": 1, "RAM128X1S": 2, "RAM256X1S": 4}
FLIP_FLOPS = {"FDRE", "FDSE", "FDCE", "FDPE"}


def modules_of(top):
    """The module and all that it holds, a file each. Nothing else is read: it would change names and so the counts."""
    everything = {f[:-3] for f in os.listdir(SOURCES) if f.endswith(".sv")}
    found, waiting = set(), [top]
    while waiting:
        name = waiting.pop()
        found.add(name)
        with open(os.path.join(SOURCES, name + ".sv")) as file:
            text = file.read()
        waiting += [m for m in everything - found if re.search(rf"^\s*{m}\s+(#\(|\w+\s*\()", text, re.MULTILINE)]
    return sorted(found)


def yosys(top, parameters, commands):
    files = [os.path.join(SOURCES, name + ".sv") for name in modules_of(top)]
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "stat.json")
        script = ["read_verilog -sv " + " ".join(files)]
        script += [f"chparam -set {key} {value} {top}" for key, value in parameters.items()]
        script += [f"hierarchy -check -top {top}"] + commands + [f"tee -o {report} stat -json"]
        done = subprocess.run(["yosys", "-q", "-p", "; ".join(script)], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"yosys failed on {top}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        with open(report) as file:
            text = file.read()
        return json.loads(text[text.index("{"):])["design"]


def xilinx(top, parameters):
    # -nosrl: shift registers are flip-flops, as in an ASIC.
    design = yosys(top, parameters, ["synth_xilinx -family xcup -flatten -noiopad -noclkbuf -nosrl"])
    cells = design["num_cells_by_type"]
    luts = sum(n for cell, n in cells.items() if re.fullmatch(r"LUT[1-6]|INV", cell))
    lutram = sum(n * LUTRAM_LUTS.get(cell, 0) for cell, n in cells.items())
    unknown = [c for c in cells if c.startswith("RAM") and c not in LUTRAM_LUTS and not c.startswith("RAMB")]
    if unknown:
        sys.exit(f"{top}: no LUT count is known for {unknown}")
    return {
        "lut": luts + lutram,
        "lut_memory": lutram,
        "ff": sum(n for cell, n in cells.items() if cell in FLIP_FLOPS),
        "carry4": cells.get("CARRY4", 0),
        "muxf": sum(n for cell, n in cells.items() if cell.startswith("MUXF")),
        "bram18": sum(n for cell, n in cells.items() if cell.startswith("RAMB18")),
        "bram36": sum(n for cell, n in cells.items() if cell.startswith("RAMB36")),
        "uram": cells.get("URAM288", 0),
    }


def generic(top, parameters):
    logic = ["proc", "flatten", "opt_clean"]
    memory = yosys(top, parameters, logic)
    bits = memory["num_memory_bits"]
    # Memories become ports of a black box, so that only logic and flip-flops are counted.
    design = yosys(top, parameters, ["proc", "flatten", "opt -full", "fsm", "opt", "wreduce", "peepopt", "opt_clean",
                                     "alumacc", "share", "opt", "memory -nomap", "opt_clean",
                                     "opt -fast -full", "techmap", "opt -fast", "abc -g gates", "opt_clean"])
    cells = {c: n for c, n in design["num_cells_by_type"].items() if not c.startswith("$mem")}
    flip_flops = sum(n for c, n in cells.items() if "FF" in c or "LATCH" in c)
    return {"gates": sum(cells.values()) - flip_flops, "gate_ff": flip_flops, "memory_bits": bits}


def read_existing():
    entries = {}
    if os.path.exists(OUTPUT):
        import tomllib
        with open(OUTPUT, "rb") as file:
            entries = {name: value for name, value in tomllib.load(file).items() if isinstance(value, dict)}
    return entries


def write(entries):
    with open(OUTPUT, "w") as file:
        file.write("# Size of the own RTL blocks (tests/rtl/sv), made by tools/rtl_size.py: do not edit.\n"
                   "# yosys synth_xilinx -family xcup for UltraScale+ (lut includes LUT RAM), and generic two-input\n"
                   "# gates without memories. Post-synthesis, no timing: no place and route, no clock is claimed.\n"
                   'kind = "counts"\n')
        for name in BLOCKS:
            if name not in entries:
                continue
            file.write(f"\n[{name}]\n")
            for key, value in entries[name].items():
                file.write(f"{key} = {json.dumps(value)}\n")


def main():
    wanted = sys.argv[1:] or list(BLOCKS)
    for name in wanted:
        if name not in BLOCKS:
            sys.exit(f"unknown block {name}; there are {', '.join(BLOCKS)}")
    entries = read_existing()
    version = subprocess.run(["yosys", "-V"], capture_output=True, text=True).stdout.split()[1]
    for name in wanted:
        top, parameters, text, width = BLOCKS[name]
        counts = {"what": text, "bytes_per_cycle": width}
        counts.update(xilinx(top, parameters))
        counts.update(generic(top, parameters))
        counts["source"] = f"yosys {version}, post-synthesis, no timing"
        entries[name] = counts
        print(name, counts, flush=True)
        write(entries)


if __name__ == "__main__":
    main()
