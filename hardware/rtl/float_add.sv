// Adder of IEEE 754 binary32: rounds to nearest, ties to even. Subnormal operands count as zero of
// their sign and a subnormal sum becomes one. Not a number is always 7fc00000. One sum starts in
// every clock cycle and is there Latency cycles later.
module float_add #(
  parameter int unsigned Latency = 5  // 1 to 5
) (
  input  logic        clk_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] sum_o
);

  // Which of the five cuts hold a register: the last always does, then the longest stages first.
  localparam logic [4:0] Cut = (Latency >= 5) ? 5'b11111 :
                               (Latency == 4) ? 5'b11110 :
                               (Latency == 3) ? 5'b11010 :
                               (Latency == 2) ? 5'b10010 : 5'b10000;

  // (1) The operand of larger magnitude first, and how far the other must be shifted.
  logic        swap, subtract, far, major_zero, special, nan;
  logic [31:0] major;
  logic [30:0] minor;
  logic [7:0]  distance, a_less_b, b_less_a;
  assign swap       = a_i[30:0] < b_i[30:0];
  assign major      = swap ? b_i : a_i;
  assign minor      = swap ? a_i[30:0] : b_i[30:0];
  // Not the difference of what was swapped: the exclusive or of both is that of the operands, and a
  // synthesis tool that sees so feeds it back into the comparison, around the carry chain.
  assign a_less_b   = a_i[30:23] - b_i[30:23];
  assign b_less_a   = b_i[30:23] - a_i[30:23];
  assign distance   = swap ? b_less_a : a_less_b;
  assign far        = |distance[7:5];
  assign subtract   = a_i[31] ^ b_i[31];
  assign major_zero = major[30:23] == 8'd0;
  assign special    = &major[30:23];
  assign nan        = special & ((|major[22:0]) | (subtract & (&minor[30:23])));

  logic        subtract_1, far_1, major_zero_1, special_1, nan_1, minor_zero_1, sign_1;
  logic [7:0]  exponent_1;
  logic [22:0] major_1, minor_1;
  logic [4:0]  distance_1;
  pipeline_register #(.Width(66), .Present(Cut[0])) u_cut_1 (
    .clk_i,
    .d_i({subtract, far, major_zero, special, nan, ~|minor[30:23], major, minor[22:0],
          distance[4:0] & {5{~far}}}),
    .q_o({subtract_1, far_1, major_zero_1, special_1, nan_1, minor_zero_1, sign_1, exponent_1,
          major_1, minor_1, distance_1})
  );

  // (2) The smaller significand, aligned, with guard, round and sticky bits.
  logic [23:0] significand;
  logic [52:0] shifted;
  logic [26:0] aligned;
  assign significand = minor_zero_1 ? 24'd0 : {1'b1, minor_1};
  assign shifted     = {significand, 29'd0} >> distance_1;
  assign aligned     = far_1 ? {26'd0, ~minor_zero_1} : {shifted[52:27], |shifted[26:0]};

  logic        subtract_2, major_zero_2, special_2, nan_2, sign_2;
  logic [7:0]  exponent_2;
  logic [22:0] major_2;
  logic [26:0] aligned_2;
  pipeline_register #(.Width(63), .Present(Cut[1])) u_cut_2 (
    .clk_i,
    .d_i({subtract_1, major_zero_1, special_1, nan_1, sign_1, exponent_1, major_1, aligned}),
    .q_o({subtract_2, major_zero_2, special_2, nan_2, sign_2, exponent_2, major_2, aligned_2})
  );

  // (3) Sum or difference of the significands.
  logic [27:0] total;
  assign total = {2'b01, major_2, 3'd0} + ({1'b0, aligned_2} ^ {28{subtract_2}}) +
                 {27'd0, subtract_2};

  logic        subtract_3, major_zero_3, special_3, nan_3, sign_3;
  logic [7:0]  exponent_3;
  logic [27:0] total_3;
  pipeline_register #(.Width(41), .Present(Cut[2])) u_cut_3 (
    .clk_i,
    .d_i({subtract_2, major_zero_2, special_2, nan_2, sign_2, exponent_2, total}),
    .q_o({subtract_3, major_zero_3, special_3, nan_3, sign_3, exponent_3, total_3})
  );

  // (4) Leading zeros out.
  logic [4:0]  zeros /*verilator split_var*/;
  logic [27:0] by_16, by_8, by_4, by_2, normal;
  assign zeros[4] = ~|total_3[27:12];
  assign by_16    = zeros[4] ? {total_3[11:0], 16'd0} : total_3;
  assign zeros[3] = ~|by_16[27:20];
  assign by_8     = zeros[3] ? {by_16[19:0], 8'd0} : by_16;
  assign zeros[2] = ~|by_8[27:24];
  assign by_4     = zeros[2] ? {by_8[23:0], 4'd0} : by_8;
  assign zeros[1] = ~|by_4[27:26];
  assign by_2     = zeros[1] ? {by_4[25:0], 2'd0} : by_4;
  assign zeros[0] = ~by_2[27];
  assign normal   = zeros[0] ? {by_2[26:0], 1'b0} : by_2;

  logic        subtract_4, major_zero_4, special_4, nan_4, sign_4;
  logic [7:0]  exponent_4;
  logic [4:0]  zeros_4;
  logic [27:0] normal_4;
  pipeline_register #(.Width(46), .Present(Cut[3])) u_cut_4 (
    .clk_i,
    .d_i({subtract_3, major_zero_3, special_3, nan_3, sign_3, exponent_3, zeros, normal}),
    .q_o({subtract_4, major_zero_4, special_4, nan_4, sign_4, exponent_4, zeros_4, normal_4})
  );

  // (5) Round; a carry out of the significand moves into the exponent. The leading one of `normal`
  // stands for 2^(exponent + 1 - zeros).
  logic [9:0]  exponent;
  logic        up, zero, sign, overflows, infinite;
  logic [32:0] rounded;
  logic [31:0] sum;
  assign exponent  = {2'b00, exponent_4} - {5'd0, zeros_4} + 10'd1;
  assign up        = normal_4[3] & (normal_4[4] | (|normal_4[2:0]));
  assign rounded   = {exponent, normal_4[26:4]} + {32'd0, up};
  assign overflows = ~rounded[32] & (rounded[31] | (&rounded[30:23]));
  assign infinite  = special_4 | (overflows & ~major_zero_4 & normal_4[27]);
  assign zero      = major_zero_4 | ~normal_4[27] | rounded[32] | ~|rounded[31:23];
  assign sign      = sign_4 & (major_zero_4 ? ~subtract_4 : normal_4[27]);
  assign sum[31]    = ~nan_4 & (special_4 ? sign_4 : sign);
  assign sum[30:23] = infinite ? 8'hff : zero ? 8'd0 : rounded[30:23];
  assign sum[22]    = nan_4 | (~infinite & ~zero & rounded[22]);
  assign sum[21:0]  = infinite | zero ? 22'd0 : rounded[21:0];
  pipeline_register #(.Width(32), .Present(Cut[4])) u_cut_5 (.clk_i, .d_i(sum), .q_o(sum_o));

endmodule
