// A register, or only wires: the one place where a unit's latency is decided.
module pipeline_register #(
  parameter int unsigned Width   = 1,
  parameter bit          Present = 1'b1
) (
  input  logic             clk_i,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);

  if (Present) begin : gen_register
    logic [Width-1:0] data_q;
    always_ff @(posedge clk_i) data_q <= d_i;
    assign q_o = data_q;
  end else begin : gen_wires
    assign q_o = d_i;
  end

endmodule
