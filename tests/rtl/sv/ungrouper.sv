// Ungrouper with a double staging buffer: the inverse of the grouper, layouts as described there.
//
// `s_size`, the packet's length in bytes, and `s_base` are valid with every beat of a packet; the receiver knows the
// length from the payload.
//
// Short tail packets: an unpacker cuts the beats into slots of up to 64 B of one plane, one slot per cycle, and the
// bytes beyond the groups in one more. A packet that is a multiple of 1024 B (bit) or 128 B (byte) is taken at 64 B per
// cycle; another takes one cycle per slot, its beats being accepted as they are needed.
//
// Timing: a packet is admitted when a half is free; its first row is read in the cycle after its last slot was
// written, the beat leaves 2 cycles later. A half is free again for the cycle after its last row was
// read and its first beat left.
module ungrouper (
    input  logic         clk,
    input  logic         rst,
    input  logic         s_valid,
    output logic         s_ready,
    input  logic [511:0] s_data,
    input  logic [12:0]  s_size,
    input  logic [15:0]  s_base,
    input  logic         s_by_bit,
    output logic         m_valid,
    input  logic         m_ready,
    output logic [511:0] m_data,
    output logic         m_last,
    output logic [6:0]   m_bytes,
    output logic [15:0]  m_base
);
  typedef struct packed {
    logic [12:0] size;
    logic by_bit;
    logic [15:0] base;
    logic [119:0] rest;
  } half_t;
  logic [149:0] halves[2];
  logic [1:0] used, complete;
  logic release_half;

  // Write side. The packet's parameters come with its head and are held for slots that need no further beat.
  logic in_packet, write_half;
  logic [12:0] size_q, size;
  logic by_bit_q, by_bit;
  logic [15:0] base_q;
  logic [511:0] current;  // oldest beat that still has bytes
  logic [5:0] residue;    // bytes of it that are gone
  logic [3:0] plane;
  logic [4:0] chunk;
  logic at_rest;
  assign size = in_packet ? size_q : s_size;
  assign by_bit = in_packet ? by_bit_q : s_by_bit;

  logic [11:0] plane_bytes;
  logic [4:0] last_chunk;
  logic [3:0] rest_bytes;
  logic [6:0] slot_bytes, filled;
  logic rest_slot, last_group, last_slot, slot, needs_beat;
  assign plane_bytes = by_bit ? 12'(size >> 4) : 12'(size >> 1);
  assign rest_bytes = by_bit ? size[3:0] : {3'b000, size[0]};
  assign last_chunk = 5'((plane_bytes - 12'd1) >> 6);
  assign rest_slot = at_rest || plane_bytes == 12'd0;
  assign last_group = plane == 4'd0 && chunk == last_chunk;
  assign last_slot = rest_slot || (last_group && rest_bytes == 4'd0);
  always_comb begin
    if (rest_slot) slot_bytes = {3'b000, rest_bytes};
    else if (chunk != last_chunk) slot_bytes = 7'd64;
    else slot_bytes = {1'b0, 6'(plane_bytes - 12'd1)} + 7'd1;
  end
  assign filled = {1'b0, residue} + slot_bytes;
  assign needs_beat = residue == 6'd0 || filled > 7'd64;
  assign s_ready = (in_packet || used != 2'd2) && needs_beat;
  assign slot = (in_packet || used != 2'd2) && (s_valid || !needs_beat);

  // The slot's bytes start at `residue` of the older beat; turned right so that they lie as the banks want them.
  logic [511:0] merged, turned;
  logic [5:0] turn;
  always_comb begin
    for (int p = 0; p < 64; p++)
      merged[8*p+:8] = 6'(p) < residue || residue == 6'd0 ? s_data[8*p+:8] : current[8*p+:8];
    if (rest_slot) turn = 6'd0 - residue;
    else if (by_bit) turn = {plane, 2'b00} - residue;
    else turn = {plane != 4'd0, 5'b00000} - residue;
    turned = merged;
    for (int s = 0; s < 6; s++)
      if (turn[s]) turned = (turned << (8 << s)) | (turned >> (512 - (8 << s)));
  end

  // Read side: rows.
  half_t h;
  logic read_half, out_half;  // being read; at the output
  logic [1:0] all_read;
  logic [5:0] read_row, last_row;
  logic advance, advance1, issue, row_last, last_issue, head_gone, head_left, m_head;
  logic v1;
  assign h = halves[read_half];
  assign last_row = 6'((h.size - 13'd1) >> 6);
  assign row_last = read_row == last_row;
  assign advance = !m_valid || m_ready;
  assign advance1 = !v1 || advance;
  assign issue = complete != 2'd0 && advance1;
  assign last_issue = issue && row_last;
  assign head_gone = head_left || (m_valid && m_ready && m_head);
  assign release_half = head_gone && (all_read[out_half] || (last_issue && read_half == out_half));

  logic [511:0] bank_q;
  for (genvar m = 0; m < 16; m++) begin : g_bank
    logic [31:0] bank[128];
    logic [5:0] row;
    always_comb begin
      if (by_bit) row = {chunk[1:0], 4'(m - 32'(plane))};
      else row = {chunk, (m < 8) ^ (plane == 4'd0)};
    end
    always_ff @(posedge clk) begin
      if (slot && !rest_slot) bank[{write_half, row}] <= turned[32*m+:32];
      if (advance1) bank_q[32*m+:32] <= bank[{read_half, read_row}];
    end
  end

  typedef struct packed {
    logic [3:0] skew;
    logic by_bit;
    logic last;
    logic [6:0] bytes;
    logic [15:0] base;
    logic [119:0] rest;
  } row_t;
  row_t q1;
  logic [511:0] words;
  logic [511:0] values;
  always_comb begin
    values = '0;
    for (int k = 0; k < 16; k++) words[32*k+:32] = bank_q[32*4'(k+32'(q1.skew))+:32];
    for (int k = 0; k < 16; k++)
      for (int i = 0; i < 32; i++)
        if (q1.by_bit) values[16*i+k] = words[32*k+i];
        else values[16*(4*(k%8)+i/8)+8*(k/8)+i%8] = words[32*k+i];
    // The bytes beyond the groups end the last beat.
    if (q1.last && q1.by_bit) begin
      for (int g = 0; g < 4; g++) if (q1.bytes[6:4] == 3'(g)) values[128*g+:120] = q1.rest;
    end
    if (q1.last && !q1.by_bit) begin
      for (int i = 0; i < 32; i++) if (q1.bytes == 7'(2 * i + 1)) values[16*i+:8] = q1.rest[7:0];
    end
  end

  always_ff @(posedge clk) begin
    if (slot) begin
      if (!in_packet) begin
        size_q <= s_size;
        by_bit_q <= s_by_bit;
        base_q <= s_base;
      end
      if (last_slot) halves[write_half] <= {size, by_bit, in_packet ? base_q : s_base, turned[119:0]};
      if (needs_beat) current <= s_data;
    end
    if (advance1) begin
      q1.skew <= h.by_bit ? read_row[3:0] : {read_row[0], 3'b000};
      q1.by_bit <= h.by_bit;
      q1.last <= row_last;
      q1.bytes <= row_last ? {1'b0, 6'(h.size - 13'd1)} + 7'd1 : 7'd64;
      q1.base <= h.base;
      q1.rest <= h.rest;
    end
    if (advance) begin
      m_data <= values;
      m_last <= q1.last;
      m_bytes <= q1.bytes;
      m_base <= q1.base;
    end
    if (rst) begin
      in_packet <= 1'b0;
      write_half <= 1'b0;
      plane <= 4'd15;
      chunk <= '0;
      at_rest <= 1'b0;
      residue <= '0;
      used <= '0;
      complete <= '0;
      read_half <= 1'b0;
      read_row <= '0;
      out_half <= 1'b0;
      all_read <= '0;
      v1 <= 1'b0;
      m_valid <= 1'b0;
      m_head <= 1'b1;
      head_left <= 1'b0;
    end else begin
      if (slot) begin
        in_packet <= !last_slot;
        residue <= last_slot ? 6'd0 : 6'(filled);
        at_rest <= last_group && !last_slot;
        if (last_slot) begin
          write_half <= !write_half;
          plane <= 4'd15;
          chunk <= '0;
        end else if (chunk == last_chunk) begin
          chunk <= '0;
          plane <= by_bit ? plane - 4'd1 : 4'd0;
        end else chunk <= chunk + 5'd1;
      end
      used <= used + 2'(slot && !in_packet) - 2'(release_half);
      complete <= complete + 2'(slot && last_slot) - 2'(last_issue);
      if (advance1) v1 <= issue;
      if (advance) begin
        m_valid <= v1;
        if (m_valid) m_head <= m_last;
      end
      if (issue) begin
        read_row <= row_last ? 6'd0 : read_row + 6'd1;
        if (row_last) read_half <= !read_half;
      end
      head_left <= head_gone && !release_half;
      if (last_issue) all_read[read_half] <= 1'b1;
      if (release_half) begin
        all_read[out_half] <= 1'b0;
        out_half <= !out_half;
      end
    end
  end
endmodule
