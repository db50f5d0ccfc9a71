// Deals out the bytes of a stored block: those from `start` on go in order to the kept ones of 32 values per cycle.
// The counterpart of byte_collector. `spread` comes three cycles after `keep`; so does `row`, the whole row of 64 B when
// `raw` takes one per cycle instead. `next` is the position after the bytes of the cycle before. A block's cycles follow
// each other, but all stands while `enable` is 0.
module byte_supply (
    input  logic         clk,
    input  logic         write,
    input  logic [7:0]   w_row,
    input  logic         write_end,
    input  logic [7:0]   w_row_end,
    input  logic [511:0] w_data,
    input  logic         enable,
    input  logic         first,   // of a block
    input  logic         raw,
    input  logic [1:0]   slot,
    input  logic [12:0]  start,
    input  logic [31:0]  keep,
    output logic [12:0]  next,
    output logic [255:0] spread,
    output logic [511:0] row
);
  // As in byte_collector, kept bytes would move down by 1, 2, 4, 8 and 16; where they did, they move up again.
  logic [5:0] kept, kept1;
  logic [31:0] standing;
  logic [159:0] distance, moves, moves1, moves2, moves3;
  always_comb begin
    kept = '0;
    standing = keep;
    moves = '0;
    for (int i = 0; i < 32; i++) begin
      distance[5*i+:5] = 5'(6'(i) - kept);
      kept = kept + {5'd0, keep[i]};
    end
    for (int b = 0; b < 5; b++)
      for (int i = 0; i < 32; i++)
        if (i + (1 << b) < 32 && standing[(i+(1<<b))%32] && distance[5*((i+(1<<b))%32)+b]) begin
          moves[32*b+i] = 1'b1;
          distance[5*i+:5] = distance[5*((i+(1<<b))%32)+:5];
          standing[i] = 1'b1;
        end else if (distance[5*i+b]) standing[i] = 1'b0;
  end

  logic first1, raw1;
  logic [1:0] slot1;
  logic [12:0] start1, at, at_q;
  logic [5:0] at2;
  logic [511:0] window;
  assign at = first1 ? start1 : at_q;
  assign next = at + (raw1 ? 13'd64 : {7'd0, kept1});
  byte_window store (
      .clk, .write, .row(w_row), .write_end, .row_end(w_row_end), .s_data(w_data), .read(enable), .slot(slot1),
      .half(at[11:5]), .data(window)
  );
  always_ff @(posedge clk)
    if (enable) begin
      first1 <= first;
      raw1 <= raw;
      slot1 <= slot;
      start1 <= start;
      kept1 <= kept;
      at_q <= next;
      at2 <= raw1 ? 6'd0 : at[5:0];
      row <= turned;
      moves1 <= moves;
      moves2 <= moves1;
      moves3 <= moves2;
    end

  logic [511:0] turned;
  always_comb begin
    turned = window;
    for (int s = 5; s >= 0; s--) if (at2[s]) turned = (turned >> (8 << s)) | (turned << (512 - (8 << s)));
    spread = row[255:0];
    for (int b = 4; b >= 0; b--)
      for (int i = 31; i >= 0; i--)
        if (i >= 1 << b && moves3[32*b+(i+32-(1<<b))%32]) spread[8*i+:8] = spread[8*((i+32-(1<<b))%32)+:8];
  end
endmodule
