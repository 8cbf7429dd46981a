#include "hardware/compiler/float32_model.hpp"

#include <cstddef>

#include "hamiltree/base/index.hpp"

namespace hamiltree::hardware {

Float32Model::Float32Model(const Graph& graph) : values_(graph.operations().size(), 0) {
  const auto live = graph.live();
  for (std::size_t i = 0; i < live.size(); ++i) {
    const auto& operation = graph.operations()[i];
    if (operation.kind == Kind::kConstant) values_[i] = operation.constant;
    if (live[i] == 0 || !runs(operation.kind)) continue;
    instructions_.push_back({operation.kind, operation.a, operation.b, static_cast<int>(i)});
  }
  for (const auto& state : graph.states()) {
    old_.push_back(state.old);
    next_.push_back(state.next);
  }
}

void Float32Model::step(std::vector<Word>& state) {
  for (std::size_t i = 0; i < state.size(); ++i) values_[at(old_[i])] = state[i];
  for (const auto& i : instructions_) {
    const Word a = values_[at(i.a)];
    const Word b = values_[at(i.b)];
    Word& result = values_[at(i.result)];
    if (i.kind == Kind::kAdd) result = add(a, b);
    if (i.kind == Kind::kSubtract) result = add(a, b ^ kSignBit);
    if (i.kind == Kind::kMultiply) result = multiply(a, b);
    if (i.kind == Kind::kReciprocal) result = reciprocal(a);
  }
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = values_[at(next_[i])];
}

}  // namespace hamiltree::hardware
