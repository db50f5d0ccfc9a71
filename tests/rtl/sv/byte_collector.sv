// Collects the kept ones of 32 bytes per cycle, in order, into rows of 64 B. `flush`, a cycle after the last bytes,
// writes what is left; `total` are the bytes of the packet then; the next packet's bytes may come in that cycle.
// At most 2,048 bytes.
module byte_collector (
    input  logic         clk,
    input  logic         rst,
    input  logic [31:0]  keep,
    input  logic [255:0] bytes,
    input  logic         flush,
    output logic         write,
    output logic [4:0]   row,
    output logic [511:0] data,
    output logic [11:0]  total
);
  // Each kept byte moves down by the number of those before it that are not kept: by 1, 2, 4, 8 and 16.
  logic [255:0] moved, moved_q;
  logic [5:0] kept, kept_q;
  logic [31:0] valid;
  logic [159:0] distance;
  always_comb begin
    kept = '0;
    moved = bytes;
    valid = keep;
    for (int i = 0; i < 32; i++) begin
      distance[5*i+:5] = 5'(6'(i) - kept);
      kept = kept + {5'd0, keep[i]};
    end
    for (int b = 0; b < 5; b++)
      for (int i = 0; i < 32; i++)
        if (i + (1 << b) < 32 && valid[(i+(1<<b))%32] && distance[5*((i+(1<<b))%32)+b]) begin
          moved[8*i+:8] = moved[8*((i+(1<<b))%32)+:8];
          distance[5*i+:5] = distance[5*((i+(1<<b))%32)+:5];
          valid[i] = 1'b1;
        end else if (distance[5*i+b]) valid[i] = 1'b0;
  end

  logic [511:0] turned, gathered;
  logic [5:0] fill;
  logic [6:0] fill_end;
  assign fill_end = {1'b0, fill} + {1'b0, kept_q};
  assign write = fill_end >= 7'd64 || (flush && fill_end != 7'd0);
  always_comb begin
    turned = {256'd0, moved_q};
    for (int s = 0; s < 6; s++) if (fill[s]) turned = (turned << (8 << s)) | (turned >> (512 - (8 << s)));
    for (int p = 0; p < 64; p++) data[8*p+:8] = 6'(p) < fill ? gathered[8*p+:8] : turned[8*p+:8];
  end
  always_ff @(posedge clk) begin
    moved_q <= moved;
    gathered <= fill_end >= 7'd64 ? turned : data;
    kept_q <= rst ? 6'd0 : kept;
    if (rst || flush) begin
      fill <= '0;
      row <= '0;
      total <= '0;
    end else begin
      fill <= fill_end[5:0];
      if (fill_end >= 7'd64) row <= row + 5'd1;
      total <= total + {6'd0, kept_q};
    end
  end
endmodule
