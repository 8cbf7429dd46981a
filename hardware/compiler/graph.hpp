// Graph: one step as operations of the chip's units. Operands stand before what uses them, equal
// operations are one, and signs are drawn out of products into the sums that take them.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "hardware/compiler/float32.hpp"

namespace hamiltree::hardware {

enum class Kind { kState, kConstant, kAdd, kSubtract, kMultiply, kReciprocal };

const char* name_of(Kind kind);
inline bool runs(Kind kind) { return kind != Kind::kState && kind != Kind::kConstant; }
inline int operand_count(Kind kind) { return !runs(kind) ? 0 : kind == Kind::kReciprocal ? 1 : 2; }

struct Operation {
  Kind kind = Kind::kState;
  int a = 0, b = 0;   // operands; of a state word, or an input, a is its number
  Word constant = 0;  // of a constant
  auto operator<=>(const Operation&) const = default;
};

// Cycles from the operands of a unit to its result.
struct Latency {
  int add = 5, multiply = 4, reciprocal = 10;
  int of(Kind kind) const {
    switch (kind) {
      case Kind::kAdd:
      case Kind::kSubtract:
        return add;
      case Kind::kMultiply:
        return multiply;
      case Kind::kReciprocal:
        return reciprocal;
      default:
        return 0;
    }
  }
};

class Graph {
 public:
  struct Value {  // an operation, or its negative
    int node = 0;
    bool negative = false;
    Value operator-() const { return {node, !negative}; }
  };
  struct State {  // a word of the state: read from `old`, replaced by `next`
    std::string name;
    int old = 0, next = 0;
  };

  explicit Graph(Latency latency) : latency_(latency) {}

  Value state(std::string name);
  // Throws std::range_error for a number that is too large for single precision.
  Value constant(double value);
  // A register that the processor loads: a constant that no other one is merged with.
  Value input(Word value);
  Value add(Value a, Value b);
  Value multiply(Value a, Value b);
  Value reciprocal(Value a);
  // Sets what a word of the state becomes. It needs a sum of its own, because the first adder's
  // bank is where the state is: anything else is copied.
  void replace(int state, Value next);
  // Last: where words of the state wait for each other to be read, some become copies.
  void separate_states();

  const std::vector<Operation>& operations() const { return operations_; }
  const std::vector<State>& states() const { return states_; }
  const Operation& at(int node) const { return operations_[static_cast<std::size_t>(node)]; }
  // The first cycle in which a value could be there, had every operation a unit of its own.
  int arrival(int node) const { return arrival_[static_cast<std::size_t>(node)]; }
  const Latency& latency() const { return latency_; }

  // By node: what must start after it. Those are its users, and of an operation that reads an old
  // word of the state also the one that makes the new word, which takes its place.
  std::vector<std::vector<int>> followers() const;
  std::vector<char> live() const;    // by node: whether some state word needs it
  std::array<int, 6> count() const;  // live operations by Kind
  int critical_path() const;         // cycles

 private:
  int intern(const Operation& operation);
  int copy_of(Value value);
  std::vector<char> starting_order() const;
  bool is_next(int node) const;  // of some word of the state

  Latency latency_;
  std::vector<Operation> operations_;
  std::vector<int> arrival_;
  std::vector<State> states_;
  std::map<Operation, int> known_;
  int inputs_ = 0;
};

// Several mechanisms in one program: the same graph for `instances` states, with common constants.
Graph interleaved(const Graph& graph, int instances);

}  // namespace hamiltree::hardware
