// ldup_inverter behind the same bus as the chip, as a block of its own: the paper's way of using an
// FPGA, where the processor writes a matrix, runs the block and reads the inverse. Addresses are
// {window, offset} with two bits of window above WindowBits:
//   window 0  0x00 size, 0x04 written: start, read: busy, 0x08 cycles of the last run
//   window 1  the matrix, then its inverse: at 4 {row, column}; not while busy
module ldup_block #(
  parameter int unsigned Size       = 4,
  localparam int unsigned IndexBits  = $clog2(Size),
  localparam int unsigned WindowBits = 2 * IndexBits + 2 < 4 ? 4 : 2 * IndexBits + 2,
  localparam int unsigned BusBits    = WindowBits + 2
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               axi_awvalid_i,
  output logic               axi_awready_o,
  input  logic [BusBits-1:0] axi_awaddr_i,
  input  logic               axi_wvalid_i,
  output logic               axi_wready_o,
  input  logic [31:0]        axi_wdata_i,
  input  logic [3:0]         axi_wstrb_i,
  output logic               axi_bvalid_o,
  input  logic               axi_bready_i,
  output logic [1:0]         axi_bresp_o,
  input  logic               axi_arvalid_i,
  output logic               axi_arready_o,
  input  logic [BusBits-1:0] axi_araddr_i,
  output logic               axi_rvalid_o,
  input  logic               axi_rready_i,
  output logic [31:0]        axi_rdata_o,
  output logic [1:0]         axi_rresp_o
);

  logic                  write, read, busy, start;
  logic [1:0]            write_window, read_window, read_window_q;
  logic [WindowBits-1:0] write_offset, read_offset, read_offset_q;
  logic [31:0]           write_data, control, entry, cycles_q;
  logic                  was_busy_q;
  axi_slave #(.AddressBits(BusBits)) u_slave (
    .clk_i, .rst_ni,
    .axi_awvalid_i, .axi_awready_o, .axi_awaddr_i, .axi_wvalid_i, .axi_wready_o, .axi_wdata_i,
    .axi_wstrb_i, .axi_bvalid_o, .axi_bready_i, .axi_bresp_o, .axi_arvalid_i, .axi_arready_o,
    .axi_araddr_i, .axi_rvalid_o, .axi_rready_i, .axi_rdata_o, .axi_rresp_o,
    .write_o        (write),
    .write_addr_o   ({write_window, write_offset}),
    .write_data_o   (write_data),
    .write_allowed_i(~busy & ((write_window == 2'd1) |
                              ((write_window == 2'd0) & (write_offset[3:2] == 2'd1)))),
    .read_o         (read),
    .read_addr_o    ({read_window, read_offset}),
    .read_data_i    (read_window_q[0] ? entry : control),
    .read_allowed_i (~read_window_q[1] & ~(read_window_q[0] & was_busy_q))
  );

  assign start = write & (write_window == 2'd0) & write_data[0];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_window_q <= '0;
      read_offset_q <= '0;
      was_busy_q    <= 1'b0;
      cycles_q      <= '0;
    end else begin
      was_busy_q <= busy;
      if (read) {read_window_q, read_offset_q} <= {read_window, read_offset};
      if (start)     cycles_q <= '0;
      else if (busy) cycles_q <= cycles_q + 32'd1;
    end
  end
  assign control = read_offset_q[3:2] == 2'd0 ? 32'(Size) :
                   read_offset_q[3:2] == 2'd1 ? {31'd0, busy} : cycles_q;

  logic unused;
  assign unused = ^{write_offset, read_offset_q};

  ldup_inverter #(.Size(Size)) u_inverter (
    .clk_i, .rst_ni,
    .write_i     (write & (write_window == 2'd1)),
    .write_addr_i(write_offset[2 +: 2*IndexBits]),
    .write_data_i(write_data),
    .start_i     (start),
    .busy_o      (busy),
    .read_addr_i (read_offset_q[2 +: 2*IndexBits]),
    .read_data_o (entry)
  );

endmodule
