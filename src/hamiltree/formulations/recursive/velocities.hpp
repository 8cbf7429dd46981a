// Forward pass of the recursive algorithm: from the base to the tips, joint velocities from momenta
// [Naudet2003 eq. 45].
#pragma once

#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/recursive/assembly.hpp"

namespace hamiltree::recursive {

//   (1)  qdot = Mj^-1 (p - E^T (D + M* X^T V_parent))
//   (2)  V = X^T V_parent + E qdot
template <class Space>
void solve_velocities(const System<Space>& system, const typename Space::Scalar* p,
                      const std::vector<Articulated<Space>>& bodies,
                      std::vector<typename Space::Motion>& V, typename Space::Scalar* v) {
  using Scalar = typename Space::Scalar;
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    const auto& body = bodies[at(b)];
    typename Space::Motion V_b = Space::Motion::Zero();
    if (joint.parent != kNone) {
      V_b = motion_to_child<Space>(body.X_PB, V[at(joint.parent)]);
    }
    visit_joint<Space>(joint.type, [&]<class J>(J) {
      if constexpr (J::kVelocities > 0) {
        // (1)
        const auto U = motion_columns<J, Space>(body.M);
        const Ldl<Scalar, J::kVelocities> Mj(motion_rows<J, Space>(U));
        const Eigen::Matrix<Scalar, J::kVelocities, 1> e =
            joint_momenta<J>(joint, p) - project_motion<J, Space>(body.D) - U.transpose() * V_b;
        const auto q_dot = Mj.solve(e);
        // (2)
        V_b += motion<J, Space>(q_dot.data());
        for (int i = 0; i < J::kVelocities; ++i) v[joint.v + i] = Scalar(joint.sign) * q_dot(i);
      }
    });
    V[at(b)] = V_b;
  }
}

}  // namespace hamiltree::recursive
