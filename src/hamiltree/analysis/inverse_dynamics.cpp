#include "hamiltree/analysis/inverse_dynamics.hpp"

#include "hamiltree/base/error.hpp"
#include "hamiltree/math/dense_solvers.hpp"

namespace hamiltree::analysis {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRank = 1e-10;  // of the largest products in T^T S: what is below it moves nothing

void check(const VectorXd& x, const char* name, const ModelAtPose& pose) {
  if (!x.allFinite()) throw UsageError(std::string(name) + " must be finite");
  if (x.size() == pose.freedom()) return;
  throw UsageError(std::string(name) + " has " + std::to_string(x.size()) + " entries, " +
                   pose.model().name() + " has " + std::to_string(pose.freedom()) +
                   " independent velocities");
}

// v_dot with these independent rates: whatever the rows of the loops miss is closed.
VectorXd accelerations_of(ModelAtPose& pose, const VectorXd& v, const VectorXd& u_dot) {
  const VectorXd v_dot = pose.motions() * u_dot;
  derivatives::Inverted missed;
  pose.tangents().invert(derivatives::Sweep::kForces,
                         {pose.t(), pose.q().data(), v.data(), v_dot.data()}, {}, 0, 0.0, missed);
  return v_dot + pose.closing(missed.closing);
}

// The pseudo-inverse of T^T S; singular values within the rounding of its sums count as zero.
PseudoInverse inverse_of_product(const MatrixXd& T, const MatrixXd& S) {
  const MatrixXd A = T.transpose() * S;
  const double rounding =
      A.size() == 0 ? 0.0 : kRank * T.cwiseAbs().maxCoeff() * S.cwiseAbs().maxCoeff();
  if (!(A.norm() > rounding)) return {MatrixXd::Zero(A.cols(), A.rows()), 0};
  return pseudo_inverse(A, rounding / A.norm());
}

}  // namespace

InverseDynamics inverse_dynamics(ModelAtPose& pose, const VectorXd& u, const VectorXd& u_dot,
                                 const std::vector<std::string>& joints) {
  check(u, "u", pose);
  check(u_dot, "u_dot", pose);
  InverseDynamics result;
  result.v = pose.motions() * u + pose.driven();
  result.v_dot = accelerations_of(pose, result.v, u_dot);
  const VectorXd missing = pose.derivatives().missing_forces(pose.t(), pose.q().data(),
                                                             result.v.data(), result.v_dot.data());
  const VectorXd wanted = pose.motions().transpose() * missing;
  const MatrixXd acting = pose.efforts_on(pose.joints(joints));
  result.efforts = inverse_of_product(pose.motions(), acting).matrix * wanted;
  result.unbalanced = wanted - pose.motions().transpose() * acting * result.efforts;
  return result;
}

MatrixXd transmission(ModelAtPose& pose, const std::vector<std::string>& inputs,
                      const std::vector<std::string>& outputs) {
  const MatrixXd& T = pose.motions();
  // R_in^+ = (T^T S_in)^+^T
  const auto inverse = inverse_of_product(T, pose.efforts_on(pose.joints(inputs)));
  if (inverse.rank < pose.freedom()) {
    throw UsageError("the inputs leave " + std::to_string(pose.freedom() - inverse.rank) + " of " +
                     std::to_string(pose.freedom()) + " degrees of freedom of " +
                     pose.model().name() + " open");
  }
  return pose.efforts_on(pose.joints(outputs)).transpose() * T * inverse.matrix.transpose();
}

}  // namespace hamiltree::analysis
