// LZ4 block compressor, one byte per cycle in and out.
//
// Match rule: greedy. Each position p of a block enters a table of 2^HASH_BITS entries, indexed by the exclusive or of
// the four bytes at p folded to HASH_BITS bits; an entry keeps the latest position only, with its four bytes and a tag
// of the block, so that no history is read to verify a candidate. When the four bytes agree and p is outside a match
// and at least 12 bytes before the end, a match begins; it is extended byte by byte up to 5 bytes before the end.
// In the words of the C++ model: candidates 1, candidate_bytes 4, minimum_distance 1, tail_literals 5, history 8192.
//
// A block has 1 to 4096 bytes; `s_size` is valid with its first byte. Short packets are short blocks. The table is
// cleared, one entry per cycle, after reset and after 2^EPOCH_BITS - 1 blocks.
//
// Timing: the matcher moves only with an accepted byte. The end e of a match is seen when byte e + 3 is accepted, the
// end of the block with its last byte; the token leaves 3 cycles later. The input waits while a sequence finds the FIFO
// of 2^SEQUENCE_LOG2 sequences full (an entry is free in the cycle in which its token leaves), and while a byte would
// overwrite a literal that has not left the history of 8192 bytes.
module lz4_compressor #(
    parameter int HASH_BITS = 10,
    parameter int EPOCH_BITS = 8,
    parameter int SEQUENCE_LOG2 = 8
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        s_valid,
    output logic        s_ready,
    input  logic [7:0]  s_data,
    input  logic [12:0] s_size,
    output logic        m_valid,
    input  logic        m_ready,
    output logic [7:0]  m_data,
    output logic        m_last
);
  localparam int HISTORY_LOG2 = 13;
  typedef logic [HISTORY_LOG2:0] ring_t;  // one bit more than an address: tells full from empty
  typedef logic [12:0] count_t;
  typedef logic [EPOCH_BITS-1:0] epoch_t;
  localparam logic [EPOCH_BITS-1:0] FIRST_EPOCH = {{(EPOCH_BITS - 1) {1'b0}}, 1'b1};
  typedef struct packed {
    epoch_t epoch;
    logic [11:0] position;
    logic [31:0] bytes;
  } entry_t;
  typedef struct packed {
    logic last;
    count_t literals;
    count_t match;
    logic [11:0] offset;
  } sequence_t;

  logic accept;
  assign accept = s_valid && s_ready;

  // Where we are: byte `at` of a block of `size` bytes; the hash stage is at position at - 4, the decision at at - 6.
  count_t at, size, size_q;
  epoch_t epoch;
  logic clearing;
  logic [HASH_BITS-1:0] clear_at;
  ring_t write_at, block_at;
  assign size = at == 13'd0 ? s_size : size_q;

  // Window of the bytes before `at`: byte at - 1 on top; then one accepted byte later; then the byte on top alone.
  logic [31:0] window, window1;
  logic [7:0] newest2;
  function automatic logic [HASH_BITS-1:0] hash(input logic [31:0] v);
    hash = '0;
    for (int i = 0; i < 32; i++) hash[i%HASH_BITS] ^= v[i];
  endfunction

  // Table: read the old entry and write the new one in the same cycle.
  logic [EPOCH_BITS+43:0] table_memory[1<<HASH_BITS];
  entry_t candidate;
  logic [HASH_BITS-1:0] slot;
  assign slot = clearing ? clear_at : hash(window);
  logic [11:0] at_hash;
  assign at_hash = at[11:0] - 12'd4;

  // Compare.
  logic hit;
  logic [11:0] hit_position;
  ring_t hit_next;  // history address of the byte after the candidate's four

  // Decide.
  count_t here, byte_here;
  logic in_match, starts, ends, block_ends, push;
  count_t match_start, match_length, resume, anchor;
  logic [11:0] match_offset;
  ring_t match_next;
  logic [7:0] match_byte;
  assign here = at - 13'd6;
  assign byte_here = at - 13'd3;
  assign starts = !in_match && hit && at >= 13'd6 && here >= resume && here + 13'd12 <= size;
  assign ends = in_match && (newest2 != match_byte || byte_here + 13'd5 >= size);
  assign block_ends = at + 13'd1 == size;
  assign push = ends || block_ends;

  // History: one copy for the matcher, one for the literals.
  logic [7:0] history[1<<HISTORY_LOG2];
  logic [7:0] literals[1<<HISTORY_LOG2];
  ring_t extend_at;
  assign extend_at = starts ? hit_next : match_next;

  // FIFO of sequences.
  logic [38:0] fifo[1<<SEQUENCE_LOG2];
  sequence_t pushed, head;
  logic [SEQUENCE_LOG2:0] push_at, push_at_q, pop_at, pop_next;
  logic full, available, pop;
  assign full = push_at == {!pop_at[SEQUENCE_LOG2], pop_at[SEQUENCE_LOG2-1:0]};
  assign available = push_at_q != pop_at;
  assign pop_next = pop_at + {{SEQUENCE_LOG2{1'b0}}, pop};
  always_comb begin
    pushed.last = block_ends;
    pushed.literals = (block_ends ? size : match_start) - anchor;
    pushed.match = block_ends ? 13'd0 : match_length;
    pushed.offset = match_offset;
  end

  ring_t literal_at, literal_next, literal_at_q;
  logic history_full;
  assign history_full = write_at == {!literal_at_q[HISTORY_LOG2], literal_at_q[HISTORY_LOG2-1:0]};
  assign s_ready = !clearing && !history_full && !(push && full);

  always_ff @(posedge clk) begin
    if (clearing || (accept && at >= 13'd4))
      table_memory[slot] <= clearing ? '0 : {epoch, at_hash, window};
    if (accept) begin
      candidate <= table_memory[slot];
      window <= {s_data, window[31:8]};
      window1 <= window;
      newest2 <= window1[31:24];
      hit <= candidate.epoch == epoch && candidate.bytes == window1;
      hit_position <= candidate.position;
      hit_next <= block_at + {2'b00, candidate.position} + 14'd4;
      history[write_at[HISTORY_LOG2-1:0]] <= s_data;
      literals[write_at[HISTORY_LOG2-1:0]] <= s_data;
      match_byte <= history[extend_at[HISTORY_LOG2-1:0]];
      match_next <= extend_at + 14'd1;
      if (starts) begin
        match_start <= here;
        match_offset <= here[11:0] - hit_position;
        match_length <= 13'd4;
      end else match_length <= match_length + 13'd1;
      if (at == 13'd0) size_q <= s_size;
      if (push) fifo[push_at[SEQUENCE_LOG2-1:0]] <= pushed;
    end
    head <= fifo[pop_next[SEQUENCE_LOG2-1:0]];
    if (rst) begin
      at <= '0;
      epoch <= FIRST_EPOCH;
      clearing <= 1'b1;
      clear_at <= '0;
      write_at <= '0;
      block_at <= '0;
      in_match <= 1'b0;
      resume <= '0;
      anchor <= '0;
      push_at <= '0;
      push_at_q <= '0;
      pop_at <= '0;
    end else begin
      if (clearing) begin
        clear_at <= clear_at + {{(HASH_BITS - 1) {1'b0}}, 1'b1};
        clearing <= clear_at != '1;
      end
      if (accept) begin
        at <= at + 13'd1;
        write_at <= write_at + 14'd1;
        in_match <= starts || (in_match && !ends);
        if (ends) begin
          resume <= byte_here;
          anchor <= byte_here;
        end
        if (push) push_at <= push_at + {{SEQUENCE_LOG2{1'b0}}, 1'b1};
        if (block_ends) begin
          at <= '0;
          block_at <= write_at + 14'd1;
          resume <= '0;
          anchor <= '0;
          epoch <= epoch == '1 ? FIRST_EPOCH : epoch + FIRST_EPOCH;
          clearing <= epoch == '1;
        end
      end
      push_at_q <= push_at;
      pop_at <= pop_next;
    end
  end

  // Emitter: one byte per cycle; the token comes straight from the FIFO.
  typedef enum logic [2:0] {TOKEN, LITERAL_LENGTH, LITERAL, OFFSET_LOW, OFFSET_HIGH, MATCH_LENGTH} state_t;
  state_t state, after_token, after_literals;
  logic advance, moves, literal_step, skip;
  count_t literals_left, length_left, match_left;
  logic match_long, is_last;
  logic [11:0] offset;
  logic [7:0] literal, byte_out;
  logic head_long_literals, head_long_match;
  assign advance = !m_valid || m_ready;
  assign pop = state == TOKEN && available && advance;
  assign moves = advance && (state != TOKEN || available);
  assign head_long_literals = head.literals >= 13'd15;
  assign head_long_match = head.match >= 13'd19;
  always_comb begin
    if (head_long_literals) after_token = LITERAL_LENGTH;
    else if (head.literals != 13'd0) after_token = LITERAL;
    else after_token = OFFSET_LOW;
    after_literals = is_last ? TOKEN : OFFSET_LOW;
    unique case (state)
      TOKEN: begin
        byte_out[7:4] = head_long_literals ? 4'd15 : head.literals[3:0];
        if (head.last) byte_out[3:0] = 4'd0;
        else byte_out[3:0] = head_long_match ? 4'd15 : head.match[3:0] - 4'd4;
      end
      LITERAL_LENGTH, MATCH_LENGTH: byte_out = length_left >= 13'd255 ? 8'd255 : length_left[7:0];
      LITERAL: byte_out = literal;
      OFFSET_LOW: byte_out = offset[7:0];
      default: byte_out = {4'd0, offset[11:8]};
    endcase
  end
  // A literal leaves the history when it is read; the match behind the run leaves with its last literal, or, without
  // literals, with the offset.
  assign literal_step = state == LITERAL && advance;
  assign skip = advance && ((state == LITERAL && literals_left == 13'd1) || (state == OFFSET_LOW && literals_left == '1));
  assign literal_next = literal_at + {13'd0, literal_step} + (skip ? {1'b0, match_left} : 14'd0);

  always_ff @(posedge clk) begin
    literal <= literals[literal_next[HISTORY_LOG2-1:0]];
    if (advance) begin
      m_data <= byte_out;
      m_last <= state == LITERAL && is_last && literals_left == 13'd1;
    end
    if (moves) begin
      unique case (state)
        TOKEN: begin
          // All ones: a run without literals.
          literals_left <= head.literals == 13'd0 ? '1 : head.literals;
          length_left <= head.literals - 13'd15;
          match_left <= head.match;
          match_long <= head_long_match;
          offset <= head.offset;
          is_last <= head.last;
        end
        LITERAL_LENGTH, MATCH_LENGTH: length_left <= length_left - 13'd255;
        LITERAL: literals_left <= literals_left - 13'd1;
        OFFSET_LOW: length_left <= match_left - 13'd19;
        default: ;
      endcase
    end
    if (rst) begin
      state <= TOKEN;
      m_valid <= 1'b0;
      literal_at <= '0;
      literal_at_q <= '0;
    end else begin
      if (advance) m_valid <= moves;
      literal_at <= literal_next;
      literal_at_q <= literal_at;
      if (moves)
        unique case (state)
          TOKEN: state <= after_token;
          LITERAL_LENGTH: if (length_left < 13'd255) state <= LITERAL;
          LITERAL: if (literals_left == 13'd1) state <= after_literals;
          OFFSET_LOW: state <= OFFSET_HIGH;
          OFFSET_HIGH: state <= match_long ? MATCH_LENGTH : TOKEN;
          default: if (length_left < 13'd255) state <= TOKEN;
        endcase
    end
  end
endmodule
