// Replays vectors of unit_bench on the units in any form, such as a netlist of an FPGA's cells.
//   +vectors=FILE +count=N   {a, b, sum, product, reciprocal} each
`timescale 1ns / 1ps
module replay_units;

  localparam int MaxVectors = 1 << 18;
  localparam int Add = 5, Multiply = 4, Reciprocal = 10;  // latencies

  reg         clk = 0;
  reg  [31:0] a = 0, b = 0;
  wire [31:0] sum, product, reciprocal;
  float_units dut (
    .clk_i(clk), .a_i(a), .b_i(b), .sum_o(sum), .product_o(product), .reciprocal_o(reciprocal)
  );
  always #5 clk = ~clk;

  reg [159:0]     vector [0:MaxVectors-1];
  reg [8*256-1:0] file;
  integer         count, i, differences;

  initial begin
    if (!$value$plusargs("vectors=%s", file) || !$value$plusargs("count=%d", count)) begin
      $display("arguments are missing");
      $finish;
    end
    $readmemh(file, vector, 0, count - 1);
    differences = 0;
    #200;  // the cells' global reset
    for (i = 0; i < count; i = i + 1) begin
      @(negedge clk);
      if (i >= Add && sum !== vector[i-Add][95:64]) differences = differences + 1;
      if (i >= Multiply && product !== vector[i-Multiply][63:32]) differences = differences + 1;
      if (i >= Reciprocal && reciprocal !== vector[i-Reciprocal][31:0])
        differences = differences + 1;
      {a, b} = vector[i][159:96];
    end
    $display("%0d vectors per unit, %0d differences", count, differences);
    $finish;
  end

endmodule
