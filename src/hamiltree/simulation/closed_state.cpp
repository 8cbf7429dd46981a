#include "hamiltree/simulation/closed_state.hpp"

#include <string>
#include <vector>

#include "hamiltree/base/counted.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree {
namespace {

// Whether q or v holds numbers that the joint can have.
void check_given(const Model& model, const std::string& name, const Eigen::VectorXd& numbers,
                 char what) {
  const auto j = model.find_joint(name);
  if (!j) throw UsageError(model.name() + " has no joint \"" + name + "\"");
  const int needed = model.visit([&](const auto& system) {
    const auto& joint = system.joint(*j);
    return what == 'q' ? joint.coordinates : joint.velocities;
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
}

}  // namespace

InitialState closed_state(const Model& model, double t, const Eigen::VectorXd& near,
                          const GivenJoints& given) {
  if (near.size() != model.coordinate_count()) {
    throw UsageError("q has " + std::to_string(near.size()) + " entries, " + model.name() +
                     " has " + counted(model.coordinate_count(), "coordinate"));
  }
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
    check_given(model, name, q, 'q');
    start_of(name).initial_q = q;
    start_of(name).guess_q.reset();
  }
  for (const auto& [name, v] : given.v) {
    check_given(model, name, v, 'v');
    start_of(name).initial_v = v;
  }
  return initial_state(model.with_start(starts), t);
}

}  // namespace hamiltree
