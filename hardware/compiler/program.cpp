#include "hardware/compiler/program.hpp"

#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hardware/compiler/hazards.hpp"

namespace hamiltree::hardware {

namespace {

void put(std::vector<std::uint32_t>& word, int first, int bits, unsigned value) {
  for (int i = 0; i < bits; ++i) {
    if ((value >> i & 1U) != 0) word[at((first + i) / 32)] |= 1U << (first + i) % 32;
  }
}

class Encoder {
 public:
  Encoder(const Graph& graph, const Schedule& schedule, const Registers& registers,
          const EngineShape& shape)
      : graph_(graph), schedule_(schedule), registers_(registers), shape_(shape) {}

  std::vector<std::vector<std::uint32_t>> run() {
    words_.assign(at(schedule_.length), std::vector<std::uint32_t>(at(shape_.word_slices()), 0));
    for (std::size_t i = 0; i < schedule_.slots.size(); ++i) {
      if (schedule_.slots[i].start < 0) continue;
      put_start(static_cast<int>(i));
      put_result(static_cast<int>(i));
    }
    for (const auto& state : graph_.states())
      put(result_word(state.next), shape_.export_at(), 1, 1);
    return std::move(words_);
  }

 private:
  std::vector<std::uint32_t>& result_word(int node) {
    return words_[at(schedule_.at(node).start + graph_.latency().of(graph_.at(node).kind) + 1)];
  }

  void put_operand(int lane, int which, int operand, int start) {
    const bool forwarded = is_forwarded(graph_, schedule_, operand, start);
    const int bank =
        forwarded ? shape_.bank_of_lane(schedule_.at(operand).lane) : registers_.at(operand).bank;
    const int address = forwarded ? 0 : registers_.at(operand).address;
    auto& word = words_[at(start)];
    const int first = shape_.operand_at(lane, which);
    put(word, first, shape_.address_bits, static_cast<unsigned>(address));
    put(word, first + shape_.address_bits, shape_.bank_bits(), static_cast<unsigned>(bank));
    put(word, first + shape_.address_bits + shape_.bank_bits(), 1, forwarded ? 1U : 0U);
  }

  void put_start(int node) {
    const auto& operation = graph_.at(node);
    const auto& slot = schedule_.at(node);
    put_operand(slot.lane, 0, operation.a, slot.start);
    if (operand_count(operation.kind) > 1) put_operand(slot.lane, 1, operation.b, slot.start);
    if (operation.kind == Kind::kSubtract) {
      put(words_[at(slot.start)], shape_.subtract_at(slot.lane), 1, 1);
    }
  }

  void put_result(int node) {
    auto& word = result_word(node);
    if (graph_.at(node).kind == Kind::kReciprocal) put(word, shape_.from_reciprocal_at(), 1, 1);
    put(word, shape_.valid_at(shape_.bank_of_lane(schedule_.at(node).lane)), 1, 1);
    const auto& place = registers_.at(node);
    if (!place.is_kept()) return;
    put(word, shape_.write_at(place.bank), shape_.address_bits,
        static_cast<unsigned>(place.address));
    put(word, shape_.write_at(place.bank) + shape_.address_bits, 1, 1);
  }

  const Graph& graph_;
  const Schedule& schedule_;
  const Registers& registers_;
  const EngineShape& shape_;
  std::vector<std::vector<std::uint32_t>> words_;
};

void check_size(const char* what, int needed, int there) {
  if (needed <= there) return;
  throw std::length_error("the engine has " + std::to_string(there) + " " + what +
                          ", but the mechanism needs " + std::to_string(needed));
}

Report make_report(const Graph& graph, const Schedule& schedule, const Registers& registers,
                   const EngineShape& shape) {
  const auto count = graph.count();
  const auto of = [&](Kind kind) { return count[static_cast<std::size_t>(kind)]; };
  Report report;
  report.states = static_cast<int>(graph.states().size());
  report.constants = of(Kind::kConstant);
  report.additions = of(Kind::kAdd) + of(Kind::kSubtract);
  report.multiplications = of(Kind::kMultiply);
  report.reciprocals = of(Kind::kReciprocal);
  report.critical_path = graph.critical_path();
  report.cycles = schedule.length;
  report.adders_used = static_cast<double>(report.additions) / (shape.adders * schedule.length);
  report.multipliers_used =
      static_cast<double>(report.multiplications) / (shape.multipliers * schedule.length);
  report.registers = registers.used;
  return report;
}

}  // namespace

Compiled compile(Graph graph, const EngineShape& shape) {
  check_size("words of state", static_cast<int>(graph.states().size()), shape.state_words());
  const Schedule schedule = make_schedule(graph, shape);
  check_size("program words", schedule.length, shape.program_words());
  const Registers registers = allocate_registers(graph, schedule, shape);
  Program program;
  program.shape = shape;
  program.words = Encoder(graph, schedule, registers, shape).run();
  for (std::size_t i = 0; i < graph.operations().size(); ++i) {
    const auto& operation = graph.operations()[i];
    if (operation.kind != Kind::kConstant || !registers.places[i].is_kept()) continue;
    program.constants.push_back({registers.places[i], operation.constant, operation.a});
  }
  for (const auto& state : graph.states()) program.states.push_back(state.name);
  check_hazards(program, graph);
  const Report report = make_report(graph, schedule, registers, shape);
  return {std::move(graph), std::move(program), report};
}

std::string to_text(const Report& report) {
  std::ostringstream text;
  text << report.states << " words of state, " << report.constants << " constants\n"
       << report.additions << " additions, " << report.multiplications << " multiplications, "
       << report.reciprocals << " reciprocals\n"
       << report.cycles << " cycles a step; " << report.critical_path
       << " with as many units as can be used\n"
       << "adders busy " << static_cast<int>(100.0 * report.adders_used + 0.5) << " %, multipliers "
       << static_cast<int>(100.0 * report.multipliers_used + 0.5) << " %; registers";
  for (const int used : report.registers) text << ' ' << used;
  text << '\n';
  return text.str();
}

}  // namespace hamiltree::hardware
