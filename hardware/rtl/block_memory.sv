// One port to write, one to read a cycle later: a block RAM. What is read from a word that is being
// written is not defined; programs never do it.
module block_memory #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 9  // address bits
) (
  input  logic             clk_i,
  input  logic             write_i,
  input  logic [Depth-1:0] write_addr_i,
  input  logic [Width-1:0] write_data_i,
  input  logic [Depth-1:0] read_addr_i,
  output logic [Width-1:0] read_data_o
);

  (* ram_style = "block" *) logic [Width-1:0] memory [0:(1<<Depth)-1];

  always_ff @(posedge clk_i) begin
    if (write_i) memory[write_addr_i] <= write_data_i;
    read_data_o <= memory[read_addr_i];
  end

endmodule
