// Memory of 256 rows of 64 B, four slots of 64, that is read at any half row: the 64 bytes from byte 32 `half` on, a
// cycle later, the one of position p at byte p mod 64. Positions wrap around in their slot.
module byte_window (
    input  logic         clk,
    input  logic         write,
    input  logic [7:0]   row,
    input  logic         write_end,
    input  logic [7:0]   row_end,
    input  logic [511:0] s_data,
    input  logic         read,
    input  logic [1:0]   slot,
    input  logic [6:0]   half,
    output logic [511:0] data
);
  logic [255:0] low[256];
  logic [247:0] high[256];
  logic [7:0] ends[256];
  logic [7:0] low_row, high_row;
  assign high_row = {slot, half[6:1]};
  assign low_row = {slot, half[6:1] + {5'd0, half[0]}};
  always_ff @(posedge clk) begin
    if (write) low[row] <= s_data[255:0];
    if (write) high[row] <= s_data[503:256];
    if (write_end) ends[row_end] <= s_data[511:504];
    if (read) data[255:0] <= low[low_row];
    if (read) data[503:256] <= high[high_row];
    if (read) data[511:504] <= ends[high_row];
  end
endmodule
