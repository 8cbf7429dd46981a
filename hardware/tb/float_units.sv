// The three units side by side, for unit_bench.cpp.
module float_units #(
  parameter int unsigned AddLatency      = 5,
  parameter int unsigned MultiplyLatency = 4,
  parameter int unsigned BitsPerStage    = 3
) (
  input  logic        clk_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] sum_o,
  output logic [31:0] product_o,
  output logic [31:0] reciprocal_o
);

  float_add #(.Latency(AddLatency)) u_add (.clk_i, .a_i, .b_i, .sum_o);
  float_multiply #(.Latency(MultiplyLatency)) u_multiply (.clk_i, .a_i, .b_i, .product_o);
  float_reciprocal #(.BitsPerStage(BitsPerStage)) u_reciprocal (.clk_i, .a_i, .reciprocal_o);

endmodule
