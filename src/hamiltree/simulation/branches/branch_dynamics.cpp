#include "hamiltree/simulation/branches/branch_dynamics.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/dense_solvers.hpp"

namespace hamiltree::branches {
namespace {

constexpr double kDependentRows = 1e-10;
constexpr double kNoInertia = 1e-14;  // of the largest

// Those of 0 .. count - 1 that no block has.
template <class Of>
std::vector<int> outside(const std::vector<Freedom>& freedoms, int count, const Of& of) {
  std::vector<bool> taken(at(count), false);
  for (const auto& freedom : freedoms) {
    for (const int i : of(*freedom.block)) taken[at(i)] = true;
  }
  std::vector<int> rest;
  for (int i = 0; i < count; ++i) {
    if (!taken[at(i)]) rest.push_back(i);
  }
  return rest;
}

// x of  [ K  A^T ; A  0 ] [ x ; y ] = [ f ; r ], where rows of A may depend on each other.
Eigen::VectorXd solve_with_rows(const Eigen::MatrixXd& K, const Eigen::MatrixXd& A,
                                const Eigen::VectorXd& f, const Eigen::VectorXd& r) {
  const auto n = K.rows();
  if (n == 0) return {};
  // Rows and columns to the same size, so that what is dependent can be told.
  const double least = std::max(kNoInertia * K.diagonal().maxCoeff(), 1e-300);
  const Eigen::VectorXd scale = K.diagonal().cwiseMax(least).cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd rows = A * scale.asDiagonal();
  // What nothing moves is rounding, and no row.
  const Eigen::VectorXd sizes = rows.rowwise().norm();
  std::vector<Eigen::Index> moved;
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    if (sizes(i) > kDependentRows * sizes.maxCoeff()) moved.push_back(i);
  const auto m = std::ssize(moved);
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(n + m, n + m);
  Eigen::VectorXd right(n + m);
  whole.topLeftCorner(n, n) = scale.asDiagonal() * K * scale.asDiagonal();
  whole.bottomLeftCorner(m, n) = sizes(moved).cwiseInverse().asDiagonal() * rows(moved, Eigen::all);
  whole.topRightCorner(n, m) = whole.bottomLeftCorner(m, n).transpose();
  right << scale.cwiseProduct(f), r(moved).cwiseQuotient(sizes(moved));
  const Eigen::VectorXd solution = least_norm_solution(whole, right, kDependentRows);
  return scale.cwiseProduct(solution.head(n));
}

}  // namespace

Freedom freedom_at(const LoopBlock& block, const Eigen::VectorXd& x,
                   const Eigen::MatrixXd& directions, const Eigen::VectorXd& x_rate,
                   const Eigen::VectorXd& curvature) {
  const auto n = static_cast<Eigen::Index>(block.velocities().size());
  Freedom freedom{&block, Eigen::MatrixXd(n, directions.cols()),
                  directions.bottomRows(block.size() - n),
                  block.accelerations(x, x_rate, curvature), curvature.tail(block.size() - n)};
  for (Eigen::Index k = 0; k < directions.cols(); ++k)
    freedom.T.col(k) = block.velocities(x, directions.col(k));
  return freedom;
}
Freedom freedom_at_home(const LoopBlock& block, const Eigen::MatrixXd& directions) {
  const Eigen::VectorXd home = Eigen::VectorXd::Zero(block.size());
  return freedom_at(block, home, directions, home, home);
}

BranchDynamics::BranchDynamics(const Model& model)
    : model_(model),
      probe_(make_probe(model)),
      open_(make_open_mechanism(model)),
      row_scales_(model.visit([](const auto& system) { return system.row_scales; })) {}

std::vector<int> BranchDynamics::velocities_outside(const std::vector<Freedom>& freedoms) const {
  return outside(freedoms, model_.velocity_count(),
                 [](const LoopBlock& block) { return block.velocities(); });
}

std::vector<int> BranchDynamics::rows_outside(const std::vector<Freedom>& freedoms) const {
  return outside(freedoms, model_.constraint_count(),
                 [](const LoopBlock& block) { return block.rows(); });
}

int BranchDynamics::size(const std::vector<Freedom>& freedoms) const {
  auto count = static_cast<int>(velocities_outside(freedoms).size());
  for (const auto& freedom : freedoms) count += static_cast<int>(freedom.T.cols());
  return count;
}

// T
Eigen::MatrixXd BranchDynamics::columns(const std::vector<Freedom>& freedoms) const {
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(model_.velocity_count(), size(freedoms));
  Eigen::Index column = 0;
  for (const int v : velocities_outside(freedoms)) T(v, column++) = 1.0;
  for (const auto& freedom : freedoms) {
    const auto& own = freedom.block->velocities();
    for (std::size_t i = 0; i < own.size(); ++i)
      T.row(own[i]).segment(column, freedom.T.cols()) = freedom.T.row(static_cast<Eigen::Index>(i));
    column += freedom.T.cols();
  }
  return T;
}

Eigen::VectorXd BranchDynamics::velocities(const std::vector<Freedom>& freedoms,
                                           const Eigen::VectorXd& u) const {
  return columns(freedoms) * u;
}

Eigen::VectorXd BranchDynamics::momenta(double t, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& v) {
  Eigen::VectorXd p(v.size());
  probe_->set(t, q.data(), v.data());
  probe_->momenta(p.data());
  return p;
}

double BranchDynamics::square(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  Eigen::VectorXd p;
  open_->place(t, q);
  open_->opening(v, p);
  return v.dot(p);
}

BranchDynamics::Reduced BranchDynamics::reduced(double t, const Eigen::VectorXd& q,
                                                const std::vector<Freedom>& freedoms) {
  Reduced now{columns(freedoms), {}, {}, {}};
  const auto rows = rows_outside(freedoms);
  auto count = static_cast<Eigen::Index>(rows.size());
  for (const auto& freedom : freedoms) count += freedom.clock.rows();
  now.MT.resize(now.T.rows(), now.T.cols());
  now.A = Eigen::MatrixXd::Zero(count, now.T.cols());
  now.a.resize(count);
  open_->place(t, q);
  Eigen::VectorXd p;
  for (Eigen::Index k = 0; k < now.T.cols(); ++k) {
    const Eigen::VectorXd opening = open_->opening(now.T.col(k), p);
    now.MT.col(k) = p;
    now.A.col(k).head(static_cast<Eigen::Index>(rows.size())) = opening(rows);
  }
  now.a.head(static_cast<Eigen::Index>(rows.size())) = open_->opening_of_drives()(rows);
  auto row = static_cast<Eigen::Index>(rows.size());
  auto column = now.T.cols();
  for (const auto& freedom : freedoms) column -= freedom.T.cols();
  for (const auto& freedom : freedoms) {
    if (freedom.clock.rows() > 0) {
      now.A.row(row).segment(column, freedom.T.cols()) = freedom.clock;
      now.a(row++) = -freedom.block->home().clock_rate;
    }
    column += freedom.T.cols();
  }
  return now;
}

Eigen::VectorXd BranchDynamics::closest(double t, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& v,
                                        const std::vector<Freedom>& freedoms) {
  const auto now = reduced(t, q, freedoms);
  const auto held = static_cast<Eigen::Index>(velocities_outside(freedoms).size());
  const auto own = now.T.cols() - held;
  const auto clocks = now.A.rows() - static_cast<Eigen::Index>(rows_outside(freedoms).size());
  Eigen::VectorXd u = Eigen::VectorXd::Zero(now.T.cols());
  for (Eigen::Index k = 0; k < held; ++k) u(k) = now.T.col(k).dot(v);
  const Eigen::MatrixXd MT = now.MT.rightCols(own);
  const Eigen::VectorXd rest = v - now.T.leftCols(held) * u.head(held);
  u.tail(own) =
      solve_with_rows(MT.transpose() * now.T.rightCols(own), now.A.bottomRightCorner(clocks, own),
                      MT.transpose() * rest, -now.a.tail(clocks));
  return u;
}

BranchDynamics::Accelerations BranchDynamics::accelerations(double t, const Eigen::VectorXd& q,
                                                            const Eigen::VectorXd& u,
                                                            const std::vector<Freedom>& freedoms) {
  const auto now = reduced(t, q, freedoms);
  const Eigen::VectorXd v = now.T * u;
  Eigen::VectorXd gamma = Eigen::VectorXd::Zero(v.size());
  for (const auto& freedom : freedoms) gamma(freedom.block->velocities()) = freedom.gamma;
  const auto asked = open_->demand(v, gamma);
  // (3)
  const auto rows = rows_outside(freedoms);
  Eigen::VectorXd right(now.A.rows());
  right.head(static_cast<Eigen::Index>(rows.size())) = -asked.opening(rows);
  auto row = static_cast<Eigen::Index>(rows.size());
  for (const auto& freedom : freedoms) {
    if (freedom.clock.rows() > 0) right(row++) = -freedom.clock_gamma(0);
  }
  // (2)
  const Eigen::MatrixXd K = now.MT.transpose() * now.T;
  const Eigen::VectorXd f = -now.T.transpose() * asked.efforts;
  Accelerations result;
  result.u_rate = solve_with_rows(K, now.A, f, right);
  result.q_rate = open_->coordinate_rates(v);
  result.gain = 2.0 * result.u_rate.dot(f) - result.u_rate.dot(K * result.u_rate);
  const bool drives = model_.visit([](const auto& system) { return !system.drives.empty(); });
  result.power = drives ? open_->demand(v, now.T * result.u_rate + gamma).power : asked.power;
  result.finite = result.u_rate.allFinite() && result.q_rate.allFinite();
  return result;
}

void BranchDynamics::project(double t, Eigen::VectorXd& q, Eigen::VectorXd& u,
                             const std::vector<Freedom>& freedoms) {
  const auto rows = rows_outside(freedoms);
  auto now = reduced(t, q, freedoms);
  if (now.A.rows() == 0) return;
  if (!rows.empty()) {
    const auto count = static_cast<Eigen::Index>(rows.size());
    const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(now.T.rows());
    probe_->set(t, q.data(), at_rest.data());
    const auto& phi = probe_->phi();
    Eigen::VectorXd gaps(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const int row = rows[static_cast<std::size_t>(i)];
      gaps(i) = row_scales_[at(row)] * phi(row);
    }
    // Only joints outside the blocks move.
    const auto free = static_cast<Eigen::Index>(velocities_outside(freedoms).size());
    const Eigen::MatrixXd K = now.MT.leftCols(free).transpose() * now.T.leftCols(free);
    const Eigen::VectorXd step =
        solve_with_rows(K, now.A.topLeftCorner(count, free), Eigen::VectorXd::Zero(free), -gaps);
    q += open_->coordinate_rates(now.T.leftCols(free) * step);
    probe_->normalise(q.data());
    now = reduced(t, q, freedoms);
  }
  const Eigen::MatrixXd K = now.MT.transpose() * now.T;
  u = solve_with_rows(K, now.A, K * u, -now.a);
}

}  // namespace hamiltree::branches
