// The whole chip: the engine and the snapshot of its state behind one AXI4-Lite port of 32 bits.
// Addresses are {window, offset} with WindowBits of offset in bytes:
//   window 0  control registers, see the cases below and hardware/README.md
//   window 1  the state as the last step left it, one word after the other; read only
//   window 2  registers, {bank, address}; write only, not while busy
//   window 3  program, {word, slice}; write only, not while busy
// Words are written whole. What cannot be done is answered by SLVERR and changes nothing.
module hamiltree_chip #(
  parameter int unsigned Adders          = 1,
  parameter int unsigned Multipliers     = 1,
  parameter int unsigned AddressBits     = 9,
  parameter int unsigned ProgramBits     = 9,
  parameter int unsigned SnapshotBits    = 8,  // at most AddressBits
  parameter int unsigned AddLatency      = 5,
  parameter int unsigned MultiplyLatency = 4,
  parameter int unsigned BitsPerStage    = 3,
  localparam int unsigned Banks          = Adders + Multipliers,
  localparam int unsigned BankBits       = $clog2(Banks),
  localparam int unsigned OperandBits    = AddressBits + BankBits + 1,
  localparam int unsigned WordBits       = Adders * (2 * OperandBits + 1) +
                                           Multipliers * 2 * OperandBits + OperandBits +
                                           Banks * (AddressBits + 2) + 2,
  localparam int unsigned Slices         = (WordBits + 31) / 32,
  localparam int unsigned SliceBits      = $clog2(Slices),
  localparam int unsigned ProgramWindow  = ProgramBits + SliceBits + 2,
  localparam int unsigned RegisterWindow = AddressBits + BankBits + 2,
  localparam int unsigned WindowBits     = (ProgramWindow > RegisterWindow) ? ProgramWindow
                                                                            : RegisterWindow,
  localparam int unsigned BusBits        = WindowBits + 2
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
  output logic [1:0]         axi_rresp_o,

  // The state as a stream, for logic beside the chip: each word as it is written.
  output logic                    state_valid_o,
  output logic [SnapshotBits-1:0] state_index_o,
  output logic [31:0]             state_data_o,
  output logic                    step_done_o,
  output logic                    busy_o
);

  localparam logic [31:0] Id    = 32'h48545231;  // "HTR1"
  localparam logic [31:0] Shape = {7'd0, 5'(WindowBits), 4'(SnapshotBits), 4'(ProgramBits),
                                   4'(AddressBits), 4'(Multipliers), 4'(Adders)};

  logic                  write, write_allowed, read, busy;
  logic [1:0]            write_window, read_window;
  logic [WindowBits-1:0] write_offset, read_offset;
  logic [31:0]           write_data, read_data;
  axi_slave #(.AddressBits(BusBits)) u_slave (
    .clk_i, .rst_ni,
    .axi_awvalid_i, .axi_awready_o, .axi_awaddr_i, .axi_wvalid_i, .axi_wready_o, .axi_wdata_i,
    .axi_wstrb_i, .axi_bvalid_o, .axi_bready_i, .axi_bresp_o, .axi_arvalid_i, .axi_arready_o,
    .axi_araddr_i, .axi_rvalid_o, .axi_rready_i, .axi_rdata_o, .axi_rresp_o,
    .write_o        (write),
    .write_addr_o   ({write_window, write_offset}),
    .write_data_o   (write_data),
    .write_allowed_i(write_allowed),
    .read_o         (read),
    .read_addr_o    ({read_window, read_offset}),
    .read_data_i    (read_data),
    .read_allowed_i (~read_window_q[1])
  );

  logic control_allowed;
  always_comb begin
    case (write_offset[5:2])
      4'd2:    control_allowed = ~(busy & write_data[0]);
      4'd3:    control_allowed = ~busy;
      4'd4:    control_allowed = 1'b1;
      default: control_allowed = 1'b0;
    endcase
  end
  assign write_allowed = (write_window[1] & ~busy) |
                         ((write_window == 2'd0) & control_allowed & ~|write_offset[WindowBits-1:6]);

  logic write_control, write_register, write_program;
  assign write_control  = write & (write_window == 2'd0);
  assign write_register = write & (write_window == 2'd2);
  assign write_program  = write & (write_window == 2'd3);

  // Control registers.
  logic                   start, stop, hold_q, nan_q, overflow_q, nan, overflow, step_done;
  logic [ProgramBits-1:0] last_word_q;
  logic [31:0]            steps_q, step_q, next_step;
  logic [63:0]            cycle_q;
  assign start     = write_control & (write_offset[5:2] == 4'd2) & write_data[0];
  assign stop      = write_control & (write_offset[5:2] == 4'd2) & write_data[1];
  assign next_step = step_q + 32'd1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hold_q      <= 1'b0;
      nan_q       <= 1'b0;
      overflow_q  <= 1'b0;
      last_word_q <= '0;
      steps_q     <= '0;
      step_q      <= '0;
      cycle_q     <= '0;
    end else begin
      if (write_control) begin
        case (write_offset[5:2])
          4'd2: begin
            if (write_data[2]) hold_q <= 1'b1;
            if (write_data[3]) hold_q <= 1'b0;
          end
          4'd3: last_word_q <= write_data[ProgramBits-1:0];
          4'd4: steps_q <= write_data;
          default: ;
        endcase
      end
      nan_q      <= ~start & (nan_q | nan);
      overflow_q <= ~start & (overflow_q | overflow);
      if (start) begin
        step_q  <= '0;
        cycle_q <= '0;
      end else begin
        if (step_done) step_q <= next_step;
        if (busy) cycle_q <= cycle_q + 64'd1;
      end
    end
  end

  logic [Slices-1:0] program_write;
  logic [Banks-1:0]  register_write;
  for (genvar i = 0; i < Slices; i++) begin : gen_program_write
    assign program_write[i] = write_program & (write_offset[2 +: SliceBits] == SliceBits'(i));
  end
  for (genvar i = 0; i < Banks; i++) begin : gen_register_write
    assign register_write[i] =
        write_register & (write_offset[2+AddressBits +: BankBits] == BankBits'(i));
  end

  logic [AddressBits-1:0] state_addr;
  microcode_engine #(
    .Adders(Adders), .Multipliers(Multipliers), .AddressBits(AddressBits),
    .ProgramBits(ProgramBits), .AddLatency(AddLatency), .MultiplyLatency(MultiplyLatency),
    .BitsPerStage(BitsPerStage)
  ) u_engine (
    .clk_i,
    .rst_ni,
    .start_i         (start),
    .stop_i          (stop),
    .steps_i         (steps_q),
    .last_word_i     (last_word_q),
    .busy_o          (busy),
    .step_done_o     (step_done),
    .program_write_i (program_write),
    .program_addr_i  (write_offset[2+SliceBits +: ProgramBits]),
    .register_write_i(register_write),
    .register_addr_i (write_offset[2 +: AddressBits]),
    .load_data_i     (write_data),
    .state_valid_o,
    .state_addr_o    (state_addr),
    .state_data_o,
    .nan_o           (nan),
    .overflow_o      (overflow)
  );
  assign state_index_o = state_addr[SnapshotBits-1:0];
  logic unused;
  assign unused = ^{state_addr, write_offset, read_offset};

  assign step_done_o   = step_done;
  assign busy_o        = busy;

  // The snapshot is a memory: what is read follows the address by a cycle.
  logic [1:0]  read_window_q;
  logic [3:0]  read_register_q;
  logic [31:0] snapshot, snapshot_step, control;
  state_snapshot #(.Depth(SnapshotBits)) u_snapshot (
    .clk_i,
    .rst_ni,
    .clear_i     (start),
    .write_i     (state_valid_o),
    .write_addr_i(state_index_o),
    .write_data_i(state_data_o),
    .step_done_i (step_done),
    .step_i      (next_step),
    .hold_i      (hold_q),
    .read_addr_i (read_offset[2 +: SnapshotBits]),
    .read_data_o (snapshot),
    .step_o      (snapshot_step)
  );
  always_comb begin
    case (read_register_q)
      4'd0:    control = Id;
      4'd1:    control = Shape;
      4'd2:    control = {28'd0, overflow_q, nan_q, hold_q, busy};
      4'd3:    control = 32'(last_word_q);
      4'd4:    control = steps_q;
      4'd5:    control = step_q;
      4'd6:    control = cycle_q[31:0];
      4'd7:    control = cycle_q[63:32];
      4'd8:    control = snapshot_step;
      default: control = 32'd0;
    endcase
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_window_q   <= '0;
      read_register_q <= '0;
    end else if (read) begin
      read_window_q   <= read_window;
      read_register_q <= read_offset[5:2];
    end
  end
  assign read_data = read_window_q[0] ? snapshot : control;

endmodule
