// The start of a Model at a time other than 0: where its drives have led it from the initial state.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hamiltree/analysis/model_at_pose.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree::analysis {

// The initial pose, with drives followed from time 0 to t; see ModelAtPose for `independent`,
// `on_step` and what is thrown.
ModelAtPose pose_at_time(const Model& model, double t, std::vector<std::string> independent = {},
                         const std::function<void()>& on_step = {});

// The initial state, with drives followed likewise. Joints keep the velocities that the description
// gives them; of all velocities that keep loops closed the smallest is taken.
InitialState state_at_time(const Model& model, double t, const std::function<void()>& on_step = {});

}  // namespace hamiltree::analysis
