#include "hamiltree/simulation/notes.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/listed.hpp"
#include "hamiltree/formulations/uniqueness.hpp"

namespace hamiltree {

std::string long_segments_note(int longest) {
  return "segments are up to " + std::to_string(longest) +
         " bodies long: only pins and slides without drive, coupling, armature or a force that "
         "knows their coordinate can be cut, and none under a controller";
}

std::string no_motion_note(const Model& model, const Redundancy& redundancy) {
  const int in_use = redundancy.constraints - redundancy.redundant;
  if (in_use == 0 || in_use < model.velocity_count() || has_drives(model)) return {};
  return "the loops hold every motion, independent rows are as many as velocities, " +
         std::to_string(in_use) + ": nothing moves";
}

bool has_drives(const Model& model) {
  return model.visit([](const auto& system) { return !system.drives.empty(); });
}

std::string contradiction(const Model& model) {
  return std::string("its redundant rows contradict others, as where ") +
         (has_drives(model) ? "it cannot follow a drive, or " : "") + "numbers are rounded";
}

std::string widest_gap(const Model& model, const Eigen::VectorXd& phi) {
  return model.visit([&](const auto& system) {
    std::string widest;
    double largest = -1.0;
    const auto compare = [&](int row, int rows, const std::string& name) {
      for (int i = row; i < row + rows; ++i) {
        const double gap = std::abs(phi(i)) * system.row_scales[at(i)];
        if (gap <= largest) continue;
        largest = gap;
        widest = name;
      }
    };
    for (int c = system.body_count(); c < system.joint_count(); ++c) {
      const auto& cut = system.joint(c);
      compare(cut.row, cut.constraints,
              "the loop that joint \"" + model.joint_name(c) + "\" closes");
    }
    for (const auto& coupling : system.couplings) {
      compare(coupling.row, 1,
              "the coupling of joint \"" + model.joint_name(coupling.joint) + "\"");
    }
    return widest;
  });
}

std::vector<std::string> not_unique_notes(const Model& model, const Formulation& formulation,
                                          const Redundancy& redundancy, const StateView& state,
                                          Workspace& workspace) {
  std::vector<std::string> notes;
  const auto& sensors = model.mechanism().sensors;
  const bool recorded = std::any_of(sensors.begin(), sensors.end(), [](const auto& sensor) {
    return std::holds_alternative<ReactionSensor>(sensor);
  });
  if (!recorded) return notes;
  const auto unique = unique_reactions(model, formulation, redundancy, state, workspace);
  for (const auto& sensor : sensors) {
    const auto* reaction = std::get_if<ReactionSensor>(&sensor);
    if (reaction == nullptr) continue;
    const auto parts = listed(unique[at(*model.find_joint(reaction->joint))].not_unique());
    if (parts.empty()) continue;
    notes.push_back("sensor " + reaction->name + ": redundant constraints leave " + parts +
                    " of joint " + reaction->joint + " (its own axes) undetermined");
  }
  return notes;
}

}  // namespace hamiltree
