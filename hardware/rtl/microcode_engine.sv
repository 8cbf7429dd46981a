// The engine: units that read and write banks of registers as a program says, one word of it in
// every cycle, from its first word to its last and again for the next step. A word starts one
// operation on every lane and writes the results that are due; nothing is decided at run time.
//
// A word, from its lowest bit (hardware/compiler/engine_shape.hpp is the same in C++):
//   per adder       operand a, operand b, subtract
//   per multiplier  operand a, operand b
//   reciprocal      operand
//   per bank        address, write, valid     adders' banks, then multipliers'
//   export          the first bank's write is a word of the state
//   from reciprocal the first multiplier's bank takes the reciprocal's result
module microcode_engine #(
  parameter int unsigned Adders          = 1,
  parameter int unsigned Multipliers     = 1,
  parameter int unsigned AddressBits     = 9,
  parameter int unsigned ProgramBits     = 9,
  parameter int unsigned AddLatency      = 5,
  parameter int unsigned MultiplyLatency = 4,
  parameter int unsigned BitsPerStage    = 3,
  localparam int unsigned Banks          = Adders + Multipliers,
  localparam int unsigned BankBits       = $clog2(Banks),
  localparam int unsigned OperandBits    = AddressBits + BankBits + 1,
  localparam int unsigned WriteBits      = AddressBits + 2,
  localparam int unsigned AdderBits      = 2 * OperandBits + 1,
  localparam int unsigned MultiplierAt   = Adders * AdderBits,
  localparam int unsigned ReciprocalAt   = MultiplierAt + Multipliers * 2 * OperandBits,
  localparam int unsigned WriteAt        = ReciprocalAt + OperandBits,
  localparam int unsigned ExportAt       = WriteAt + Banks * WriteBits,
  localparam int unsigned WordBits       = ExportAt + 2,
  localparam int unsigned Slices         = (WordBits + 31) / 32
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   start_i,
  input  logic                   stop_i,         // after the step that is under way
  input  logic [31:0]            steps_i,        // how many; 0: until stopped
  input  logic [ProgramBits-1:0] last_word_i,
  output logic                   busy_o,
  output logic                   step_done_o,

  // Loading, while not busy.
  input  logic [Slices-1:0]      program_write_i,
  input  logic [ProgramBits-1:0] program_addr_i,
  input  logic [Banks-1:0]       register_write_i,
  input  logic [AddressBits-1:0] register_addr_i,
  input  logic [31:0]            load_data_i,

  // Words of the state as they are written, and results that are no numbers.
  output logic                   state_valid_o,
  output logic [AddressBits-1:0] state_addr_o,
  output logic [31:0]            state_data_o,
  output logic                   nan_o,
  output logic                   overflow_o
);

  // Program counter. A word is in `word` the cycle after its address.
  logic                   running_q, valid_q, last_q, stopping_q;
  logic [ProgramBits-1:0] address_q;
  logic [31:0]            left_q;
  logic                   is_last, ends;
  assign is_last = address_q == last_word_i;
  assign ends    = is_last & (stopping_q | (left_q == 32'd1));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q  <= 1'b0;
      valid_q    <= 1'b0;
      last_q     <= 1'b0;
      stopping_q <= 1'b0;
      address_q  <= '0;
      left_q     <= '0;
    end else begin
      valid_q <= running_q;
      last_q  <= running_q & is_last;
      if (start_i & ~busy_o) begin
        running_q  <= 1'b1;
        stopping_q <= 1'b0;
        address_q  <= '0;
        left_q     <= steps_i;
      end else if (running_q) begin
        address_q  <= is_last ? '0 : address_q + 1'b1;
        running_q  <= ~ends;
        stopping_q <= stopping_q | stop_i;
        if (is_last && left_q != 32'd0) left_q <= left_q - 32'd1;
      end
    end
  end
  assign busy_o      = running_q | valid_q;
  assign step_done_o = last_q;

  logic [Slices*32-1:0] word;
  for (genvar i = 0; i < Slices; i++) begin : gen_slice
    block_memory #(.Width(32), .Depth(ProgramBits)) u_program (
      .clk_i,
      .write_i     (program_write_i[i]),
      .write_addr_i(program_addr_i),
      .write_data_i(load_data_i),
      .read_addr_i (address_q),
      .read_data_o (word[i*32 +: 32])
    );
  end

  // Writing: results while running, else what is loaded.
  logic [Banks-1:0]             write, nan, overflow;
  logic [Banks*AddressBits-1:0] write_addr;
  logic [Banks*32-1:0]          write_data, result;
  for (genvar i = 0; i < Banks; i++) begin : gen_write
    localparam int unsigned At = WriteAt + i * WriteBits;
    logic result_valid, special;
    assign write[i] = valid_q ? word[At + AddressBits] : register_write_i[i];
    assign write_addr[i*AddressBits +: AddressBits] =
        valid_q ? word[At +: AddressBits] : register_addr_i;
    assign write_data[i*32 +: 32] = valid_q ? result[i*32 +: 32] : load_data_i;
    assign result_valid = valid_q & word[At + AddressBits + 1];
    assign special      = result_valid & (&result[i*32+23 +: 8]);
    assign nan[i]       = special & result[i*32+22];
    assign overflow[i]  = special & ~result[i*32+22];
  end
  assign nan_o         = |nan;
  assign overflow_o    = |overflow;
  assign state_valid_o = valid_q & word[ExportAt];
  assign state_addr_o  = word[WriteAt +: AddressBits];
  assign state_data_o  = result[31:0];

  // Lanes.
  for (genvar i = 0; i < Adders; i++) begin : gen_adder
    logic [31:0] a, b;
    logic        subtract_q;
    always_ff @(posedge clk_i) subtract_q <= word[i*AdderBits + 2*OperandBits];
    operand_port #(.Banks(Banks), .AddressBits(AddressBits), .BankBits(BankBits)) u_a (
      .clk_i, .operand_i(word[i*AdderBits +: OperandBits]), .write_i(write),
      .write_addr_i(write_addr), .write_data_i(write_data), .result_i(result), .value_o(a)
    );
    operand_port #(.Banks(Banks), .AddressBits(AddressBits), .BankBits(BankBits)) u_b (
      .clk_i, .operand_i(word[i*AdderBits + OperandBits +: OperandBits]), .write_i(write),
      .write_addr_i(write_addr), .write_data_i(write_data), .result_i(result), .value_o(b)
    );
    float_add #(.Latency(AddLatency)) u_add (
      .clk_i, .a_i(a), .b_i({b[31] ^ subtract_q, b[30:0]}), .sum_o(result[i*32 +: 32])
    );
  end

  logic [31:0] reciprocal;
  for (genvar i = 0; i < Multipliers; i++) begin : gen_multiplier
    localparam int unsigned At = MultiplierAt + i * 2 * OperandBits;
    logic [31:0] a, b, product;
    operand_port #(.Banks(Banks), .AddressBits(AddressBits), .BankBits(BankBits)) u_a (
      .clk_i, .operand_i(word[At +: OperandBits]), .write_i(write),
      .write_addr_i(write_addr), .write_data_i(write_data), .result_i(result), .value_o(a)
    );
    operand_port #(.Banks(Banks), .AddressBits(AddressBits), .BankBits(BankBits)) u_b (
      .clk_i, .operand_i(word[At + OperandBits +: OperandBits]), .write_i(write),
      .write_addr_i(write_addr), .write_data_i(write_data), .result_i(result), .value_o(b)
    );
    float_multiply #(.Latency(MultiplyLatency)) u_multiply (
      .clk_i, .a_i(a), .b_i(b), .product_o(product)
    );
    if (i == 0) begin : gen_shared
      assign result[Adders*32 +: 32] = word[ExportAt + 1] ? reciprocal : product;
    end else begin : gen_own
      assign result[(Adders+i)*32 +: 32] = product;
    end
  end

  logic [31:0] divisor;
  operand_port #(.Banks(Banks), .AddressBits(AddressBits), .BankBits(BankBits)) u_divisor (
    .clk_i, .operand_i(word[ReciprocalAt +: OperandBits]), .write_i(write),
    .write_addr_i(write_addr), .write_data_i(write_data), .result_i(result), .value_o(divisor)
  );
  float_reciprocal #(.BitsPerStage(BitsPerStage)) u_reciprocal (
    .clk_i, .a_i(divisor), .reciprocal_o(reciprocal)
  );

endmodule
