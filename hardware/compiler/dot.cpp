#include "hardware/compiler/dot.hpp"

#include <sstream>

#include "hamiltree/base/text.hpp"
#include "hamiltree/formulations/codegen/harmless.hpp"

namespace hamiltree::hardware {

std::string to_dot(const Graph& graph) {
  std::ostringstream text;
  text << "digraph {\n  node [shape=box]\n";
  const auto live = graph.live();
  for (std::size_t i = 0; i < live.size(); ++i) {
    if (live[i] == 0) continue;
    const auto& operation = graph.operations()[i];
    text << "  n" << i << " [label=\"";
    if (operation.kind == Kind::kState) {
      text << codegen::harmless(graph.states()[static_cast<std::size_t>(operation.a)].name);
    } else if (operation.kind == Kind::kConstant) {
      text << hamiltree::to_text(static_cast<double>(float_of(operation.constant)));
    } else {
      text << name_of(operation.kind) << " @" << graph.arrival(static_cast<int>(i));
    }
    text << "\"]\n";
    if (operand_count(operation.kind) > 0) text << "  n" << operation.a << " -> n" << i << '\n';
    if (operand_count(operation.kind) > 1) text << "  n" << operation.b << " -> n" << i << '\n';
  }
  for (const auto& state : graph.states()) {
    const auto name = "\"" + codegen::harmless(state.name) + "'\"";
    text << "  " << name << "\n  n" << state.next << " -> " << name << '\n';
  }
  text << "}\n";
  return text.str();
}

}  // namespace hamiltree::hardware
