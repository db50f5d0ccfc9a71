// Exponent-window decoder for bf16, 3-bit codes, 64 B per cycle; format in docs/formats.md, window base in the block.
//
// A block of up to 4097 B is stored in one of four slots; `s_size`, the packet's original size, comes with its first
// beat. When the block is whole a pass restores one row of 32 values per cycle: their codes are read first, then, at the
// place that the escapes counted so far give, the escaped exponents, and with them the rests. A block stored raw leaves
// as it is, without its first byte.
//
// Short tail packets: the last row may be short; the odd byte is the block's last.
//
// Damaged blocks: a packet of the announced size leaves in any case; `m_error` with its last beat says that the block
// was not one of such a packet (first byte, base, padding of the codes, sum of all parts). The fault of a size that is
// impossible (0, above 4096) leaves as one byte.
//
// Timing: the pass takes one cycle per row, from the cycle after the last beat of the block came; a row leaves 6 cycles
// after that. The slot is free again 4 cycles after its last row began.
module exponent_window_decoder (
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
  typedef struct packed {
    logic bad;
    logic raw;
    logic [2:0] flags;
    logic [7:0] base;
    logic [7:0] tail;
    logic [12:0] bytes;
    logic [12:0] size;
  } info_t;
  logic write, write_end, there, claim, release_slot;
  logic [7:0] w_row, w_row_end;
  logic [511:0] w_data;
  logic [187:0] infos;
  exponent_intake intake (
      .clk, .rst, .s_valid, .s_ready, .s_data, .s_last, .s_bytes, .s_size, .write, .row(w_row), .write_end,
      .row_end(w_row_end), .data(w_data), .there, .claim, .release_slot, .infos
  );
  logic advance;
  assign advance = !m_valid || m_ready;

  // ---- Stage 0: the row and the place of its codes.
  logic issue, last0;
  logic [1:0] slot;
  logic [5:0] row;
  logic [12:0] values_left;
  logic [11:0] code_at;
  logic [12:0] size0;
  assign size0 = infos[47*slot+:13];
  assign issue = there && advance;
  assign last0 = row == 6'((size0 - 13'd1) >> 6);
  assign claim = issue && last0;
  assign values_left = {1'b0, size0[12:1]} - {2'b00, row, 5'd0};
  assign code_at = 12'd2 + size0[12:1] + {3'd0, row, 3'b000} + {4'd0, row, 2'b00};
  logic [511:0] code_window;
  byte_window code_store (
      .clk, .write, .row(w_row), .write_end, .row_end(w_row_end), .s_data(w_data), .read(advance), .slot,
      .half(code_at[11:5]), .data(code_window)
  );

  // ---- Stage 1: codes in place. Stage 2: what they mean.
  logic v1, v2, v3, v4, v5, first1, first2, last1, last2, last3, last4, last5;
  logic [1:0] slot1, slot2, slot3;
  logic [5:0] row1, row2, row3;
  logic [5:0] values1, values2;
  logic [5:0] at1;
  logic [511:0] turned;
  logic [95:0] codes2;
  logic raw2;
  logic [7:0] base2;
  logic [11:0] count2;
  info_t info3;
  assign count2 = infos[47*slot2+1+:12];
  assign base2 = infos[47*slot2+34+:8];
  assign raw2 = infos[47*slot2+45];
  assign info3 = infos[47*slot3+:47];
  always_comb begin
    turned = code_window;
    for (int s = 5; s >= 0; s--) if (at1[s]) turned = (turned >> (8 << s)) | (turned << (512 - (8 << s)));
  end
  logic [31:0] escapes2, escapes3, escapes4, escapes5;
  logic [255:0] exponents2, exponents3, exponents4, exponents5;
  logic padding2, padding3, bad4, bad5;
  logic [12:0] parts_at;
  always_comb begin
    padding2 = 1'b0;
    for (int i = 0; i < 32; i++) begin
      escapes2[i] = 6'(i) < values2 && codes2[3*i+:3] == 3'd0;
      exponents2[8*i+:8] = base2 + {5'd0, codes2[3*i+:3]} - 8'd1;
    end
    for (int b = 0; b < 96; b++)
      if (codes2[b] && 8'(8 * (b / 8)) < {1'b0, values2, 1'b0} + {2'b00, values2} && {1'b0, values2, 1'b0} + {2'b00, values2} <= 8'(b))
        padding2 = 1'b1;
    parts_at = raw2 ? 13'd0 : 13'd2 + {1'b0, count2} + 13'(({1'b0, count2, 1'b0} + {2'b00, count2} + 14'd7) >> 3);
  end

  // ---- Stages 3 to 5: escapes, rests or the raw row.
  logic [12:0] escapes_end;
  logic [255:0] spread;
  logic [511:0] rest_window, row5;
  logic [255:0] rests5;
  logic raw4, raw5, odd4;
  byte_supply supply (
      .clk, .write, .w_row, .write_end, .w_row_end, .w_data, .enable(advance), .first(first2), .raw(raw2),
      .slot(slot2), .start(parts_at), .keep(escapes2), .next(escapes_end), .spread, .row(row5)
  );
  byte_window rest_store (
      .clk, .write, .row(w_row), .write_end, .row_end(w_row_end), .s_data(w_data), .read(advance), .slot(slot3),
      .half({1'b0, row3}), .data(rest_window)
  );
  assign release_slot = advance && v3 && last3;
  logic [6:0] bytes4, bytes5;
  logic odd_byte4, odd_byte5;
  logic [7:0] tail4, tail5;
  logic [511:0] restored;
  logic wrong_end;
  assign wrong_end = escapes_end + {12'd0, info3.size[0]} != info3.bytes;
  always_comb begin
    restored = row5;
    for (int i = 0; i < 32; i++)
      if (!raw5) begin
        restored[16*i+:16] = {rests5[8*i+7], escapes5[i] ? spread[8*i+:8] : exponents5[8*i+:8], rests5[8*i+:7]};
        if (odd_byte5 && bytes5[5:1] == 5'(i)) restored[16*i+:8] = tail5;
      end
  end
  always_ff @(posedge clk) begin
    if (advance) begin
      first1 <= row == 6'd0;
      last1 <= last0;
      slot1 <= slot;
      row1 <= row;
      values1 <= values_left > 13'd32 ? 6'd32 : values_left[5:0];
      at1 <= code_at[5:0];

      first2 <= first1;
      last2 <= last1;
      slot2 <= slot1;
      row2 <= row1;
      values2 <= values1;
      codes2 <= turned[95:0];

      last3 <= last2;
      slot3 <= slot2;
      row3 <= row2;
      escapes3 <= escapes2;
      exponents3 <= exponents2;
      padding3 <= padding2;

      last4 <= last3;
      raw4 <= info3.raw;
      odd4 <= row3[0];
      bytes4 <= last3 ? {1'b0, 6'(info3.size - 13'd1)} + 7'd1 : 7'd64;
      odd_byte4 <= last3 && info3.size[0];
      tail4 <= info3.tail;
      escapes4 <= escapes3;
      exponents4 <= exponents3;
      bad4 <= info3.bad || (info3.raw ? info3.bytes != info3.size + 13'd1
                            : padding3 || wrong_end || info3.flags != 3'd0 || info3.base > 8'd249);

      last5 <= last4;
      raw5 <= raw4;
      rests5 <= odd4 ? {rest_window[15:0], rest_window[511:272]} : rest_window[271:16];
      bytes5 <= bytes4;
      odd_byte5 <= odd_byte4;
      tail5 <= tail4;
      escapes5 <= escapes4;
      exponents5 <= exponents4;
      bad5 <= bad4;

      m_data <= restored;
      m_last <= last5;
      m_bytes <= bytes5;
      m_error <= bad5;
    end
    if (rst) begin
      slot <= '0;
      row <= '0;
      {v1, v2, v3, v4, v5, m_valid} <= '0;
    end else if (advance) begin
      {m_valid, v5, v4, v3, v2, v1} <= {v5, v4, v3, v2, v1, issue};
      if (issue) begin
        row <= last0 ? 6'd0 : row + 6'd1;
        if (last0) slot <= slot + 2'd1;
      end
    end
  end
endmodule
