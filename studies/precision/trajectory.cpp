#include "studies/precision/trajectory.hpp"

#include "hamiltree/simulation/simulation.hpp"
#include "studies/precision/reference.hpp"

namespace hamiltree::studies::round_off {
namespace {

// The chain with the given motion of its pins as the initial state of its joints.
Mechanism started(const TrajectoryCase& given) {
  Mechanism mechanism = chain(given.chain);
  const Model model(mechanism);
  const auto state = make_reference(model, given.chain)->state(given.pins);
  const Eigen::VectorXd q = rounded(state.q);
  const Eigen::VectorXd v = rounded(state.v);
  model.visit([&](const auto& system) {
    for (int b = 0; b < system.body_count(); ++b) {
      const auto& joint = system.joint(b);
      auto& described = mechanism.joints[at(model.described_joint(b))];
      described.initial_q = q.segment(joint.q, joint.coordinates);
      described.initial_v = v.segment(joint.v, joint.velocities);
    }
  });
  return mechanism;
}

Eigen::MatrixXd positions(const Model& model, const Sample& sample) {
  Eigen::MatrixXd positions(3, model.body_count());
  for (int b = 0; b < model.body_count(); ++b) {
    positions.col(model.described_body(b)) = sample.poses[at(b)].position;
  }
  return positions;
}

}  // namespace

Trajectory integrate(const TrajectoryCase& given) {
  const Model model(started(given));
  SimulationOptions options;
  options.formulation = given.formulation;
  options.integrator = DormandPrince{given.tolerance, given.tolerance};
  Simulation simulation(model, options);
  Recording recording;
  Trajectory result;
  try {
    simulation.run_until(given.duration, given.duration, recording);
    const auto& end = recording.samples.back();
    const auto reference = make_reference(model, given.chain);
    result.rates = rounded(reference->pin_rates(widened(end.q), widened(end.v)));
    result.positions = positions(model, end);
  } catch (const SimulationError& error) {
    result.failure = error.what();
  }
  const auto& summary = recording.summary;
  result.energy_error = summary.energy.max_relative_error;
  result.position_drift = summary.constraint.position_max;
  result.gap_before = summary.constraint.position_max_before;
  result.velocity_drift = summary.constraint.velocity_max;
  result.steps = summary.steps;
  result.rate_evaluations = summary.rate_evaluations;
  result.velocity_solves = summary.velocity_solves;
  result.wall_seconds = summary.wall_seconds;
  return result;
}

EndError end_error(const Trajectory& found, const Trajectory& exact) {
  return {(found.rates - exact.rates).norm() / exact.rates.norm(),
          (found.positions - exact.positions).colwise().norm().maxCoeff()};
}

}  // namespace hamiltree::studies::round_off
