// Trajectory: the steps that the engine takes, recorded so that each can be taken again: their
// times, the efforts held through them, and states to begin from.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "hamiltree/model/model.hpp"
#include "hamiltree/sensitivity/run_options.hpp"
#include "hamiltree/simulation/state.hpp"

namespace hamiltree::sensitivity {

// States of a row of steps. Where there is a limit, every second one goes when it is reached, so
// that those left are as far apart as need be.
class KeptStates {
 public:
  explicit KeptStates(std::size_t limit) : limit_(limit) {}

  void add(const Eigen::VectorXd& q, const Eigen::VectorXd& p);
  // The last one kept that is not after number n.
  std::size_t last_kept(std::size_t n) const { return n / stride_ * stride_; }
  bool has(std::size_t n) const { return n % stride_ == 0; }
  const Eigen::VectorXd& q(std::size_t n) const { return q_[n / stride_]; }
  const Eigen::VectorXd& p(std::size_t n) const { return p_[n / stride_]; }
  std::size_t bytes() const;

 private:
  std::size_t limit_, stride_ = 1, count_ = 0;
  std::vector<Eigen::VectorXd> q_, p_;
};

struct Trajectory {
  std::vector<double> t;           // where steps begin and end
  std::vector<Eigen::Index> part;  // of each step: the row of the efforts
  KeptStates states;
  std::vector<std::size_t> sampled;  // after how many steps each sample is taken

  std::size_t steps() const { return part.size(); }
};

// From the start, whose loops are closed, with velocities v: by the engine of Simulation, loops
// kept closed and momenta reset after each step. `generalized`: a row of efforts by velocity for
// each part of the run. Throws SimulationError, also where the run comes so near a singular pose
// that it has no derivative.
Trajectory record(const Model& model, const RunOptions& options, const State& start,
                  const Eigen::VectorXd& v, const Columns& generalized);

}  // namespace hamiltree::sensitivity
