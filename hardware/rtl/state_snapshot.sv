// Two buffers of the state: the engine fills one while the other, a whole step, is read. They change
// places at the end of every step, unless the reader holds the one it reads.
module state_snapshot #(
  parameter int unsigned Depth = 8  // address bits
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,      // a new run: there is no step yet
  input  logic             write_i,
  input  logic [Depth-1:0] write_addr_i,
  input  logic [31:0]      write_data_i,
  input  logic             step_done_i,
  input  logic [31:0]      step_i,       // the number of the step that is done
  input  logic             hold_i,
  input  logic [Depth-1:0] read_addr_i,
  output logic [31:0]      read_data_o,
  output logic [31:0]      step_o        // the number of the step that is read; 0: none yet
);

  logic        back_q;
  logic [31:0] step_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      back_q <= 1'b0;
      step_q <= '0;
    end else if (clear_i) begin
      step_q <= '0;
    end else if (step_done_i & ~hold_i) begin
      back_q <= ~back_q;
      step_q <= step_i;
    end
  end
  assign step_o = step_q;

  block_memory #(.Width(32), .Depth(Depth + 1)) u_buffers (
    .clk_i,
    .write_i,
    .write_addr_i({back_q, write_addr_i}),
    .write_data_i,
    .read_addr_i ({~back_q, read_addr_i}),
    .read_data_o
  );

endmodule
