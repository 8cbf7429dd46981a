// The independent engine where Simbody has been found. Coordinates, equations and integrator are
// Simbody's own; of ours it gets the mechanism as the user said it and the assembled pose.
#include <cmath>

#include "hamiltree/base/index.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "studies/turno2023/motion.hpp"
#include "studies/turno2023/simbody/twin.hpp"

namespace hamiltree::turno2023 {
namespace {

constexpr double kAccuracy = 1e-11;

TwinFrame twin_frame(const Frame& frame) {
  return {frame.position(0), frame.position(1),
          std::atan2(frame.rotation(1, 0), frame.rotation(0, 0))};
}

int twin_body(const Model& model, const std::string& name) {
  return name == kGround ? kTwinGround : *model.find_body(name);
}

// Joints of the tree come first, outwards, as in the model's tables.
TwinMechanism twin_of(const Model& model) {
  const auto& mechanism = model.mechanism();
  const auto start = initial_state(model);
  TwinMechanism twin;
  twin.gravity_x = mechanism.gravity(0);
  twin.gravity_y = mechanism.gravity(1);
  for (int b = 0; b < model.body_count(); ++b) {
    const auto& body = mechanism.bodies[at(model.described_body(b))];
    twin.bodies.push_back({body.mass, body.com(0), body.com(1), body.inertia(2, 2)});
  }
  for (int j = 0; j < model.joint_count(); ++j) {
    const auto& joint = mechanism.joints[at(model.described_joint(j))];
    const bool closes = j >= model.body_count();
    twin.pins.push_back({twin_body(model, joint.parent), twin_body(model, joint.child),
                         twin_frame(joint.at_parent), twin_frame(joint.at_child), closes,
                         closes ? 0.0 : start.q(j)});
  }
  return twin;
}

Eigen::VectorXd vector(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

Motion run(const Model& model, double until, double every) {
  Motion motion;
  for (const auto& sample : simbody_motion(twin_of(model), until, every, kAccuracy)) {
    motion.t.push_back(sample.t);
    motion.q.push_back(vector(sample.q));
    motion.v.push_back(vector(sample.v));
    motion.kinetic.push_back(sample.kinetic);
    motion.energy.push_back(sample.energy);
  }
  return motion;
}

}  // namespace

std::optional<IndependentEngine> independent_engine() {
  return IndependentEngine{"Simbody " + simbody_version(), run};
}

}  // namespace hamiltree::turno2023
