#include "hamiltree/simulation/branches/branch_dynamics.hpp"

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/simulation/branches/differences.hpp"

namespace hamiltree::branches {
namespace {

constexpr double kDependentRows = 1e-10;

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
  const auto n = K.rows(), m = A.rows();
  if (n == 0) return {};
  // Rows and columns to the same size, so that what is dependent can be told.
  const Eigen::VectorXd scale = K.diagonal().cwiseAbs().cwiseSqrt().cwiseInverse();
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(n + m, n + m);
  Eigen::VectorXd right(n + m);
  whole.topLeftCorner(n, n) = scale.asDiagonal() * K * scale.asDiagonal();
  Eigen::MatrixXd rows = A * scale.asDiagonal();
  right << scale.cwiseProduct(f), r;
  for (Eigen::Index i = 0; i < m; ++i) {
    const double size = rows.row(i).norm();
    if (!(size > 0.0)) continue;
    rows.row(i) /= size;
    right(n + i) /= size;
  }
  whole.bottomLeftCorner(m, n) = rows;
  whole.topRightCorner(n, m) = rows.transpose();
  const Eigen::VectorXd solution = least_norm_solution(whole, right, kDependentRows);
  return scale.cwiseProduct(solution.head(n));
}

}  // namespace

BranchDynamics::BranchDynamics(const Model& model)
    : model_(model),
      probe_(make_probe(model)),
      open_(make_formulation("recursive", model.opened(), {.plane = false})),
      workspace_(open_->make_workspace()),
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

// How fast some rows open, m/s.
Eigen::VectorXd BranchDynamics::rows_at(double t, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& v, const std::vector<int>& rows) {
  probe_->set(t, q.data(), v.data());
  const auto& all = probe_->phi_rate();
  Eigen::VectorXd some(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    some(static_cast<Eigen::Index>(i)) = row_scales_[at(rows[i])] * all(rows[i]);
  return some;
}

Eigen::VectorXd BranchDynamics::coordinate_rates(double t, const Eigen::VectorXd& q,
                                                 const Eigen::VectorXd& v) {
  const Eigen::VectorXd p = momenta(t, q, v);
  open_->velocities({t, q.data(), p.data()}, nullptr, *workspace_);
  return Eigen::Map<const Eigen::VectorXd>(workspace_->q_dot.data(), q.size());
}

BranchDynamics::Reduced BranchDynamics::reduced(double t, const Eigen::VectorXd& q,
                                                const std::vector<Freedom>& freedoms) {
  Reduced now{columns(freedoms), {}, {}};
  const auto rows = rows_outside(freedoms);
  now.MT.resize(now.T.rows(), now.T.cols());
  now.A.resize(static_cast<Eigen::Index>(rows.size()), now.T.cols());
  for (Eigen::Index k = 0; k < now.T.cols(); ++k) {
    now.MT.col(k) = momenta(t, q, now.T.col(k));
    if (!rows.empty()) now.A.col(k) = rows_at(t, q, now.T.col(k), rows);
  }
  return now;
}

Eigen::VectorXd BranchDynamics::closest(double t, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& v,
                                        const std::vector<Freedom>& freedoms) {
  const auto now = reduced(t, q, freedoms);
  const auto held = static_cast<Eigen::Index>(velocities_outside(freedoms).size());
  const auto own = now.T.cols() - held;
  Eigen::VectorXd u = Eigen::VectorXd::Zero(now.T.cols());
  for (Eigen::Index k = 0; k < held; ++k) u(k) = now.T.col(k).dot(v);
  const Eigen::MatrixXd MT = now.MT.rightCols(own);
  const Eigen::VectorXd rest = v - now.T.leftCols(held) * u.head(held);
  u.tail(own) = solve_with_rows(MT.transpose() * now.T.rightCols(own), Eigen::MatrixXd(0, own),
                                MT.transpose() * rest, Eigen::VectorXd(0));
  return u;
}

BranchDynamics::Accelerations BranchDynamics::accelerations(double t, const Eigen::VectorXd& q,
                                                            const Eigen::VectorXd& u,
                                                            const std::vector<Freedom>& freedoms) {
  const auto now = reduced(t, q, freedoms);
  const Eigen::VectorXd v = now.T * u;
  const Eigen::VectorXd p = momenta(t, q, v);
  const StateView state{t, q.data(), p.data()};
  Accelerations result;
  if (open_->accelerations(state, *workspace_) != Status::kOk) return result;
  // (1)
  Eigen::VectorXd rest = Eigen::Map<const Eigen::VectorXd>(workspace_->v_dot.data(), v.size());
  result.q_rate = Eigen::Map<const Eigen::VectorXd>(workspace_->q_dot.data(), q.size());
  for (const auto& freedom : freedoms) {
    const auto& own = freedom.block->velocities();
    for (std::size_t i = 0; i < own.size(); ++i)
      rest(own[i]) -= freedom.gamma(static_cast<Eigen::Index>(i));
  }
  // (3)
  const auto rows = rows_outside(freedoms);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(now.A.rows());
  const double fastest = v.cwiseAbs().maxCoeff() + result.q_rate.cwiseAbs().maxCoeff();
  if (!rows.empty() && fastest > 0.0) {
    right = -rate_by_differences(
        0.01 / fastest, [&](double dt) { return rows_at(t, q + dt * result.q_rate, v, rows); });
  }
  // (2)
  const Eigen::MatrixXd K = now.MT.transpose() * now.T;
  const Eigen::VectorXd f = now.MT.transpose() * rest;
  result.u_rate = solve_with_rows(K, now.A, f, right);
  result.gain = 2.0 * result.u_rate.dot(f) - result.u_rate.dot(K * result.u_rate);
  open_->rate(state, *workspace_);
  result.power = open_->power(state, *workspace_);
  result.finite = result.u_rate.allFinite() && result.q_rate.allFinite();
  return result;
}

void BranchDynamics::project(double t, Eigen::VectorXd& q, Eigen::VectorXd& u,
                             const std::vector<Freedom>& freedoms) {
  const auto rows = rows_outside(freedoms);
  if (rows.empty()) return;
  const auto count = static_cast<Eigen::Index>(rows.size());
  {
    const auto now = reduced(t, q, freedoms);
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
        solve_with_rows(K, now.A.leftCols(free), Eigen::VectorXd::Zero(free), -gaps);
    q += coordinate_rates(t, q, now.T.leftCols(free) * step);
    probe_->normalise(q.data());
  }
  const auto now = reduced(t, q, freedoms);
  const Eigen::MatrixXd K = now.MT.transpose() * now.T;
  u = solve_with_rows(K, now.A, K * u, Eigen::VectorXd::Zero(count));
}

}  // namespace hamiltree::branches
