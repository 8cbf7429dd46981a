// Trajectory: the steps that the engine takes, recorded so that each can be taken again: their
// times, and the efforts held through them.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <vector>

#include "hamiltree/model/model.hpp"
#include "hamiltree/sensitivity/run_options.hpp"
#include "hamiltree/simulation/state.hpp"

namespace hamiltree::sensitivity {

struct Trajectory {
  std::vector<double> t;             // where steps begin and end
  std::vector<Eigen::Index> part;    // of each step: the row of the efforts
  std::vector<std::size_t> sampled;  // after how many steps each sample is taken

  std::size_t steps() const { return part.size(); }
};

// The last step of a trajectory, taken as it will be taken again: moves q and p.
using TakeAgain =
    std::function<void(const Trajectory& trajectory, Eigen::VectorXd& q, Eigen::VectorXd& p)>;

// From the start, whose loops are closed, with velocities v: by the engine of Simulation, loops
// kept closed and momenta reset after each step. Each step goes on from where `take_again` led,
// which must be where the engine went. `generalized`: a row of efforts by velocity for each part of
// the run. Throws SimulationError, also where the run comes so near a singular pose that it has no
// derivative.
Trajectory record(const Model& model, const RunOptions& options, const State& start,
                  const Eigen::VectorXd& v, const Columns& generalized,
                  const TakeAgain& take_again);

}  // namespace hamiltree::sensitivity
