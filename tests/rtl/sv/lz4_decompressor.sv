// LZ4 block decompressor, 8 bytes per cycle.
//
// A parser and a copier without a FIFO between them. The parser takes per cycle: a token, one byte of a length, or both
// bytes of an offset; literals go through at 8 bytes per cycle while the copier rests. A match is copied at 8 bytes per
// cycle whatever its offset, while the parser goes on with the next token: offsets up to 16 come from a register copy
// of the last 16 bytes, replicated when shorter than 8; others from the history of 4096 bytes.
//
// `s_size` is the original length, 1 to 4096, valid with the block's first word; `s_bytes` says how many bytes of the
// block's last word count. Words of 8 bytes leave, the last may be shorter; short packets are short blocks.
// `m_error` with the last word: the block did not decode to exactly `s_size` bytes. The input is then read to its end.
//
// Timing: the token is parsed in the cycle after the first word came; a chunk leaves 2 cycles after it was issued, once
// its word is full. One cycle ends the block, the next one may begin in the cycle after.
module lz4_decompressor (
    input  logic        clk,
    input  logic        rst,
    input  logic        s_valid,
    output logic        s_ready,
    input  logic [63:0] s_data,
    input  logic        s_last,
    input  logic [3:0]  s_bytes,
    input  logic [12:0] s_size,
    output logic        m_valid,
    input  logic        m_ready,
    output logic [63:0] m_data,
    output logic        m_last,
    output logic [3:0]  m_bytes,
    output logic        m_error
);
  typedef logic [13:0] count_t;  // up to 4096 and a byte of length beyond, twice
  logic advance;
  assign advance = !m_valid || m_ready;

  // Window of compressed bytes, oldest in the lowest byte.
  logic [191:0] window, inserted;
  logic [4:0] held, rest;
  logic [3:0] consumed;
  logic loaded, first_word, accept;
  logic [63:0] word;
  assign s_ready = advance && !loaded && held <= 5'd16;
  assign accept = s_valid && s_ready;
  assign rest = held - {1'b0, consumed};
  always_comb begin
    for (int i = 0; i < 8; i++) word[8*i+:8] = 4'(i) < s_bytes ? s_data[8*i+:8] : 8'h00;
    inserted = {128'h0, word};
    for (int b = 0; b < 5; b++) if (rest[b]) inserted = inserted << (8 << b);
  end

  // Parser and issue. `position` is that of the next chunk, `handed_to` that behind all the copier was given.
  typedef enum logic [2:0] {TOKEN, LITERAL_LENGTH, LITERAL, OFFSET, MATCH_LENGTH, ENDING, DRAIN} state_t;
  state_t state, next;
  count_t size, position, literals, match, match_next, copy_left, handed_to;
  logic [15:0] offset, offset_here;
  logic [12:0] copy_offset;
  logic long_match, failed, copy_ready, hand_over, match_bad;
  logic [7:0] byte0;
  logic [3:0] chunk, copy_chunk, issued;
  logic enough, waits, issue, issue_literal, issue_end, last_literal;
  assign byte0 = window[7:0];
  assign chunk = literals > 14'd8 ? 4'd8 : literals[3:0];
  assign copy_chunk = copy_left > 14'd8 ? 4'd8 : copy_left[3:0];
  assign copy_ready = copy_left <= 14'd8;  // takes a match in the next cycle
  assign handed_to = position + copy_left;
  assign offset_here = state == OFFSET ? window[15:0] : offset;
  assign match_next = state == MATCH_LENGTH ? match + {6'd0, byte0} : match;
  // A match must lie in what is there already, and leave a literal to come.
  assign match_bad = offset_here == 16'd0 || offset_here > {2'd0, handed_to} || handed_to + match_next >= size;

  always_comb begin
    next = state;
    consumed = 4'd0;
    issue_literal = 1'b0;
    last_literal = 1'b0;
    issue_end = 1'b0;
    hand_over = 1'b0;
    enough = held != 5'd0;
    waits = 1'b0;  // for the copier, not for input
    unique case (state)
      TOKEN:
        if (enough) begin
          consumed = 4'd1;
          if (byte0[7:4] == 4'd15) next = LITERAL_LENGTH;
          else next = byte0[7:4] != 4'd0 ? LITERAL : OFFSET;
        end
      LITERAL_LENGTH:
        if (literals > 14'd4096) next = DRAIN;
        else if (enough) begin
          consumed = 4'd1;
          if (byte0 != 8'd255) next = LITERAL;
        end
      LITERAL: begin
        enough = held >= {1'b0, chunk};
        waits = copy_left != 14'd0;
        if (position + literals > size) next = DRAIN;
        else if (enough && !waits) begin
          issue_literal = 1'b1;
          consumed = chunk;
          if (literals <= 14'd8) begin
            next = OFFSET;
            if (position + literals == size) begin
              last_literal = loaded && held == {1'b0, chunk};
              next = last_literal ? ENDING : DRAIN;
            end
          end
        end
      end
      OFFSET: begin
        enough = held >= 5'd2;
        waits = !long_match && !copy_ready;
        if (enough && !waits) begin
          consumed = 4'd2;
          hand_over = !long_match;
          next = long_match ? MATCH_LENGTH : match_bad ? DRAIN : TOKEN;
        end
      end
      MATCH_LENGTH: begin
        waits = byte0 != 8'd255 && !copy_ready;
        if (match > 14'd4096) next = DRAIN;
        else if (enough && !waits) begin
          consumed = 4'd1;
          hand_over = byte0 != 8'd255;
          if (hand_over) next = match_bad ? DRAIN : TOKEN;
        end
      end
      ENDING: begin
        issue_end = 1'b1;
        next = TOKEN;
      end
      default: begin
        consumed = held > 5'd8 ? 4'd8 : held[3:0];
        if (loaded && held <= 5'd8 && copy_left == 14'd0) begin
          issue_end = 1'b1;
          next = TOKEN;
        end
      end
    endcase
    if (loaded && !enough && !waits && state < ENDING) next = DRAIN;
  end
  assign issue = copy_left != 14'd0 || issue_literal || issue_end;
  assign issued = issue_literal ? chunk : copy_chunk;

  // Execute: the chunk's bytes, and the aligned words they fill.
  logic x_valid, x_literal, x_end, x_last, x_failed, spilled;
  logic [3:0] x_bytes;
  logic [11:0] x_position;
  logic [12:0] x_offset;
  logic [63:0] x_data, bank_q;
  logic [2:0] x_from;
  logic [11:0] source;
  assign source = position[11:0] - copy_offset[11:0];

  logic [127:0] recent;  // byte at position p is number p mod 16
  logic [63:0] bytes, banked;
  logic [7:0] to_bank;       // banks that get a byte
  logic [7:0] second;        // banks whose byte belongs to the next word
  function automatic logic [3:0] replicated(input int i, input logic [3:0] period);
    unique case (period)
      4'd1: replicated = 4'd0;
      4'd2: replicated = 4'(i % 2);
      4'd3: replicated = 4'(i % 3);
      4'd4: replicated = 4'(i % 4);
      4'd5: replicated = 4'(i % 5);
      4'd6: replicated = 4'(i % 6);
      4'd7: replicated = 4'(i % 7);
      default: replicated = 4'(i);
    endcase
  endfunction
  always_comb begin
    for (int i = 0; i < 8; i++) begin
      if (x_literal) bytes[8*i+:8] = x_data[8*i+:8];
      else if (x_offset <= 13'd16)
        bytes[8*i+:8] = recent[8*4'(x_position[3:0]-x_offset[3:0]+replicated(i, x_offset[3:0]))+:8];
      else bytes[8*i+:8] = bank_q[8*3'(i+32'(x_from))+:8];
    end
    for (int b = 0; b < 8; b++) begin
      banked[8*b+:8] = bytes[8*3'(b-32'(x_position))+:8];
      to_bank[b] = x_valid && !x_end && {1'b0, 3'(b - 32'(x_position))} < x_bytes;
      second[b] = 3'(b) < x_position[2:0];
    end
  end
  logic [4:0] word_fill;
  logic word_full, spills;
  logic [63:0] word_out;
  assign word_fill = {2'b00, x_position[2:0]} + {1'b0, x_bytes};
  assign spills = word_fill > 5'd8;
  assign word_full = x_end ? spilled || x_failed : word_fill >= 5'd8 || x_last;
  always_comb
    for (int b = 0; b < 8; b++)
      word_out[8*b+:8] = to_bank[b] && !second[b] ? banked[8*b+:8] : recent[64*x_position[3]+8*b+:8];

  for (genvar b = 0; b < 8; b++) begin : g_bank
    logic [7:0] bank[512];
    logic [8:0] read_at, write_at;
    assign read_at = 9'((source + 12'(7 - b)) >> 3);
    assign write_at = x_position[11:3] + 9'(second[b]);
    always_ff @(posedge clk)
      if (advance) begin
        if (to_bank[b]) bank[write_at] <= banked[8*b+:8];
        bank_q[8*b+:8] <= bank[read_at];
      end
  end

  always_ff @(posedge clk) begin
    if (advance) begin
      window <= (window >> {consumed, 3'b000}) | (accept ? inserted : 192'h0);
      if (accept && first_word) size <= {1'b0, s_size};
      unique case (state)
        TOKEN: begin
          literals <= {10'd0, byte0[7:4]};
          match <= {10'd0, byte0[3:0]} + 14'd4;
          long_match <= byte0[3:0] == 4'd15;
        end
        LITERAL_LENGTH: if (enough) literals <= literals + {6'd0, byte0};
        LITERAL: if (issue_literal) literals <= literals - 14'd8;
        OFFSET: offset <= window[15:0];
        MATCH_LENGTH: if (consumed != 4'd0) match <= match_next;
        default: ;
      endcase
      if (hand_over) copy_offset <= offset_here[12:0];
      x_literal <= issue_literal;
      x_end <= issue_end;
      x_failed <= failed;
      x_bytes <= issued;
      x_position <= position[11:0];
      x_offset <= copy_offset;
      x_from <= source[2:0];
      x_data <= window[63:0];
      x_last <= last_literal;
      for (int s = 0; s < 16; s++)
        if (to_bank[s%8] && (x_position[3] ^ second[s%8]) == (s >= 8)) recent[8*s+:8] <= banked[8*(s%8)+:8];
      m_data <= word_out;
      m_error <= x_failed && x_end;
      m_last <= x_end || (x_last && !spills);
      m_bytes <= x_end ? {1'b0, x_position[2:0]} : spills ? 4'd8 : word_fill[3:0];
    end
    if (rst) begin
      held <= '0;
      loaded <= 1'b0;
      first_word <= 1'b1;
      state <= TOKEN;
      position <= '0;
      copy_left <= '0;
      failed <= 1'b0;
      x_valid <= 1'b0;
      spilled <= 1'b0;
      m_valid <= 1'b0;
    end else if (advance) begin
      held <= rest + (accept ? {1'b0, s_bytes} : 5'd0);
      if (accept) begin
        loaded <= s_last;
        first_word <= 1'b0;
      end
      state <= next;
      if (next == DRAIN) failed <= 1'b1;
      position <= position + (copy_left != 14'd0 || issue_literal ? {10'd0, issued} : 14'd0);
      copy_left <= hand_over && !match_bad ? match_next : copy_left - {10'd0, copy_chunk};
      x_valid <= issue;
      m_valid <= x_valid && word_full;
      if (x_valid) spilled <= x_last && spills;
      if (issue_end) begin
        position <= '0;
        held <= '0;
        loaded <= 1'b0;
        first_word <= 1'b1;
        failed <= 1'b0;
      end
    end
  end
endmodule
