// Exponent-prefix encoder for bf16, 32 lanes, 32 values per cycle; format in docs/formats.md, anchor_values 128.
//
// A packet of up to 4096 B is taken at 64 B per cycle into one of two halves. On the way the sums of each block of 128
// values give its scale (divider of 4 stages), and a coder follows the input block by block: each lane appends one code
// per cycle to its own stream, the rests of kept values are compacted and packed. When a packet is coded its size is
// known: the emitter then sends header, lane lengths, zero maps, rests, lanes and tail through a packer, or the packet
// itself behind one byte when that is shorter.
//
// Short tail packets: rows and blocks may be short, values beyond the end have no code; the odd byte goes at the end.
//
// Timing: the coder takes one cycle per row and one per packet; the emitter one cycle per 64 B of rests, per lane (two
// above 64 B), per block when any is sparse, and 4 for the start, the header and the lengths.
module exponent_prefix_encoder (
    input  logic         clk,
    input  logic         rst,
    input  logic         s_valid,
    output logic         s_ready,
    input  logic [511:0] s_data,
    input  logic         s_last,
    input  logic [6:0]   s_bytes,
    output logic         m_valid,
    input  logic         m_ready,
    output logic [511:0] m_data,
    output logic         m_last,
    output logic [6:0]   m_bytes
);
  localparam int LANES = 32;

  // ---- Input: rows into the half, sums of the row.
  logic in_packet, in_half;
  logic [5:0] in_row;
  logic [1:0] used;
  logic take, finished;
  logic [511:0] rows[128], rows_raw[128];
  logic [13:0] sizes[2];
  logic [7:0] tails[2];
  assign s_ready = in_packet || used != 2'd2;
  assign take = s_valid && s_ready;

  logic [12:0] sum_row, sum_q;
  logic [5:0] some_row, zero_row, some_q, zero_q, count_q;
  always_comb begin
    sum_row = '0;
    some_row = '0;
    zero_row = '0;
    for (int i = 0; i < LANES; i++)
      if (s_bytes >= 7'(2 * i + 2)) begin
        sum_row = sum_row + {5'd0, s_data[16*i+7+:8]};
        some_row = some_row + {5'd0, s_data[16*i+7+:8] != 8'd0};
        zero_row = zero_row + {5'd0, s_data[16*i+:16] == 16'd0};
      end
  end
  logic row_valid, row_ends_block, row_ends_packet, row_half;
  logic [1:0] row_q1;

  // Sums of the block so far.
  logic [14:0] sum, sum_next;
  logic [7:0] some, zero, count, some_next, zero_next, count_next;
  assign sum_next = sum + {2'b00, sum_q};
  assign some_next = some + {2'b00, some_q};
  assign zero_next = zero + {2'b00, zero_q};
  assign count_next = count + {2'b00, count_q};

  always_ff @(posedge clk) begin
    if (take) begin
      rows[{in_half, in_row}] <= s_data;
      rows_raw[{in_half, in_row}] <= s_data;
      if (s_last) begin
        sizes[in_half] <= {2'b00, in_row, 6'd0} + {7'd0, s_bytes};
        for (int i = 0; i < LANES; i++) if (s_bytes == 7'(2 * i + 1)) tails[in_half] <= s_data[16*i+:8];
      end
    end
    sum_q <= sum_row;
    some_q <= some_row;
    zero_q <= zero_row;
    count_q <= s_bytes[6:1];
    row_ends_block <= in_row[1:0] == 2'd3 || s_last;
    row_ends_packet <= s_last;
    row_half <= in_half;
    row_q1 <= in_row[1:0];
    if (rst) begin
      in_packet <= 1'b0;
      in_half <= 1'b0;
      in_row <= '0;
      used <= '0;
      row_valid <= 1'b0;
      sum <= '0;
      some <= '0;
      zero <= '0;
      count <= '0;
    end else begin
      row_valid <= take;
      if (take) begin
        in_packet <= !s_last;
        in_row <= s_last ? 6'd0 : in_row + 6'd1;
        if (s_last) in_half <= !in_half;
      end
      used <= used + {1'b0, take && !in_packet} - {1'b0, finished};
      if (row_valid) begin
        sum <= row_ends_block ? '0 : sum_next;
        some <= row_ends_block ? '0 : some_next;
        zero <= row_ends_block ? '0 : zero_next;
        count <= row_ends_block ? '0 : count_next;
      end
    end
  end

  // ---- Divider: floor((8 sum + 11 some) / (4 some)), ten bits in four stages; stage k's inputs are in d?[k].
  logic [4:0] dv;
  logic [18:0] dn[5];
  logic [9:0] dq[5];
  logic [7:0] dsome[5], dzero[5], dcount[5];
  logic [4:0] dlast, dhalf;
  logic [1:0] drow[5];  // the block's last row
  logic [18:0] rem_next[4];
  logic [9:0] quotient_next[4];
  always_comb
    for (int k = 0; k < 4; k++) begin
      rem_next[k] = dn[k];
      quotient_next[k] = dq[k];
      for (int b = 9 - 3 * k; b >= 0 && b > 6 - 3 * k; b--)
        if ({1'b0, rem_next[k]} >= {10'd0, dsome[k], 2'b00} << b) begin
          rem_next[k] = 19'({1'b0, rem_next[k]} - ({10'd0, dsome[k], 2'b00} << b));
          quotient_next[k][b] = 1'b1;
        end
    end
  always_ff @(posedge clk) begin
    dn[0] <= {1'b0, sum_next, 3'b000} + {8'd0, some_next, 3'b000} + {10'd0, some_next, 1'b0} + {11'd0, some_next};
    dq[0] <= '0;
    dsome[0] <= some_next;
    dzero[0] <= zero_next;
    dcount[0] <= count_next;
    dlast[0] <= row_ends_packet;
    dhalf[0] <= row_half;
    drow[0] <= row_q1;
    dv[0] <= !rst && row_valid && row_ends_block;
    for (int k = 0; k < 4; k++) begin
      dn[k+1] <= rem_next[k];
      dq[k+1] <= quotient_next[k];
      dsome[k+1] <= dsome[k];
      dzero[k+1] <= dzero[k];
      dcount[k+1] <= dcount[k];
      dlast[k+1] <= dlast[k];
      dhalf[k+1] <= dhalf[k];
      drow[k+1] <= drow[k];
      dv[k+1] <= !rst && dv[k];
    end
  end

  // ---- Scale of the block, one after the other; a queue of blocks for the coder, the header for the emitter.
  logic scaled, is_zero, is_sparse;
  logic [9:0] scale, wished, limited;
  logic [3:0] step_code;
  logic [3:0] block_at;
  logic [63:0] steps[2];
  logic [15:0] sparse_bits[2];
  logic [8:0] first_scale[2];
  logic [21:0] queue[64];
  logic [5:0] queue_write, queue_read;
  logic [63:0] steps_so_far, steps_next;
  logic [15:0] sparse_so_far, sparse_next;
  logic [8:0] first_so_far, first_next;
  assign is_zero = dzero[4] == dcount[4];
  assign is_sparse = !is_zero && {dzero[4], 4'd0} > {4'd0, dcount[4]};
  always_comb begin
    wished = dsome[4] == 8'd0 ? (scaled ? scale : 10'd0) : dq[4];
    limited = wished;
    if (scaled && wished > scale + 10'd7) limited = scale + 10'd7;
    if (scaled && wished + 10'd7 < scale) limited = scale - 10'd7;
    if (limited > 10'd511) limited = 10'd511;
    step_code = is_zero ? 4'd0 : scaled ? 4'(limited - scale + 10'd8) : 4'd8;
    steps_next = block_at == 4'd0 ? 64'd0 : steps_so_far;
    sparse_next = block_at == 4'd0 ? 16'd0 : sparse_so_far;
    for (int b = 0; b < 16; b++)
      if (block_at == 4'(b)) begin
        steps_next[4*b+:4] = step_code;
        sparse_next[b] = is_sparse;
      end
    first_next = scaled ? first_so_far : is_zero ? 9'd0 : limited[8:0];
  end
  always_ff @(posedge clk) begin
    if (dv[4]) begin
      queue[queue_write] <= {drow[4], dlast[4], dcount[4], limited[8:0], is_sparse, is_zero};
      steps_so_far <= steps_next;
      sparse_so_far <= sparse_next;
      first_so_far <= first_next;
      if (dlast[4]) begin
        steps[dhalf[4]] <= steps_next;
        sparse_bits[dhalf[4]] <= sparse_next;
        first_scale[dhalf[4]] <= first_next;
      end
    end
    if (rst) begin
      scaled <= 1'b0;
      block_at <= '0;
      queue_write <= '0;
      scale <= '0;
    end else if (dv[4]) begin
      queue_write <= queue_write + 6'd1;
      scaled <= !dlast[4] && (scaled || !is_zero);
      block_at <= dlast[4] ? 4'd0 : block_at + 4'd1;
      if (!is_zero) scale <= limited;
    end
  end

  // ---- Coder: one row per cycle; after a packet's last row one cycle ends the lanes.
  logic code_half;
  logic [5:0] code_row;
  logic [1:0] row_of_block;
  logic [21:0] block;
  logic block_there, row_there, block_done, ends_lanes;
  logic [7:0] left_in_block;
  assign block = queue[queue_read];
  assign block_there = queue_write != queue_read;
  assign left_in_block = block[18:11] - {1'b0, row_of_block, 5'd0};
  assign ends_lanes = block_there && block[19] && at_end;
  assign row_there = block_there && !at_end;
  assign block_done = row_there && row_of_block == block[21:20];
  logic at_end;

  logic [511:0] row_q;
  logic k1, k2, end1, end2, end3, half1, half2, half3, sparse1, zero1, sparse2;
  logic [8:0] scale1;
  logic [5:0] values1;
  logic [5:0] map1, map2;
  always_ff @(posedge clk) begin
    row_q <= rows[{code_half, code_row}];
    scale1 <= block[10:2];
    sparse1 <= block[1];
    zero1 <= block[0];
    values1 <= left_in_block > 8'd32 ? 6'd32 : left_in_block[5:0];
    half1 <= code_half;
    map1 <= code_row;
    if (rst) begin
      code_half <= 1'b0;
      code_row <= '0;
      row_of_block <= '0;
      queue_read <= '0;
      at_end <= 1'b0;
      k1 <= 1'b0;
      end1 <= 1'b0;
    end else begin
      k1 <= row_there;
      end1 <= ends_lanes;
      if (row_there) begin
        code_row <= code_row + 6'd1;
        row_of_block <= block_done ? 2'd0 : row_of_block + 2'd1;
      end
      if (block_done) begin
        if (block[19]) at_end <= 1'b1;
        else queue_read <= queue_read + 6'd1;
      end
      if (ends_lanes) begin
        at_end <= 1'b0;
        queue_read <= queue_read + 6'd1;
        code_row <= '0;
        code_half <= !code_half;
      end
    end
  end

  // The code of an exponent field: length and bits, the first one lowest.
  function automatic logic [20:0] code_of(input logic [7:0] e, input logic [8:0] s);
    logic signed [9:0] d;
    d = $signed({2'b00, e}) - $signed({2'b00, s[8:1]});
    code_of = {5'd16, e, 8'hff};
    if (e == 8'd0) code_of = {5'd8, 16'h007f};
    else if (d == 10'sd5) code_of = {5'd8, 16'h00bf};
    else if (d == 10'sd4) code_of = {5'd8, 16'h003f};
    else if (d == 10'sd3) code_of = {5'd8, 16'h00df};
    else if (d == 10'sd2) code_of = s[0] ? {5'd6, 16'h000f} : {5'd8, 16'h005f};
    else if (d == 10'sd1) code_of = s[0] ? {5'd2, 16'h0001} : {5'd3, 16'h0003};
    else if (d == 10'sd0) code_of = {5'd2, 16'h0002};
    else if (d == -10'sd1) code_of = {5'd2, 16'h0000};
    else if (d == -10'sd2) code_of = s[0] ? {5'd3, 16'h0003} : {5'd3, 16'h0005};
    else if (d == -10'sd3) code_of = s[0] ? {5'd5, 16'h0017} : {5'd3, 16'h0001};
    else if (d == -10'sd4) code_of = s[0] ? {5'd5, 16'h0007} : {5'd4, 16'h0007};
    else if (d == -10'sd5) code_of = s[0] ? {5'd7, 16'h006f} : {5'd6, 16'h000f};
    else if (d == -10'sd6) code_of = s[0] ? {5'd7, 16'h002f} : {5'd7, 16'h006f};
    else if (d == -10'sd7) code_of = s[0] ? {5'd8, 16'h005f} : {5'd7, 16'h002f};
    else if (d == -10'sd8) code_of = {5'd8, 16'h009f};
    else if (d == -10'sd9) code_of = {5'd8, 16'h001f};
  endfunction

  logic [31:0] keep, keep_q;
  logic [21*LANES-1:0] codes, codes_q;
  logic [255:0] rests_q;
  always_comb
    for (int i = 0; i < LANES; i++) begin
      keep[i] = k1 && !zero1 && 6'(i) < values1 && (!sparse1 || row_q[16*i+:16] != 16'd0);
      codes[21*i+:21] = keep[i] ? code_of(row_q[16*i+7+:8], scale1) : 21'd0;
    end
  logic [31:0] maps[128];
  always_ff @(posedge clk) begin
    keep_q <= keep;
    codes_q <= codes;
    for (int i = 0; i < LANES; i++) rests_q[8*i+:8] <= {row_q[16*i+15], row_q[16*i+:7]};
    half2 <= half1;
    half3 <= half2;
    map2 <= map1;
    sparse2 <= sparse1;
    if (k2 && sparse2) maps[{half2, map2}] <= keep_q;
    k2 <= !rst && k1;
    end2 <= !rst && end1;
    end3 <= !rst && end2;
  end

  logic [7:0] lane_length[LANES];
  logic [64*LANES-1:0] lane_word;
  logic fill_half;
  logic [3:0] fill_word;
  for (genvar l = 0; l < LANES; l++) begin : g_lane
    prefix_lane lane (
        .clk, .rst, .half(half2), .code(codes_q[21*l+:16]), .bits(codes_q[21*l+16+:5]), .flush(end2),
        .length(lane_length[l]), .read_half(fill_half), .read_word(fill_word), .word_out(lane_word[64*l+:64])
    );
  end

  logic [511:0] rest_rows[64];
  logic [511:0] rest_data;
  logic [4:0] rest_row;
  logic rest_write;
  logic [11:0] kept_total;
  byte_collector rests (
      .clk, .rst, .keep(k2 ? keep_q : 32'd0), .bytes(rests_q), .flush(end3), .write(rest_write), .row(rest_row),
      .data(rest_data), .total(kept_total)
  );

  // What the emitter must know of a coded packet.
  logic [255:0] lengths[2];
  logic [11:0] kepts[2];
  logic [1:0] coded;
  logic [255:0] lengths_next;
  always_comb for (int l = 0; l < LANES; l++) lengths_next[8*l+:8] = lane_length[l];
  always_ff @(posedge clk) begin
    if (rest_write) rest_rows[{half3, rest_row}] <= rest_data;
    if (end2) lengths[half2] <= lengths_next;
    if (end3) kepts[half3] <= kept_total;
    if (rst) coded <= '0;
    else begin
      if (end3) coded[half3] <= 1'b1;
      if (finished) coded[out_half] <= 1'b0;
    end
  end

  // ---- Emitter.
  logic out_half;
  typedef enum logic [3:0] {IDLE, SUM, HEAD, LENGTHS, MAPS, RESTS, LANE_DATA, TAIL, MARK, RAW} state_t;
  state_t state;
  logic [13:0] size, left, total;
  logic [12:0] lane_bytes;
  logic [4:0] block_count;
  logic [3:0] step_bytes;
  logic [1:0] sparse_bytes;
  logic [8:0] map_bytes;
  logic any_sparse;
  logic [255:0] lens;
  logic [6:0] at;  // row, lane or block
  logic second;    // half of a lane above 64 B
  assign size = sizes[out_half];
  assign lens = lengths[out_half];
  assign block_count = 5'((size[12:1] + 12'd127) >> 7);
  assign step_bytes = 4'((block_count + 5'd1) >> 1);
  assign any_sparse = sparse_bits[out_half] != 16'd0;
  assign sparse_bytes = any_sparse ? 2'((block_count + 5'd7) >> 3) : 2'd0;
  logic [4:0] last_map;  // bytes of the last block's map
  logic [3:0] last_eights;
  assign last_eights = 4'((size[12:1] - 12'd1) >> 3);
  assign last_map = {1'b0, last_eights} + 5'd1;
  always_comb begin
    lane_bytes = '0;
    for (int l = 0; l < LANES; l++) lane_bytes = lane_bytes + {5'd0, lens[8*l+:8]};
    map_bytes = '0;
    for (int b = 0; b < 16; b++)
      if (sparse_bits[out_half][b]) map_bytes = map_bytes + (5'(b) + 5'd1 == block_count ? {4'd0, last_map} : 9'd16);
  end
  // Original length modulo 15: the sum of its hexadecimal digits, twice.
  logic [5:0] digits;
  logic [4:0] digits2;
  logic [3:0] digits3, modulo15;
  assign digits = {2'b00, size[3:0]} + {2'b00, size[7:4]} + {2'b00, size[11:8]} + {4'd0, size[13:12]};
  assign digits2 = {3'b000, digits[5:4]} + {1'b0, digits[3:0]};
  assign digits3 = digits2[3:0] + {3'b000, digits2[4]};
  assign modulo15 = digits3 == 4'd15 ? 4'd0 : digits3;
  logic [12:0] lane_bytes_q;
  logic [8:0] map_bytes_q;
  assign total = 14'd33 + {10'd0, step_bytes} + {12'd0, sparse_bytes} + {5'd0, map_bytes_q} +
                 {2'b00, kepts[out_half]} + {1'b0, lane_bytes_q} + {13'd0, size[0]};

  // The next chunk: its bytes, where they come from, and whether the packet ends.
  logic e_valid, e_ready, e_last, can_issue;
  logic [6:0] e_bytes;
  logic [7:0] lane_left;
  logic lane_more;
  logic [255:0] brief;
  logic [6:0] raw_rows;
  logic [1:0] filled;  // halves of the turner
  assign lane_left = lens[8*at[4:0]+:8] - (second ? 8'd64 : 8'd0);
  assign lane_more = !second && lane_left > 8'd64;
  assign raw_rows = 7'((size - 14'd1) >> 6);
  logic [127:0] map_row;
  assign map_row = {maps[{out_half, at[3:0], 2'd3}], maps[{out_half, at[3:0], 2'd2}], maps[{out_half, at[3:0], 2'd1}],
                    maps[{out_half, at[3:0], 2'd0}]};
  logic turner_read;
  always_comb begin
    e_bytes = 7'd0;
    brief = '0;
    can_issue = state != IDLE && state != SUM;
    unique case (state)
      HEAD: begin
        e_bytes = 7'd2 + {3'd0, step_bytes} + {5'd0, sparse_bytes};
        brief[7:0] = {1'b0, modulo15, first_scale[out_half][8], any_sparse, 1'b0};
        brief[15:8] = first_scale[out_half][7:0];
        brief[111:16] = {32'd0, steps[out_half]} | ({80'd0, sparse_bits[out_half]} << {step_bytes, 3'b000});
        for (int b = 1; b < 16; b += 2) if (block_count == 5'(b)) brief[16+4*b+:4] = 4'hf;
      end
      LENGTHS: begin
        e_bytes = 7'd31;
        brief = lens;
      end
      MAPS: begin
        if (sparse_bits[out_half][at[3:0]]) e_bytes = at[4:0] + 5'd1 == block_count ? {2'b00, last_map} : 7'd16;
        brief[127:0] = map_row;
      end
      RESTS: e_bytes = kept_left > 12'd64 ? 7'd64 : kept_left[6:0];
      LANE_DATA: begin
        e_bytes = lane_left > 8'd64 ? 7'd64 : lane_left[6:0];
        can_issue = filled[at[3]];
      end
      TAIL: begin
        e_bytes = 7'd1;
        brief[7:0] = tails[out_half];
      end
      MARK: begin
        e_bytes = 7'd1;
        brief[7:0] = 8'hff;
      end
      RAW: e_bytes = at == raw_rows ? {1'b0, 6'(size - 14'd1)} + 7'd1 : 7'd64;
      default: ;
    endcase
    e_last = {7'd0, e_bytes} == left;
  end
  logic [11:0] kept_left;
  assign e_valid = can_issue;
  assign finished = e_valid && e_ready && e_last;
  assign turner_read = state == LANE_DATA && e_valid && e_ready;

  always_ff @(posedge clk) begin
    lane_bytes_q <= lane_bytes;
    map_bytes_q <= map_bytes;
    if (rst) begin
      state <= IDLE;
      out_half <= 1'b0;
      at <= '0;
      second <= 1'b0;
    end else begin
      unique case (state)
        IDLE: if (coded[out_half]) state <= SUM;
        SUM: begin
          state <= total > size ? MARK : HEAD;
          left <= total > size ? size + 14'd1 : total;
          kept_left <= kepts[out_half];
          at <= '0;
        end
        default:
          if (e_valid && e_ready) begin
            left <= left - {7'd0, e_bytes};
            at <= at + 7'd1;
            unique case (state)
              HEAD: state <= LENGTHS;
              LENGTHS: begin
                at <= '0;
                state <= any_sparse ? MAPS : kept_left != 12'd0 ? RESTS : LANE_DATA;
              end
              MAPS:
                if (at[4:0] + 5'd1 == block_count) begin
                  at <= '0;
                  state <= kept_left != 12'd0 ? RESTS : LANE_DATA;
                end
              RESTS: begin
                kept_left <= kept_left - {5'd0, e_bytes};
                if (kept_left <= 12'd64) begin
                  at <= '0;
                  state <= LANE_DATA;
                end
              end
              LANE_DATA: begin
                second <= lane_more;
                if (lane_more) at <= at;
                else if (at == 7'd31) state <= TAIL;
              end
              MARK: begin
                at <= '0;
                state <= RAW;
              end
              default: ;
            endcase
            if (e_last) begin
              state <= IDLE;
              out_half <= !out_half;
              second <= 1'b0;
            end
          end
      endcase
    end
  end

  // Turner: the words of eight lanes come in side by side and leave lane by lane. Word w of lane i of a group lies in
  // bank (i + w) mod 8, so that a lane's 64 B are in eight banks.
  logic [1:0] fill_group;
  logic fills, fill_long, group_end;
  logic [511:0] turner_q;
  assign fill_half = out_half;
  logic fill_active;
  always_comb begin
    fill_long = 1'b0;
    for (int i = 0; i < 8; i++) if (lens[8*(8*fill_group+i)+:8] > 8'd64) fill_long = 1'b1;
  end
  assign fills = fill_active && !filled[fill_group[0]];
  assign group_end = turner_read && at[2:0] == 3'd7 && !lane_more;
  for (genvar b = 0; b < 8; b++) begin : g_turner
    logic [63:0] words[32];
    logic [2:0] lane;
    assign lane = 3'(b) - fill_word[2:0];
    always_ff @(posedge clk) begin
      if (fills) words[{fill_group[0], fill_word[3], lane}] <= lane_word[64*{fill_group, lane}+:64];
      if (e_ready) turner_q[64*b+:64] <= words[{at[3], second, at[2:0]}];
    end
  end
  always_ff @(posedge clk) begin
    if (rst || finished) begin
      fill_active <= 1'b0;
      fill_group <= '0;
      fill_word <= '0;
      filled <= '0;
    end else begin
      if (state == SUM) fill_active <= 1'b1;
      if (group_end) filled[at[3]] <= 1'b0;
      if (fills) begin
        fill_word <= fill_word + 4'd1;
        if (fill_word == (fill_long ? 4'd15 : 4'd7)) begin
          fill_word <= '0;
          filled[fill_group[0]] <= 1'b1;
          fill_group <= fill_group + 2'd1;
          if (fill_group == 2'd3) fill_active <= 1'b0;
        end
      end
    end
  end

  // Chunks one cycle later, when the memories have answered.
  logic c_valid, c_ready, c_last;
  logic [6:0] c_bytes;
  logic [5:0] c_first;
  logic [511:0] c_data, rest_q, raw_q;
  logic [255:0] brief_q;
  logic [1:0] c_source;
  assign e_ready = !c_valid || c_ready;
  always_ff @(posedge clk) begin
    if (e_ready) begin
      c_bytes <= e_bytes;
      c_last <= e_last;
      c_first <= state == LANE_DATA ? {at[2:0], 3'b000} : 6'd0;
      c_source <= state == RESTS ? 2'd1 : state == LANE_DATA ? 2'd2 : state == RAW ? 2'd3 : 2'd0;
      brief_q <= brief;
      rest_q <= rest_rows[{out_half, at[4:0]}];
      raw_q <= rows_raw[{out_half, at[5:0]}];
    end
    if (rst) c_valid <= 1'b0;
    else if (e_ready) c_valid <= e_valid;
  end
  always_comb
    unique case (c_source)
      2'd0: c_data = {256'd0, brief_q};
      2'd1: c_data = rest_q;
      2'd2: c_data = turner_q;
      default: c_data = raw_q;
    endcase
  beat_packer packer (
      .clk, .rst, .c_valid, .c_ready, .c_data, .c_first, .c_bytes, .c_last, .m_valid, .m_ready, .m_data, .m_last, .m_bytes
  );
endmodule
