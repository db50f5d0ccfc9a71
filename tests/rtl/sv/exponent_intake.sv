// Input of the exponent decoders: takes coded blocks of up to 4097 B at 64 B per cycle into four slots of 64 rows.
//
// `s_size`, the original size of the packet (1 to 4096), is valid with the first beat; the payload carries it in front
// of the block. A block stored raw (first byte 0xff) is written one byte lower, so that its rows are the packet's:
// the last byte of a row has a write address of its own.
//
// What is known of a block stands in `infos`: see info_t. `bad`: the size is impossible, the block is longer than 4097 B
// (its rest is dropped), or its first byte does not belong to a packet of that size.
module exponent_intake (
    input  logic         clk,
    input  logic         rst,
    input  logic         s_valid,
    output logic         s_ready,
    input  logic [511:0] s_data,
    input  logic         s_last,
    input  logic [6:0]   s_bytes,
    input  logic [12:0]  s_size,
    output logic         write,
    output logic [7:0]   row,       // slot, row
    output logic         write_end,
    output logic [7:0]   row_end,   // of the last byte of the row
    output logic [511:0] data,
    output logic         there,     // a whole block that was not claimed
    input  logic         claim,
    input  logic         release_slot,
    output logic [187:0] infos      // 47 bits per slot
);
  typedef struct packed {
    logic bad;
    logic raw;
    logic [2:0] flags;
    logic [7:0] base;    // the second byte
    logic [7:0] tail;    // the last byte
    logic [12:0] bytes;  // of the block
    logic [12:0] size;   // of the packet
  } info_t;
  logic in_packet, take, raw, raw_q, impossible;
  logic [1:0] slot;
  logic [6:0] beat;
  logic [2:0] used, whole;
  logic [5:0] digits;
  logic [4:0] digits2;
  logic [3:0] digits3, modulo15;
  info_t head, now, held;
  assign s_ready = in_packet || used != 3'd4;
  assign take = s_valid && s_ready;
  assign there = whole != 3'd0;
  // Original length modulo 15: the sum of its hexadecimal digits, twice.
  assign digits = {2'b00, s_size[3:0]} + {2'b00, s_size[7:4]} + {2'b00, s_size[11:8]} + {5'd0, s_size[12]};
  assign digits2 = {3'b000, digits[5:4]} + {1'b0, digits[3:0]};
  assign digits3 = digits2[3:0] + {3'b000, digits2[4]};
  assign modulo15 = digits3 == 4'd15 ? 4'd0 : digits3;

  assign raw = in_packet ? raw_q : s_data[7:0] == 8'hff;
  assign impossible = s_size == 13'd0 || s_size > 13'd4096;
  always_comb begin
    head = '0;
    head.raw = s_data[7:0] == 8'hff;
    head.flags = s_data[2:0];
    head.base = s_data[15:8];
    head.size = impossible ? 13'd1 : s_size;
    head.bad = impossible || (!head.raw && s_data[7:3] != {1'b0, modulo15});
    now = in_packet ? held : head;
    for (int i = 0; i < 64; i++) if (s_bytes == 7'(i + 1)) now.tail = s_data[8*i+:8];
    now.bytes = {beat[6:0], 6'd0} + {6'd0, s_bytes};
    if (beat > 7'd64 || (beat == 7'd64 && (!raw || s_bytes != 7'd1))) now.bad = 1'b1;
  end
  assign write = take && !beat[6];
  assign row = {slot, beat[5:0]};
  assign write_end = take && (raw ? beat != 7'd0 && beat <= 7'd64 : !beat[6]);
  assign row_end = {slot, raw ? beat[5:0] - 6'd1 : beat[5:0]};
  assign data = raw ? {s_data[7:0], s_data[511:8]} : s_data;
  always_ff @(posedge clk) begin
    if (take) begin
      held <= now;
      raw_q <= raw;
      for (int i = 0; i < 4; i++) if (slot == 2'(i)) infos[47*i+:47] <= now;
    end
    if (rst) begin
      in_packet <= 1'b0;
      slot <= '0;
      beat <= '0;
      used <= '0;
      whole <= '0;
    end else begin
      if (take) begin
        in_packet <= !s_last;
        beat <= s_last ? 7'd0 : beat == 7'd65 ? beat : beat + 7'd1;
        if (s_last) slot <= slot + 2'd1;
      end
      used <= used + {2'b00, take && !in_packet} - {2'b00, release_slot};
      whole <= whole + {2'b00, take && s_last} - {2'b00, claim};
    end
  end
endmodule
