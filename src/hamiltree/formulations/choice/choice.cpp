#include "hamiltree/formulations/choice/choice.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hamiltree/base/counted.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/formulations/choice/check_options.hpp"
#include "hamiltree/formulations/choice/choose_subsystems.hpp"
#include "hamiltree/formulations/codegen/generated.hpp"
#include "hamiltree/formulations/dh_frames/compile.hpp"
#include "hamiltree/formulations/dh_frames/compile_floating.hpp"
#include "hamiltree/formulations/dh_frames/floating.hpp"
#include "hamiltree/formulations/dh_frames/into_lanes.hpp"
#include "hamiltree/formulations/kernel/compile.hpp"
#include "hamiltree/formulations/planar_loops/planar_loops.hpp"
#include "hamiltree/model/lifted.hpp"
#include "hamiltree/model/split_hubs.hpp"
#include "hamiltree/plan/plan.hpp"

namespace hamiltree {
namespace {

bool is_recursive(const Choice& choice) { return kernel_of(choice.formulation) == "recursive"; }
// Generated C is that of the general kernel.
bool is_generated(const Choice& choice) {
  return kernel_of(choice.formulation) != choice.formulation;
}

// Kernels of revolute joints under gravity.
std::optional<ChosenKernel> kernel_of_revolutes(const Model& model, LaneChoice lanes) {
  if (lanes != LaneChoice::kNever) {
    if (auto chain = dh_frames::floating_chain_of(model)) return std::move(*chain);
  }
  if (auto loops = planar_loops::alternatives(model, lanes); !loops.empty()) return loops;
  if (const auto tree = dh_frames::tree_of(model)) return dh_frames::into_lanes(*tree, lanes);
  return std::nullopt;
}

struct KernelAndForces {
  ChosenKernel kernel;
  std::unique_ptr<AddedForces> forces;
};

// Whether the general kernel computes the rates of `model`, in the plane: of what planar kernels do
// not know, and of loops with redundant rows, as there are where rows are as many as velocities and
// something moves.
bool is_left_to_general(const ChosenKernel& kernel, const Model& model) {
  if (std::holds_alternative<InJointAxes>(kernel)) return true;
  return std::holds_alternative<planar_loops::Alternatives>(kernel) &&
         model.constraint_count() >= model.velocity_count();
}

// At least as many rows as can be open at any body, or at the ground, on their way inwards. For
// models that the kernel in world axes takes: coupled joints are in the tree.
int most_open_rows(const Model& model) {
  return model.visit([](const auto& system) {
    std::vector<int> open(at(system.body_count()) + 1, 0);  // the ground's first
    const auto add = [&](int a, int b, int rows) {
      while (a != b) {
        int& further = a > b ? a : b;  // bodies come after their inboard neighbours
        open[at(further + 1)] += rows;
        further = system.inboard(further);
      }
      open[at(a + 1)] += rows;
    };
    for (int c = system.body_count(); c < system.joint_count(); ++c)
      add(system.joint(c).child, system.joint(c).parent, system.joint(c).constraints);
    for (const auto& coupling : system.couplings) add(coupling.joint, coupling.to, 1);
    return std::ranges::max(open);
  });
}

// Whether loops may hold tips without inertia, which the kernel in world axes leaves to the general
// one.
bool may_have_tips_without_inertia(const Model& model) {
  return model.constraint_count() > 0 &&
         model.visit([](const auto& system) { return !system.ballasted.empty(); });
}

// The kernel for `model`, which is that of the choice or the same in its plane.
KernelAndForces kernel_for(const Model& model, const Choice& choice) {
  if (!is_recursive(choice)) return {};
  const auto* in_space = std::get_if<System<Spatial<double>>>(&model.tables());
  auto forces = joint_forces_of(model);
  if (auto kernel = kernel_of_revolutes(model, choice.options.lanes)) {
    // The kernel in world axes shows forces the bodies for less than it takes to place them.
    if (!forces && (in_space == nullptr || has_lanes(*kernel))) forces = forces_of(model);
    if (forces) return {std::move(*kernel), std::move(forces)};
  }
  if (in_space == nullptr) return {};
  if (auto foreign = kernel::foreign_joint(*in_space); !foreign.empty())
    return {InJointAxes{std::move(foreign)}, nullptr};
  if (!in_space->drives.empty()) forces = nullptr;  // efforts along a driven joint are loads
  return {InWorldAxes{}, std::move(forces)};
}

// Whether a planar mechanism has what takes longer in space than the kernel in world axes saves: a
// frame that moves, or more bushings than loops of two rows.
bool costs_more_in_space(const System<Planar<double>>& system) {
  const auto bushings = static_cast<int>(system.bushings.size());
  return 2 * bushings > system.constraints ||
         std::ranges::any_of(system.drives,
                             [](const Drive& drive) { return drive.motion.has_value(); });
}

// The kernel in world axes for a planar model, where it takes it: with the rows of the plane alone.
std::optional<KernelAndForces> in_world_axes(const Model& model, const Choice& choice) {
  const auto* system = std::get_if<System<Planar<double>>>(&model.tables());
  if (system == nullptr || costs_more_in_space(*system) || may_have_tips_without_inertia(model))
    return std::nullopt;
  auto in_space = model.with_tables(lifted(*system));
  auto chosen = kernel_for(in_space, choice);
  auto* kernel = std::get_if<InWorldAxes>(&chosen.kernel);
  if (kernel == nullptr || most_open_rows(model) > kernel::kMostLanes) return std::nullopt;
  kernel->lifted = std::move(in_space);
  return chosen;
}

bool may_leave_space(const Choice& choice) {
  const auto kernel = kernel_of(choice.formulation);
  return choice.options.plane && (kernel == "recursive" || kernel == "hdca") &&
         std::holds_alternative<System<Spatial<double>>>(choice.model.tables());
}

// Whether the model takes less time in space than in the plane, where it is `planar`. Trees of
// revolute joints are in DH frames in both, and leave space only for lanes. The kernel in world
// axes is faster than the general one in the plane, as long as no more rows can be open than it has
// lanes; generated C is not traced from it.
bool costs_less_in_space(const Choice& choice, const ChosenKernel& in_space, const Model& planar,
                         const ChosenKernel& in_plane) {
  if (std::holds_alternative<dh_frames::Tree>(in_space)) return !has_lanes(in_plane);
  if (may_have_tips_without_inertia(planar)) return false;
  return std::holds_alternative<InWorldAxes>(in_space) && !is_generated(choice) &&
         is_left_to_general(in_plane, planar) && most_open_rows(planar) <= kernel::kMostLanes;
}

// Sets the plane in which the model is computed, if there is one. The kernel, unless the model
// could leave its plane.
std::optional<KernelAndForces> choose_plane(Choice& choice) {
  auto plane = in_plane(choice.model);
  if (!plane) return std::nullopt;
  auto in_plane = kernel_for(plane->model, choice);
  if (is_recursive(choice) && !has_lanes(in_plane.kernel)) {
    auto in_space = kernel_for(choice.model, choice);
    if (costs_less_in_space(choice, in_space.kernel, plane->model, in_plane.kernel)) {
      if (auto* kernel = std::get_if<InWorldAxes>(&in_space.kernel)) kernel->declines_plane = true;
      return in_space;
    }
  }
  choice.plane = std::move(plane);
  return in_plane;
}

Choice choose_unchecked(std::string_view formulation, const Model& model,
                        const FormulationOptions& options, bool divides) {
  Choice choice{std::string(formulation), options, model, {}, {}, {}, {}};
  std::optional<KernelAndForces> chosen;
  if (may_leave_space(choice)) {
    chosen = choose_plane(choice);
    if (divides && !choice.plane)
      choice.subsystems = choose_subsystems(formulation, model, options);
    if (!choice.subsystems.empty()) return choice;
  }
  if (!chosen) {
    chosen = kernel_for(model, choice);
    if (is_recursive(choice) && is_left_to_general(chosen->kernel, model)) {
      if (auto in_space = in_world_axes(model, choice)) chosen = std::move(in_space);
    }
  }
  choice.kernel = std::move(chosen->kernel);
  choice.forces = std::move(chosen->forces);
  return choice;
}

void refuse_without_lanes(const Choice& choice) {
  for (const auto& part : choice.subsystems) refuse_without_lanes(part.choice);
  if (!choice.subsystems.empty()) return;
  const auto refuse = [&](const std::string& why) {
    throw UsageError("nothing of " + choice.model.name() + " can be laid in lanes: " + why);
  };
  const auto* loops = std::get_if<planar_loops::Alternatives>(&choice.kernel);
  if (loops != nullptr && loops->front().lane_groups.empty())
    refuse("no three parts of the linkage are alike");
  const auto* in_space = std::get_if<InWorldAxes>(&choice.kernel);
  if (in_space != nullptr && in_space->declines_plane)
    refuse("in its plane the general kernel would compute it");
  if (in_space != nullptr || std::holds_alternative<InJointAxes>(choice.kernel)) {
    refuse("it is no tree of revolute joints on whose bodies no forces act");
  }
}

// --- in words ---

std::string joins_text(const Model& model, bool hubs_in_pieces) {
  return model.visit([&](const auto& system) {
    const auto split = hubs_in_pieces ? split_hubs(system) : std::nullopt;
    return make_plan(split ? split->system : system).to_text();
  });
}

// The order of the bodies in the general kernel.
std::string order_text(const Choice& choice) {
  const auto name = kernel_of(choice.formulation);
  const auto& model = choice.computed();
  if (name.ends_with("dca")) return joins_text(model, choice.formulation == "hdca");
  return std::string(name == "aba" ? "recursive" : name) + ", " +
         counted(model.body_count(), "body", "bodies") + " in order";
}

// Where the kernel in world axes leaves the rates to the general one.
std::string limits_of(const Model& model) {
  const bool may_open_more = model.constraint_count() > kernel::kMostLanes;
  const bool lacks_inertia =
      model.visit([](const auto& system) { return !system.ballasted.empty(); });
  std::string text;
  if (may_open_more) {
    text += " where at most ";
    text += std::to_string(kernel::kMostLanes);
    text += " rows are open";
  }
  if (lacks_inertia) {
    text += may_open_more ? " and " : " where ";
    text += "bodies without inertia carry others";
  }
  return text;
}

struct KernelText {
  const Choice& choice;

  std::string operator()(const InJointAxes& general) const {
    return order_text(choice) +
           (general.reason.empty() ? "" : ", in joint axes: " + general.reason);
  }
  std::string operator()(const InWorldAxes& kernel) const {
    if (kernel.declines_plane)
      return order_text(choice) + ", in world axes, faster than the general kernel in its plane";
    return order_text(choice) + ", in world axes" + limits_of(choice.computed());
  }
  std::string operator()(const planar_loops::Alternatives& loops) const {
    return order_text(choice) + planar_loops::plan_of(loops);
  }
  std::string operator()(const dh_frames::Tree& tree) const {
    return named(dh_frames::plan_of(tree));
  }
  std::string operator()(const dh_frames::FloatingChain& chain) const {
    return named(dh_frames::plan_of(chain));
  }
  std::string named(const std::string& text) const {
    return std::string(kernel_of(choice.formulation)) + ", " + text;
  }
};

}  // namespace

bool has_lanes(const ChosenKernel& kernel) {
  const auto* tree = std::get_if<dh_frames::Tree>(&kernel);
  return tree != nullptr && (tree->chain || !tree->lane_groups.empty());
}

Choice choice_of_whole(std::string_view formulation, const Model& model,
                       const FormulationOptions& options) {
  return choose_unchecked(formulation, model, options, false);
}

Choice choice_of(std::string_view formulation, const Model& model,
                 const FormulationOptions& options) {
  check_options(formulation, model, options);
  auto choice = choose_unchecked(formulation, model, options, true);
  if (options.lanes == LaneChoice::kAlways && is_recursive(choice)) refuse_without_lanes(choice);
  return choice;
}

std::string to_text(const Choice& choice) {
  if (!choice.subsystems.empty()) {
    std::string text;
    for (const auto& part : choice.subsystems)
      text += (text.empty() ? "subsystems: " : "; ") + to_text(part.choice);
    return text;
  }
  std::string text = is_generated(choice) ? order_text(choice) + ", as compiled C"
                                          : std::visit(KernelText{choice}, choice.kernel);
  if (!choice.plane) return text;
  text += ", in the plane normal to";
  for (const double x : choice.plane->normal) {
    text += ' ';
    text += to_short(std::abs(x) <= kInPlane ? 0.0 : x);
  }
  return text;
}

}  // namespace hamiltree
