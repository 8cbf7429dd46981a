// Multiplier of IEEE 754 binary32: rounds to nearest, ties to even. Subnormal operands count as
// zero of their sign and a subnormal product becomes one. Not a number is always 7fc00000. One
// product starts in every clock cycle and is there Latency cycles later.
//
// The significands meet in two 25 x 18 multiplier slices: a times the low 17 bits of b, then a
// times the high 7 bits on top of it; the registers are those the slices hold.
module float_multiply #(
  parameter int unsigned Latency = 4  // 1 to 4
) (
  input  logic        clk_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] product_o
);

  // Which cuts hold a register: operands, low product, high product, result.
  localparam logic [3:0] Cut = (Latency >= 4) ? 4'b1111 :
                               (Latency == 3) ? 4'b1110 :
                               (Latency == 2) ? 4'b1010 : 4'b1000;

  // (1) Exponents and what is special, beside the significands.
  logic       sign, zero, a_special, b_special, nan, special;
  logic [8:0] exponents;
  assign sign      = a_i[31] ^ b_i[31];
  assign zero      = (~|a_i[30:23]) | (~|b_i[30:23]);
  assign a_special = &a_i[30:23];
  assign b_special = &b_i[30:23];
  assign nan       = (a_special & (|a_i[22:0])) | (b_special & (|b_i[22:0])) |
                     ((a_special | b_special) & zero);
  assign special   = a_special | b_special;
  assign exponents = {1'b0, a_i[30:23]} + {1'b0, b_i[30:23]};

  logic [12:0] beside_1, beside_2, beside_3;
  logic [23:0] a_1, b_1, a_2;
  logic [6:0]  b_high_2;
  logic [40:0] low_2;
  logic [30:0] high_3;
  logic [16:0] low_3;
  pipeline_register #(.Width(48), .Present(Cut[0])) u_cut_1 (
    .clk_i, .d_i({1'b1, a_i[22:0], 1'b1, b_i[22:0]}), .q_o({a_1, b_1})
  );
  pipeline_register #(.Width(13), .Present(Cut[0])) u_beside_1 (
    .clk_i, .d_i({exponents, sign, zero, nan, special}), .q_o(beside_1)
  );

  // (2) The low product.
  logic [40:0] low;
  assign low = a_1 * b_1[16:0];
  pipeline_register #(.Width(72), .Present(Cut[1])) u_cut_2 (
    .clk_i, .d_i({low, a_1, b_1[23:17]}), .q_o({low_2, a_2, b_high_2})
  );
  pipeline_register #(.Width(13), .Present(Cut[1])) u_beside_2 (
    .clk_i, .d_i(beside_1), .q_o(beside_2)
  );

  // (3) The high product upon it.
  logic [30:0] high;
  assign high = a_2 * b_high_2 + {7'd0, low_2[40:17]};
  pipeline_register #(.Width(48), .Present(Cut[2])) u_cut_3 (
    .clk_i, .d_i({high, low_2[16:0]}), .q_o({high_3, low_3})
  );
  pipeline_register #(.Width(13), .Present(Cut[2])) u_beside_3 (
    .clk_i, .d_i(beside_2), .q_o(beside_3)
  );

  // (4) Round; a carry out of the significand moves into the exponent. The exponent is the sum of
  // both, less 127, or less 126 for a product of 2 or more.
  logic [8:0]  exponents_3;
  logic        sign_3, zero_3, nan_3, special_3;
  logic        two, guard, sticky, up, overflows, infinite, vanishes;
  logic [22:0] fraction;
  logic [32:0] rounded;
  logic [31:0] product;
  assign {exponents_3, sign_3, zero_3, nan_3, special_3} = beside_3;
  assign two       = high_3[30];
  assign fraction  = two ? high_3[29:7] : high_3[28:6];
  assign guard     = two ? high_3[6] : high_3[5];
  assign sticky    = (|low_3) | (|high_3[4:0]) | (two & high_3[5]);
  assign up        = guard & (sticky | fraction[0]);
  assign rounded   = {1'b0, exponents_3, fraction} + {3'b111, 5'd0, two, ~two, 22'd0, up};
  assign overflows = ~rounded[32] & (rounded[31] | (&rounded[30:23]));
  assign infinite  = special_3 | (overflows & ~zero_3);
  assign vanishes  = zero_3 | rounded[32] | ~|rounded[31:23];
  assign product[31]    = sign_3 & ~nan_3;
  assign product[30:23] = infinite ? 8'hff : vanishes ? 8'd0 : rounded[30:23];
  assign product[22]    = nan_3 | (~infinite & ~vanishes & rounded[22]);
  assign product[21:0]  = infinite | vanishes ? 22'd0 : rounded[21:0];
  pipeline_register #(.Width(32), .Present(Cut[3])) u_cut_4 (
    .clk_i, .d_i(product), .q_o(product_o)
  );

endmodule
