// RAMB18E1 in the one mode that the chip uses, of which Yosys' cell library has no behaviour: simple
// dual port, 512 x 36, one clock, no output register, read before write. Contents and set values,
// which the chip does not use, are parameters only so that netlists can name them.
`timescale 1ns / 1ps
module RAMB18E1 #(
  parameter integer READ_WIDTH_A = 0, READ_WIDTH_B = 0, WRITE_WIDTH_A = 0, WRITE_WIDTH_B = 0,
  parameter integer DOA_REG = 0, DOB_REG = 0,
  parameter RAM_MODE = "TDP", WRITE_MODE_A = "", WRITE_MODE_B = ""
) (
  input         CLKARDCLK, CLKBWRCLK, ENARDEN, ENBWREN, REGCEAREGCE, REGCEB,
  input         RSTRAMARSTRAM, RSTRAMB, RSTREGARSTREG, RSTREGB,
  input  [13:0] ADDRARDADDR, ADDRBWRADDR,
  input  [15:0] DIADI, DIBDI,
  input  [1:0]  DIPADIP, DIPBDIP, WEA,
  input  [3:0]  WEBWE,
  output [15:0] DOADO, DOBDO,
  output [1:0]  DOPADOP, DOPBDOP
);

  initial if (RAM_MODE != "SDP" || READ_WIDTH_A != 36 || WRITE_WIDTH_B != 36 || DOA_REG != 0) begin
    $display("a block RAM in a mode that this model does not have");
    $finish;
  end

  reg [35:0] memory [0:511];
  reg [35:0] read;
  assign {DOPBDOP, DOPADOP, DOBDO, DOADO} = read;

  always @(posedge CLKARDCLK) if (ENARDEN) read <= memory[ADDRARDADDR[13:5]];
  always @(posedge CLKBWRCLK) if (ENBWREN && (&WEBWE))
    memory[ADDRBWRADDR[13:5]] <= {DIPBDIP, DIPADIP, DIBDI, DIADI};

endmodule
