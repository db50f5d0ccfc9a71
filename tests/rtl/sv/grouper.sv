// Grouper with a double staging buffer: lays the 16-bit values of a packet out by bit (16 planes) or by byte (2 halves).
//
// Bit grouping: plane k holds bit k of every value, value i in bit i mod 8 of byte i / 8; the most significant plane
// comes first. Byte grouping: all high bytes, then all low bytes. Bytes beyond the last whole group of eight values
// (bit) or the last whole value (byte) follow as they came, so a packet keeps its length.
//
// Staging: two halves of 64 rows of 64 B in 16 banks of 32 bits. Word k of row b lies in bank (k + b) mod 16 for bits,
// (k + 8 * (b mod 2)) mod 16 for bytes, so that 64 B of one plane are in 16 different banks.
//
// Short tail packets: a plane of g bytes is read in ceil(g / 64) slots of one cycle, and the bytes left over in one
// more; a byte rotator packs the slots into full beats. When the last slot overflows a beat, one flush slot follows.
// A packet that is a multiple of 1024 B (bit) or 128 B (byte) needs no such slot and flows at 64 B per cycle.
//
// Timing: a packet is admitted when a half is free (`s_ready` stays up until its last beat); its first slot is read in
// the cycle after its last beat came, the beat leaves 3 cycles later. A half is free again for the cycle after its
// last slot was read and its first beat left.
module grouper (
    input  logic         clk,
    input  logic         rst,
    input  logic         s_valid,
    output logic         s_ready,
    input  logic [511:0] s_data,
    input  logic         s_last,
    input  logic [6:0]   s_bytes,
    input  logic [15:0]  s_base,
    input  logic         s_by_bit,
    output logic         m_valid,
    input  logic         m_ready,
    output logic [511:0] m_data,
    output logic         m_last,
    output logic [6:0]   m_bytes,
    output logic [15:0]  m_base,
    output logic [12:0]  m_size
);
  typedef struct packed {
    logic [12:0] size;
    logic by_bit;
    logic [15:0] base;
    logic [119:0] rest;  // bytes beyond the groups
  } half_t;

  // Write side: transpose, rotate to the banks, write the row.
  logic write_half, in_packet;
  logic [5:0] write_row;
  logic write, write_end;
  logic [149:0] halves[2];
  logic [1:0] used;
  logic release_half;

  assign s_ready = in_packet || used != 2'd2;
  assign write = s_valid && s_ready;
  assign write_end = write && s_last;

  logic [511:0] words, row;
  logic [3:0] skew;
  always_comb begin
    for (int k = 0; k < 16; k++)
      for (int i = 0; i < 32; i++)
        words[32*k+i] = s_by_bit ? s_data[16*i+k] : s_data[16*(4*(k%8)+i/8)+8*(k/8)+i%8];
    skew = s_by_bit ? write_row[3:0] : {write_row[0], 3'b000};
    for (int m = 0; m < 16; m++) row[32*m+:32] = words[32*4'(m-32'(skew))+:32];
  end

  // The bytes beyond the groups are the last bytes of the last beat.
  logic [119:0] rest;
  always_comb begin
    rest = s_data[119:0];
    for (int i = 1; i < 4; i++) if (s_bytes[6:4] == 3'(i)) rest = s_data[128*i+:120];
    if (!s_by_bit) begin
      rest[7:0] = 8'h00;
      for (int i = 0; i < 32; i++) if (s_bytes == 7'(2 * i + 1)) rest[7:0] = s_data[16*i+:8];
    end
  end

  // Read side: slots of up to 64 B of one plane.
  half_t h;
  logic read_half, out_half;  // being read; at the output
  logic [1:0] all_read;
  logic [1:0] complete;  // halves that hold a whole packet
  logic [3:0] plane;
  logic [4:0] chunk;
  logic at_rest, at_flush;
  logic [5:0] residue;
  logic advance, advance1, advance2, issue, last_slot, last_issue, head_gone, head_left, m_head;

  logic [11:0] plane_bytes;
  logic [4:0] last_chunk;
  logic [6:0] slot_bytes, filled;
  logic [3:0] rest_bytes;
  logic overflow, last_group;
  assign h = halves[read_half];
  assign plane_bytes = h.by_bit ? 12'(h.size >> 4) : 12'(h.size >> 1);
  assign rest_bytes = h.by_bit ? h.size[3:0] : {3'b000, h.size[0]};
  assign last_chunk = 5'((plane_bytes - 12'd1) >> 6);
  assign last_group = plane == 4'd0 && chunk == last_chunk;
  always_comb begin
    if (at_flush) slot_bytes = 7'd0;
    else if (at_rest || plane_bytes == 12'd0) slot_bytes = {3'b000, rest_bytes};
    else if (chunk != last_chunk) slot_bytes = 7'd64;
    else slot_bytes = {1'b0, 6'(plane_bytes - 12'd1)} + 7'd1;
  end
  assign filled = {1'b0, residue} + slot_bytes;
  logic last_data;  // no data slot follows this one
  assign last_data = at_rest || plane_bytes == 12'd0 || (last_group && rest_bytes == 4'd0);
  assign overflow = filled > 7'd64;
  assign last_slot = at_flush || (last_data && !overflow);

  // Stages collapse the bubbles between packets.
  logic v1, v2;
  assign advance = !m_valid || m_ready;
  assign advance2 = !v2 || advance;
  assign advance1 = !v1 || advance2;
  assign issue = complete != 2'd0 && advance1;
  assign last_issue = issue && last_slot;

  // A half is free again when its last slot is read and its first beat has left.
  assign head_gone = head_left || (m_valid && m_ready && m_head);
  assign release_half = head_gone && (all_read[out_half] || (last_issue && read_half == out_half));

  // Banks, 128 rows of 32 bits each: half and row.
  logic [511:0] bank_q;
  for (genvar m = 0; m < 16; m++) begin : g_bank
    logic [31:0] bank[128];
    logic [5:0] read_row;
    always_comb begin
      if (h.by_bit) read_row = {chunk[1:0], 4'(m) - plane};
      else read_row = {chunk, (m < 8) ^ (plane == 4'd0)};
    end
    always_ff @(posedge clk) begin
      if (write) bank[{write_half, write_row}] <= row[32*m+:32];
      if (advance1) bank_q[32*m+:32] <= bank[{read_half, read_row}];
    end
  end

  // Slots on their way: banks (1), rotator (2), packer (output).
  typedef struct packed {
    logic [5:0] residue;  // bytes of the beat that are there already
    logic full;           // completes a beat
    logic last;
    logic [6:0] bytes;    // of the beat when complete
    logic [15:0] base;
    logic [12:0] size;
  } slot_t;
  slot_t q1, q2;
  logic [5:0] turn;  // left rotation in bytes that brings a plane's first byte to `residue`
  logic from_rest;
  logic [119:0] rest_q;
  logic [511:0] turned, rotated, gathered, merged;
  logic [5:0] turn_here;

  always_comb begin
    if (at_rest || plane_bytes == 12'd0) turn_here = residue;
    else if (h.by_bit) turn_here = residue - {plane, 2'b00};
    else turn_here = residue - {plane != 4'd0, 5'b00000};
  end

  logic [511:0] turn_in;
  assign turn_in = from_rest ? {392'h0, rest_q} : bank_q;
  always_comb begin
    turned = turn_in;
    for (int s = 0; s < 6; s++)
      if (turn[s]) turned = (turned << (8 << s)) | (turned >> (512 - (8 << s)));
    for (int p = 0; p < 64; p++)
      merged[8*p+:8] = 6'(p) < q2.residue ? gathered[8*p+:8] : rotated[8*p+:8];
  end

  always_ff @(posedge clk) begin
    if (write_end) halves[write_half] <= {{1'b0, write_row, 6'd0} + {6'd0, s_bytes}, s_by_bit, s_base, rest};
    if (advance1) begin
      q1.residue <= residue;
      q1.full <= filled >= 7'd64 || last_slot;
      q1.last <= last_slot;
      q1.bytes <= filled > 7'd64 ? 7'd64 : filled;
      q1.base <= h.base;
      q1.size <= h.size;
      turn <= turn_here;
      from_rest <= at_rest || plane_bytes == 12'd0;
      rest_q <= h.rest;
    end
    if (advance2) begin
      q2 <= q1;
      rotated <= turned;
    end
    if (advance) begin
      m_data <= merged;
      m_last <= q2.last;
      m_bytes <= q2.bytes;
      m_base <= q2.base;
      m_size <= q2.size;
      if (v2) gathered <= q2.full ? rotated : merged;
    end
    if (rst) begin
      in_packet <= 1'b0;
      write_half <= 1'b0;
      write_row <= '0;
      used <= '0;
      read_half <= 1'b0;
      complete <= '0;
      out_half <= 1'b0;
      all_read <= '0;
      plane <= 4'd15;
      chunk <= '0;
      at_rest <= 1'b0;
      at_flush <= 1'b0;
      residue <= '0;
      v1 <= 1'b0;
      v2 <= 1'b0;
      m_valid <= 1'b0;
      m_head <= 1'b1;
      head_left <= 1'b0;
    end else begin
      if (write) begin
        in_packet <= !s_last;
        write_row <= s_last ? 6'd0 : write_row + 6'd1;
        if (s_last) write_half <= !write_half;
      end
      used <= used + 2'(write && !in_packet) - 2'(release_half);
      if (advance1) v1 <= issue;
      if (advance2) v2 <= v1;
      if (advance) begin
        m_valid <= v2 && q2.full;
        if (m_valid) m_head <= m_last;
      end
      if (issue) begin
        residue <= last_slot ? 6'd0 : 6'(filled);
        at_flush <= !last_slot && last_data;
        at_rest <= !at_rest && !last_data && last_group;
        if (last_slot || last_data) begin
          plane <= 4'd15;
          chunk <= '0;
        end else if (chunk == last_chunk) begin
          chunk <= '0;
          plane <= h.by_bit ? plane - 4'd1 : 4'd0;
        end else chunk <= chunk + 5'd1;
        if (last_slot) read_half <= !read_half;
      end
      head_left <= head_gone && !release_half;
      if (last_issue) all_read[read_half] <= 1'b1;
      if (release_half) begin
        all_read[out_half] <= 1'b0;
        out_half <= !out_half;
      end
      complete <= complete + 2'(write_end) - 2'(last_issue);
    end
  end
endmodule
