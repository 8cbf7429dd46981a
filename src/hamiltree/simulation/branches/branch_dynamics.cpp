#include "hamiltree/simulation/branches/branch_dynamics.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/dense_solvers.hpp"

namespace hamiltree::branches {
namespace {

constexpr double kDependentRows = 1e-10;
constexpr double kNoInertia = 1e-14;  // of the largest
constexpr double kLostReaction =
    1e-8;  // of the largest pivot of rows: rounding takes half the digits
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPart = 1e-8;  // of the largest component: what is smaller is rounding

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

// Where each of `some` stands in `all`, which ascend.
std::vector<int> places(const std::vector<int>& some, const std::vector<int>& all) {
  std::vector<int> found;
  for (const int i : some)
    found.push_back(static_cast<int>(std::ranges::lower_bound(all, i) - all.begin()));
  return found;
}

// x of  [ K  A^T ; A  0 ] [ x ; y ] = [ f ; r ], where rows of A may depend on each other. Each
// block has rows and columns of its own:
//   (4)  A x = r,   x = x_r + N z,   A N = 0
//   (5)  N^T K N z = N^T (f - K x_r)
Eigen::VectorXd solve_with_rows(const Eigen::MatrixXd& K, const Eigen::MatrixXd& A,
                                const std::vector<BranchDynamics::RowBlock>& blocks,
                                const Eigen::VectorXd& f, const Eigen::VectorXd& r) {
  const auto n = K.rows();
  if (n == 0) return {};
  // Rows and columns to the same size, so that what is dependent can be told.
  const double least = std::max(kNoInertia * K.diagonal().maxCoeff(), 1e-300);
  const Eigen::VectorXd scale = K.diagonal().cwiseMax(least).cwiseSqrt().cwiseInverse();
  // (4)
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
  Eigen::MatrixXd N = Eigen::MatrixXd::Zero(n, n);
  Eigen::Index free = 0;
  std::vector<bool> in_block(static_cast<std::size_t>(n), false);
  for (const auto& [rows, columns] : blocks) {
    const Eigen::MatrixXd own = A(rows, columns) * scale(columns).asDiagonal();
    // What nothing moves is rounding, and no row.
    const Eigen::VectorXd sizes = own.rowwise().norm();
    std::vector<Eigen::Index> moved;
    for (Eigen::Index i = 0; i < own.rows(); ++i)
      if (sizes(i) > kDependentRows * sizes.maxCoeff()) moved.push_back(i);
    const Eigen::VectorXd unit = sizes(moved).cwiseInverse();
    const auto space = solution_space(unit.asDiagonal() * own(moved, Eigen::all),
                                      unit.cwiseProduct(r(rows)(moved)), kDependentRows);
    x(columns) = space.shortest;
    const auto left = space.kernel.cols();
    N(columns, Eigen::seqN(free, left)) = space.kernel;
    free += left;
    for (const int k : columns) in_block[at(k)] = true;
  }
  for (Eigen::Index k = 0; k < n; ++k)
    if (!in_block[static_cast<std::size_t>(k)]) N(k, free++) = 1.0;
  N.conservativeResize(n, free);
  // (5)
  const Eigen::MatrixXd scaled = scale.asDiagonal() * K * scale.asDiagonal();
  const Eigen::MatrixXd KN = scaled * N;
  const Eigen::VectorXd right = scale.cwiseProduct(f) - scaled * x;
  x += N * least_norm_solution(N.transpose() * KN, N.transpose() * right, kDependentRows);
  return scale.cwiseProduct(x);
}

// All numbers of all reactions, a column for each joint.
Eigen::MatrixXd numbers_of(const std::vector<Reaction>& reactions) {
  Eigen::MatrixXd numbers(13, std::ssize(reactions));
  Eigen::Index column = 0;
  for (const auto& r : reactions)
    numbers.col(column++) << r.force, r.moment, r.joint_force, r.joint_moment, r.drive;
  return numbers;
}
std::vector<Reaction> reactions_of(const Eigen::MatrixXd& numbers) {
  std::vector<Reaction> reactions;
  for (const auto& r : numbers.colwise())
    reactions.push_back(
        {r.segment<3>(0), r.segment<3>(3), r.segment<3>(6), r.segment<3>(9), r(12)});
  return reactions;
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
      row_scales_(model.visit([](const auto& system) { return system.row_scales; })) {
  for (const auto& block : loop_blocks(model))
    blocks_.push_back({block->rows(), block->velocities()});
}

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

// Of all joints, columns of unit velocities: A.
Eigen::MatrixXd BranchDynamics::rows_of_all() {
  const auto n = model_.velocity_count();
  Eigen::MatrixXd A(model_.constraint_count(), n);
  Eigen::VectorXd p;
  for (int k = 0; k < n; ++k) A.col(k) = open_->opening(Eigen::VectorXd::Unit(n, k), p);
  return A;
}

// With f as in (2), the forces of the rows are lambda of  A^T lambda = M v_dot + f.  At the pose
// itself a row depends on others: the forces of a null vector n, A^T n = 0, move nothing there.
std::vector<Reaction> BranchDynamics::reactions(double t, const Eigen::VectorXd& q,
                                                const Eigen::VectorXd& v,
                                                const Eigen::VectorXd& v_rate, int rows) {
  open_->place(t, q);
  const auto qr = pivoted_qr(rows_of_all().transpose());
  const Eigen::VectorXd efforts = qr.Q.transpose() * open_->demand(v, v_rate).efforts;
  const auto R = qr.R.topLeftCorner(rows, rows).triangularView<Eigen::Upper>();
  const auto with = [&](const Eigen::VectorXd& part) {
    const Eigen::VectorXd forces = R.solve(part);
    Eigen::VectorXd lambda = Eigen::VectorXd::Zero(model_.constraint_count());
    for (int k = 0; k < rows; ++k) lambda(qr.order[at(k)]) = forces(k);
    return lambda;
  };
  const Eigen::ArrayXd pivots = qr.R.diagonal().head(rows).cwiseAbs();
  const auto is_lost = (pivots < kLostReaction * pivots.maxCoeff()).eval();
  const Eigen::VectorXd lambda = with(is_lost.select(0.0, efforts.head(rows).array()));
  const Eigen::MatrixXd told = numbers_of(open_->reactions(v, v_rate, lambda));
  Eigen::MatrixXd numbers = told;
  for (int k = 0; k < rows; ++k) {
    if (!is_lost(k)) continue;
    Eigen::VectorXd n = with(pivots(k) * Eigen::VectorXd::Unit(rows, k));
    n *= std::max(1.0, lambda.cwiseAbs().maxCoeff()) / n.norm();
    const Eigen::ArrayXXd of_n =
        (numbers_of(open_->reactions(v, v_rate, lambda + n)) - told).array().abs();
    for (Eigen::Index j = 0; j < of_n.cols(); ++j) {
      if (of_n.col(j).maxCoeff() > kPart * of_n.maxCoeff())
        numbers.col(j) = (of_n.col(j) > 0.0).select(kNan, numbers.col(j));
    }
  }
  return reactions_of(numbers);
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

// T^T M T
Eigen::MatrixXd BranchDynamics::inertia(const Reduced& now,
                                        const std::vector<Freedom>& freedoms) const {
  const auto outside = velocities_outside(freedoms);
  const auto own = now.T.cols() - std::ssize(outside);
  Eigen::MatrixXd K(now.T.cols(), now.T.cols());
  K << now.MT(outside, Eigen::all), now.T.rightCols(own).transpose() * now.MT;
  return K;
}

BranchDynamics::Reduced BranchDynamics::reduced(double t, const Eigen::VectorXd& q,
                                                const std::vector<Freedom>& freedoms) {
  Reduced now{columns(freedoms), {}, {}, {}, {}, {}};
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
  const auto held = velocities_outside(freedoms);
  for (const auto& block : blocks_) {
    const auto is_on = [&](const Freedom& freedom) { return freedom.block->rows() == block.rows; };
    if (std::ranges::any_of(freedoms, is_on)) continue;
    now.loops.push_back({places(block.rows, rows), places(block.columns, held)});
  }
  auto row = static_cast<int>(rows.size());
  auto column = static_cast<int>(held.size());
  for (const auto& freedom : freedoms) {
    const auto d = static_cast<int>(freedom.T.cols());
    if (freedom.clock.rows() > 0) {
      now.A.row(row).segment(column, d) = freedom.clock;
      now.a(row) = -freedom.block->home().clock_rate;
      std::vector<int> own(at(d));
      std::iota(own.begin(), own.end(), column);
      now.clocks.push_back({{row++}, std::move(own)});
    }
    column += d;
  }
  return now;
}

Eigen::VectorXd BranchDynamics::closest(double t, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& v,
                                        const std::vector<Freedom>& freedoms) {
  const auto now = reduced(t, q, freedoms);
  const auto held = static_cast<Eigen::Index>(velocities_outside(freedoms).size());
  const auto own = now.T.cols() - held;
  const Eigen::VectorXd outside = now.T.leftCols(held).transpose() * v;
  const Eigen::MatrixXd MT = now.MT.rightCols(own);
  Eigen::MatrixXd K = Eigen::MatrixXd::Identity(now.T.cols(), now.T.cols());
  K.bottomRightCorner(own, own) = MT.transpose() * now.T.rightCols(own);
  Eigen::VectorXd f(now.T.cols());
  f << outside, MT.transpose() * (v - now.T.leftCols(held) * outside);
  return solve_with_rows(K, now.A, now.clocks, f, -now.a);
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
  const Eigen::MatrixXd K = inertia(now, freedoms);
  const Eigen::VectorXd f = -now.T.transpose() * asked.efforts;
  Accelerations result;
  result.u_rate = solve_with_rows(K, now.A, now.all_rows(), f, right);
  result.q_rate = open_->coordinate_rates(v);
  result.gain = 2.0 * result.u_rate.dot(f) - result.u_rate.dot(K * result.u_rate);
  result.v_rate = now.T * result.u_rate + gamma;
  const bool drives = model_.visit([](const auto& system) { return !system.drives.empty(); });
  result.power = drives ? open_->demand(v, result.v_rate).power : asked.power;
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
    const Eigen::VectorXd step =
        solve_with_rows(inertia(now, freedoms).topLeftCorner(free, free), now.A, now.loops,
                        Eigen::VectorXd::Zero(free), -gaps);
    q += open_->coordinate_rates(now.T.leftCols(free) * step);
    probe_->normalise(q.data());
    now = reduced(t, q, freedoms);
  }
  const Eigen::MatrixXd K = inertia(now, freedoms);
  u = solve_with_rows(K, now.A, now.all_rows(), K * u, -now.a);
}

}  // namespace hamiltree::branches
