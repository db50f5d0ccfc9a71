// One engine of the bank with its buffers: rows of 64 B in, an LZ4 engine of one byte per cycle, rows of 64 B out.
//
// At most two packets are at the input, counted until their last byte is taken; the first may be taken as soon as its
// first row is there. What comes out is the payload of a compressed packet: its original length (2 B), the LZ4 block,
// the base (2 B). Payloads wait in a ring of 256 rows until they are called for; one that is not shorter than its packet
// gives its rows back at once and is only announced. At most 8 packets are in all of this.
module engine_port (
    input  logic         clk,
    input  logic         rst,
    // A packet's rows, one per cycle; only when `room`.
    output logic         room,
    output logic [13:0]  backlog,  // bytes that are not taken yet
    input  logic         s_valid,
    input  logic [511:0] s_data,
    input  logic         s_first,
    input  logic [12:0]  s_size,
    input  logic [15:0]  s_base,
    // Payloads, oldest first. `m_next` asks for the next row; it is there in the cycle after.
    output logic         m_complete,
    output logic         m_raw,   // did not shrink: has no rows
    output logic [12:0]  m_size,
    input  logic         m_next,
    input  logic         m_done,
    output logic [511:0] m_data
);
  // Input: a ring of 128 rows.
  logic [511:0] rows[128];
  logic [6:0] row_write, row_read;
  logic [7:0] row_count;
  logic [28:0] packets[8];  // size and base of the packets whose rows came
  logic [2:0] packet_write, packet_read, packet_out;
  logic [1:0] waiting;
  logic [3:0] open;  // packets that came and whose payload has not left
  logic [511:0] fetched, shift;
  logic fetched_valid, fetch, load, take, taken_last;
  logic [6:0] left_in_row;   // bytes in `shift`
  logic [12:0] left, size;   // bytes of the packet that are not taken yet
  assign size = packets[packet_read][28:16];
  assign room = waiting != 2'd2 && open != 4'd8;
  // The next row is loaded when the last byte of this one goes.
  assign load = fetched_valid && (left_in_row == 7'd0 || (take && left_in_row == 7'd1));
  assign fetch = row_count != 8'd0 && (!fetched_valid || load);

  logic e_ready, e_valid, m_valid, m_ready, m_last;
  logic [7:0] m_byte;
  logic at_head;
  assign e_valid = left_in_row != 7'd0;
  assign take = e_valid && e_ready;
  assign at_head = left == 13'd0;
  assign taken_last = take && (at_head ? size == 13'd1 : left == 13'd1);
  lz4_compressor engine (
      .clk, .rst, .s_valid(e_valid), .s_ready(e_ready), .s_data(shift[7:0]), .s_size(size),
      .m_valid, .m_ready, .m_data(m_byte), .m_last
  );

  // Bytes from the row that is loaded to the end of its packet; the packet's size is known when its first row is.
  logic [12:0] row_left, rows_ahead, next_size;
  logic [2:0] packet_next;
  assign packet_next = packet_read + {2'b00, taken_last};
  assign next_size = packets[packet_next][28:16];
  assign rows_ahead = row_left == 13'd0 ? next_size : row_left;

  always_ff @(posedge clk) begin
    if (s_valid) rows[row_write] <= s_data;
    if (s_valid && s_first) packets[packet_write] <= {s_size, s_base};
    if (fetch) fetched <= rows[row_read];
    if (load) shift <= fetched;
    else if (take) shift <= shift >> 8;
    if (rst) begin
      row_write <= '0;
      row_read <= '0;
      row_count <= '0;
      packet_write <= '0;
      packet_read <= '0;
      waiting <= '0;
      open <= '0;
      fetched_valid <= 1'b0;
      left_in_row <= '0;
      left <= '0;
      backlog <= '0;
      row_left <= '0;
    end else begin
      if (s_valid) row_write <= row_write + 7'd1;
      if (fetch) row_read <= row_read + 7'd1;
      row_count <= row_count + {7'd0, s_valid} - {7'd0, fetch};
      if (s_valid && s_first) packet_write <= packet_write + 3'd1;
      if (taken_last) packet_read <= packet_read + 3'd1;
      open <= open + {3'd0, s_valid && s_first} - {3'd0, m_done};
      waiting <= waiting + {1'b0, s_valid && s_first} - {1'b0, taken_last};
      backlog <= backlog + (s_valid && s_first ? {1'b0, s_size} : 14'd0) - {13'd0, take};
      if (fetch) fetched_valid <= 1'b1;
      else if (load) fetched_valid <= 1'b0;
      if (take) left <= at_head ? size - 13'd1 : left - 13'd1;
      if (load) begin
        left_in_row <= rows_ahead > 13'd64 ? 7'd64 : rows_ahead[6:0];
        row_left <= rows_ahead > 13'd64 ? rows_ahead - 13'd64 : 13'd0;
      end else if (take) left_in_row <= left_in_row - 7'd1;
    end
  end

  // Output: bytes gather in a row, rows in a ring. The length comes with the block's first byte, the base with its last
  // one: an engine never waits for them. (A block has at least two bytes: a token and a literal.)
  logic [511:0] results[256];
  logic [8:0] result_write, result_read, result_start;  // one bit more than an address
  logic [503:0] gathered;
  logic [5:0] fill;
  logic [12:0] length, size_out;
  logic [15:0] base_out;
  logic [13:0] lengths[8];
  logic [2:0] length_write, length_read;
  logic [3:0] complete;
  logic put, ends, row_full, raw, finished, spills;
  logic [15:0] spilled;
  assign {size_out, base_out} = packets[packet_out];
  assign m_ready = result_write - result_read < 9'd250;
  assign put = m_valid && m_ready;
  assign ends = put && m_last;
  assign row_full = put && (fill == 6'd63 || m_last);
  assign raw = length + 13'd3 >= size_out;
  assign m_complete = complete != 4'd0;
  assign {m_raw, m_size} = lengths[length_read];

  // Turned so that the row's first byte is the lowest; what the base spills goes to one more row.
  logic [527:0] aligned;
  always_comb begin
    aligned = {base_out, m_byte, gathered};
    for (int s = 0; s < 6; s++) if (!fill[s]) aligned = aligned >> (8 << s);
  end

  always_ff @(posedge clk) begin
    if (put) gathered <= length == 13'd0 ? {m_byte, 3'd0, size_out, gathered[503:24]} : {m_byte, gathered[503:8]};
    if (row_full || spills) results[result_write[7:0]] <= spills ? {496'd0, spilled} : aligned[511:0];
    spilled <= aligned[527:512];
    if (ends) lengths[length_write] <= {raw, length + 13'd3};
    if (m_next) m_data <= results[result_read[7:0]];
    if (rst) begin
      fill <= '0;
      length <= '0;
      result_write <= '0;
      result_read <= '0;
      result_start <= '0;
      length_write <= '0;
      length_read <= '0;
      complete <= '0;
      packet_out <= '0;
      finished <= 1'b0;
      spills <= 1'b0;
    end else begin
      if (ends) begin
        fill <= '0;
        length <= '0;
        length_write <= length_write + 3'd1;
        packet_out <= packet_out + 3'd1;
      end else if (put) begin
        fill <= length == 13'd0 ? 6'd3 : fill + 6'd1;
        length <= length == 13'd0 ? 13'd3 : length + 13'd1;
      end
      finished <= ends;
      spills <= ends && !raw && fill >= 6'd62;
      if (ends && raw) result_write <= result_start;
      else if (row_full || spills) result_write <= result_write + 9'd1;
      if (finished) result_start <= result_write + {8'd0, spills};
      if (m_next) result_read <= result_read + 9'd1;
      complete <= complete + {3'd0, finished} - {3'd0, m_done};
      if (m_done) length_read <= length_read + 3'd1;
    end
  end
endmodule
