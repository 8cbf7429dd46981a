#include "hamiltree/io/export/transmission/transmission.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <string_view>

#include "hamiltree/base/embedded.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/base/version.hpp"
#include "hamiltree/formulations/codegen/c_body.hpp"
#include "hamiltree/formulations/codegen/c_sin_cos.hpp"
#include "hamiltree/formulations/codegen/closure.hpp"
#include "hamiltree/io/export/transmission_sources.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/recording_header.hpp"

namespace hamiltree {
namespace {

using codegen::Closure;
using codegen::ClosureSide;

std::vector<int> numbers_of(const Model& model, const std::vector<std::string>& names,
                            const std::string& side) {
  std::vector<int> joints;
  for (const auto& name : names) {
    const auto j = model.find_joint(name);
    if (!j) throw UsageError(side + ": there is no joint \"" + name + "\"");
    const bool moves =
        model.visit([&](const auto& system) { return system.joint(*j).coordinates > 0; });
    if (!moves) throw UsageError(side + ": joint \"" + name + "\" is driven or fixed");
    if (std::ranges::find(joints, *j) != joints.end())
      throw UsageError(side + ": joint \"" + name + "\" is named twice");
    joints.push_back(*j);
  }
  if (joints.empty()) throw UsageError(side + ": at least one joint must be named");
  return joints;
}

// The coordinates that one side leaves free, with the loops closed, at the start.
int left_free(const Closure& closure, const std::string& side) {
  const auto values = closure.routine.trace.evaluate(closure.start);
  const auto n = static_cast<Eigen::Index>(closure.start.size());
  Eigen::Index entry = 0, rows = 0;
  Eigen::MatrixXd A(0, n);
  for (const auto& output : closure.routine.outputs) {
    if (output.name == "gap_x" || output.name == side + "_x") {
      const Eigen::Index more = output.size / n;
      A.conservativeResize(rows + more, n);
      for (Eigen::Index r = 0; r < more; ++r) {
        for (Eigen::Index i = 0; i < n; ++i)
          A(rows + r, i) = values[static_cast<std::size_t>(entry + r * n + i)];
      }
      rows += more;
    }
    entry += output.size;
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A);
  qr.setThreshold(1e-10);
  return static_cast<int>(n - qr.rank());
}

void check_determined(const Closure& closure, const std::string& side, const std::string& option) {
  const int free = left_free(closure, side);
  if (free > 0) {
    throw UsageError(option + ": with these joints held, the linkage still has " +
                     std::to_string(free) + " free motion" + (free > 1 ? "s" : "") +
                     " at its start");
  }
}

std::string function(const codegen::Routine& routine) {
  std::string arguments = "const double* x";
  for (const auto& output : routine.outputs) arguments += ", double* " + output.name;
  return "inline void closure(" + arguments + ")\n{\n" + codegen::c_body(routine) + "}\n";
}

// A switch over entries.
template <class Text>
std::string by_entry(const std::string& signature, std::size_t count, const Text& text) {
  std::string result = "  static " + signature + "(int i) {\n    switch (i) {\n";
  for (std::size_t i = 0; i + 1 < count; ++i)
    result += "      case " + std::to_string(i) + ": return " + text(i) + ";\n";
  return result + "      default: return " + text(count - 1) + ";\n    }\n  }\n";
}

std::string linkage(const Closure& closure, const TransmissionHeader& header) {
  const auto constant = [](const char* name, std::size_t value) {
    return "    " + std::string(name) + " = " + std::to_string(value) + ",\n";
  };
  const auto names = [](const char* side, const std::vector<std::string>& list) {
    return by_entry("const char* " + std::string(side) + "_name", list.size(),
                    [&](std::size_t i) { return "\"" + list[i] + "\""; });
  };
  const auto wraps = [](const char* side, const std::vector<bool>& list) {
    return by_entry("bool " + std::string(side) + "_wraps", list.size(),
                    [&](std::size_t i) { return std::string(list[i] ? "true" : "false"); });
  };
  return "struct Linkage {\n  enum {\n" + constant("kUnknowns", closure.start.size()) +
         constant("kGaps", static_cast<std::size_t>(header.gaps)) +
         constant("kActuators", header.actuators.size()) +
         constant("kJoints", header.joints.size()) + "  };\n" +
         by_entry("double start", closure.start.size(),
                  [&](std::size_t i) { return to_text(closure.start[i]); }) +
         names("actuator", header.actuators) + names("joint", header.joints) +
         wraps("actuator", closure.actuators.wraps) + wraps("joint", closure.joints.wraps) +
         "  static void closure(const double* x, double* gap, double* actuator, double* joint,\n"
         "                      double* gap_x, double* actuator_x, double* joint_x) {\n"
         "    equations::closure(x, gap, actuator, joint, gap_x, actuator_x, joint_x);\n  }\n};\n";
}

}  // namespace

TransmissionHeader make_transmission(const Model& model, const TransmissionSides& sides,
                                     const std::string& name) {
  const auto actuators = numbers_of(model, sides.actuators, "actuators");
  const auto joints = numbers_of(model, sides.joints, "joints");
  const auto closure = codegen::closure_of(model, initial_state(model).q, actuators, joints);
  check_determined(closure, "actuator", "actuators");
  check_determined(closure, "joint", "joints");
  TransmissionHeader header;
  header.unknowns = static_cast<int>(closure.start.size());
  header.gaps = closure.routine.outputs.front().size;
  header.actuators = coordinate_names(model, actuators);
  header.joints = coordinate_names(model, joints);
  std::string text = "// A transmission of " + model.name() + ", written by hamiltree " + kVersion +
                     ": " + name + "::Transmission.\n#pragma once\n\n";
  text += embedded_text(source::kLoopTransmissionHpp);
  const auto equations = function(closure.routine);
  text += "\nnamespace " + name + " {\n\nnamespace equations {\n\n";
  if (equations.find(" sin_cos(") != std::string::npos) text += codegen::c_sin_cos() + "\n";
  text += equations + "\n}  // namespace equations\n\n" + linkage(closure, header) +
          "\nusing Transmission = hamiltree::LoopTransmission<Linkage>;\n\n}  // namespace " +
          name + "\n";
  header.text = std::move(text);
  return header;
}

}  // namespace hamiltree
