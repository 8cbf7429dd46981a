#include "hardware/compiler/hazards.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "hamiltree/base/index.hpp"

namespace hamiltree::hardware {

namespace {

class SymbolicEngine {
 public:
  SymbolicEngine(const Program& program, const Graph& graph)
      : program_(program),
        shape_(program.shape),
        registers_(at(shape_.banks())),
        results_(at(shape_.banks() + 1)) {
    for (std::size_t i = 0; i < graph.operations().size(); ++i) {
      known_[graph.operations()[i]] = static_cast<int>(i);
    }
    for (const auto& constant : program.constants) {
      registers_[at(constant.place.bank)][constant.place.address] =
          node({Kind::kConstant, constant.input, 0, constant.value});
    }
    for (std::size_t i = 0; i < program.states.size(); ++i) {
      registers_[0][static_cast<int>(i)] = node({Kind::kState, static_cast<int>(i), 0, 0});
    }
  }

  void run() {
    for (cycle_ = 0; cycle_ < static_cast<int>(program_.words.size()); ++cycle_) {
      take_operands_forwarded_to_last_word();
      read_operands();
      write_results();
    }
  }

  std::optional<int> state(int word) const {
    const auto place = registers_[0].find(word);
    if (place == registers_[0].end() || !exported_.contains(word)) return std::nullopt;
    return place->second;
  }

 private:
  struct Operand {
    std::optional<int> value;
    int forwarded_from = -1;  // the bank whose result is taken in the next cycle
  };
  struct Started {
    int lane = 0;
    bool subtracts = false;
    Operand a, b;
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw std::logic_error("cycle " + std::to_string(cycle_) + " of the program: " + what);
  }

  unsigned field(int first, int bits) const {
    const auto& word = program_.words[at(cycle_)];
    unsigned value = 0;
    for (int i = 0; i < bits; ++i) {
      value |= (word[at((first + i) / 32)] >> (first + i) % 32 & 1U) << i;
    }
    return value;
  }

  int node(const Operation& operation) const {
    const auto place = known_.find(operation);
    return place == known_.end() ? -1 : place->second;  // -1: an operation that is not in the graph
  }

  Operand operand(int lane, int which) {
    const int first = shape_.operand_at(lane, which);
    const int address = static_cast<int>(field(first, shape_.address_bits));
    const int bank = static_cast<int>(field(first + shape_.address_bits, shape_.bank_bits()));
    if (field(first + shape_.address_bits + shape_.bank_bits(), 1) != 0)
      return {std::nullopt, bank};
    reads_.insert({bank, address});
    const auto place = registers_[at(bank)].find(address);
    return {place == registers_[at(bank)].end() ? std::nullopt : std::optional(place->second), -1};
  }

  void read_operands() {
    reads_.clear();
    started_.clear();
    for (int lane = 0; lane <= shape_.reciprocal_lane(); ++lane) {
      Started start{lane,
                    lane < shape_.adders && field(shape_.subtract_at(lane), 1) != 0,
                    operand(lane, 0),
                    {}};
      if (lane < shape_.reciprocal_lane()) start.b = operand(lane, 1);
      started_.push_back(start);
    }
  }

  // A word without a start reads register 0 everywhere: an operation like any other, not used.
  void take_operands_forwarded_to_last_word() {
    for (auto& start : started_) {
      for (auto* operand : {&start.a, &start.b}) {
        if (operand->forwarded_from >= 0) operand->value = result_of_bank(operand->forwarded_from);
      }
      const bool adds = start.lane < shape_.adders;
      const bool inverts = start.lane == shape_.reciprocal_lane();
      std::optional<int> result;
      if (start.a.value && (inverts || start.b.value)) {
        int a = *start.a.value;
        int b = inverts ? 0 : *start.b.value;
        const Kind kind = inverts           ? Kind::kReciprocal
                          : !adds           ? Kind::kMultiply
                          : start.subtracts ? Kind::kSubtract
                                            : Kind::kAdd;
        if ((kind == Kind::kAdd || kind == Kind::kMultiply) && b < a) std::swap(a, b);
        result = node({kind, a, b, 0});
      }
      const int latency = inverts ? shape_.latency.reciprocal
                          : adds  ? shape_.latency.add
                                  : shape_.latency.multiply;
      results_[at(start.lane)][cycle_ + latency] = result;
    }
  }

  std::optional<int> result_of_bank(int bank) const {
    const bool shared = bank == shape_.adders && field(shape_.from_reciprocal_at(), 1) != 0;
    const auto& results = results_[at(shared ? shape_.reciprocal_lane() : bank)];
    const auto place = results.find(cycle_);
    return place == results.end() ? std::nullopt : place->second;
  }

  void write_results() {
    for (int bank = 0; bank < shape_.banks(); ++bank) {
      const int first = shape_.write_at(bank);
      const bool writes = field(first + shape_.address_bits, 1) != 0;
      const auto result = result_of_bank(bank);
      const bool is_of_the_step = result && *result >= 0;
      if (field(shape_.valid_at(bank), 1) != 0 ? !is_of_the_step : writes) {
        fail("a result is taken that the step does not have");
      }
      if (!writes) continue;
      const int address = static_cast<int>(field(first, shape_.address_bits));
      // Idle lanes read register 0; that they see a word of the state change does not matter.
      if (reads_.contains({bank, address}) && address != 0) {
        fail("register " + std::to_string(address) + " of bank " + std::to_string(bank) +
             " is read and written at once");
      }
      registers_[at(bank)][address] = *result;
      if (bank == 0 && field(shape_.export_at(), 1) != 0) exported_[address] = true;
    }
  }

  const Program& program_;
  const EngineShape& shape_;
  std::map<Operation, int> known_;
  std::vector<std::map<int, int>> registers_;               // by bank and address: a node
  std::vector<std::map<int, std::optional<int>>> results_;  // by lane and cycle
  std::vector<Started> started_;                            // by the last word
  std::set<std::pair<int, int>> reads_;
  std::map<int, bool> exported_;
  int cycle_ = 0;
};

}  // namespace

void check_hazards(const Program& program, const Graph& graph) {
  SymbolicEngine engine(program, graph);
  engine.run();
  for (std::size_t i = 0; i < program.states.size(); ++i) {
    if (engine.state(static_cast<int>(i)) == graph.states()[i].next) continue;
    throw std::logic_error("the word " + program.states[i] + " does not become what it should");
  }
}

}  // namespace hamiltree::hardware
