// The three units side by side, for unit_bench.cpp.
module float_units (
  input  logic        clk_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] sum_o,
  output logic [31:0] product_o,
  output logic [31:0] reciprocal_o
);

  float_add        u_add        (.clk_i, .a_i, .b_i, .sum_o);
  float_multiply   u_multiply   (.clk_i, .a_i, .b_i, .product_o);
  float_reciprocal u_reciprocal (.clk_i, .a_i, .reciprocal_o);

endmodule
