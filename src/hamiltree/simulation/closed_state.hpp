// The state in which joints have given coordinates and velocities, and all loops are closed.
#pragma once

#include <Eigen/Core>
#include <map>
#include <string>

#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree {

// Of joints by their names, also of those that close loops.
struct GivenJoints {
  std::map<std::string, Eigen::VectorXd> q;  // held
  std::map<std::string, Eigen::VectorXd> v;  // held
};

// All other joints start from the coordinates `near` and move as in initial_state(); of all
// velocities that keep the loops closed the smallest is taken. What the description says of the
// start does not count. Throws UsageError for joints that there are not and for numbers that a
// joint cannot have, and ModelError where loops cannot close.
InitialState closed_state(const Model& model, double t, const Eigen::VectorXd& near,
                          const GivenJoints& given);

}  // namespace hamiltree
