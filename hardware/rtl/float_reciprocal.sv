// Reciprocal of IEEE 754 binary32: rounds to nearest. A subnormal operand counts as zero, whose
// reciprocal is infinite; a subnormal reciprocal becomes zero. Not a number is always 7fc00000. One
// reciprocal starts in every clock cycle and is there 24 / BitsPerStage + 2 cycles later.
//
// Division without restoring: with the significand m in (1, 2), 2 / m = 1.q and
//   R_0 = 2 - m,    R_i = 2 R_i-1 -+ m,  - where R_i-1 >= 0,    q_i = (R_i >= 0)
// gives 23 bits and the one that rounds. A quotient that is not a power of two never ends, so there
// are no ties.
module float_reciprocal #(
  parameter int unsigned BitsPerStage = 3  // 1, 2, 3, 4, 6, 8, 12 or 24
) (
  input  logic        clk_i,
  input  logic [31:0] a_i,
  output logic [31:0] reciprocal_o
);

  localparam int unsigned Bits   = 24;
  localparam int unsigned Stages = Bits / BitsPerStage;
  localparam int unsigned Beside = 12;  // sign, exponent, power of two, infinite or nan
  localparam int unsigned Width  = Beside + 23 + 26 + Bits;

  // Stage 0 is the operand; stage i has its first i * BitsPerStage bits.
  logic [Width-1:0] stage [0:Stages];
  logic [25:0]      first;
  assign first = 26'h1000000 - {3'b001, a_i[22:0]};
  pipeline_register #(.Width(Width)) u_operand (
    .clk_i,
    .d_i({a_i[31:23], ~|a_i[22:0], &a_i[30:23], ~|a_i[30:23], a_i[22:0], first, {Bits{1'b0}}}),
    .q_o(stage[0])
  );

  for (genvar i = 0; i < Stages; i++) begin : gen_stage
    logic [Beside-1:0] beside;
    logic [22:0]       fraction;
    logic [25:0]       remainder [0:BitsPerStage] /*verilator split_var*/;
    logic [Bits-1:0]   quotient  [0:BitsPerStage] /*verilator split_var*/;
    assign {beside, fraction, remainder[0], quotient[0]} = stage[i];
    for (genvar j = 0; j < BitsPerStage; j++) begin : gen_bit
      logic negative;
      assign negative       = remainder[j][25];
      assign remainder[j+1] = {remainder[j][24:0], ~negative} +
                              ({3'b001, fraction} ^ {26{~negative}});
      assign quotient[j+1]  = {quotient[j][Bits-2:0], ~remainder[j+1][25]};
    end
    pipeline_register #(.Width(Width)) u_stage (
      .clk_i,
      .d_i({beside, fraction, remainder[BitsPerStage], quotient[BitsPerStage]}),
      .q_o(stage[i+1])
    );
  end

  // Round and pack. 1 / 2^(e - 127) has the exponent 254 - e, any other 253 - e.
  logic            sign, power, special, zero, vanishes;
  logic [7:0]      exponent;
  logic [22:0]     fraction;
  logic [25:0]     remainder;
  logic [Bits-1:0] quotient;
  logic [8:0]      inverse;
  logic [31:0]     rounded;
  assign {sign, exponent, power, special, zero, fraction, remainder, quotient} = stage[Stages];
  assign inverse  = {7'b0111111, power, ~power} - {1'b0, exponent};
  assign rounded  = {inverse, power ? 23'd0 : quotient[23:1]} + {31'd0, quotient[0] & ~power};
  assign vanishes = rounded[31] | ~|rounded[30:23];
  pipeline_register #(.Width(32)) u_result (
    .clk_i,
    .d_i(special & ~power ? 32'h7fc00000 :
         zero             ? {sign, 8'hff, 23'd0} :
         special          ? {sign, 31'd0} :
         vanishes         ? {sign, 31'd0} : {sign, rounded[30:0]}),
    .q_o(reciprocal_o)
  );

  logic unused;
  assign unused = ^{fraction, remainder};

endmodule
