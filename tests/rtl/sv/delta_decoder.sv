// Integer delta decoder: adds the base that came with the packet to 32 values of 16 bits per cycle.
//
// `s_base` is constant over a packet. The odd byte of a fractional value is handed through.
// Timing: 64 B per cycle, 1 cycle.
module delta_decoder #(
    parameter int ORDERED = 0
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         s_valid,
    output logic         s_ready,
    input  logic [511:0] s_data,
    input  logic         s_last,
    input  logic [6:0]   s_bytes,
    input  logic [15:0]  s_base,
    output logic         m_valid,
    input  logic         m_ready,
    output logic [511:0] m_data,
    output logic         m_last,
    output logic [6:0]   m_bytes
);
  function automatic logic [15:0] fold(input logic [15:0] p);
    fold = p[15] ? ~p : {1'b1, p[14:0]};
  endfunction
  function automatic logic [15:0] unfold(input logic [15:0] q);
    unfold = q[15] ? {1'b0, q[14:0]} : ~q;
  endfunction

  assign s_ready = !m_valid || m_ready;
  always_ff @(posedge clk) begin
    if (s_ready) begin
      for (int i = 0; i < 32; i++) begin
        if (s_bytes >= 7'(2 * i + 2))
          m_data[16*i+:16] <= ORDERED != 0 ? unfold(s_data[16*i+:16] + fold(s_base)) : s_data[16*i+:16] + s_base;
        else m_data[16*i+:16] <= s_data[16*i+:16];
      end
      m_last <= s_last;
      m_bytes <= s_bytes;
    end
    if (rst) m_valid <= 1'b0;
    else if (s_ready) m_valid <= s_valid;
  end
endmodule
