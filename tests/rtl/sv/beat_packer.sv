// Packs chunks of 0 to 64 bytes into full beats of 64 B. A chunk's first byte lies at byte `c_first` of `c_data`, the
// others follow around the end. A packet ends with a chunk of at least one byte that has `c_last`; when it overflows a
// beat, the packer is busy for one more cycle. 64 B per cycle, 3 cycles from chunk to beat.
module beat_packer (
    input  logic         clk,
    input  logic         rst,
    input  logic         c_valid,
    output logic         c_ready,
    input  logic [511:0] c_data,
    input  logic [5:0]   c_first,
    input  logic [6:0]   c_bytes,
    input  logic         c_last,
    output logic         m_valid,
    input  logic         m_ready,
    output logic [511:0] m_data,
    output logic         m_last,
    output logic [6:0]   m_bytes
);
  logic advance, flush, overflow, v1, v2, full1, full2, last1, last2;
  logic [5:0] residue, residue1, residue2, turn;
  logic [6:0] filled, bytes1, bytes2;
  logic [511:0] data1, turned, rotated, gathered, merged;
  assign advance = !m_valid || m_ready;
  assign c_ready = advance && !flush;
  assign filled = {1'b0, residue} + (flush ? 7'd0 : c_bytes);
  assign overflow = c_last && !flush && filled > 7'd64;
  always_comb begin
    turned = data1;
    for (int s = 0; s < 6; s++)
      if (turn[s]) turned = (turned << (8 << s)) | (turned >> (512 - (8 << s)));
    for (int p = 0; p < 64; p++)
      merged[8*p+:8] = 6'(p) < residue2 ? gathered[8*p+:8] : rotated[8*p+:8];
  end
  always_ff @(posedge clk) begin
    if (advance) begin
      data1 <= c_data;
      turn <= residue - c_first;
      residue1 <= residue;
      full1 <= flush || c_last || filled >= 7'd64;
      last1 <= flush || (c_last && !overflow);
      bytes1 <= filled > 7'd64 ? 7'd64 : filled;
      rotated <= turned;
      residue2 <= residue1;
      full2 <= full1;
      last2 <= last1;
      bytes2 <= bytes1;
      m_data <= merged;
      m_last <= last2;
      m_bytes <= bytes2;
      if (v2) gathered <= full2 ? rotated : merged;
    end
    if (rst) begin
      residue <= '0;
      flush <= 1'b0;
      v1 <= 1'b0;
      v2 <= 1'b0;
      m_valid <= 1'b0;
    end else if (advance) begin
      v1 <= c_valid || flush;
      v2 <= v1;
      m_valid <= v2 && full2;
      if (flush) begin
        flush <= 1'b0;
        residue <= '0;
      end else if (c_valid) begin
        flush <= overflow;
        residue <= c_last && !overflow ? 6'd0 : 6'(filled);
      end
    end
  end
endmodule
