// Replays a run on the chip in any form: RTL that Yosys wrote, or a netlist of an FPGA's cells.
//   +bus=FILE +accesses=N   the driver's writes, {address, data} each
//   +states=FILE +words=N   the expected state after each step, word by word
//   +steps=N
`timescale 1ns / 1ps
module replay_chip;

  localparam int MaxAccesses = 16384;
  localparam int MaxStates   = 1 << 20;

  reg         clk = 0, rst_n = 0;
  reg         awvalid = 0, wvalid = 0;
  reg  [31:0] awaddr = 0, wdata = 0;
  wire        awready, wready, bvalid, arready, rvalid, busy;
  wire [1:0]  bresp, rresp;
  wire [31:0] rdata, state;
  wire        state_valid, step_done;
  wire [7:0]  state_index;

  hamiltree_chip dut (
    .clk_i(clk), .rst_ni(rst_n),
    .axi_awvalid_i(awvalid), .axi_awready_o(awready), .axi_awaddr_i(awaddr[`BUS_BITS-1:0]),
    .axi_wvalid_i(wvalid), .axi_wready_o(wready), .axi_wdata_i(wdata), .axi_wstrb_i(4'b1111),
    .axi_bvalid_o(bvalid), .axi_bready_i(1'b1), .axi_bresp_o(bresp),
    .axi_arvalid_i(1'b0), .axi_arready_o(arready), .axi_araddr_i({`BUS_BITS{1'b0}}),
    .axi_rvalid_o(rvalid), .axi_rready_i(1'b0), .axi_rdata_o(rdata), .axi_rresp_o(rresp),
    .state_valid_o(state_valid), .state_index_o(state_index), .state_data_o(state),
    .step_done_o(step_done), .busy_o(busy)
  );

  always #5 clk = ~clk;

  reg [63:0]      access [0:MaxAccesses-1];
  reg [31:0]      expected [0:MaxStates-1];
  reg [8*256-1:0] bus_file, state_file;
  integer         accesses, words, steps, i, step, compared, differences;

  always @(posedge clk) if (rst_n) begin
    if (state_valid === 1'b1) begin
      compared <= compared + 1;
      if (state !== expected[step * words + state_index]) begin
        differences <= differences + 1;
        if (differences == 0)
          $display("word %0d is %08x, not %08x, after step %0d", state_index, state,
                   expected[step * words + state_index], step + 1);
      end
    end
    if (step_done === 1'b1) step <= step + 1;
  end

  initial begin
    if (!$value$plusargs("bus=%s", bus_file) || !$value$plusargs("accesses=%d", accesses) ||
        !$value$plusargs("states=%s", state_file) || !$value$plusargs("words=%d", words) ||
        !$value$plusargs("steps=%d", steps)) begin
      $display("arguments are missing");
      $finish;
    end
    $readmemh(bus_file, access, 0, accesses - 1);
    $readmemh(state_file, expected, 0, steps * words - 1);
    step = 0;
    compared = 0;
    differences = 0;
    repeat (20) @(posedge clk);
    #1 rst_n = 1;
    for (i = 0; i < accesses; i = i + 1) begin
      {awaddr, wdata} = access[i];
      awvalid = 1;
      wvalid = 1;
      #1 while (awready !== 1'b1) @(negedge clk);
      @(posedge clk);
      #1 awvalid = 0;
      wvalid = 0;
      while (bvalid !== 1'b1) @(negedge clk);
      if (bresp !== 2'b00) differences = differences + 1;
      @(posedge clk);
      #1;
    end
    while (busy !== 1'b0) @(posedge clk);
    repeat (2) @(posedge clk);
    if (step != steps || compared != steps * words) differences = differences + 1;
    $display("%0d steps, %0d words compared, %0d differences", step, compared, differences);
    $finish;
  end

endmodule
