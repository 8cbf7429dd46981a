#include "hamiltree/model/check_quaternions.hpp"

#include "hamiltree/base/error.hpp"

namespace hamiltree {

void check_quaternions(const Model& model, const Eigen::VectorXd& q) {
  model.visit([&](const auto& system) {
    for (int b = 0; b < system.body_count(); ++b) {
      const auto& joint = system.joint(b);
      if (joint.coordinates == joint.velocities) continue;
      if (q.segment(joint.q, joint.coordinates).template tail<4>().norm() > 0.0) continue;
      throw UsageError("the quaternion of joint \"" + model.joint_name(b) + "\" has no length");
    }
  });
}

}  // namespace hamiltree
