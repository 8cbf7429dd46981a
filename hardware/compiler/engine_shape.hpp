// EngineShape: the parameters of microcode_engine.sv, and where the fields of its program words
// are. The two must agree; a field is found here and in the table of hardware/README.md.
#pragma once

#include <bit>

#include "hardware/compiler/graph.hpp"

namespace hamiltree::hardware {

// Lanes are numbered adders first, then multipliers; the reciprocal shares the bank of the first
// multiplier. Every other lane has a bank of registers of its own to write to, and all lanes read
// all banks.
struct EngineShape {
  int adders = 1, multipliers = 1;
  int address_bits = 9;   // of a register in its bank
  int program_bits = 9;   // of a program word
  int snapshot_bits = 8;  // of a word of the state
  Latency latency{};

  int banks() const { return adders + multipliers; }
  int bank_bits() const {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(banks() - 1)));
  }
  int reciprocal_lane() const { return banks(); }
  int bank_of_lane(int lane) const { return lane == reciprocal_lane() ? adders : lane; }
  int registers() const { return 1 << address_bits; }
  int program_words() const { return 1 << program_bits; }
  int state_words() const { return 1 << snapshot_bits; }

  // From the lowest bit: per adder {a, b, subtract}, per multiplier {a, b}, {a} of the reciprocal,
  // per bank {address, write, valid}, then {export} of the first adder's bank and {from reciprocal}
  // of the first multiplier's. An operand is {address, bank, forwarded}.
  int operand_bits() const { return address_bits + bank_bits() + 1; }
  int adder_bits() const { return 2 * operand_bits() + 1; }
  int multiplier_bits() const { return 2 * operand_bits(); }
  int operand_at(int lane, int operand) const {
    const int first = lane < adders ? lane * adder_bits()
                                    : adders * adder_bits() + (lane - adders) * multiplier_bits();
    return first + operand * operand_bits();
  }
  int subtract_at(int adder) const { return adder * adder_bits() + 2 * operand_bits(); }
  int write_at(int bank) const {
    return operand_at(reciprocal_lane(), 0) + operand_bits() + bank * (address_bits + 2);
  }
  int valid_at(int bank) const { return write_at(bank) + address_bits + 1; }
  int export_at() const { return write_at(banks()); }
  int from_reciprocal_at() const { return export_at() + 1; }
  int word_bits() const { return from_reciprocal_at() + 1; }
  int word_slices() const { return (word_bits() + 31) / 32; }  // of 32 bits

  // Block RAMs of 512 x 36 bits (RAMB18): a copy of every bank for every operand, the program, and
  // two buffers of the state.
  int block_rams() const {
    const auto blocks = [](int bits) { return bits > 9 ? 1 << (bits - 9) : 1; };
    const int operands = 2 * adders + 2 * multipliers + 1;
    return operands * banks() * blocks(address_bits) + word_slices() * blocks(program_bits) +
           blocks(snapshot_bits + 1);
  }
};

}  // namespace hamiltree::hardware
