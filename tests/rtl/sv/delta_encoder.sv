// Integer delta encoder: subtracts the layer's base from 32 values of 16 bits per cycle and keeps the layer's minimum.
//
// bf16. The base of a layer is the minimum of its previous iteration, in the order of the floats, NaNs left out; it is
// neutral until an iteration has ended. The difference is taken modulo 2^16 on the bit patterns, or on their
// order-preserving images when ORDERED is 1. `s_new_iteration` with the first beat of a packet ends the layer's
// previous iteration.
//
// Short tail packets: `s_bytes` says how many bytes of the beat count (64 in all beats but the last). Values beyond it
// do not enter the minimum; the odd byte of a fractional value is handed through.
//
// Timing: 64 B per cycle, 5 cycles from beat in to beat out, stages collapse bubbles, no beat is held without need.
// Base registers: 2^LAYERS_LOG2 rows in LUT RAM, addressed by the low bits of the layer id; layers that share a row
// share a base, which costs ratio but no bit, because the base travels with its packet.
module delta_encoder #(
    parameter int LAYERS_LOG2 = 6,
    parameter int ORDERED = 0
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         s_valid,
    output logic         s_ready,
    input  logic [511:0] s_data,
    input  logic         s_last,
    input  logic [6:0]   s_bytes,
    input  logic [LAYERS_LOG2-1:0] s_layer,
    input  logic         s_new_iteration,
    output logic         m_valid,
    input  logic         m_ready,
    output logic [511:0] m_data,
    output logic         m_last,
    output logic [6:0]   m_bytes,
    output logic [15:0]  m_base
);
  localparam int LANES = 32;
  localparam int ROWS = 1 << LAYERS_LOG2;
  localparam logic [15:0] NONE = 16'hffff;  // ordered: above every number
  localparam logic [15:0] NEUTRAL = ORDERED != 0 ? 16'hffff : 16'h0000;

  typedef struct packed {
    logic [511:0] data;
    logic last;
    logic first;
    logic [6:0] bytes;
    logic [LAYERS_LOG2-1:0] layer;
    logic new_iteration;
  } beat_t;

  // The order-preserving image of a float's bits, and back.
  function automatic logic [15:0] fold(input logic [15:0] p);
    fold = p[15] ? ~p : {1'b1, p[14:0]};
  endfunction
  function automatic logic [15:0] unfold(input logic [15:0] q);
    unfold = q[15] ? {1'b0, q[14:0]} : ~q;
  endfunction
  function automatic logic [15:0] least(input logic [15:0] a, input logic [15:0] b);
    least = a < b ? a : b;
  endfunction

  // A stage moves when it is empty or any stage behind it, or the sink, has room.
  logic [5:1] v, en;
  always_comb for (int i = 1; i <= 5; i++) en[i] = m_ready || (v >> (i - 1)) != 5'h1f >> (i - 1);
  assign s_ready = en[1];

  // Stage 1: minimum of each four lanes.
  logic s_first;
  beat_t b1, b2, b3;
  logic [511:0] data4;
  logic last4;
  logic [6:0] bytes4;
  logic [15:0] min1[8], min2[2], min3;
  logic [15:0] folded[LANES];
  always_comb
    for (int i = 0; i < LANES; i++)
      folded[i] = s_bytes >= 7'(2 * i + 2) && s_data[16*i+:15] <= 15'h7f80 ? fold(s_data[16*i+:16]) : NONE;

  always_ff @(posedge clk) begin
    if (en[1]) begin
      b1.data <= s_data;
      b1.last <= s_last;
      b1.first <= s_first;
      b1.bytes <= s_bytes;
      b1.layer <= s_layer;
      b1.new_iteration <= s_new_iteration;
      for (int i = 0; i < 8; i++)
        min1[i] <= least(least(folded[4*i], folded[4*i+1]), least(folded[4*i+2], folded[4*i+3]));
    end
    if (en[2]) begin
      b2 <= b1;
      for (int i = 0; i < 2; i++)
        min2[i] <= least(least(min1[4*i], min1[4*i+1]), least(min1[4*i+2], min1[4*i+3]));
    end
    if (en[3]) begin
      b3 <= b2;
      min3 <= least(min2[0], min2[1]);
    end
  end

  // Stage 4: the layer's row {base, minimum so far} is read, updated and written in one cycle.
  logic [31:0] rows[ROWS];
  logic [ROWS-1:0] seen;
  logic [31:0] row;
  logic begins;
  logic [15:0] row_base, row_min, base4, base5;
  assign row = seen[b3.layer] ? rows[b3.layer] : {NEUTRAL, NONE};
  assign begins = b3.first && b3.new_iteration && row[15:0] != NONE;
  assign row_base = begins ? unfold(row[15:0]) : row[31:16];
  assign row_min = begins ? min3 : least(row[15:0], min3);

  always_ff @(posedge clk) begin
    if (en[4]) begin
      data4 <= b3.data;
      last4 <= b3.last;
      bytes4 <= b3.bytes;
      if (b3.first) base4 <= row_base;
    end
    if (v[3] && en[4]) rows[b3.layer] <= {row_base, row_min};
    if (en[5]) begin
      for (int i = 0; i < LANES; i++) begin
        if (bytes4 >= 7'(2 * i + 2))
          m_data[16*i+:16] <= ORDERED != 0 ? fold(data4[16*i+:16]) - fold(base4) : data4[16*i+:16] - base4;
        else m_data[16*i+:16] <= data4[16*i+:16];
      end
      m_last <= last4;
      m_bytes <= bytes4;
      base5 <= base4;
    end
    if (rst) begin
      v <= '0;
      s_first <= 1'b1;
      seen <= '0;
    end else begin
      if (en[1]) v[1] <= s_valid;
      for (int i = 2; i <= 5; i++) if (en[i]) v[i] <= v[i-1];
      if (s_valid && s_ready) s_first <= s_last;
      if (v[3] && en[4]) seen[b3.layer] <= 1'b1;
    end
  end
  assign m_valid = v[5];
  assign m_base = base5;
endmodule
