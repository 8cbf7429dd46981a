#include "hamiltree/simulation/branches/singular_pose.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <variant>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/random.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/simulation/branches/reduced_loops.hpp"

namespace hamiltree::branches {
namespace {

using Forms = std::vector<Eigen::MatrixXd>;

constexpr int kMostFree = 6;
constexpr int kDirections = 6;  // that are looked along
// Singular values, of the largest. At the pose: the mask of pivots, which are their squares. Near
// it, and those of rows that others always imply.
constexpr double kLost = 1e-4, kNear = 0.05;
constexpr double kVanishes = 1e-11;  // phi, of the length: measured 1e-16, or 4e-9 and more
// Rows that rounding makes contradict others: singular values, and gaps of the size of the links,
// which the largest singular value is of the length. Where no motion is, gaps grow with the square
// or the cube of distances, not evenly.
constexpr double kWeak = 3e-3, kFeeble = 1e-3, kRoundedGap = 2e-4, kBent = 0.5, kEven = 0.4;
constexpr double kLengthsAllow = 3e-9;
constexpr double kFurthest = 0.15;  // of the length, from a pose to the singular one
constexpr double kTransversal = 1e-5;
constexpr double kTowards = 0.9;  // cosine: a direction of the cone, and where a pose is seen from
constexpr double kSameLine = 1e-8, kSamePlane = 1e-5;
constexpr std::size_t kMostSamples = 8;  // of a cone that is curved
constexpr std::array kRadii{0.04, 0.02, 0.01};
constexpr std::array kWayOut{0.005, 0.01, 0.025, 0.05};  // of the length

class Random {
 public:
  // Evenly spread in few dimensions. In many the ball is next to nothing of the cube around it, and
  // directions lean towards the cube's corners.
  Eigen::VectorXd direction(Eigen::Index size) {
    Eigen::VectorXd x(size);
    do {
      for (auto& value : x) value = about_zero(engine_);
    } while (!(x.norm() > 0.1) || (size <= kMostFree && x.norm() > 1.0));
    return x.normalized();
  }

 private:
  std::mt19937_64 engine_{1};
};

int count_above(const Eigen::VectorXd& values, double least) {
  return static_cast<int>((values.array() > least).count());
}

int rank_at(LoopBlock& block, const Eigen::VectorXd& displacement, double least) {
  return count_above(singular_values(block.gaps(displacement).J), least);
}

Eigen::VectorXd origin(const LoopBlock& block) { return Eigen::VectorXd::Zero(block.size()); }

// Whether phi vanishes on the way out in this direction. Where phi is small to a high order only
// the larger distances tell; where there are many directions Newton's method may not come so far.
bool vanishes(const LoopBlock& block, const ReducedLoops& loops, const Eigen::VectorXd& direction) {
  const double small = kVanishes * block.length();
  const auto is_zero = [&](const ReducedLoops::Point& point) {
    return point.gap < small && point.phi.cwiseAbs().maxCoeff() < small;
  };
  if (is_zero(loops.point(kWayOut.back() * block.length() * direction))) return true;
  std::optional<ReducedLoops::Point> last;
  for (const double distance : kWayOut) {
    auto point = loops.point(distance * block.length() * direction, last ? &*last : nullptr);
    if (!is_zero(point)) return last && !(point.gap < small);
    last = std::move(point);
  }
  return true;
}

bool vanishes(const LoopBlock& block, const ReducedLoops& loops) {
  Random random;
  for (int i = 0; i < kDirections; ++i) {
    if (!vanishes(block, loops, random.direction(loops.free()))) return false;
  }
  return true;
}

// Forms that are linear combinations of others are left out. Their coefficients are of the order of
// 1: lengths over the length.
Forms independent(const Forms& forms) {
  if (forms.empty()) return {};
  const auto k = forms.front().rows();
  Eigen::MatrixXd stacked(k * k, static_cast<Eigen::Index>(forms.size()));
  for (std::size_t j = 0; j < forms.size(); ++j)
    stacked.col(static_cast<Eigen::Index>(j)) = forms[j].reshaped();
  const auto qr = pivoted_qr(stacked);  // k^2 may be thousands
  const auto svd = singular_value_decomposition(qr.R);
  Forms result;
  for (Eigen::Index i = 0; i < svd.values.size() && svd.values(i) > 1e-8; ++i)
    result.emplace_back((qr.Q * svd.U.col(i)).reshaped(k, k));
  return result;
}

// A_j x, row by row.
Eigen::MatrixXd times(const Forms& forms, const Eigen::VectorXd& x) {
  Eigen::MatrixXd G(static_cast<Eigen::Index>(forms.size()), x.size());
  for (std::size_t j = 0; j < forms.size(); ++j) G.row(static_cast<Eigen::Index>(j)) = forms[j] * x;
  return G;
}

// Two unknowns: a u^2 + 2 b u v + c v^2 = 0 without cancellation, then the zeros that all forms
// share. A double line is not decided at second order.
std::vector<Eigen::VectorXd> zeros_in_the_plane(const Forms& forms) {
  const auto& A = forms.front();
  const double a = A(0, 0), b = A(0, 1), c = A(1, 1);
  const double discriminant = b * b - a * c;
  const double size = std::pow(std::max({std::abs(a), std::abs(b), std::abs(c)}), 2);
  if (!(discriminant > 1e-10 * size)) return {};
  const double root = std::sqrt(discriminant);
  const double w = -(b + (b >= 0.0 ? root : -root));
  std::vector<Eigen::VectorXd> zeros;
  for (const auto& x : {Eigen::Vector2d(c, w), Eigen::Vector2d(w, a)}) {
    if (!(x.norm() > 1e-12)) continue;
    const Eigen::VectorXd unit = x.normalized();
    const bool is_zero = std::ranges::all_of(
        forms, [&](const auto& form) { return std::abs(unit.dot(form * unit)) < 1e-9; });
    const bool is_new = std::ranges::all_of(
        zeros, [&](const auto& other) { return std::abs(unit.dot(other)) < 1.0 - 1e-9; });
    if (is_zero && is_new) zeros.push_back(unit);
  }
  return zeros;
}

// Levenberg's method for a common zero of the forms on the unit sphere; empty: none found.
std::optional<Eigen::VectorXd> zero_on_sphere(const Forms& forms, Eigen::VectorXd x) {
  const auto values = [&](const Eigen::VectorXd& at) -> Eigen::VectorXd {
    return times(forms, at) * at;
  };
  x.normalize();
  Eigen::VectorXd f = values(x);
  double damping = 1e-2;
  for (int i = 0; i < 60 && f.norm() >= 1e-14 && damping < 1e8; ++i) {
    Eigen::MatrixXd G = 2.0 * times(forms, x);
    G -= (G * x) * x.transpose();
    const Eigen::MatrixXd H = G.transpose() * G;
    const double size = damping * std::max(H.trace(), 1e-30);
    const Eigen::MatrixXd damped = H + size * Eigen::MatrixXd::Identity(x.size(), x.size());
    const Eigen::VectorXd y =
        (x - least_norm_solution(damped, G.transpose() * f, 1e-14)).normalized();
    const Eigen::VectorXd g = values(y);
    if (g.norm() < f.norm()) {
      x = y;
      f = g;
      damping = std::max(0.1 * damping, 1e-16);
    } else {
      damping *= 10.0;
    }
  }
  if (!(f.norm() < 1e-12)) return {};
  return x;
}

struct Direction {
  Eigen::VectorXd x;
  Eigen::MatrixXd tangent;  // of the cone at x, orthonormal
  Eigen::Index dimension() const { return tangent.cols(); }
};

Direction direction_at(const Forms& forms, const Eigen::VectorXd& x) {
  const auto svd = singular_value_decomposition(times(forms, x));
  const auto rank = count_above(svd.values, kTransversal);
  return {x, svd.V.rightCols(x.size() - rank)};
}

bool same_plane(const Direction& a, const Direction& b) {
  return a.dimension() == b.dimension() &&
         (a.tangent * a.tangent.transpose() - b.tangent * b.tangent.transpose()).norm() <
             kSamePlane;
}

// The directions in which all forms vanish, one for each linear piece of that cone and some of each
// curved one.
std::vector<Direction> tangent_cone(const Forms& forms) {
  const auto k = forms.front().rows();
  std::vector<Eigen::VectorXd> zeros;
  if (k == 2) zeros = zeros_in_the_plane(forms);
  if (k > 2) {
    Random random;
    const int starts = 60 << std::min<Eigen::Index>(k, 4);
    for (int i = 0; i < starts; ++i) {
      if (auto zero = zero_on_sphere(forms, random.direction(k))) zeros.push_back(*zero);
    }
  }
  std::vector<Direction> found;
  for (const auto& x : zeros) {
    const auto direction = direction_at(forms, x);
    std::size_t alike = 0;
    const bool is_known = std::ranges::any_of(found, [&](const Direction& other) {
      if (other.dimension() != direction.dimension()) return false;
      ++alike;
      return direction.dimension() == 1 ? std::abs(x.dot(other.x)) > 1.0 - kSameLine
                                        : same_plane(direction, other);
    });
    const bool is_curved = direction.dimension() > 1 && alike >= kMostSamples;
    if (!is_known && !is_curved) found.push_back(direction);
  }
  // Where branches meet, the tangent space is larger than theirs: such points are no branch.
  std::ranges::stable_sort(found, {}, &Direction::dimension);
  std::vector<Direction> kept;
  for (const auto& direction : found) {
    const bool inside = std::ranges::any_of(kept, [&](const Direction& other) {
      const Eigen::VectorXd along = other.tangent.transpose() * direction.x;
      return other.dimension() < direction.dimension() &&
             (direction.x - other.tangent * along).norm() < kSamePlane;
    });
    if (!inside) kept.push_back(direction);
  }
  return kept;
}

// Whether a smooth branch leaves in this direction, both ways: phi has zeros near the cone, nearer
// and nearer by proportion the nearer the pose.
bool is_branch(LoopBlock& block, const ReducedLoops& loops, const Direction& direction) {
  const Eigen::VectorXd along = direction.tangent.transpose() * direction.x;
  for (const double sign : {1.0, -1.0}) {
    std::array<double, kRadii.size()> bend{};
    for (std::size_t i = 0; i < kRadii.size(); ++i) {
      const double h = kRadii[i] * block.length();
      const auto on = point_on(loops, direction.tangent, sign * h * along);
      if (!(on.gap < kOnLoops * block.length())) return false;
      bend[i] = on.aside.norm() / h;
    }
    if (!(bend.back() < 0.6 * bend.front() + 1e-4)) return false;
    const double h = kRadii.front() * block.length();
    const auto on = point_on(loops, direction.tangent, sign * h * along);
    const auto rank = rank_at(block, on.point.displacement, kStructural);
    if (rank != block.size() - direction.dimension()) return false;
  }
  return true;
}

// Along it drives do not move to first order: no motion goes on there.
bool stops_time(const LoopBlock& block, const ReducedLoops& loops, const Direction& direction) {
  if (!block.has_drives()) return false;
  return (loops.kernel() * direction.tangent).bottomRows(1).norm() < kTransversal;
}

// The cone is a plane: its tangent space at another point of it is the same.
bool is_linear(const Forms& forms, const Direction& direction) {
  if (direction.dimension() == 1) return true;
  Random random;
  for (int i = 0; i < 3; ++i) {
    const Eigen::VectorXd aside = direction.tangent * random.direction(direction.dimension());
    const auto x = zero_on_sphere(forms, direction.x + 0.2 * aside);
    if (!x || !same_plane(direction_at(forms, *x), direction)) return false;
  }
  return true;
}

// Moves the block's home to a pose near it where phi' = 0, with the rank given.
bool approach(LoopBlock& block, int rank) {
  const auto start = block.home();
  for (int i = 0; i < 5; ++i) {
    const ReducedLoops loops(block, rank);
    const auto here = loops.point(Eigen::VectorXd::Zero(loops.free()));
    const auto forms = loops.forms();
    if (independent(forms).empty()) break;  // to second order phi' vanishes all around
    const auto k = loops.free(), e = loops.left();
    Eigen::MatrixXd A(k * e, k);
    Eigen::VectorXd b(k * e);
    for (int j = 0; j < e; ++j) {
      A.middleRows(j * k, k) = forms[at(j)] / block.length();
      b.segment(j * k, k) = here.phi_x.row(j).transpose();
    }
    const Eigen::VectorXd x = least_norm_solution(A, -b, 1e-6);
    if (!(x.norm() < kFurthest * block.length())) return false;
    block.set_home(block.home_at(loops.point(x).displacement));
  }
  return block.displacement_to(start.t, start.q).norm() < kFurthest * block.length() &&
         block.gaps(origin(block)).phi.cwiseAbs().maxCoeff() < kLengthsAllow * block.length();
}

// Moves the block's home to the singular pose at it or near it, and returns the rank of J there;
// none where the pose is regular. Singular values near zero may be those of a singular pose near by
// or small anyway: all of them are tried, then fewer.
std::optional<int> find_pose(LoopBlock& block) {
  const auto values = singular_values(block.gaps(origin(block)).J);
  const auto start = block.home();
  const int here = count_above(values, kLost);
  for (int rank = count_above(values, kNear); rank <= here; ++rank) {
    const ReducedLoops loops(block, rank);
    if (loops.free() == 0 || loops.left() == 0) continue;
    if (rank == here && vanishes(block, loops)) continue;
    if (approach(block, rank) && rank_at(block, origin(block), kLost) == rank) return rank;
    block.set_home(start);
  }
  return {};
}

// The block's home is there.
ReducedLoops reduced_at(LoopBlock& block, const SingularPose& pose) {
  return {block, static_cast<int>(pose.kernel.rows() - pose.kernel.cols())};
}

// The block's home, or near it, without its branches; moves the home there.
std::optional<SingularPose> pose_at_or_near(LoopBlock& block) {
  // Without the column of time: the drives' part may be the one that is missing.
  const auto columns = static_cast<Eigen::Index>(block.velocities().size());
  const Eigen::MatrixXd J = block.gaps(origin(block)).J.leftCols(columns);
  if (count_above(singular_values(J), kNear) == std::min(J.rows(), J.cols())) return {};
  const auto rank = find_pose(block);
  if (!rank) return {};
  const ReducedLoops loops(block, *rank);
  if (vanishes(block, loops) || rounded_rows(block).gap > 0.0) return {};
  return SingularPose{block.home(), loops.kernel(), {}, false, false, {}};
}

bool may_be_searched(const LoopBlock& block, const ReducedLoops& loops) {
  return loops.free() <= kMostFree && block.rows().size() <= kMostSearchedRows;
}

std::optional<Branch> branch_along(LoopBlock& block, const ReducedLoops& loops, const Forms& forms,
                                   const Direction& direction) {
  if (direction.dimension() > 3 || !is_linear(forms, direction) ||
      !is_branch(block, loops, direction))
    return {};
  return Branch{direction.tangent, loops.kernel() * direction.tangent, {}, {}};
}

}  // namespace

std::optional<SingularPose> singular_pose(LoopBlock& block, double t, const Eigen::VectorXd& q) {
  if (block.rows().size() > kMostRows) return {};
  block.set_home(t, q);
  auto pose = pose_at_or_near(block);
  if (!pose) return {};
  const auto loops = reduced_at(block, *pose);
  if (!may_be_searched(block, loops)) return pose;
  pose->is_searched = true;
  const auto forms = independent(loops.forms());
  if (forms.empty()) return pose;
  pose->is_decided = true;
  for (const auto& direction : tangent_cone(forms)) {
    if (stops_time(block, loops, direction)) continue;
    if (auto branch = branch_along(block, loops, forms, direction)) {
      pose->branches.push_back(std::move(*branch));
    } else {
      pose->is_decided = false;
    }
  }
  return pose;
}

std::optional<SingularPose> singular_pose_beside(LoopBlock& block) {
  if (block.rows().size() > kMostSearchedRows) return {};
  const auto start = block.home();
  auto pose = pose_at_or_near(block);
  if (!pose) return {};
  const auto loops = reduced_at(block, *pose);
  const Eigen::VectorXd x = loops.kernel().transpose() * block.displacement_to(start.t, start.q);
  if (!may_be_searched(block, loops) || !(x.norm() > kAtPose * block.length())) return pose;
  const auto forms = independent(loops.forms());
  if (forms.empty()) return pose;
  const auto zero = zero_on_sphere(forms, x);
  if (!zero || !(zero->dot(x) > kTowards * x.norm())) return pose;
  if (auto branch = branch_along(block, loops, forms, direction_at(forms, *zero)))
    pose->branches.push_back(std::move(*branch));
  return pose;
}

RoundedRows rounded_rows(LoopBlock& block) {
  // J is a displacement by a displacement: where it is all small, all rows are weak.
  Eigen::VectorXd values = singular_value_decomposition(block.gaps(origin(block)).J).values;
  const double largest = values.size() > 0 ? std::max(values(0), kFeeble) : kFeeble;
  values /= largest;
  RoundedRows rows{count_above(values, kStructural), {}, 0.0};
  const int firm = count_above(values, kWeak);
  if (firm == values.size()) return rows;
  const ReducedLoops loops(block, firm);
  const auto gaps_at = [&](const Eigen::VectorXd& x) { return loops.point(x).phi; };
  const Eigen::VectorXd home = gaps_at(Eigen::VectorXd::Zero(loops.free()));
  struct Seen {
    double gap = 0.0, even = 0.0, bent = 0.0;
  };
  const auto look = [&](double distance) {
    Seen seen{0.0, home.norm(), 0.0};
    Random random;
    for (int i = 0; i < kDirections; ++i) {
      const Eigen::VectorXd x = distance * block.length() * random.direction(loops.free());
      const Eigen::VectorXd ahead = gaps_at(x), behind = gaps_at(-x);
      seen.gap =
          std::max({seen.gap, ahead.lpNorm<Eigen::Infinity>(), behind.lpNorm<Eigen::Infinity>()});
      seen.even = std::max(seen.even, 0.5 * (ahead - behind).norm());
      seen.bent = std::max(seen.bent, (0.5 * (ahead + behind) - home).norm());
    }
    return seen;
  };
  const auto [gap, even, bent] = look(kHandover);
  if (!(gap > kVanishes * block.length() && gap < kRoundedGap * largest * block.length() &&
        bent < kBent * even && look(0.5 * kHandover).even > kEven * even))
    return rows;
  rows.firm = firm;
  rows.gap = gap;
  for (const double value : values.tail(values.size() - firm)) {
    if (value > 0.0) rows.weak.push_back(value);
  }
  return rows;
}

const BranchChart* chart_of(LoopBlock& block, const SingularPose& pose, Branch& branch) {
  if (branch.chart || branch.fault) return branch.chart.get();
  const auto loops = reduced_at(block, pose);
  auto made =
      BranchChart::make_widest(block, branch.tangent, block.length(), sampler(loops, branch.along));
  if (auto* chart = std::get_if<BranchChart>(&made)) {
    branch.chart = std::make_unique<BranchChart>(std::move(*chart));
  } else {
    branch.fault = std::get<ChartFault>(made);
  }
  return branch.chart.get();
}

void make_charts(LoopBlock& block, SingularPose& pose) {
  std::erase_if(pose.branches, [&](Branch& branch) {
    if (chart_of(block, pose, branch) != nullptr) return false;
    pose.faults.push_back(*branch.fault);
    pose.is_decided = false;
    return true;
  });
}

bool may_be_on(LoopBlock& block, const SingularPose& pose, const Branch& branch,
               const Eigen::VectorXd& displacement) {
  const Eigen::VectorXd s = branch.tangent.transpose() * displacement;
  const auto on = point_on(reduced_at(block, pose), branch.along, s);
  return (displacement - on.point.displacement).norm() < 2.0 * kOnChart * block.length();
}

double off_motions(LoopBlock& block, const SingularPose& pose, const Eigen::VectorXd& x_rate) {
  const auto loops = reduced_at(block, pose);
  const Eigen::VectorXd x = (pose.kernel.transpose() * x_rate).normalized();
  const auto forms = independent(loops.forms());
  return forms.empty() ? 0.0 : (times(forms, x) * x).cwiseAbs().maxCoeff();
}

}  // namespace hamiltree::branches
