// One AXI4-Lite slave of 32 bits as two plain ports, one to write and one to read, for one access of
// each kind at a time. Words are accessed whole; what is not, and what the block behind does not
// allow, is answered by SLVERR.
module axi_slave #(
  parameter int unsigned AddressBits = 12
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   axi_awvalid_i,
  output logic                   axi_awready_o,
  input  logic [AddressBits-1:0] axi_awaddr_i,
  input  logic                   axi_wvalid_i,
  output logic                   axi_wready_o,
  input  logic [31:0]            axi_wdata_i,
  input  logic [3:0]             axi_wstrb_i,
  output logic                   axi_bvalid_o,
  input  logic                   axi_bready_i,
  output logic [1:0]             axi_bresp_o,
  input  logic                   axi_arvalid_i,
  output logic                   axi_arready_o,
  input  logic [AddressBits-1:0] axi_araddr_i,
  output logic                   axi_rvalid_o,
  input  logic                   axi_rready_i,
  output logic [31:0]            axi_rdata_o,
  output logic [1:0]             axi_rresp_o,

  // A write happens in the cycle of write_o, which is 0 where it is not allowed.
  output logic                   write_o,
  output logic [AddressBits-1:0] write_addr_o,
  output logic [31:0]            write_data_o,
  input  logic                   write_allowed_i,
  // Data and permission follow the address, which is there with read_o, by one cycle.
  output logic                   read_o,
  output logic [AddressBits-1:0] read_addr_o,
  input  logic [31:0]            read_data_i,
  input  logic                   read_allowed_i
);

  localparam logic [1:0] Okay = 2'b00, SlaveError = 2'b10;

  // A write is taken when its address and its data are there and the last one is answered.
  logic taken, allowed;
  assign taken         = axi_awvalid_i & axi_wvalid_i & ~axi_bvalid_o;
  assign allowed       = (&axi_wstrb_i) & ~|axi_awaddr_i[1:0] & write_allowed_i;
  assign axi_awready_o = taken;
  assign axi_wready_o  = taken;
  assign write_o       = taken & allowed;
  assign write_addr_o  = axi_awaddr_i;
  assign write_data_o  = axi_wdata_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      axi_bvalid_o <= 1'b0;
      axi_bresp_o  <= Okay;
    end else if (taken) begin
      axi_bvalid_o <= 1'b1;
      axi_bresp_o  <= allowed ? Okay : SlaveError;
    end else if (axi_bready_i) begin
      axi_bvalid_o <= 1'b0;
    end
  end

  logic reading_q;
  assign axi_arready_o = ~reading_q & ~axi_rvalid_o;
  assign read_o        = axi_arvalid_i & axi_arready_o;
  assign read_addr_o   = axi_araddr_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reading_q    <= 1'b0;
      axi_rvalid_o <= 1'b0;
      axi_rdata_o  <= '0;
      axi_rresp_o  <= Okay;
    end else begin
      reading_q <= read_o;
      if (reading_q) begin
        axi_rvalid_o <= 1'b1;
        axi_rresp_o  <= read_allowed_i ? Okay : SlaveError;
        axi_rdata_o  <= read_allowed_i ? read_data_i : 32'd0;
      end else if (axi_rready_i) begin
        axi_rvalid_o <= 1'b0;
      end
    end
  end

endmodule
