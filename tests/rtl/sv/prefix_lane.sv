// One lane of the exponent-prefix encoder: appends codes of 0 to 16 bits to a byte stream, kept in words of 8 bytes.
// `flush` pads the stream to a byte and ends it; `length` is its length then. Two packets of up to 128 B each.
module prefix_lane (
    input  logic        clk,
    input  logic        rst,
    input  logic        half,
    input  logic [15:0] code,
    input  logic [4:0]  bits,
    input  logic        flush,
    output logic [7:0]  length,
    input  logic        read_half,
    input  logic [3:0]  read_word,
    output logic [63:0] word_out
);
  logic [7:0] left, counted;  // bits that are no byte yet; bytes
  logic [2:0] left_bits, at;  // place in the word
  logic [3:0] word_at;
  logic [55:0] word;          // its first 7 bytes
  logic [22:0] shifted;
  logic [4:0] total;
  logic [1:0] added;
  logic [3:0] end_at;
  logic [71:0] placed;
  logic write;
  logic [63:0] words[32];
  assign word_out = words[{read_half, read_word}];
  assign shifted = {15'd0, left} | ({7'd0, code} << left_bits);
  assign total = {2'b00, left_bits} + bits;
  assign added = flush ? {1'b0, left_bits != 3'd0} : total[4:3];
  assign end_at = {1'b0, at} + {2'b00, added};
  assign length = counted + {6'd0, added};
  assign write = end_at[3] || (flush && end_at != 4'd0);
  always_comb begin
    placed = {16'd0, word};
    for (int i = 0; i < 8; i++) begin
      if (added != 2'd0 && at == 3'(i)) placed[8*i+:8] = shifted[7:0];
      if (added == 2'd2 && at == 3'(i)) placed[8*i+8+:8] = shifted[15:8];
    end
  end
  always_ff @(posedge clk) begin
    if (write) words[{half, word_at}] <= placed[63:0];
    if (rst || flush) begin
      left <= '0;
      left_bits <= '0;
      at <= '0;
      word_at <= '0;
      word <= '0;
      counted <= '0;
    end else begin
      left <= 8'(shifted >> {added, 3'b000});
      left_bits <= total[2:0];
      at <= end_at[2:0];
      if (end_at[3]) word_at <= word_at + 4'd1;
      word <= end_at[3] ? {48'd0, placed[71:64]} : placed[55:0];
      counted <= length;
    end
  end
endmodule
