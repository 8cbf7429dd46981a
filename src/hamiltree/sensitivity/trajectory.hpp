// Trajectory: the steps of a run, recorded so that each can be taken again: their times, and the
// efforts held through them.
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
using TakeStep =
    std::function<void(const Trajectory& trajectory, Eigen::VectorXd& q, Eigen::VectorXd& p)>;

// Called where a sample is taken: after the steps so far.
using TakeSample = std::function<void(double t)>;

// From the start, whose loops are closed, with velocities v. Explicit steps of one length are those
// that `take` takes. Others are found by the engine of Simulation, loops kept closed and momenta
// reset after each, and go on from where `take` led, which must be where the engine went.
// `generalized`: a row of efforts by velocity for each part of the run. Throws SimulationError.
Trajectory record(const Model& model, const RunOptions& options, const State& start,
                  const Eigen::VectorXd& v, const Columns& generalized, const TakeStep& take,
                  const TakeSample& sample);

}  // namespace hamiltree::sensitivity
