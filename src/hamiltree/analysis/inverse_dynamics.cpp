#include "hamiltree/analysis/inverse_dynamics.hpp"

#include "hamiltree/base/error.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/simulation/recording_header.hpp"

namespace hamiltree::analysis {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRank = 1e-10;  // of the largest products in T^T S: what is below it moves nothing
constexpr double kOpen = 1e-9;   // of the rates of an output

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

double largest_of(const MatrixXd& A) { return A.size() == 0 ? 0.0 : A.cwiseAbs().maxCoeff(); }

// Singular values below `rounding` count as zero.
PseudoInverse pseudo_inverse_of(const MatrixXd& A, double rounding) {
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
  const MatrixXd& T = pose.motions();
  const double rounding = kRank * largest_of(T) * largest_of(acting);
  result.efforts = pseudo_inverse_of(T.transpose() * acting, rounding).matrix * wanted;
  result.unbalanced = wanted - pose.motions().transpose() * acting * result.efforts;
  return result;
}

MatrixXd transmission(ModelAtPose& pose, const std::vector<std::string>& inputs,
                      const std::vector<std::string>& outputs) {
  const auto driven = pose.moving_joints(outputs);
  const MatrixXd R_in = pose.rates_of(pose.moving_joints(inputs)), R_out = pose.rates_of(driven);
  const auto inverse = pseudo_inverse_of(R_in, kRank * largest_of(pose.motions()));
  const MatrixXd J = R_out * inverse.matrix;
  const MatrixXd open = R_out - J * R_in;
  Eigen::Index row = 0;
  for (const auto& name : velocity_names(pose.model(), driven)) {
    const double rounding = kOpen * (R_out.row(row).norm() + J.row(row).norm() * largest_of(R_in));
    if (open.row(row++).norm() <= rounding) continue;
    throw UsageError("the inputs do not determine the rate of \"" + name + "\": they leave " +
                     std::to_string(pose.freedom() - inverse.rank) + " of " +
                     std::to_string(pose.freedom()) + " degrees of freedom of " +
                     pose.model().name() + " open");
  }
  return J;
}

}  // namespace hamiltree::analysis
