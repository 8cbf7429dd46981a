#include "hamiltree/analysis/start_at_time.hpp"

#include <utility>

#include "hamiltree/simulation/closed_state.hpp"

namespace hamiltree::analysis {

ModelAtPose pose_at_time(const Model& model, double t, std::vector<std::string> independent,
                         const std::function<void()>& on_step) {
  ModelAtPose pose(model, 0.0, initial_state(model).q, std::move(independent));
  pose.follow_drives(t, on_step);
  return pose;
}

InitialState state_at_time(const Model& model, double t, const std::function<void()>& on_step) {
  const bool is_driven = model.visit([](const auto& system) { return !system.drives.empty(); });
  if (t == 0.0 || !is_driven) return initial_state(model);
  GivenJoints given;
  for (const auto& joint : model.mechanism().joints)
    if (joint.initial_v) given.v[joint.name] = *joint.initial_v;
  return closed_state(model, t, pose_at_time(model, t, {}, on_step).q(), given);
}

}  // namespace hamiltree::analysis
