#!/usr/bin/env python3
"""Breaks every RTL block in at least five ways and shows that the tests see it.

Needs a build folder with test_rtl (argument 1, default build/release). For each mutation the block is translated and
compiled again, put before the library in the link, and the tests of the block's tag run. Takes 10 to 60 seconds
each.
Prints a Markdown table; exits 1 when a mutation survives.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SV = os.path.join(HERE, "sv")

TRANSMIT_PATH = ["transmit_path.sv", "delta_encoder.sv", "grouper.sv", "engine_port.sv", "lz4_compressor.sv",
                 "packet_ring.sv"]

# block: (verilated class, V and the top module; other files; tag of the tests; [(what, old text, new text)])
MUTATIONS = {
    "delta_encoder": ("Vdelta_encoder", [], "[delta],*stamp of the delta encoder*", [
        ("the minimum of lanes 28 to 31 is lost", "least(least(min1[4*i], min1[4*i+1]), least(min1[4*i+2], min1[4*i+3]))",
         "least(least(min1[4*i], min1[4*i+1]), least(min1[4*i+2], min1[4*i+2]))"),
        ("NaNs count in the minimum", "&& s_data[16*i+:15] <= 15'h7f80 ", ""),
        ("values beyond the end of a short packet count", "s_bytes >= 7'(2 * i + 2) && s_data", "s_data"),
        ("a new iteration keeps the old minimum", "assign row_min = begins ? min3 : least", "assign row_min = least"),
        ("a layer's first packet reads an unwritten row", "seen[b3.layer] ? rows[b3.layer] : {NEUTRAL, NONE}",
         "rows[b3.layer]"),
        ("a fraction of a value is changed", "if (bytes4 >= 7'(2 * i + 2))", "if (bytes4 >= 7'(2 * i + 1))"),
        ("the row is written though the stage stands", "if (v[3] && en[4]) rows", "if (v[3]) rows"),
        ("a bubble is not collapsed", "en[i] = m_ready || (v >> (i - 1)) != 5'h1f >> (i - 1)", "en[i] = m_ready || !v[5]"),
    ]),
    "delta_decoder": ("Vdelta_decoder", [], "[delta]", [
        ("adds the complement", "s_data[16*i+:16] + s_base", "s_data[16*i+:16] + ~s_base"),
        ("lane 31 is handed through", "if (s_bytes >= 7'(2 * i + 2))", "if (s_bytes >= 7'(2 * i + 2) && i != 31)"),
        ("a fraction of a value is changed", "s_bytes >= 7'(2 * i + 2)", "s_bytes >= 7'(2 * i + 1)"),
        ("a stalled beat is overwritten", "assign s_ready = !m_valid || m_ready;", "assign s_ready = 1'b1;"),
        ("the last beat is not marked", "m_last <= s_last;", "m_last <= 1'b0;"),
    ]),
    "grouper": ("Vgrouper", [], "[grouping],*stamp of the grouper*", [
        ("a third packet is admitted into full halves", "assign s_ready = in_packet || used != 2'd2;",
         "assign s_ready = 1'b1;"),
        ("a half is released before its head has left", "assign release_half = head_gone && (", "assign release_half = ("),
        ("the byte layout forgets the skew of odd rows", "{write_row[0], 3'b000}", "4'b0000"),
        ("bytes beyond the groups come from the first beat", "if (s_bytes[6:4] == 3'(i)) rest", "if (s_bytes[6:4] == 3'(i) && i < 3) rest"),
        ("no flush slot", "assign last_slot = at_flush || (last_data && !overflow);", "assign last_slot = last_data;"),
        ("the packer forgets what overflowed", "gathered <= q2.full ? rotated : merged;", "gathered <= merged;"),
        ("a slot passes a stalled one", "assign advance2 = !v2 || advance;", "assign advance2 = 1'b1;"),
        ("reading starts a cycle late", "assign issue = complete != 2'd0 && advance1;",
         "assign issue = complete_q && complete != 2'd0 && advance1; logic complete_q; always_ff @(posedge clk) complete_q <= complete != 2'd0;"),
    ]),
    "ungrouper": ("Vungrouper", [], "[grouping],*stamp of the ungrouper*", [
        ("the unpacker turns one byte too far", "else if (by_bit) turn = {plane, 2'b00} - residue;",
         "else if (by_bit) turn = {plane, 2'b00} - residue + 6'(residue == 6'd63);"),
        ("the slot takes all of the newer beat", "6'(p) < residue || residue == 6'd0", "6'(p) <= residue || residue == 6'd0"),
        ("the rest is put one group too early", "if (q1.bytes[6:4] == 3'(g))", "if (q1.bytes[6:4] == 3'(g + 1))"),
        ("rows are read before the last slot is written", "complete != 2'd0 && advance1", "used != 2'd0 && advance1"),
        ("a half is released before its head has left", "assign release_half = head_gone && (", "assign release_half = ("),
        ("the odd byte at the start of a beat is lost", "if (q1.bytes == 7'(2 * i + 1)) values", "if (q1.bytes == 7'(2 * i + 1) && i != 0) values"),
        ("the base of the first packet stays", "in_packet ? base_q : s_base", "base_q"),
    ]),
    "lz4_compressor": ("Vlz4_compressor", [], "[lz4]", [
        ("the table is not cleared when the tag wraps", "clearing <= epoch == '1;", "clearing <= 1'b0;"),
        ("the tag is not compared", "hit <= candidate.epoch == epoch && ", "hit <= "),
        ("a match may begin 11 bytes before the end", "here + 13'd12 <= size", "here + 13'd11 <= size"),
        ("a match may reach into the last 5 bytes", "byte_here + 13'd5 >= size", "byte_here + 13'd4 >= size"),
        ("the matcher goes on though the FIFO is full", "&& !(push && full)", ""),
        ("the history is overwritten before its literals left", "!clearing && !history_full", "!clearing"),
        ("a length of 255 ends too early", "if (length_left < 13'd255) state <= LITERAL;", "if (length_left <= 13'd255) state <= LITERAL;"),
        ("a search begins inside a match", "&& here >= resume ", ""),
        ("the literal pointer forgets matches without literals", "(state == OFFSET_LOW && literals_left == '1)", "1'b0"),
    ]),
    "lz4_decompressor": ("Vlz4_decompressor", [], "[lz4]", [
        ("offset 7 is not replicated", "4'd7: replicated = 4'(i % 7);", "4'd7: replicated = 4'(i);"),
        ("offset 15 is read from the history", "if (x_offset <= 13'd16)", "if (x_offset <= 13'd14)"),
        ("offsets up to 8 alone come from registers", "if (x_offset <= 13'd16)", "if (x_offset <= 13'd8)"),
        ("literals pass a running copy", "waits = copy_left != 14'd0;", "waits = 1'b0;"),
        ("a match is handed over too early", "assign copy_ready = copy_left <= 14'd8;", "assign copy_ready = copy_left <= 14'd16;"),
        ("offset 0 is accepted", "offset_here == 16'd0 || ", ""),
        ("an offset beyond the beginning is accepted", "offset_here > {2'd0, handed_to} || ", ""),
        ("bytes behind the last literal are accepted", "last_literal = loaded && held == {1'b0, chunk};", "last_literal = 1'b1;"),
        ("the rest of the last word is lost", "x_end ? spilled || x_failed :", "x_end ? x_failed :"),
    ]),
    "exponent_window_encoder": ("Vexponent_window_encoder", ["beat_packer.sv", "byte_collector.sv"], "~[timing]*Vexponent_window_encoder*", [
        ("the window has six exponents", "{1'b0, base1} + 9'd7", "{1'b0, base1} + 9'd6"),
        ("values beyond the end are coded", "if (k1 && 6'(i) < values1) begin", "if (k1) begin"),
        ("the base is one too high", "largest_next - 8'd6", "largest_next - 8'd5"),
        ("a packet that grows is not sent raw", "stored <= total > size;", "stored <= 1'b0;"),
        ("the check of the length is modulo 16", "digits3 == 4'd15 ? 4'd0 : digits3", "size[3:0]"),
        ("the last codes are not written", "|| (end2 && code_fill != 4'd0)", ""),
        ("the largest exponent of the packet before stays", "row_first || row_largest > largest", "row_largest > largest"),
    ]),
    "exponent_prefix_encoder": ("Vexponent_prefix_encoder", ["beat_packer.sv", "byte_collector.sv", "prefix_lane.sv"], "~[timing]*Vexponent_prefix_encoder*", [
        ("the scale is not limited downwards", "if (scaled && wished + 10'd7 < scale)", "if (1'b0)"),
        ("a block with a sixteenth of zeros is sparse", "{dzero[4], 4'd0} > {4'd0, dcount[4]}", "{dzero[4], 4'd0} >= {4'd0, dcount[4]}"),
        ("-0 is left out as well", "row_q[16*i+:16] != 16'd0", "row_q[16*i+:15] != 15'd0"),
        ("the divider loses its last bit", "b >= 0 && b > 6 - 3 * k", "b >= 1 && b > 6 - 3 * k"),
        ("one code of table 1 is that of table 0", "s[0] ? {5'd5, 16'h0017}", "s[0] ? {5'd3, 16'h0001}"),
        ("the half byte behind an odd number of blocks stays 0", "brief[16+4*b+:4] = 4'hf;", "brief[16+4*b+:4] = 4'h0;"),
        ("lanes above 64 bytes lose their second half", "assign lane_more = !second && lane_left > 8'd64;", "assign lane_more = 1'b0;"),
        ("a packet that grows is not sent raw", "state <= total > size ? MARK : HEAD;", "state <= HEAD;"),
        ("the map of a short last block has 16 bytes", "e_bytes = at[4:0] + 5'd1 == block_count ? {2'b00, last_map} : 7'd16;", "e_bytes = 7'd16;"),
    ]),
    "exponent_window_decoder": ("Vexponent_window_decoder", ["exponent_intake.sv", "byte_window.sv", "byte_supply.sv"], "~[timing]*Vexponent_window_decoder*", [
        ("an escape stands for code 7", "codes2[3*i+:3] == 3'd0;", "codes2[3*i+:3] == 3'd7;"),
        ("values beyond the end count as escapes", "6'(i) < values2 && codes2", "codes2"),
        ("the escapes begin a byte late", "+ 14'd7) >> 3)", "+ 14'd8) >> 3)"),
        ("odd rows take the rests of even ones", "odd4 <= row3[0];", "odd4 <= 1'b0;"),
        ("the slot is released when its last codes were read", "advance && v3 && last3;", "advance && v1 && last1;"),
        ("the odd byte is lost", "if (odd_byte5 && bytes5", "if (1'b0 && bytes5"),
        ("the sum of the parts is not checked", "padding3 || wrong_end ||", "padding3 ||"),
        ("the padding of the codes is not checked", "padding2 = 1'b1;", "padding2 = 1'b0;"),
        ("a base beyond the exponents is accepted", "info3.base > 8'd249", "info3.base > 8'd250"),
        ("a stalled row is overwritten", "assign advance = !m_valid || m_ready;", "assign advance = 1'b1;"),
    ]),
    "exponent_prefix_decoder": ("Vexponent_prefix_decoder", ["exponent_intake.sv", "byte_window.sv", "byte_supply.sv", "prefix_lane_decoder.sv"], "~[timing]*Vexponent_prefix_decoder*", [
        ("lanes above 32 bytes lose their rest", "if (group_lens[8*i+:8] > 8'(32 * c) && last_chunk", "if (1'b0 && last_chunk"),
        ("the last lane takes one byte too many", "last_len <= left > 13'd128 ? 8'd0 : left[7:0];", "last_len <= left > 13'd128 ? 8'd0 : left[7:0] + 8'd1;"),
        ("the scale starts anew with every block", "if (issue) scale <= scale0;", "if (issue) scale <= {2'b00, packet.first_scale};"),
        ("all values of a sparse block are kept", "(!packet.sparse[row[5:2]] || map_row[i])", "1'b1"),
        ("the map of a short last block has 16 bytes", "(block + 5'd1 == blocks ? {8'd0, last_map} : 13'd16)", "13'd16"),
        ("a block of zeros counts its rests", "steps[4*b+:4] != 4'd0 && !sparse[b];", "!sparse[b];"),
        ("a packet's lanes are overwritten before it was decoded", "there && halves_used != 2'd2;", "there;"),
        ("the turner has one half", "words[{out_parity, l}]", "words[{u2.parity, l}]"),
        ("the decoder begins before its lanes are loaded", "if (out_valid && out_word == 2'd0 && out_last) loaded[out_half]", "if (load_end) loaded[half]"),
        ("a scale that leaves the range is accepted", "bad1 || (!raw1 && scale1[10:9] != 2'd0)", "bad1"),
        ("the end of a lane is not checked", "faults | (last1 ? ~ends : 32'd0)", "faults"),
    ]),
    "prefix_lane_decoder": ("Vexponent_prefix_decoder", ["exponent_intake.sv", "byte_window.sv", "byte_supply.sv", "exponent_prefix_decoder.sv"], "~[timing]*Vexponent_prefix_decoder*", [
        ("-7 of table 0 is read as -6", "9'b0_?0101111: {bits, distance} = {4'd7, -5'sd7};", "9'b0_?0101111: {bits, distance} = {4'd7, -5'sd6};"),
        ("an escape has 8 bits", "escape ? 5'd16 : {1'b0, bits}", "{1'b0, bits}"),
        ("an exponent below 0 is accepted", "sum[9:8] != 2'b00;", "sum[9:8] == 2'b01;"),
        ("the filling of the last byte is not checked", "(end_at[2:0] == 3'd0 || end_byte == 8'd0)", "1'b1"),
        ("a lane begins with its third piece", "piece <= 7'd2;", "piece <= 7'd3;"),
    ]),
    "exponent_intake": ("Vexponent_window_decoder", ["byte_window.sv", "byte_supply.sv", "exponent_window_decoder.sv"], "~[timing]*Vexponent_window_decoder*", [
        ("the last byte of a raw row stays in its row", "raw ? beat[5:0] - 6'd1 : beat[5:0]", "beat[5:0]"),
        ("a fifth block is admitted", "in_packet || used != 3'd4;", "1'b1;"),
        ("the original length is not checked", "s_data[7:3] != {1'b0, modulo15}", "s_data[7]"),
    ]),
    "byte_supply": ("Vexponent_window_decoder", ["exponent_intake.sv", "byte_window.sv", "exponent_window_decoder.sv"], "~[timing]*Vexponent_window_decoder*", [
        ("bytes are not moved by 16", "for (int b = 4; b >= 0; b--)", "for (int b = 3; b >= 0; b--)"),
        ("a stalled cycle takes bytes", "if (enable) begin\n      first1", "begin\n      first1"),
        ("a byte is passed on where it stays", "if (i >= 1 << b && moves3[32*b", "if (i >= 1 << b && moves2[32*b"),
    ]),
    "transmit_path": ("Vtransmit_path", TRANSMIT_PATH, "[transmit]", [
        ("a complete packet of engine 0 leaves before all others", "assign from = order[order_read[5:0]];",
         "assign from = complete[0] ? '0 : order[order_read[5:0]];"),
        ("the engine is chosen anew with every row", "assign target = in_packet ? chosen_q : chosen;", "assign target = chosen;"),
        ("engine 3 gets no packets", "for (int i = ENGINES - 1; i >= 0; i--)", "for (int i = ENGINES - 2; i >= 0; i--)"),
        ("a payload is sent before it is complete", "order_write != order_read && complete[from]",
         "order_write != order_read && (complete[from] || backlog[14*from+:14] == 14'd0)"),
        ("one row too few is sent", "7'((size - 13'd1) >> 6)", "7'((size - 13'd2) >> 6)"),
        ("bypass is asked anew with every row", "assign bypass = begun ? bypass_q : s_bypass;", "assign bypass = s_bypass;"),
        ("a bypassing packet does not wait for its rows", "r_bypass ? r_row :", "r_bypass ? 1'b1 :"),
        ("a payload that did not shrink is sent", "assign raw = r_bypass || raws[from];", "assign raw = r_bypass;"),
        ("a raw packet keeps its place in the engine", "assign done[i] = r_done && !r_bypass", "assign done[i] = r_done && !raw"),
        ("the flag is that of the packet behind", "m_compressed <= !q_raw;", "m_compressed <= !raw;"),
        ("a row is chosen by the packet behind", "m_data <= q_raw ? r_data", "m_data <= raw ? r_data"),
        ("a bypassing packet takes a place of the bank's order", "if (last_row && !r_bypass) order_read", "if (last_row) order_read"),
    ]),
    "engine_port": ("Vtransmit_path", TRANSMIT_PATH, "[transmit]", [
        ("a payload as long as its packet is sent", "assign raw = length + 13'd3 >= size_out;", "assign raw = length + 13'd3 > size_out;"),
        ("a payload that did not shrink keeps its rows", "if (ends && raw) result_write <= result_start;",
         "if (1'b0) result_write <= result_start;"),
        ("a base that spills by a byte is cut", "spills <= ends && !raw && fill >= 6'd62;", "spills <= ends && !raw && fill == 6'd63;"),
        ("the row that took the base is not counted", "result_start <= result_write + {8'd0, spills};", "result_start <= result_write;"),
        ("the length has 8 bits", "{m_byte, 3'd0, size_out, gathered", "{m_byte, 8'd0, size_out[7:0], gathered"),
        ("payloads are announced a cycle early", "complete <= complete + {3'd0, finished}", "complete <= complete + {3'd0, ends}"),
        ("results are overwritten before they left", "assign m_ready = result_write - result_read < 9'd250;", "assign m_ready = 1'b1;"),
        ("a third packet comes in", "assign room = waiting != 2'd2 && open != 4'd8;", "assign room = waiting != 2'd3 && open != 4'd8;"),
        ("a ninth packet comes in", "assign room = waiting != 2'd2 && open != 4'd8;", "assign room = waiting != 2'd2;"),
        ("the backlog is that of the last packet", "backlog <= backlog + (s_valid && s_first", "backlog <= (s_valid && s_first ? '0 : backlog) + (s_valid && s_first"),
    ]),
    "packet_ring": ("Vtransmit_path", TRANSMIT_PATH, "[transmit]", [
        ("rows are overwritten before their packet left", "used <= MOST_USED && ", ""),
        ("a 65th packet comes in", " && began - oldest != PACKET << PACKETS_LOG2", ""),
        ("the rows of a compressed packet stay", "if (m_done) row_read <= end_row + ROW;", "if (m_done) row_read <= row_read + ROW;"),
        ("the last row is a full one", "assign m_bytes = m_last ? {1'b0, end_byte} + 7'd1 : 7'd64;", "assign m_bytes = 7'd64;"),
        ("a row is there before it came", "assign m_row = used != '0;", "assign m_row = 1'b1;"),
        ("every row says whether its packet bypasses", "if (s_valid && s_first) bypass", "if (s_valid) bypass"),
    ]),
}


def run(command, **kwargs):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", **kwargs)


def link_command(build):
    text = run(["ninja", "-C", build, "-t", "commands", "test_rtl"]).stdout.strip().splitlines()[-1]
    return re.search(r"\S*c\+\+ .* -o bin/test_rtl .*?(?= &&|$)", text).group(0)


def mutant(build, link, block, prefix, extra, tag, old, new, folder):
    with open(os.path.join(SV, block + ".sv")) as file:
        text = file.read()
    if old not in text:
        return "the text is not there any more"
    source = os.path.join(folder, block + ".sv")
    with open(source, "w") as file:
        file.write(text.replace(old, new, 1))
    files = [source] + [os.path.join(SV, name) for name in extra if name != block + ".sv"]
    done = run(["verilator", "--cc", "-Wno-fatal", "-Wno-lint", "--x-assign", "0", "--top-module", prefix[1:], "--prefix",
                prefix, "--Mdir", folder] + files)
    if done.returncode != 0:
        return "does not compile: " + done.stderr[:200]
    objects = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".cpp"):
            target = os.path.join(folder, name + ".o")
            done = run(["g++", "-std=c++20", "-O0" if len(text) > 15000 else "-O1", "-I", folder, "-I/usr/share/verilator/include",
                        "-I/usr/share/verilator/include/vltstd", "-c", os.path.join(folder, name), "-o", target])
            if done.returncode != 0:
                return "does not compile: " + done.stderr[:200]
            objects.append(target)
    binary = os.path.join(folder, "test")
    command = link.replace("-o bin/test_rtl", " ".join(objects) + " -o " + binary)
    done = run(command, shell=True, cwd=build)
    if done.returncode != 0:
        return "does not link: " + done.stderr[-300:]
    try:
        done = run([binary, tag], timeout=400)
    except subprocess.TimeoutExpired:
        return "seen: the tests do not end"
    if done.returncode == 0:
        return "SURVIVED"
    failed = re.search(r"test cases:\s*\d+ \|.*?(\d+) failed", done.stdout)
    return f"seen by {failed.group(1) if failed else 'all'} test(s)"


def main():
    build = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "release"))
    wanted = sys.argv[2:] or list(MUTATIONS)
    link = link_command(build)
    bad = 0
    print("| block | mutation | result |\n|---|---|---|", flush=True)
    for block in wanted:
        prefix, extra, tag, mutations = MUTATIONS[block]
        for what, old, new in mutations:
            folder = tempfile.mkdtemp()
            result = mutant(build, link, block, prefix, extra, tag, old, new, folder)
            shutil.rmtree(folder)
            bad += not result.startswith("seen")
            print(f"| {block.replace('_', ' ')} | {what} | {result} |", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
