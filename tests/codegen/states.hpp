// States around those that a mechanism passes through: loops closed, in motion, at several times,
// and with impulses in the loops.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "hamiltree/simulation/probe.hpp"
#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree::test {

// `count` states after random pushes at the start, of about one rad/s or m/s a joint.
inline std::vector<State> states_of(const Model& model, const StateView& start, std::uint64_t seed,
                                    int count) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  State state{start.t, Eigen::Map<const Eigen::VectorXd>(start.q, model.coordinate_count()),
              Eigen::Map<const Eigen::VectorXd>(start.u, model.velocity_count())};
  const auto probe = make_probe(model);
  probe->set(state.t, state.q.data(), Eigen::VectorXd::Zero(state.p.size()).eval().data());
  const Eigen::VectorXd inertias = probe->joint_inertias();
  std::vector<State> states;
  SimulationOptions options;
  options.integrator = DormandPrince{1e-6, 1e-6};
  const auto push = [&](State& s) {
    for (Eigen::Index i = 0; i < s.p.size(); ++i) s.p(i) += inertias(i) * uniform(random);
  };
  while (static_cast<int>(states.size()) < count) {
    State pushed = state;
    push(pushed);
    Simulation simulation(model, options, pushed);
    for (const double t : {0.02, 0.05, 0.11, 0.2}) {
      simulation.run_until(t, kEveryStep);
      states.push_back(simulation.state());
      push(states.back());
    }
  }
  states.resize(static_cast<std::size_t>(count));
  return states;
}

}  // namespace hamiltree::test
