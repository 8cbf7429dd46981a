#include "hamiltree/simulation/branches/reduced_loops.hpp"

#include <limits>

#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/simulation/branches/differences.hpp"

namespace hamiltree::branches {
namespace {

constexpr int kNewtonSteps = 16;
constexpr double kRounding = 1e-15;  // of the length
constexpr double kDependent = 1e-10;

}  // namespace

ReducedLoops::ReducedLoops(LoopBlock& block, int rank) : block_(block) {
  const auto svd = singular_value_decomposition(block.gaps(Eigen::VectorXd::Zero(block.size())).J);
  U_ = svd.U.leftCols(rank);
  U0_ = svd.U.rightCols(svd.U.cols() - rank);
  V_ = svd.V.leftCols(rank);
  N_ = svd.V.rightCols(svd.V.cols() - rank);
}

// Newton over y.
ReducedLoops::Point ReducedLoops::point(const Eigen::VectorXd& x, const Point* near) const {
  Eigen::VectorXd y = near != nullptr ? near->dependent : Eigen::VectorXd::Zero(V_.cols()).eval();
  Eigen::VectorXd displacement;
  LoopBlock::Gaps gaps;
  Eigen::MatrixXd B;
  double last = std::numeric_limits<double>::infinity(), size = 0.0;
  for (int i = 0; i < kNewtonSteps; ++i) {
    displacement = N_ * x + V_ * y;
    gaps = block_.gaps(displacement);
    if (V_.cols() == 0) break;
    B = U_.transpose() * gaps.J * V_;
    const Eigen::VectorXd rest = U_.transpose() * gaps.phi;
    size = rest.cwiseAbs().maxCoeff();
    if (!(size < last) || size < kRounding * block_.length()) break;
    last = size;
    y -= least_norm_solution(B, rest, kDependent);
  }
  Point result{displacement, y, U0_.transpose() * gaps.phi, U0_.transpose() * gaps.J * N_, size};
  if (V_.cols() == 0) return result;
  // One column after the other: products of matrices sum in another order.
  Eigen::MatrixXd rates(U_.cols(), N_.cols());
  for (Eigen::Index k = 0; k < N_.cols(); ++k) rates.col(k) = U_.transpose() * (gaps.J * N_.col(k));
  const Eigen::MatrixXd along = least_norm_solutions(B, rates, kDependent);
  for (Eigen::Index k = 0; k < N_.cols(); ++k)
    result.phi_x.col(k) -= U0_.transpose() * (gaps.J * (V_ * along.col(k)));
  return result;
}

// J is differentiated along each direction of the kernel.
std::vector<Eigen::MatrixXd> ReducedLoops::forms() const {
  const auto k = N_.cols(), e = U0_.cols();
  std::vector<Eigen::MatrixXd> forms(static_cast<std::size_t>(e), Eigen::MatrixXd(k, k));
  const double h = 0.02 * block_.length();
  for (Eigen::Index i = 0; i < k; ++i) {
    const Eigen::MatrixXd along = rate_by_differences(
        h, [&](double x) -> Eigen::MatrixXd { return block_.gaps(x * N_.col(i)).J; });
    const Eigen::MatrixXd rows = U0_.transpose() * along * N_;
    for (Eigen::Index j = 0; j < e; ++j) forms[static_cast<std::size_t>(j)].row(i) = rows.row(j);
  }
  for (auto& A : forms) A = Eigen::MatrixXd(0.5 * block_.length() * (A + A.transpose()));
  return forms;
}

Eigen::VectorXd singular_values(const Eigen::MatrixXd& J) {
  const auto svd = singular_value_decomposition(J);
  Eigen::VectorXd values = Eigen::VectorXd::Zero(J.rows());
  const auto count = svd.values.size();
  if (count > 0 && svd.values(0) > 0.0) values.head(count) = svd.values / svd.values(0);
  return values;
}

}  // namespace hamiltree::branches
