// Exponent-prefix decoder for bf16, 32 lanes, 32 values per cycle; format in docs/formats.md, anchor_values 128.
//
// A block of up to 4097 B is stored in one of four slots; `s_size`, the packet's original size, comes with its first
// beat. When it is whole a loader reads the header and the lengths of the lanes, keeps and counts the zero maps when any
// block is sparse, and takes the lanes, four at a time and 32 bytes of each, through a turner into the memories of the
// lanes. Those are double: meanwhile the decoder restores one row of 32 values of the packet before per cycle, one code
// per lane, and deals out the rests to the values that were kept. A block stored raw leaves as it is, without its first
// byte.
//
// Short tail packets: rows and blocks may be short, values beyond the end have no code; the odd byte is the block's last.
//
// Damaged blocks: a packet of the announced size leaves in any case; `m_error` with its last beat says that the block
// was not one of such a packet (first byte, fillings, scales, exponents, sum of all parts, end of a lane). Lengths of
// 2 bytes, which no packet of 4096 B needs, count as damage. The fault of a size that is impossible (0, above 4096)
// leaves as one byte.
//
// Timing: the loader waits for a whole block and free lane memories, takes a cycle for that, one for the header, one for
// the sums, with sparse blocks one per block of values and two more, and then, for four lanes at a time, 4 cycles per
// 32 B of the longest. A row leaves 5 cycles after the decoder began with it, the first one 9 cycles after the loader's
// last read.
module exponent_prefix_decoder (
    input  logic         clk,
    input  logic         rst,
    input  logic         s_valid,
    output logic         s_ready,
    input  logic [511:0] s_data,
    input  logic         s_last,
    input  logic [6:0]   s_bytes,
    input  logic [12:0]  s_size,
    output logic         m_valid,
    input  logic         m_ready,
    output logic [511:0] m_data,
    output logic         m_last,
    output logic [6:0]   m_bytes,
    output logic         m_error
);
  localparam int LANES = 32;
  logic write, write_end, there, claim, release_slot;
  logic [7:0] w_row, w_row_end;
  logic [511:0] w_data;
  logic [187:0] infos;
  exponent_intake intake (
      .clk, .rst, .s_valid, .s_ready, .s_data, .s_last, .s_bytes, .s_size, .write, .row(w_row), .write_end,
      .row_end(w_row_end), .data(w_data), .there, .claim, .release_slot, .infos
  );

  // ---- Loader: header.
  typedef enum logic [2:0] {WAIT, HEAD, SUM, MAPS, COUNT, COUNTED, LOAD} state_t;
  state_t state;
  logic [1:0] slot, halves_used;
  logic half, lanes_done;
  logic block_bad, raw;
  logic [2:0] flags;
  logic [7:0] second, unused_tail;
  logic [12:0] bytes, size, at;
  logic [11:0] read_at;
  logic [511:0] window;
  assign {block_bad, raw, flags, second, unused_tail, bytes, size} = infos[47*slot+:47];
  assign claim = state == WAIT && there && halves_used != 2'd2;
  byte_window store (
      .clk, .write, .row(w_row), .write_end, .row_end(w_row_end), .s_data(w_data), .read(1'b1), .slot,
      .half(read_at[11:5]), .data(window)
  );

  logic [11:0] count;
  logic [4:0] blocks;
  logic [7:0] last_count;   // values of the last block
  logic [4:0] last_map;     // bytes of its map
  logic [3:0] step_bytes;
  logic [1:0] sparse_bytes;
  logic [63:0] steps_next, steps;
  logic [15:0] sparse_next, sparse, whole_blocks, last_block, kept_blocks;
  logic [511:0] behind_steps;
  logic [247:0] lens;
  logic [8:0] first_scale;
  logic filled_wrong, bad;
  assign count = size[12:1];
  assign blocks = 5'((13'({1'b0, count}) + 13'd127) >> 7);
  assign last_count = {1'b0, 7'(count - 12'd1)} + 8'd1;
  assign last_map = 5'(({1'b0, last_count} + 9'd7) >> 3);
  assign step_bytes = 4'((blocks + 5'd1) >> 1);
  assign sparse_bytes = flags[1] ? 2'((blocks + 5'd7) >> 3) : 2'd0;
  assign behind_steps = window >> {step_bytes, 3'b000};
  always_comb begin
    filled_wrong = 1'b0;
    for (int b = 0; b < 16; b++) begin
      steps_next[4*b+:4] = 5'(b) < blocks ? window[16+4*b+:4] : 4'd0;
      sparse_next[b] = flags[1] && 5'(b) < blocks && behind_steps[16+b];
      if (blocks[0] && blocks == 5'(b) && window[16+4*b+:4] != 4'hf) filled_wrong = 1'b1;
      if (flags[1] && 5'(b) >= blocks && (b < 8 ? blocks != 5'd0 : blocks > 5'd8) && behind_steps[16+b])
        filled_wrong = 1'b1;
      if (steps_next[4*b+:4] == 4'd0 && sparse_next[b]) filled_wrong = 1'b1;
      whole_blocks[b] = 5'(b) + 5'd1 < blocks;
      last_block[b] = 5'(b) + 5'd1 == blocks;
      kept_blocks[b] = steps[4*b+:4] != 4'd0 && !sparse[b];
    end
  end

  // ---- Loader: zero maps. Kept values without a map are counted first, then a block per cycle.
  logic [12:0] kept, kept_next, len_sum, len_sum_q;
  logic [4:0] block, whole_kept;
  logic map_valid, map_valid2, map_last, map_wrong;
  logic [3:0] map_block, map_block2;
  logic [5:0] map_at;
  logic [127:0] map_turned, map_next, map_q;
  logic [511:0] turned;
  logic [7:0] map_kept;
  logic [127:0] maps[32];
  always_comb begin
    whole_kept = '0;
    for (int b = 0; b < 16; b++) whole_kept = whole_kept + {4'd0, kept_blocks[b] && whole_blocks[b]};
    len_sum = '0;
    for (int l = 0; l < LANES - 1; l++) len_sum = len_sum + {5'd0, lens[8*l+:8]};
    map_kept = '0;
    for (int i = 0; i < 128; i++) map_kept = map_kept + {7'd0, map_q[i]};
    kept_next = kept;
    if (state == SUM) kept_next = {1'b0, whole_kept, 7'd0} + ((kept_blocks & last_block) != 16'd0 ? {5'd0, last_count} : 13'd0);
    else if (map_valid2) kept_next = kept + {5'd0, map_kept};
    map_turned = turned[127:0];
    map_wrong = 1'b0;
    for (int i = 0; i < 128; i++) begin
      map_next[i] = map_turned[i] && (!map_last || 8'(i) < last_count);
      if (map_turned[i] && map_last && 8'(i) >= last_count && 5'(i / 8) < last_map) map_wrong = 1'b1;
    end
  end

  // ---- Loader: lanes, by groups of four.
  logic [12:0] lanes_at, left;
  logic [2:0] group;
  logic [1:0] chunk, last_chunk, lane;
  logic [7:0] last_len;
  logic [31:0] group_lens;
  logic [9:0] ahead[5];
  logic unit_end, group_end, load_end;
  assign group_lens = group == 3'd7 ? {last_len, lens[247:224]} : lens[32*group+:32];
  assign left = bytes - {12'd0, size[0]} - lanes_at - len_sum_q;
  assign unit_end = lane == 2'd3;
  assign group_end = unit_end && chunk == last_chunk;
  assign load_end = state == LOAD && group_end && group == 3'd7;
  always_comb begin
    ahead[0] = '0;
    last_chunk = '0;
    for (int i = 0; i < 4; i++) begin
      ahead[i+1] = ahead[i] + {2'b00, group_lens[8*i+:8]};
      for (int c = 1; c < 4; c++)
        if (group_lens[8*i+:8] > 8'(32 * c) && last_chunk < 2'(c)) last_chunk = 2'(c);
    end
    read_at = at[11:0];
    if (state == WAIT) read_at = '0;
    else if (state == LOAD) read_at = lanes_at[11:0] + {2'd0, ahead[{1'b0, lane}]} + {5'd0, chunk, 5'd0};
  end

  // What the decoder must know of a packet.
  typedef struct packed {
    logic bad;
    logic [12:0] rests_at;
    logic [8:0] first_scale;
    logic [15:0] sparse;
    logic [63:0] steps;
  } packet_t;
  logic [102:0] packets[2];
  logic [255:0] lengths[2];
  always_ff @(posedge clk) begin
    map_block <= block[3:0];
    map_block2 <= map_block;
    map_last <= block + 5'd1 == blocks;
    map_at <= read_at[5:0];
    map_q <= map_next;
    kept <= kept_next;
    if (map_valid2) maps[{half, map_block2}] <= map_q;
    unique case (state)
      HEAD: begin
        steps <= steps_next;
        sparse <= sparse_next;
        first_scale <= {flags[2], second};
        lens <= 248'(behind_steps >> {sparse_bytes, 3'b000} >> 16);
        bad <= block_bad || filled_wrong || flags[0];
        at <= 13'd33 + {9'd0, step_bytes} + {11'd0, sparse_bytes};
        block <= '0;
        if (raw) packets[half] <= {block_bad || bytes != size + 13'd1, 102'd0};
      end
      SUM: begin
        len_sum_q <= len_sum;
        lanes_at <= at + kept_next;
      end
      MAPS: begin
        block <= block + 5'd1;
        if (sparse[block[3:0]]) at <= at + (block + 5'd1 == blocks ? {8'd0, last_map} : 13'd16);
      end
      COUNTED: lanes_at <= at + kept_next;
      LOAD: begin
        if (group_end) lanes_at <= lanes_at + {3'd0, ahead[4]};
        if (group == 3'd0 && chunk == 2'd0 && lane == 2'd0) begin
          last_len <= left > 13'd128 ? 8'd0 : left[7:0];
          if (left > 13'd128) bad <= 1'b1;
        end
        if (load_end) begin
          packets[half] <= {bad, at, first_scale, sparse, steps};
          lengths[half] <= {last_len, lens};
        end
      end
      default: ;
    endcase
    if (map_valid && map_wrong) bad <= 1'b1;
    if (rst) begin
      state <= WAIT;
      slot <= '0;
      half <= 1'b0;
      halves_used <= '0;
      map_valid <= 1'b0;
      map_valid2 <= 1'b0;
    end else begin
      halves_used <= halves_used + {1'b0, claim} - {1'b0, lanes_done};
      map_valid <= state == MAPS && sparse[block[3:0]];
      map_valid2 <= map_valid;
      unique case (state)
        WAIT: if (claim) state <= HEAD;
        HEAD: state <= raw ? WAIT : SUM;
        SUM: begin
          state <= flags[1] ? MAPS : LOAD;
          group <= '0;
          chunk <= '0;
          lane <= '0;
        end
        MAPS: if (block + 5'd1 == blocks || block == 5'd31) state <= COUNT;
        COUNT: state <= COUNTED;
        COUNTED: state <= LOAD;
        default: begin
          lane <= lane + 2'd1;
          if (unit_end) chunk <= group_end ? 2'd0 : chunk + 2'd1;
          if (group_end) group <= group + 3'd1;
          if (load_end) state <= WAIT;
        end
      endcase
      if (load_end || (state == HEAD && raw)) begin
        slot <= slot + 2'd1;
        half <= !half;
      end
    end
  end
  always_comb begin
    turned = window;
    for (int s = 5; s >= 0; s--) if (map_at[s]) turned = (turned >> (8 << s)) | (turned << (512 - (8 << s)));
  end

  // ---- Turner: 32 bytes of one lane come in per cycle; a word of each of four lanes leaves. Word w of lane i lies in
  // bank (i + w) mod 4.
  typedef struct packed {
    logic last;
    logic half;
    logic [2:0] group;
    logic [1:0] chunk;
    logic [1:0] lane;
    logic parity;
  } unit_t;
  unit_t u1, u2;
  logic u1_valid, u2_valid, parity, out_valid, out_last, out_half, out_parity;
  logic [2:0] out_group;
  logic [1:0] out_chunk, out_word;
  logic [255:0] line, bank_words;
  always_ff @(posedge clk) begin
    u1 <= {group == 3'd7 && chunk == last_chunk, half, group, chunk, lane, parity};
    u2 <= u1;
    line <= turned[255:0];
    if (u2_valid && u2.lane == 2'd3) begin
      out_last <= u2.last;
      out_half <= u2.half;
      out_group <= u2.group;
      out_chunk <= u2.chunk;
      out_parity <= u2.parity;
    end
    out_word <= u2_valid && u2.lane == 2'd3 ? 2'd0 : out_word + 2'd1;
    if (rst) begin
      parity <= 1'b0;
      {u1_valid, u2_valid, out_valid} <= '0;
    end else begin
      u1_valid <= state == LOAD;
      u2_valid <= u1_valid;
      if (state == LOAD && unit_end) parity <= !parity;
      out_valid <= (u2_valid && u2.lane == 2'd3) || (out_valid && out_word != 2'd3);
    end
  end
  for (genvar b = 0; b < 4; b++) begin : g_bank
    logic [63:0] words[8];
    logic [1:0] w, l;
    assign w = 2'(b) - u2.lane;
    assign l = 2'(b) - out_word;
    assign bank_words[64*b+:64] = words[{out_parity, l}];
    always_ff @(posedge clk) if (u2_valid) words[{u2.parity, u2.lane}] <= line[64*w+:64];
  end

  // ---- Decoder, stage 0: a row's kept values and scale.
  logic advance, issue, last0;
  logic [1:0] row_slot, loaded;
  logic row_half;
  logic [5:0] row;
  packet_t packet;
  logic raw0;
  logic [12:0] size0, values_left;
  logic [3:0] step;
  logic [127:0] map;
  logic [31:0] map_row, keep0;
  logic [10:0] scale, scale0;
  assign advance = !m_valid || m_ready;
  assign packet = packets[row_half];
  assign size0 = infos[47*row_slot+:13];
  assign raw0 = infos[47*row_slot+45];
  assign issue = loaded[row_half] && advance;
  assign last0 = row == 6'((size0 - 13'd1) >> 6);
  assign step = packet.steps[4*row[5:2]+:4];
  assign map = maps[{row_half, row[5:2]}];
  assign map_row = map[32*row[1:0]+:32];
  assign values_left = {1'b0, size0[12:1]} - {2'b00, row, 5'd0};
  always_comb begin
    scale0 = row == 6'd0 ? {2'b00, packet.first_scale} : scale;
    if (row[1:0] == 2'd0 && step != 4'd0) scale0 = scale0 + {7'd0, step} - 11'd8;
    for (int i = 0; i < LANES; i++)
      keep0[i] = 13'(i) < values_left && step != 4'd0 && (!packet.sparse[row[5:2]] || map_row[i]);
  end

  // ---- Stage 1: a code per lane. The rests come three cycles later.
  logic v1, v2, v3, v4, first1, first2, last1, last2, last3, last4, raw1, half1, bad1;
  logic [1:0] slot1, slot2;
  logic [31:0] keep1, keep2, keep3, keep4;
  logic [10:0] scale1;
  logic [12:0] rests_at1, unused_end;
  logic [255:0] exponents1, exponents2, exponents3, exponents4, lengths1, spread;
  logic [31:0] faults, ends, faults2;
  logic [511:0] row4;
  logic bad2, bad3, bad4, bad_so_far, bad_now, raw3, raw4;
  logic raw2;
  logic [7:0] tail2;
  logic [12:0] size2;
  assign size2 = infos[47*slot2+:13];
  assign tail2 = infos[47*slot2+26+:8];
  assign raw2 = infos[47*slot2+45];
  assign lengths1 = lengths[half1];
  assign lanes_done = advance && v1 && last1;
  assign release_slot = advance && v2 && last2;
  for (genvar l = 0; l < LANES; l++) begin : g_lane
    prefix_lane_decoder decoder (
        .clk, .write(out_valid && out_group == 3'(l / 4)), .write_at({out_half, out_chunk, out_word}),
        .word(bank_words[64*2'(2'(l)+out_word)+:64]), .load(issue && row == 6'd0), .load_half(row_half),
        .enable(advance && v1), .keep(keep1[l]), .half(half1), .scale(scale1[8:0]), .length(lengths1[8*l+:8]),
        .exponent(exponents1[8*l+:8]), .fault(faults[l]), .ends(ends[l])
    );
  end
  byte_supply rests (
      .clk, .write, .w_row, .write_end, .w_row_end, .w_data, .enable(advance), .first(first1), .raw(raw1),
      .slot(slot1), .start(rests_at1), .keep(keep1), .next(unused_end), .spread, .row(row4)
  );
  logic [6:0] bytes3, bytes4;
  logic odd_byte3, odd_byte4;
  logic [7:0] tail3, tail4;
  logic [511:0] restored;
  assign bad_now = (!first2 && bad_so_far) || bad2 || (!raw2 && faults2 != 32'd0);
  always_comb begin
    restored = row4;
    for (int i = 0; i < LANES; i++)
      if (!raw4) begin
        restored[16*i+:16] = keep4[i] ? {spread[8*i+7], exponents4[8*i+:8], spread[8*i+:7]} : 16'd0;
        if (odd_byte4 && bytes4[5:1] == 5'(i)) restored[16*i+:8] = tail4;
      end
  end
  always_ff @(posedge clk) begin
    if (advance) begin
      first1 <= row == 6'd0;
      last1 <= last0;
      raw1 <= raw0;
      slot1 <= row_slot;
      if (issue) half1 <= row_half;
      keep1 <= keep0;
      scale1 <= scale0;
      bad1 <= packet.bad;
      rests_at1 <= packet.rests_at;
      if (issue) scale <= scale0;

      first2 <= first1;
      last2 <= last1;
      slot2 <= slot1;
      keep2 <= keep1;
      exponents2 <= exponents1;
      faults2 <= faults | (last1 ? ~ends : 32'd0);
      bad2 <= bad1 || (!raw1 && scale1[10:9] != 2'd0);
      if (v2) bad_so_far <= bad_now;

      last3 <= last2;
      keep3 <= keep2;
      exponents3 <= exponents2;
      raw3 <= raw2;
      bytes3 <= last2 ? {1'b0, 6'(size2 - 13'd1)} + 7'd1 : 7'd64;
      odd_byte3 <= last2 && size2[0];
      tail3 <= tail2;
      bad3 <= bad_now;

      last4 <= last3;
      keep4 <= keep3;
      exponents4 <= exponents3;
      raw4 <= raw3;
      bytes4 <= bytes3;
      odd_byte4 <= odd_byte3;
      tail4 <= tail3;
      bad4 <= bad3;

      m_data <= restored;
      m_last <= last4;
      m_bytes <= bytes4;
      m_error <= bad4;
    end
    if (rst) begin
      row_slot <= '0;
      row_half <= 1'b0;
      row <= '0;
      loaded <= '0;
      {v1, v2, v3, v4, m_valid} <= '0;
    end else begin
      if (advance) {m_valid, v4, v3, v2, v1} <= {v4, v3, v2, v1, issue};
      if (issue) begin
        row <= last0 ? 6'd0 : row + 6'd1;
        if (last0) begin
          row_slot <= row_slot + 2'd1;
          row_half <= !row_half;
        end
      end
      if (lanes_done) loaded[half1] <= 1'b0;
      if (out_valid && out_word == 2'd0 && out_last) loaded[out_half] <= 1'b1;
      if (state == HEAD && raw) loaded[half] <= 1'b1;
    end
  end
endmodule
