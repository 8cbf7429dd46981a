// One operand of one unit: a copy of every bank of registers, and the results of this cycle that
// are on their way there. An operand is {forwarded, bank, address}; its value follows a cycle later.
module operand_port #(
  parameter int unsigned Banks       = 2,
  parameter int unsigned AddressBits = 9,
  parameter int unsigned BankBits    = 1
) (
  input  logic                           clk_i,
  input  logic [AddressBits+BankBits:0]  operand_i,
  input  logic [Banks-1:0]               write_i,       // of each bank
  input  logic [Banks*AddressBits-1:0]   write_addr_i,
  input  logic [Banks*32-1:0]            write_data_i,
  input  logic [Banks*32-1:0]            result_i,      // of the units of each bank
  output logic [31:0]                    value_o
);

  localparam int unsigned Choices = 1 << (BankBits + 1);

  logic [Choices*32-1:0] choices;
  for (genvar i = 0; i < Choices; i++) begin : gen_choice
    localparam int unsigned Bank = i % (Choices / 2);
    if (Bank >= Banks) begin : gen_none
      assign choices[i*32 +: 32] = 32'd0;
    end else if (i >= Choices / 2) begin : gen_result
      assign choices[i*32 +: 32] = result_i[Bank*32 +: 32];
    end else begin : gen_bank
      block_memory #(.Width(32), .Depth(AddressBits)) u_bank (
        .clk_i,
        .write_i     (write_i[Bank]),
        .write_addr_i(write_addr_i[Bank*AddressBits +: AddressBits]),
        .write_data_i(write_data_i[Bank*32 +: 32]),
        .read_addr_i (operand_i[AddressBits-1:0]),
        .read_data_o (choices[i*32 +: 32])
      );
    end
  end

  logic [BankBits:0] choice_q;
  always_ff @(posedge clk_i) choice_q <= operand_i[AddressBits +: BankBits+1];
  assign value_o = choices[{choice_q, 5'd0} +: 32];

endmodule
