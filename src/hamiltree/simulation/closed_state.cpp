#include "hamiltree/simulation/closed_state.hpp"

#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/counted.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/model/check_quaternions.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree {
namespace {

// The numbers if the joint can have them as q or v; quaternions with a length of 1.
Eigen::VectorXd given_to(const Model& model, const std::string& name,
                         const Eigen::VectorXd& numbers, char what) {
  const auto j = model.find_joint(name);
  if (!j) throw UsageError(model.name() + " has no joint \"" + name + "\"");
  const auto [needed, is_turned] = model.visit([&](const auto& system) {
    const auto& joint = system.joint(*j);
    return what == 'q' ? std::pair(joint.coordinates, joint.coordinates != joint.velocities)
                       : std::pair(joint.velocities, false);
  });
  const auto refuse = [&](const std::string& why) {
    throw UsageError("joint \"" + name + "\" " + why);
  };
  if (needed == 0) refuse("is fixed or driven, its coordinates cannot be given");
  if (numbers.size() != needed)
    refuse("has " +
           counted(needed, what == 'q' ? "coordinate" : "velocity",
                   what == 'q' ? "coordinates" : "velocities") +
           ", not " + std::to_string(numbers.size()));
  if (!numbers.allFinite()) refuse(std::string("is given a ") + what + " that is not finite");
  if (!is_turned) return numbers;
  const double length = numbers.tail<4>().norm();
  if (!(length > 0.0)) refuse("is given a quaternion without length");
  Eigen::VectorXd result = numbers;
  result.tail<4>() /= length;
  return result;
}

}  // namespace

InitialState closed_state(const Model& model, double t, const Eigen::VectorXd& near,
                          const GivenJoints& given) {
  if (near.size() != model.coordinate_count()) {
    throw UsageError("q has " + std::to_string(near.size()) + " entries, " + model.name() +
                     " has " + counted(model.coordinate_count(), "coordinate"));
  }
  if (!near.allFinite()) throw UsageError("q must be finite");
  check_quaternions(model, near);
  Eigen::VectorXd from = near;
  model.visit([&](const auto& system) { normalise_coordinates(system, from.data()); });
  std::vector<JointStart> starts(model.mechanism().joints.size());
  const auto start_of = [&](const std::string& name) -> JointStart& {
    return starts[at(model.described_joint(*model.find_joint(name)))];
  };
  model.visit([&](const auto& system) {
    for (int b = 0; b < system.body_count(); ++b) {
      const auto& joint = system.joint(b);
      if (joint.coordinates > 0)
        start_of(model.joint_name(b)).guess_q = from.segment(joint.q, joint.coordinates);
    }
  });
  for (const auto& [name, q] : given.q) {
    const auto numbers = given_to(model, name, q, 'q');
    auto& start = start_of(name);
    start.initial_q = numbers;
    start.guess_q.reset();
  }
  for (const auto& [name, v] : given.v) {
    const auto numbers = given_to(model, name, v, 'v');
    start_of(name).initial_v = numbers;
  }
  return initial_state(model.with_start(starts), t);
}

}  // namespace hamiltree
