#include "hamiltree/sensitivity/pose_watch.hpp"

#include <algorithm>
#include <string>

#include "hamiltree/base/error.hpp"

namespace hamiltree::sensitivity {
namespace {

// A pivot of the loops below this share of the largest so far tells of a singular pose: it falls
// with the square of the distance, so this is some thousandths of a radian.
constexpr double kSingularPivot = 1e-5;

// `joint`: behind "near a singular pose".
[[noreturn]] void refuse_pose(double t, const std::string& joint = {}) {
  throw SimulationError(
      t, "the run passes near a singular pose" + joint + ", where it has no derivative to rely on");
}

}  // namespace

void PoseWatch::look(double t, const Formulation& formulation, const Workspace& workspace) {
  if (model_.constraint_count() == 0) return;
  const double pivot = formulation.least_pivot(workspace);
  largest_pivot_ = std::max(largest_pivot_, pivot);
  const auto singular = formulation.singular_joints(workspace);
  if (!singular.empty())
    refuse_pose(t, " at joint \"" + model_.joint_name(singular.front()) + "\"");
  if (!(pivot > kSingularPivot * largest_pivot_)) refuse_pose(t);
}

void refuse_stages(double t) {
  throw SimulationError(
      t,
      "the stages of a step do not converge, as where the motion is stiff for the "
      "step, or near a singular pose: there is no gradient");
}

}  // namespace hamiltree::sensitivity
