#include "hamiltree/simulation/state_jacobian.hpp"

#include <Eigen/Core>

namespace hamiltree {

StateJacobian::StateJacobian(const Model& model, const Formulation& formulation)
    : analytic_(derivatives::make_analytic(model, formulation)) {}

bool StateJacobian::find(const StateView& state, Workspace& workspace, int size, double* J) {
  if (!analytic_ || !analytic_->find(state, workspace, jacobians_) || !analytic_->is_finite())
    return false;
  const auto& by_q = jacobians_.q;
  const auto& by_p = jacobians_.p;
  const auto nq = by_q.q_dot.cols(), nv = by_p.q_dot.cols();
  Eigen::Map<Eigen::MatrixXd> all(J, size, size);
  all.setZero();
  all.topLeftCorner(nq, nq) = by_q.q_dot;
  all.block(0, nq, nq, nv) = by_p.q_dot;
  all.block(nq, 0, nv, nq) = by_q.p_dot;
  all.block(nq, nq, nv, nv) = by_p.p_dot;
  return true;
}

}  // namespace hamiltree
