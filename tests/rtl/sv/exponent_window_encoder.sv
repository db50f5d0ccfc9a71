// Exponent-window encoder for bf16, 3-bit codes, 64 B per cycle; format in docs/formats.md, window_base packet_maximum.
//
// A packet of up to 4096 B is taken at 64 B per cycle into one of four slots, its largest exponent is found on the way
// and gives the window of 7 exponents. A coder then passes over the rows, one per cycle, and packs rests, codes and
// escapes into rows of 64 B each. When a packet is coded its size is known, and the emitter sends the parts, or the
// packet itself behind one byte when that is shorter.
//
// Short tail packets: values beyond the end have no code; codes are padded to a byte; the odd byte goes at the end.
//
// Timing: the coder takes one cycle per row and one per packet; the emitter one per 64 B of each part and three more.
module exponent_window_encoder (
    input  logic         clk,
    input  logic         rst,
    input  logic         s_valid,
    output logic         s_ready,
    input  logic [511:0] s_data,
    input  logic         s_last,
    input  logic [6:0]   s_bytes,
    output logic         m_valid,
    input  logic         m_ready,
    output logic [511:0] m_data,
    output logic         m_last,
    output logic [6:0]   m_bytes
);
  // ---- Input: rows, the largest exponent of the packet (two stages of maxima, then the running one).
  logic in_packet, take, finished;
  logic [1:0] in_slot, code_slot, out_slot, slot1, slot2, slot3, row_slot;
  logic [5:0] in_row;
  logic [2:0] used;
  logic [3:0] whole, coded;  // all rows and the maximum are there; all parts are
  logic [511:0] rows[256], rows_raw[256];
  logic [13:0] sizes[4];
  logic [7:0] tails[4], bases[4];
  logic [63:0] maxima, maxima_next;
  logic [7:0] largest, row_largest, largest_next;
  logic row_valid, row_first, row_last;
  assign s_ready = in_packet || used != 3'd4;
  assign take = s_valid && s_ready;
  always_comb begin
    maxima_next = '0;
    for (int i = 0; i < 32; i++)
      if (s_bytes >= 7'(2 * i + 2) && s_data[16*i+7+:8] > maxima_next[8*(i/4)+:8])
        maxima_next[8*(i/4)+:8] = s_data[16*i+7+:8];
    row_largest = '0;
    for (int i = 0; i < 8; i++) if (maxima[8*i+:8] > row_largest) row_largest = maxima[8*i+:8];
    largest_next = row_first || row_largest > largest ? row_largest : largest;
  end
  always_ff @(posedge clk) begin
    if (take) begin
      rows[{in_slot, in_row}] <= s_data;
      rows_raw[{in_slot, in_row}] <= s_data;
      if (s_last) begin
        sizes[in_slot] <= {2'b00, in_row, 6'd0} + {7'd0, s_bytes};
        for (int i = 0; i < 32; i++) if (s_bytes == 7'(2 * i + 1)) tails[in_slot] <= s_data[16*i+:8];
      end
    end
    maxima <= maxima_next;
    row_first <= !in_packet;
    row_last <= s_last;
    row_slot <= in_slot;
    if (row_valid) largest <= largest_next;
    if (row_valid && row_last) bases[row_slot] <= largest_next > 8'd6 ? largest_next - 8'd6 : 8'd0;
    if (rst) begin
      in_packet <= 1'b0;
      in_slot <= '0;
      in_row <= '0;
      used <= '0;
      whole <= '0;
      row_valid <= 1'b0;
    end else begin
      row_valid <= take;
      if (take) begin
        in_packet <= !s_last;
        in_row <= s_last ? 6'd0 : in_row + 6'd1;
        if (s_last) in_slot <= in_slot + 2'd1;
      end
      used <= used + {2'b00, take && !in_packet} - {2'b00, finished};
      if (row_valid && row_last) whole[row_slot] <= 1'b1;
      if (packet_end) whole[code_slot] <= 1'b0;
    end
  end

  // ---- Coder: one row per cycle, then one cycle that ends the packet.
  logic row_there, packet_end, at_end;
  logic [5:0] code_row;
  logic [5:0] rows_last;
  logic [12:0] values_left;
  assign rows_last = 6'((sizes[code_slot] - 14'd1) >> 6);
  assign values_left = {1'b0, sizes[code_slot][12:1]} - {2'b00, code_row, 5'd0};
  assign row_there = whole[code_slot] && !at_end;
  assign packet_end = whole[code_slot] && at_end;

  logic [511:0] row_q;
  logic k1, k2, end1, end2, end3;
  logic [5:0] values1, row1, row2;
  logic [7:0] base1;
  always_ff @(posedge clk) begin
    row_q <= rows[{code_slot, code_row}];
    values1 <= values_left > 13'd32 ? 6'd32 : values_left[5:0];
    base1 <= bases[code_slot];
    slot1 <= code_slot;
    row1 <= code_row;
    slot2 <= slot1;
    slot3 <= slot2;
    row2 <= row1;
    if (rst) begin
      code_slot <= '0;
      code_row <= '0;
      at_end <= 1'b0;
      {k1, k2, end1, end2, end3} <= '0;
    end else begin
      k1 <= row_there;
      k2 <= k1;
      end1 <= packet_end;
      end2 <= end1;
      end3 <= end2;
      if (row_there) begin
        code_row <= code_row + 6'd1;
        at_end <= code_row == rows_last;
      end
      if (packet_end) begin
        code_row <= '0;
        at_end <= 1'b0;
        code_slot <= code_slot + 2'd1;
      end
    end
  end

  logic [95:0] codes, codes_q;
  logic [31:0] escapes, escapes_q;
  logic [255:0] exponents_q, rests_q, rests_even;
  always_comb begin
    codes = '0;
    escapes = '0;
    for (int i = 0; i < 32; i++)
      if (k1 && 6'(i) < values1) begin
        if (row_q[16*i+7+:8] >= base1 && {1'b0, row_q[16*i+7+:8]} < {1'b0, base1} + 9'd7)
          codes[3*i+:3] = 3'(row_q[16*i+7+:8] - base1 + 8'd1);
        else escapes[i] = 1'b1;
      end
  end

  logic [511:0] rest_rows[128], code_rows[64], escape_rows[128];
  logic [511:0] code_turned, code_gathered, code_data, escape_data;
  logic [3:0] code_fill;  // words of 4 bytes
  logic [3:0] code_line;
  logic [4:0] code_end, escape_row;
  logic code_write, escape_write;
  logic [11:0] escape_total;
  assign code_end = {1'b0, code_fill} + 5'd3;
  assign code_write = (k2 && code_end[4]) || (end2 && code_fill != 4'd0);
  always_comb begin
    code_turned = {416'd0, codes_q};
    for (int s = 0; s < 4; s++)
      if (code_fill[s]) code_turned = (code_turned << (32 << s)) | (code_turned >> (512 - (32 << s)));
    for (int p = 0; p < 16; p++)
      code_data[32*p+:32] = 4'(p) < code_fill ? code_gathered[32*p+:32] : code_turned[32*p+:32];
  end
  byte_collector escaped (
      .clk, .rst, .keep(escapes_q), .bytes(exponents_q), .flush(end3), .write(escape_write), .row(escape_row),
      .data(escape_data), .total(escape_total)
  );
  logic [11:0] escape_totals[4];
  always_ff @(posedge clk) begin
    codes_q <= codes;
    escapes_q <= escapes;
    for (int i = 0; i < 32; i++) begin
      exponents_q[8*i+:8] <= row_q[16*i+7+:8];
      rests_q[8*i+:8] <= {row_q[16*i+15], row_q[16*i+:7]};
    end
    if (k2 && !row2[0]) rests_even <= rests_q;
    if (k2) rest_rows[{slot2, row2[5:1]}] <= row2[0] ? {rests_q, rests_even} : {256'd0, rests_q};
    if (code_write) code_rows[{slot2, code_line}] <= code_data;
    if (escape_write) escape_rows[{slot3, escape_row}] <= escape_data;
    if (k2) code_gathered <= code_end[4] ? code_turned : code_data;
    if (end3) escape_totals[slot3] <= escape_total;
    if (rst || end2) begin
      code_fill <= '0;
      code_line <= '0;
    end else if (k2) begin
      code_fill <= code_end[3:0];
      if (code_end[4]) code_line <= code_line + 4'd1;
    end
    if (rst) coded <= '0;
    else begin
      if (end3) coded[slot3] <= 1'b1;
      if (finished) coded[out_slot] <= 1'b0;
    end
  end

  // ---- Emitter.
  typedef enum logic [2:0] {IDLE, HEAD, RESTS, CODES, ESCAPES, TAIL, RAW} state_t;
  state_t state;
  logic e_ready, e_valid, e_last, stored;
  logic [13:0] size, left, total;
  logic [12:0] part_left, part_next;
  logic [11:0] count;
  logic [6:0] e_bytes;
  logic [5:0] at;
  logic [10:0] code_bytes;
  logic [5:0] digits;
  logic [4:0] digits2;
  logic [3:0] digits3, modulo15;
  assign size = sizes[out_slot];
  assign count = size[12:1];
  assign code_bytes = 11'(({1'b0, count, 1'b0} + {2'b00, count} + 14'd7) >> 3);
  assign total = 14'd2 + {2'b00, count} + {3'b000, code_bytes} + {2'b00, escape_totals[out_slot]} + {13'd0, size[0]};
  assign digits = {2'b00, size[3:0]} + {2'b00, size[7:4]} + {2'b00, size[11:8]} + {4'd0, size[13:12]};
  assign digits2 = {3'b000, digits[5:4]} + {1'b0, digits[3:0]};
  assign digits3 = digits2[3:0] + {3'b000, digits2[4]};
  assign modulo15 = digits3 == 4'd15 ? 4'd0 : digits3;
  assign e_valid = state != IDLE;
  assign finished = e_valid && e_ready && e_last;
  always_comb begin
    unique case (state)
      HEAD: e_bytes = stored ? 7'd1 : 7'd2;
      TAIL: e_bytes = 7'd1;
      default: e_bytes = part_left > 13'd64 ? 7'd64 : part_left[6:0];
    endcase
    e_last = {7'd0, e_bytes} == left;
    part_next = part_left - {6'd0, e_bytes};
  end
  always_ff @(posedge clk) begin
    if (rst) begin
      state <= IDLE;
      out_slot <= '0;
    end else if (state == IDLE) begin
      stored <= total > size;
      left <= total > size ? size + 14'd1 : total;
      if (coded[out_slot]) state <= HEAD;
    end else if (e_ready) begin
      left <= left - {7'd0, e_bytes};
      at <= at + 6'd1;
      part_left <= part_next;
      unique case (state)
        HEAD: begin
          at <= '0;
          part_left <= stored ? size[12:0] : {1'b0, count};
          state <= stored ? RAW : RESTS;
        end
        RESTS:
          if (part_next == 13'd0) begin
            at <= '0;
            part_left <= {2'b00, code_bytes};
            state <= CODES;
          end
        CODES:
          if (part_next == 13'd0) begin
            at <= '0;
            part_left <= {1'b0, escape_totals[out_slot]};
            state <= escape_totals[out_slot] != 12'd0 ? ESCAPES : TAIL;
          end
        ESCAPES: if (part_next == 13'd0) state <= TAIL;
        default: ;
      endcase
      if (e_last) begin
        state <= IDLE;
        out_slot <= out_slot + 2'd1;
      end
    end
  end

  // Chunks one cycle later, when the memories have answered.
  logic c_valid, c_ready, c_last;
  logic [6:0] c_bytes;
  logic [511:0] c_data, rest_q, code_q, escape_q, raw_q;
  logic [15:0] brief_q;
  state_t c_source;
  assign e_ready = !c_valid || c_ready;
  always_ff @(posedge clk) begin
    if (e_ready) begin
      c_bytes <= e_bytes;
      c_last <= e_last;
      c_source <= state;
      if (state == TAIL) brief_q <= {8'd0, tails[out_slot]};
      else brief_q <= stored ? 16'h00ff : {bases[out_slot], 1'b0, modulo15, 3'b000};
      rest_q <= rest_rows[{out_slot, at[4:0]}];
      code_q <= code_rows[{out_slot, at[3:0]}];
      escape_q <= escape_rows[{out_slot, at[4:0]}];
      raw_q <= rows_raw[{out_slot, at}];
    end
    if (rst) c_valid <= 1'b0;
    else if (e_ready) c_valid <= e_valid;
  end
  always_comb
    unique case (c_source)
      RESTS: c_data = rest_q;
      CODES: c_data = code_q;
      ESCAPES: c_data = escape_q;
      RAW: c_data = raw_q;
      default: c_data = {496'd0, brief_q};
    endcase
  beat_packer packer (
      .clk, .rst, .c_valid, .c_ready, .c_data, .c_first(6'd0), .c_bytes, .c_last, .m_valid, .m_ready, .m_data, .m_last,
      .m_bytes
  );
endmodule
