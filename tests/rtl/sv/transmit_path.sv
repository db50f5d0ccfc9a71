// The transmit path: delta encoder, grouper, a bank of LZ4 engines, and the merge that sends packets in their order.
//
// Every packet is also written, as it came, to a ring of rows. With `s_bypass` it goes nowhere else and leaves when it is
// its turn. Else it goes to the engine with a free place at its input that has the fewest bytes to take; among equals to
// the lowest. When its payload is complete and shorter than the packet, it leaves as this payload, else as it came.
// `m_compressed` is the flag bit of its NetZIP header; the header itself is not here.
//
// The ring has 2,048 rows (128 KiB), or 32 packets of 4 KiB. With half as many rows, saturated engines wait for room when
// noise and bypassing packets stand among the others (0.3 % of the throughput; 21 % with a quarter).
module transmit_path #(
    parameter int ENGINES = 4,
    parameter int LAYERS_LOG2 = 6,
    parameter int ROWS_LOG2 = 11
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic                   s_valid,
    output logic                   s_ready,
    input  logic [511:0]           s_data,
    input  logic                   s_last,
    input  logic [6:0]             s_bytes,
    input  logic [LAYERS_LOG2-1:0] s_layer,
    input  logic                   s_new_iteration,
    input  logic                   s_by_bit,
    input  logic                   s_bypass,
    output logic                   m_valid,
    input  logic                   m_ready,
    output logic [511:0]           m_data,
    output logic                   m_last,
    output logic [6:0]             m_bytes,
    output logic                   m_compressed
);
  localparam int INDEX = ENGINES > 1 ? $clog2(ENGINES) : 1;

  // Input: to the ring, and to the delta encoder what is not to bypass.
  logic begun, bypass, bypass_q, ring_room, takes, delta_ready;
  assign bypass = begun ? bypass_q : s_bypass;
  assign s_ready = (begun || ring_room) && (bypass || delta_ready);
  assign takes = s_valid && s_ready;

  logic r_valid, r_bypass, r_row, r_last, r_next, r_done;
  logic [6:0] r_bytes;
  logic [511:0] r_data;
  packet_ring #(.ROWS_LOG2(ROWS_LOG2)) ring (
      .clk, .rst, .room(ring_room), .s_valid(takes), .s_first(!begun), .s_data, .s_last, .s_bytes, .s_bypass,
      .m_valid(r_valid), .m_bypass(r_bypass), .m_row(r_row), .m_last(r_last), .m_bytes(r_bytes), .m_next(r_next),
      .m_done(r_done), .m_data(r_data)
  );

  logic d_valid, d_ready, d_last;
  logic [511:0] d_data;
  logic [6:0] d_bytes;
  logic [15:0] d_base;
  delta_encoder #(.LAYERS_LOG2(LAYERS_LOG2)) delta (
      .clk, .rst, .s_valid(s_valid && !bypass && (begun || ring_room)), .s_ready(delta_ready), .s_data, .s_last,
      .s_bytes, .s_layer, .s_new_iteration,
      .m_valid(d_valid), .m_ready(d_ready), .m_data(d_data), .m_last(d_last), .m_bytes(d_bytes), .m_base(d_base)
  );

  logic g_valid, g_ready, g_last;
  logic [511:0] g_data;
  logic [15:0] g_base;
  logic [12:0] g_size;
  /* verilator lint_off PINCONNECTEMPTY */
  grouper group (
      .clk, .rst, .s_valid(d_valid), .s_ready(d_ready), .s_data(d_data), .s_last(d_last), .s_bytes(d_bytes),
      .s_base(d_base), .s_by_bit, .m_valid(g_valid), .m_ready(g_ready), .m_data(g_data), .m_last(g_last), .m_bytes(),
      .m_base(g_base), .m_size(g_size)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // Distribution: the engine is chosen with the packet's first row.
  logic [ENGINES-1:0] room, complete, raws, next, done;
  logic [14*ENGINES-1:0] backlog;
  logic [13*ENGINES-1:0] sizes;
  logic [512*ENGINES-1:0] payload;
  logic in_packet, some_room;
  logic [INDEX-1:0] chosen, chosen_q, target;
  logic [13:0] least;
  always_comb begin
    chosen = '0;
    some_room = 1'b0;
    least = '1;
    for (int i = ENGINES - 1; i >= 0; i--)
      if (room[i] && backlog[14*i+:14] <= least) begin
        chosen = INDEX'(i);
        least = backlog[14*i+:14];
        some_room = 1'b1;
      end
  end
  assign target = in_packet ? chosen_q : chosen;
  assign g_ready = in_packet || some_room;

  // Order of the packets in the bank; the ring has not more packets than there are places.
  logic [INDEX-1:0] order[64];
  logic [6:0] order_write, order_read;

  // Merge: rows of the oldest packet, when its payload is complete, or as they come when it bypasses.
  logic sending, raw, reads, last_row, advance, q_valid, q_last, q_raw;
  logic [INDEX-1:0] from, from_q;
  logic [6:0] row, rows_last, q_bytes;
  logic [12:0] size;
  assign from = order[order_read[5:0]];
  assign size = sizes[13*from+:13];
  assign rows_last = 7'((size - 13'd1) >> 6);
  assign raw = r_bypass || raws[from];
  assign sending = r_valid && (r_bypass ? r_row : order_write != order_read && complete[from]);
  assign advance = !m_valid || m_ready;
  assign reads = sending && advance;
  assign last_row = raw ? r_last : row == rows_last;
  assign r_next = reads && raw;
  assign r_done = reads && last_row;

  for (genvar i = 0; i < ENGINES; i++) begin : g_engine
    assign next[i] = reads && !raw && from == INDEX'(i);
    assign done[i] = r_done && !r_bypass && from == INDEX'(i);
    engine_port port (
        .clk, .rst, .room(room[i]), .backlog(backlog[14*i+:14]),
        .s_valid(g_valid && g_ready && target == INDEX'(i)), .s_data(g_data), .s_first(!in_packet),
        .s_size(g_size), .s_base(g_base), .m_complete(complete[i]), .m_raw(raws[i]),
        .m_size(sizes[13*i+:13]), .m_next(next[i]), .m_done(done[i]), .m_data(payload[512*i+:512])
    );
  end

  always_ff @(posedge clk) begin
    if (takes) bypass_q <= bypass;
    if (g_valid && g_ready && !in_packet) begin
      order[order_write[5:0]] <= chosen;
      chosen_q <= chosen;
    end
    if (advance) begin
      from_q <= from;
      q_last <= last_row;
      q_raw <= raw;
      q_bytes <= raw ? r_bytes : last_row ? {1'b0, 6'(size - 13'd1)} + 7'd1 : 7'd64;
      m_data <= q_raw ? r_data : payload[512*from_q+:512];
      m_last <= q_last;
      m_bytes <= q_bytes;
      m_compressed <= !q_raw;
    end
    if (rst) begin
      begun <= 1'b0;
      in_packet <= 1'b0;
      order_write <= '0;
      order_read <= '0;
      row <= '0;
      q_valid <= 1'b0;
      m_valid <= 1'b0;
    end else begin
      if (takes) begun <= !s_last;
      if (g_valid && g_ready) begin
        in_packet <= !g_last;
        if (!in_packet) order_write <= order_write + 7'd1;
      end
      if (reads) begin
        row <= last_row ? 7'd0 : row + 7'd1;
        if (last_row && !r_bypass) order_read <= order_read + 7'd1;
      end
      if (advance) begin
        q_valid <= sending;
        m_valid <= q_valid;
      end
    end
  end
endmodule
