#include "support/newton_euler.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "support/on_duals.hpp"

namespace hamiltree::test {

template <class Space>
Balance newton_euler(const System<Space>& system, const Formulation& formulation,
                     const Workspace& workspace, double t, const Eigen::VectorXd& q) {
  using DualSpace = typename Space::template Rebind<Dual>;
  const System<DualSpace> dual_system = system.without_forces().template cast<Dual>();
  Kinematics<DualSpace> moving(dual_system);
  std::vector<Dual> q_dual, v_dual;
  for (std::size_t i = 0; i < workspace.q_dot.size(); ++i) {
    q_dual.emplace_back(q(static_cast<Eigen::Index>(i)), workspace.q_dot[i]);
  }
  for (std::size_t i = 0; i < workspace.v.size(); ++i) {
    v_dual.emplace_back(workspace.v[i], workspace.v_dot[i]);
  }
  place(dual_system, Dual(t, 1.0), q_dual.data(), moving);
  move(dual_system, v_dual.data(), moving);

  // The wrenches on bodies, without the efforts along joints and, for the balance of each body,
  // without what acts in other joints: reactions contain both.
  System<Space> without_efforts = system;
  without_efforts.joint_springs.clear();
  without_efforts.joint_stops.clear();
  without_efforts.frictions.clear();
  without_efforts.actuators.clear();
  without_efforts.curve_springs.clear();
  without_efforts.joint_callbacks.clear();
  without_efforts.control_laws.clear();
  System<Space> outside_joints = without_efforts;
  outside_joints.ball_stops.clear();
  outside_joints.body_frictions.clear();
  Kinematics<Space> kin(system);
  place(system, t, q.data(), kin);
  move(system, workspace.v.data(), kin);
  Loads<Space> loads(system);
  evaluate_loads(outside_joints, kin, t, q.data(), loads);

  Balance balance;
  std::vector<typename Space::Force> left(system.bodies.size());
  const auto note = [&](const typename Space::Force& F) {
    balance.size = std::max(balance.size, F.cwiseAbs().maxCoeff());
  };
  for (int b = 0; b < system.body_count(); ++b) {
    const auto P = body_momentum(dual_system, moving, b);
    typename Space::Position p;
    for (int i = 0; i < Space::kDimension; ++i) left[at(b)](i) = -P(i).derivative;
    for (int i = 0; i < Space::kLinear; ++i) p(i) = P(i).value;
    // P is about the body's moving origin.
    left[at(b)].template tail<Space::kAngular>() -=
        Space::moment(linear<Space>(kin.velocity(b)), p);
    note(left[at(b)]);
    note(loads.body[at(b)]);
    left[at(b)] += loads.body[at(b)];
  }
  double power = 0.0;
  for (int j = 0; j < system.joint_count(); ++j) {
    const auto& joint = system.joint(j);
    const auto reaction = formulation.reaction(j, workspace);
    const typename Space::Force F = stack<Space>(reaction.force.head<Space::kLinear>(),
                                                 reaction.moment.tail<Space::kAngular>());
    note(F);
    apply_pair(kin, joint.parent, joint.child, kin.origin(j), F, left);
    // The power of constraints, which comes through the drives alone.
    const double given = F.dot(prescribed_motion(system, kin, j));
    evaluate_loads(system, kin, t, q.data(), loads);
    const bool driven = joint.velocities == 0 && joint.along != kNone;
    const double along =
        joint.along == kNone || driven ? 0.0 : loads.effort[at(j)] * joint_rate(system, kin, j);
    power += given + along;
  }
  for (const auto& F : left) balance.residual = std::max(balance.residual, F.cwiseAbs().maxCoeff());
  // dT/dt = power of the joints + power of gravity and forces on bodies
  evaluate_loads(without_efforts, kin, t, q.data(), loads);
  for (int b = 0; b < system.body_count(); ++b) power += loads.body[at(b)].dot(kin.velocity(b));
  const double rate = hamiltree::kinetic_energy(dual_system, moving).derivative;
  double fastest = 1.0;  // of mechanisms of ordinary size
  for (const auto& V : kin.V_WB) fastest = std::max(fastest, V.cwiseAbs().maxCoeff());
  balance.power_size = balance.size * fastest;
  balance.power_residual = std::abs(rate - power);
  return balance;
}

template Balance newton_euler(const System<Planar<double>>&, const Formulation&, const Workspace&,
                              double, const Eigen::VectorXd&);
template Balance newton_euler(const System<Spatial<double>>&, const Formulation&, const Workspace&,
                              double, const Eigen::VectorXd&);

}  // namespace hamiltree::test
