// One lane of the exponent-prefix decoder: one code per cycle from a stream of up to 128 B, kept in words of 8 bytes;
// two packets. `load` starts on the stream of `load_half`, though the last code of the one before may be taken in the
// same cycle.
//
// `fault`: the exponent is none. `ends`: with this code, if `keep` takes one, the stream of `length` bytes ends, and
// only zeros fill its last byte.
module prefix_lane_decoder (
    input  logic        clk,
    input  logic        write,
    input  logic [4:0]  write_at,  // half, word
    input  logic [63:0] word,
    input  logic        load,
    input  logic        load_half,
    input  logic        enable,
    input  logic        keep,
    input  logic        half,      // the one that was loaded
    input  logic [8:0]  scale,
    input  logic [7:0]  length,
    output logic [7:0]  exponent,
    output logic        fault,
    output logic        ends
);
  // Two pieces of 16 bits, of which `at` bits are taken; number of the next piece.
  logic [31:0] pieces;
  logic [3:0] at;
  logic [6:0] piece;
  logic [63:0] words[32];
  logic [63:0] next;
  assign next = words[load ? {load_half, 4'd0} : {half, piece[5:2]}];

  logic [15:0] peek;
  logic [3:0] bits;
  logic signed [4:0] distance;
  logic zero, escape;
  assign peek = 16'(pieces >> at);
  // docs/formats.md; the first bit of a code is bit 0.
  always_comb begin
    bits = 4'd8;
    distance = '0;
    zero = 1'b0;
    escape = 1'b0;
    casez ({scale[0], peek[7:0]})
      9'b?_??????00: {bits, distance} = {4'd2, -5'sd1};
      9'b?_??????10: {bits, distance} = {4'd2, 5'sd0};
      9'b1_??????01: {bits, distance} = {4'd2, 5'sd1};
      9'b0_?????011: {bits, distance} = {4'd3, 5'sd1};
      9'b0_?????101: {bits, distance} = {4'd3, -5'sd2};
      9'b1_?????011: {bits, distance} = {4'd3, -5'sd2};
      9'b0_?????001: {bits, distance} = {4'd3, -5'sd3};
      9'b0_????0111: {bits, distance} = {4'd4, -5'sd4};
      9'b1_???00111: {bits, distance} = {4'd5, -5'sd4};
      9'b1_???10111: {bits, distance} = {4'd5, -5'sd3};
      9'b0_??001111: {bits, distance} = {4'd6, -5'sd5};
      9'b1_??001111: {bits, distance} = {4'd6, 5'sd2};
      9'b0_?0101111: {bits, distance} = {4'd7, -5'sd7};
      9'b0_?1101111: {bits, distance} = {4'd7, -5'sd6};
      9'b1_?0101111: {bits, distance} = {4'd7, -5'sd6};
      9'b1_?1101111: {bits, distance} = {4'd7, -5'sd5};
      9'b?_00011111: distance = -5'sd9;
      9'b?_10011111: distance = -5'sd8;
      9'b0_01011111: distance = 5'sd2;
      9'b1_01011111: distance = -5'sd7;
      9'b?_11011111: distance = 5'sd3;
      9'b?_00111111: distance = 5'sd4;
      9'b?_10111111: distance = 5'sd5;
      9'b?_01111111: zero = 1'b1;
      default: escape = 1'b1;
    endcase
  end

  logic [9:0] sum;
  logic [4:0] taken, end_at;
  logic [10:0] position;
  logic [7:0] end_byte;
  assign sum = {2'b00, scale[8:1]} + {{5{distance[4]}}, distance};
  assign exponent = zero ? 8'd0 : escape ? peek[15:8] : sum[7:0];
  assign fault = keep && !zero && !escape && sum[9:8] != 2'b00;
  assign taken = !keep ? 5'd0 : escape ? 5'd16 : {1'b0, bits};
  assign end_at = {1'b0, at} + taken;
  assign position = {piece - 7'd2, 4'd0} + {6'd0, end_at};
  assign end_byte = pieces[8*end_at[4:3]+:8] >> end_at[2:0];
  assign ends = position[10:3] + {7'd0, position[2:0] != 3'd0} == length && (end_at[2:0] == 3'd0 || end_byte == 8'd0);
  always_ff @(posedge clk) begin
    if (write) words[write_at] <= word;
    if (load) begin
      pieces <= next[31:0];
      at <= '0;
      piece <= 7'd2;
    end else if (enable) begin
      at <= end_at[3:0];
      if (end_at[4]) begin
        pieces <= {next[16*piece[1:0]+:16], pieces[31:16]};
        piece <= piece + 7'd1;
      end
    end
  end
endmodule
