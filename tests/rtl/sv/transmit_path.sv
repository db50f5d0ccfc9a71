// The transmit path: delta encoder, grouper, a bank of LZ4 engines, and the merge that sends payloads in packet order.
//
// A packet goes to the engine with a free place at its input that has the fewest bytes to take; among equals to the
// lowest. It leaves as the payload of a compressed packet. The raw fallback, headers and bypass are not here.
module transmit_path #(
    parameter int ENGINES = 4,
    parameter int LAYERS_LOG2 = 6
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
    output logic                   m_valid,
    input  logic                   m_ready,
    output logic [511:0]           m_data,
    output logic                   m_last,
    output logic [6:0]             m_bytes
);
  localparam int INDEX = ENGINES > 1 ? $clog2(ENGINES) : 1;

  logic d_valid, d_ready, d_last;
  logic [511:0] d_data;
  logic [6:0] d_bytes;
  logic [15:0] d_base;
  delta_encoder #(.LAYERS_LOG2(LAYERS_LOG2)) delta (
      .clk, .rst, .s_valid, .s_ready, .s_data, .s_last, .s_bytes, .s_layer, .s_new_iteration,
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
  logic [ENGINES-1:0] room, complete, next, done;
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
  assign g_ready = in_packet || (some_room && !order_full);

  // Order of the packets in the bank.
  logic [INDEX-1:0] order[64];
  logic [6:0] order_write, order_read;
  logic order_full;
  assign order_full = order_write == {!order_read[6], order_read[5:0]};

  // Merge: rows of the oldest packet, when it is complete.
  logic sending, reads, last_row, advance, q_valid, q_last;
  logic [INDEX-1:0] from, from_q;
  logic [6:0] row, rows_last, q_bytes;
  logic [12:0] size;
  assign from = order[order_read[5:0]];
  assign size = sizes[13*from+:13];
  assign rows_last = 7'((size - 13'd1) >> 6);
  assign sending = order_write != order_read && complete[from];
  assign advance = !m_valid || m_ready;
  assign reads = sending && advance;
  assign last_row = row == rows_last;

  for (genvar i = 0; i < ENGINES; i++) begin : g_engine
    assign next[i] = reads && from == INDEX'(i);
    assign done[i] = next[i] && last_row;
    engine_port port (
        .clk, .rst, .room(room[i]), .backlog(backlog[14*i+:14]),
        .s_valid(g_valid && g_ready && target == INDEX'(i)), .s_data(g_data), .s_first(!in_packet),
        .s_size(g_size), .s_base(g_base), .m_complete(complete[i]), .m_size(sizes[13*i+:13]), .m_next(next[i]),
        .m_done(done[i]), .m_data(payload[512*i+:512])
    );
  end

  always_ff @(posedge clk) begin
    if (g_valid && g_ready && !in_packet) begin
      order[order_write[5:0]] <= chosen;
      chosen_q <= chosen;
    end
    if (advance) begin
      from_q <= from;
      q_last <= last_row;
      q_bytes <= last_row ? {1'b0, 6'(size - 13'd1)} + 7'd1 : 7'd64;
      m_data <= payload[512*from_q+:512];
      m_last <= q_last;
      m_bytes <= q_bytes;
    end
    if (rst) begin
      in_packet <= 1'b0;
      order_write <= '0;
      order_read <= '0;
      row <= '0;
      q_valid <= 1'b0;
      m_valid <= 1'b0;
    end else begin
      if (g_valid && g_ready) begin
        in_packet <= !g_last;
        if (!in_packet) order_write <= order_write + 7'd1;
      end
      if (reads) begin
        row <= last_row ? 7'd0 : row + 7'd1;
        if (last_row) order_read <= order_read + 7'd1;
      end
      if (advance) begin
        q_valid <= sending;
        m_valid <= q_valid;
      end
    end
  end
endmodule
