#include "hamiltree/formulations/codegen/c_body.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "hamiltree/formulations/codegen/c_expression.hpp"

namespace hamiltree::codegen {
namespace {

constexpr std::size_t kLongestPart = 60;  // characters of what is put into another expression

const std::string kNowhere = "not_needed";

bool is_comparison(TraceOp op) { return op == TraceOp::kLess || op == TraceOp::kLessEqual; }

// Calls of the library, and operations that keep a loop from being vectorised.
bool is_call(TraceOp op) {
  switch (op) {
    case TraceOp::kSqrt:
    case TraceOp::kSin:
    case TraceOp::kCos:
    case TraceOp::kTanh:
    case TraceOp::kAtan2:
      return true;
    default:
      return false;
  }
}

// Writes one routine in phases: all arithmetic that can be done, the calls that it makes possible,
// the arithmetic with their results, and so on. Without lanes there is one phase.
class BodyWriter {
 public:
  BodyWriter(const Routine& routine, bool in_lanes)
      : routine_(routine),
        nodes_(routine.trace.nodes()),
        in_lanes_(in_lanes),
        phase_(nodes_.size(), 0),
        uses_(nodes_.size(), 0),
        is_stored_(nodes_.size(), false),
        parts_(nodes_.size()) {
    name_inputs();
    order();
  }

  std::string text() {
    std::string loops;
    for (int phase = 0; phase <= last_phase_; ++phase) {
      lines_.clear();
      at_hand_.clear();
      for (const auto i : live_) {
        if (phase_[i] == phase && !is_call_apart(i)) write(i, phase);
      }
      if (phase == last_phase_) write_outputs(phase);
      if (!lines_.empty()) loops += in_lanes_ ? looped(lines_) : lines_;
      if (in_lanes_) loops += calls(phase);
    }
    std::string arrays;
    for (const auto i : live_) {
      if (is_stored_[i] && nodes_[i].op != TraceOp::kInput) {
        arrays += "  double " + array_of(i) + "[8];\n";
      }
    }
    if (in_lanes_ && loops.find(kNowhere) != std::string::npos) {
      arrays += "  double " + kNowhere + "[8];\n";
    }
    return unused() + arrays + loops;
  }

 private:
  // --- before anything is written ---

  void name_inputs() {
    for (const auto& argument : routine_.inputs) {
      for (int i = 0; i < argument.size; ++i) inputs_.push_back({&argument, i});
    }
  }

  bool is_call_apart(TraceIndex i) const { return in_lanes_ && is_call(nodes_[i].op); }

  bool needs_name(TraceIndex i) const {
    return nodes_[i].op != TraceOp::kConstant && !is_comparison(nodes_[i].op);
  }

  // Phases; how often a node is used where it is computed; and what must outlast its phase.
  void order() {
    live_ = routine_.trace.live_nodes();
    for (const auto i : live_) {
      for_operands(nodes_[i], [&](TraceIndex a) {
        phase_[i] = std::max(phase_[i], phase_[a] + (is_call_apart(a) ? 1 : 0));
      });
      last_phase_ = std::max(last_phase_, phase_[i] + (is_call_apart(i) ? 1 : 0));
    }
    for (const auto i : live_) {
      if (is_comparison(nodes_[i].op)) continue;
      for_operands(nodes_[i], [&](TraceIndex a) { use(a, phase_[i], is_call_apart(i)); });
    }
    for (const auto& port : routine_.trace.outputs()) use(port.node, last_phase_, false);
  }

  void use(TraceIndex a, int phase, bool by_call) {
    if (is_comparison(nodes_[a].op)) {  // written again wherever it is used
      for_operands(nodes_[a], [&](TraceIndex b) { use(b, phase, by_call); });
      return;
    }
    if (needs_name(a)) ++uses_[a];
    if (in_lanes_ && needs_name(a) && (by_call || phase_[a] != phase || is_call_apart(a))) {
      is_stored_[a] = true;
    }
  }

  // --- names ---

  // Entry `index` of an array argument: of one state, or of lane k.
  std::string entry(const Argument& argument, int index) const {
    if (!in_lanes_) {
      return argument.is_array ? argument.name + "[" + std::to_string(index) + "]" : argument.name;
    }
    return argument.name + "[" + (index > 0 ? std::to_string(index * kCLanes) + " + " : "") + "k]";
  }

  std::string array_of(TraceIndex i) {
    const auto& node = nodes_[i];
    if (node.op == TraceOp::kInput) {
      const auto& [argument, index] = inputs_[node.a];
      return index == 0 ? argument->name : argument->name + " + " + std::to_string(index * kCLanes);
    }
    return "a" + std::to_string(number_of(i));
  }

  int number_of(TraceIndex i) {
    const auto [place, is_new] = numbers_.try_emplace(i, static_cast<int>(numbers_.size()) + 1);
    return place->second;
  }

  // --- statements of the present phase ---

  void define(const std::string& name, const std::string& value) {
    lines_ += "  const double " + name + " = " + value + ";\n";
  }

  // A node as an operand in this phase; what is not at hand is loaded first.
  Expression operand(TraceIndex i, int phase) {
    const auto& node = nodes_[i];
    if (node.op == TraceOp::kConstant) return c_number(node.constant);
    if (is_comparison(node.op)) return value_of_condition(comparison(i, phase));
    if (!parts_[i].text.empty()) return parts_[i];
    if (node.op == TraceOp::kInput) {
      const auto& [argument, index] = inputs_[node.a];
      if (!in_lanes_ && !argument->is_array) return {argument->name, Precedence::kPrimary};
      const auto name = argument->name + "_" + std::to_string(index);
      if (at_hand_.insert(i).second) define(name, entry(*argument, index));
      return {name, Precedence::kPrimary};
    }
    const auto name = "x" + std::to_string(number_of(i));
    if (at_hand_.insert(i).second) define(name, array_of(i) + "[k]");
    return {name, Precedence::kPrimary};
  }

  Expression comparison(TraceIndex i, int phase) {
    const auto& node = nodes_[i];
    const auto a = operand(node.a, phase);
    return c_operation(node.op, a, operand(node.b, phase));
  }

  Expression condition(TraceIndex i, int phase) {
    if (is_comparison(nodes_[i].op)) return comparison(i, phase);
    return condition_of_value(operand(i, phase));
  }

  void write(TraceIndex i, int phase) {
    const auto& node = nodes_[i];
    if (node.op == TraceOp::kInput) {
      if (!in_lanes_) operand(i, phase);  // all inputs first
      return;
    }
    if (!needs_name(i)) return;
    if (node.op == TraceOp::kSin || node.op == TraceOp::kCos) return write_turn(node.a, phase);
    Expression value;
    const int operands = operand_count(node.op);
    if (node.op == TraceOp::kSelect) {
      const auto mask = condition(node.a, phase);
      const auto x = operand(node.b, phase);
      value = c_operation(node.op, mask, x, operand(node.c, phase));
    } else {
      const auto a = operand(node.a, phase);
      value = c_operation(node.op, a, operands > 1 ? operand(node.b, phase) : Expression{});
    }
    const bool is_part = uses_[i] == 1 && !is_stored_[i] && !is_call(node.op) &&
                         node.op != TraceOp::kSelect && value.text.size() <= kLongestPart;
    if (is_part) {
      parts_[i] = value;
      return;
    }
    const auto name = "x" + std::to_string(number_of(i));
    define(name, value.text);
    at_hand_.insert(i);
    if (is_stored_[i]) lines_ += "  " + array_of(i) + "[k] = " + name + ";\n";
  }

  // Sine and cosine of an angle together, whichever comes first.
  void write_turn(TraceIndex angle, int phase) {
    if (!turns_.insert(angle).second) return;
    const auto value = operand(angle, phase).text;
    std::string arguments;
    for (const auto op : {TraceOp::kSin, TraceOp::kCos}) {
      const auto node = routine_.trace.find(op, angle);
      const bool is_needed = node && uses_[*node] > 0;
      const auto name =
          is_needed ? "x" + std::to_string(number_of(*node)) : kNowhere + std::to_string(angle);
      lines_ += "  double " + name + ";\n";
      arguments += ", &" + name;
      if (is_needed) at_hand_.insert(*node);
    }
    lines_ += "  sin_cos(" + value + arguments + ");\n";
  }

  void write_outputs(int phase) {
    std::size_t port = 0;
    std::string stores;
    for (const auto& argument : routine_.outputs) {
      for (int i = 0; i < argument.size; ++i) {
        const auto value = operand(routine_.trace.outputs()[port++].node, phase);
        stores += "  " + entry(argument, i) + " = " + value.text + ";\n";
      }
    }
    lines_ += stores;
  }

  // --- lanes ---

  static std::string looped(const std::string& lines) {
    std::string text = "  for (int k = 0; k < 8; ++k) {\n";
    for (std::size_t from = 0; from < lines.size();) {
      const auto to = lines.find('\n', from) + 1;
      text += "  " + lines.substr(from, to - from);
      from = to;
    }
    return text + "  }\n";
  }

  std::string calls(int phase) {
    std::map<TraceIndex, std::pair<TraceIndex, TraceIndex>> turns;  // sine and cosine of an angle
    std::string text;
    for (const auto i : live_) {
      if (phase_[i] != phase || !is_call(nodes_[i].op)) continue;
      const auto& node = nodes_[i];
      if (node.op == TraceOp::kSin || node.op == TraceOp::kCos) {
        auto& turn = turns.try_emplace(node.a, TraceIndex{0}, TraceIndex{0}).first->second;
        (node.op == TraceOp::kSin ? turn.first : turn.second) = i;
        continue;
      }
      const auto lane = [&](TraceIndex a) {
        return nodes_[a].op == TraceOp::kConstant
                   ? c_number(nodes_[a].constant)
                   : Expression{
                         (nodes_[a].op == TraceOp::kInput
                              ? entry(*inputs_[nodes_[a].a].first, inputs_[nodes_[a].a].second)
                              : array_of(a) + "[k]"),
                         Precedence::kPrimary};
      };
      const auto value = c_operation(node.op, lane(node.a),
                                     operand_count(node.op) > 1 ? lane(node.b) : Expression{});
      text += "  for (int k = 0; k < 8; ++k) " + array_of(i) + "[k] = " + value.text + ";\n";
    }
    for (const auto& [angle, turn] : turns) {
      const auto array = [&](TraceIndex i) { return i == 0 ? kNowhere : array_of(i); };
      text += "  sin_cos_8(" + array_of(angle) + ", " + array(turn.first) + ", " +
              array(turn.second) + ");\n";
    }
    return text;
  }

  // Arguments that the values turned out not to depend on.
  std::string unused() const {
    std::set<const Argument*> used;
    for (const auto i : live_) {
      if (nodes_[i].op == TraceOp::kInput) used.insert(inputs_[nodes_[i].a].first);
    }
    std::string text;
    for (const auto& argument : routine_.inputs) {
      if (!used.contains(&argument)) text += "  (void)" + argument.name + ";\n";
    }
    return text;
  }

  const Routine& routine_;
  const std::vector<TraceNode>& nodes_;
  bool in_lanes_;
  std::vector<std::pair<const Argument*, int>> inputs_;  // of each input of the trace
  std::vector<TraceIndex> live_;
  std::vector<int> phase_, uses_;
  std::vector<bool> is_stored_;    // in an array over the lanes
  std::vector<Expression> parts_;  // of nodes that stand inside their only use
  std::map<TraceIndex, int> numbers_;
  int last_phase_ = 0;
  std::string lines_;
  std::set<TraceIndex> at_hand_;  // named in this phase
  std::set<TraceIndex> turns_;    // angles whose sine and cosine are there
};

}  // namespace

std::string c_body(const Routine& routine) { return BodyWriter(routine, false).text(); }
std::string c_body_in_lanes(const Routine& routine) { return BodyWriter(routine, true).text(); }

}  // namespace hamiltree::codegen
