// Ring of rows in which every packet waits as it came: for its turn when it bypasses the engines, else for the merge's
// decision whether it goes out compressed.
//
// A packet may begin when the ring has 64 rows left and fewer than 2^PACKETS_LOG2 packets are in it, so that it never
// stops in the middle for want of room. A row may be read in the cycle after it was written, before its packet is whole.
module packet_ring #(
    parameter int ROWS_LOG2 = 11,
    parameter int PACKETS_LOG2 = 6
) (
    input  logic         clk,
    input  logic         rst,
    output logic         room,
    input  logic         s_valid,
    input  logic         s_first,
    input  logic [511:0] s_data,
    input  logic         s_last,
    input  logic [6:0]   s_bytes,
    input  logic         s_bypass,
    // The oldest packet. `m_next` asks for its next row, which is there in the cycle after; `m_done` forgets the packet
    // with all rows that were not read.
    output logic         m_valid,
    output logic         m_bypass,
    output logic         m_row,    // the next row came
    output logic         m_last,   // and is the last one
    output logic [6:0]   m_bytes,  // and has so many bytes
    input  logic         m_next,
    input  logic         m_done,
    output logic [511:0] m_data
);
  typedef logic [ROWS_LOG2:0] row_t;  // one bit more than an address: tells full from empty
  typedef logic [PACKETS_LOG2:0] packet_t;
  localparam logic [ROWS_LOG2:0] ROW = {{ROWS_LOG2{1'b0}}, 1'b1};
  localparam logic [ROWS_LOG2:0] MOST_USED = (ROW << ROWS_LOG2) - (ROW << 6);
  localparam logic [PACKETS_LOG2:0] PACKET = {{PACKETS_LOG2{1'b0}}, 1'b1};

  logic [511:0] rows[1<<ROWS_LOG2];
  row_t row_write, row_read, used;
  assign used = row_write - row_read;

  // Packets: whether they bypass, known with the first row; where they end, with the last one.
  logic bypass[1<<PACKETS_LOG2];
  logic [ROWS_LOG2+6:0] ends[1<<PACKETS_LOG2];
  packet_t began, ended, oldest;
  row_t end_row;
  logic [5:0] end_byte;
  assign {end_row, end_byte} = ends[oldest[PACKETS_LOG2-1:0]];
  assign room = used <= MOST_USED && began - oldest != PACKET << PACKETS_LOG2;
  assign m_valid = began != oldest;
  assign m_bypass = bypass[oldest[PACKETS_LOG2-1:0]];
  assign m_row = used != '0;
  assign m_last = ended != oldest && row_read == end_row;
  assign m_bytes = m_last ? {1'b0, end_byte} + 7'd1 : 7'd64;

  always_ff @(posedge clk) begin
    if (s_valid) rows[row_write[ROWS_LOG2-1:0]] <= s_data;
    if (s_valid && s_first) bypass[began[PACKETS_LOG2-1:0]] <= s_bypass;
    if (s_valid && s_last) ends[ended[PACKETS_LOG2-1:0]] <= {row_write, 6'(s_bytes - 7'd1)};
    if (m_next) m_data <= rows[row_read[ROWS_LOG2-1:0]];
    if (rst) begin
      row_write <= '0;
      row_read <= '0;
      began <= '0;
      ended <= '0;
      oldest <= '0;
    end else begin
      if (s_valid) row_write <= row_write + ROW;
      if (s_valid && s_first) began <= began + PACKET;
      if (s_valid && s_last) ended <= ended + PACKET;
      if (m_done) oldest <= oldest + PACKET;
      if (m_done) row_read <= end_row + ROW;
      else if (m_next) row_read <= row_read + ROW;
    end
  end
endmodule
