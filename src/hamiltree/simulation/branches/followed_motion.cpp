#include "hamiltree/simulation/branches/followed_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <variant>
#include <vector>

#include "hamiltree/base/random.hpp"
#include "hamiltree/math/dense_solvers.hpp"

namespace hamiltree::branches {
namespace {

constexpr int kFollowingSteps = 12;
constexpr double kNearlyClosed = 1e-8;  // of the length: gaps whose squares are rounding
// Poses that one polynomial leads through, and how far these are apart, of the way to the next one.
constexpr std::size_t kSupport = 6;
constexpr double kApart = 0.3;
constexpr double kDependentPivot = 1e-10;
// In radians of the joint that moves most: the first step, how far ahead a pose is looked for, how
// near to it the last pose of that search may be, and what its tangent is taken over.
constexpr double kFirstStep = 0.005, kFurthestPose = 2.0 * kReach, kNearby = 1e-3,
                 kTangentStep = 1e-3;
constexpr double kOfTheWay = 0.9;  // to where J is expected to lose rank
constexpr int kLooksAhead = 6;
constexpr double kFalls = 0.4;      // at least, in each of these looks
constexpr double kFirstNode = 0.3;  // of the reach, from a singular pose
// Pivots, of the largest; radians of the joint that moves most, beside a pose.
constexpr double kLostPivot = 3e-4, kAlmostLost = 1e-6, kBeside = 0.02, kJustBeside = 0.005;

// m: the displacement along the tangent at which the joint that moves most has turned by 1 rad.
double unit_of(const LoopBlock& block, const Eigen::VectorXd& tangent) {
  return block.length() / tangent.cwiseAbs().maxCoeff();
}

Eigen::VectorXd random_vector(Eigen::Index size) {
  std::mt19937_64 random(13);
  Eigen::VectorXd b(size);
  for (auto& value : b) value = about_zero(random);
  return b.normalized();
}

// Poses of the motion, by their parameter s = tangent . x.
class Path {
 public:
  Path(LoopBlock& block, Eigen::VectorXd tangent)
      : block_(block),
        tangent_(std::move(tangent)),
        probe_(random_vector(static_cast<Eigen::Index>(block.rows().size()) + 1)) {}

  // Displacements that are known to be on it.
  void know(const Eigen::VectorXd& x) {
    s_.push_back(tangent_.dot(x));
    x_.push_back(x);
  }
  const std::vector<Eigen::VectorXd>& displacements() const { return x_; }
  // Falls to zero, evenly, where the rows of the block and the tangent become dependent: at the
  // displacement that was added last.
  double independence() const { return independence_; }

  // By the polynomial through the nearest poses that are known, or along the tangent. Poses that
  // are near each other, but not to s, say nothing new.
  Eigen::VectorXd expected(double s) const {
    std::vector<std::size_t> order(s_.size()), support;
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::abs(s_[i] - s); });
    const double apart = kApart * std::abs(s_[order.front()] - s);
    for (const auto i : order) {
      const bool is_new = std::ranges::all_of(
          support, [&](std::size_t j) { return std::abs(s_[i] - s_[j]) > apart; });
      if (is_new && support.size() < kSupport) support.push_back(i);
    }
    if (support.size() == 1) return x_[support[0]] + (s - s_[support[0]]) * tangent_;
    Eigen::VectorXd x = Eigen::VectorXd::Zero(tangent_.size());
    for (const auto i : support) {
      double weight = 1.0;
      for (const auto j : support) {
        if (j != i) weight *= (s - s_[j]) / (s_[i] - s_[j]);
      }
      x += weight * x_[i];
    }
    return x;
  }

  // Newton's method over all rows, from where the pose at s is expected; false: they stay open.
  bool add(double s) {
    const auto n = tangent_.size(), rows = static_cast<Eigen::Index>(block_.rows().size());
    if (rows + 1 < n) return false;
    Eigen::VectorXd x = s_.empty() ? s * tangent_ : expected(s), best = x;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kFollowingSteps; ++i) {
      const auto gaps = block_.gaps(x);
      Eigen::VectorXd rest(rows + 1);
      rest << gaps.phi, tangent_.dot(x) - s;
      const double open = rest.cwiseAbs().maxCoeff();
      if (!(open < least)) break;
      const bool was_near = least < kNearlyClosed * block_.length();
      best = x;
      least = open;
      if (was_near && least < kOnLoops * block_.length()) break;
      Eigen::MatrixXd A(rows + 1, n);
      A << gaps.J, tangent_.transpose();
      const auto qr = pivoted_qr(A);
      if (!(std::abs(qr.R(n - 1, n - 1)) > kDependentPivot * std::abs(qr.R(0, 0)))) return false;
      independence_ = 1.0 / qr.solve(probe_).norm();
      x -= qr.solve(rest);
    }
    if (!(least < kOnLoops * block_.length())) return false;
    s_.push_back(s);
    x_.push_back(std::move(best));
    return true;
  }

 private:
  LoopBlock& block_;
  Eigen::VectorXd tangent_, probe_;
  std::vector<double> s_;
  std::vector<Eigen::VectorXd> x_;
  double independence_ = 0.0;
};

// The parameter at which rows become dependent, ahead of s = 0: there the singular pose is.
std::optional<double> pose_ahead(Path& path, double unit) {
  double behind = -kFirstStep * unit;
  if (!path.add(0.0)) return {};
  double now = path.independence();
  if (!path.add(behind)) return {};
  double before = path.independence(), s = 0.0;
  for (int i = 0; i < kLooksAhead && now < before; ++i) {
    const double left = now * (s - behind) / (before - now);
    if (!(s + left < kFurthestPose * unit)) return {};
    if (left < kNearby * unit) return s + left;
    behind = std::exchange(s, s + kOfTheWay * left);
    if (!path.add(s)) return {};
    before = std::exchange(now, path.independence());
    if (!(now < kFalls * before)) return {};
  }
  return {};
}

// The chart around the block's home, sampled from the parameter `first` on, of the reach.
std::optional<FollowedMotion> chart_along(LoopBlock& block, const Eigen::VectorXd& tangent,
                                          const Path& known, double first) {
  const double unit = unit_of(block, tangent);
  const auto sample = [&](const std::vector<Eigen::VectorXd>& parameters)
      -> std::optional<std::vector<Eigen::VectorXd>> {
    Path path = known;
    const double start = first * kReach * unit;
    std::vector<std::size_t> order(parameters.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::abs(parameters[i](0) - start); });
    std::vector<Eigen::VectorXd> displacements(parameters.size());
    for (const auto i : order) {
      if (!path.add(parameters[i](0))) return {};
      displacements[i] = path.displacements().back();
    }
    return displacements;
  };
  auto made = BranchChart::make_widest(block, tangent, unit, sample);
  auto* chart = std::get_if<BranchChart>(&made);
  if (chart == nullptr) return {};
  return FollowedMotion{block.home(), std::move(*chart)};
}

}  // namespace

bool moves_one_way(LoopBlock& block, const Eigen::VectorXd& x_rate) {
  return Path(block, x_rate.normalized()).add(0.0);
}

std::optional<FollowedMotion> follow_through_pose(LoopBlock& block, const Eigen::VectorXd& x_rate) {
  const Eigen::VectorXd along = x_rate.normalized();
  Path path(block, along);
  const double unit = unit_of(block, along);
  const auto pose = pose_ahead(path, unit);
  if (!pose) return {};
  const auto at = [&](double s) { return block.home_at(path.expected(s)); };
  std::vector<LoopBlock::Home> behind;
  for (const auto& x : path.displacements()) behind.push_back(block.home_at(x));
  const auto before = at(*pose - kTangentStep * unit), after = at(*pose + kTangentStep * unit);
  block.set_home(at(*pose));
  const auto to = [&](const LoopBlock::Home& there) {
    return block.displacement_to(there.t, there.q);
  };
  const Eigen::VectorXd tangent = (to(after) - to(before)).normalized();
  Path known(block, tangent);
  for (const auto& there : behind) known.know(to(there));
  return chart_along(block, tangent, known, -1.0);
}

std::optional<FollowedMotion> follow_from_pose(LoopBlock& block, const Eigen::VectorXd& x_rate) {
  const Eigen::VectorXd tangent = x_rate.normalized();
  Path known(block, tangent);
  known.know(Eigen::VectorXd::Zero(block.size()));
  return chart_along(block, tangent, known, kFirstNode);
}

// Rows that others imply on the loops differ from them next to the loops by the square of the
// distance, rows of a singular pose by the distance.
std::optional<int> doubtful_rank(LoopBlock& block) {
  const auto here = block.gaps(Eigen::VectorXd::Zero(block.size()));
  const int rank = static_cast<int>(rank_of(here.J, kLostPivot));
  if (rank == std::min(here.J.rows(), here.J.cols())) return {};
  const Eigen::VectorXd any = random_vector(block.size());
  const Eigen::VectorXd free = any - least_norm_solution(here.J, here.J * any, kLostPivot);
  const auto beside = block.gaps(kJustBeside * unit_of(block, free) * free);
  return rank_of(beside.J, kLostPivot) > rank ? std::optional(rank) : std::nullopt;
}

// Gauss-Newton over all rows but those that J nearly lacks.
bool gains_rank(LoopBlock& block, int rank, const Eigen::VectorXd& direction) {
  Eigen::VectorXd x = kBeside * unit_of(block, direction) * direction;
  for (int i = 0; i < kFollowingSteps; ++i) {
    const auto there = block.gaps(x);
    if (there.phi.cwiseAbs().maxCoeff() < kOnLoops * block.length())
      return rank_of(there.J, kLostPivot) > rank;
    x -= least_norm_solution(there.J, there.phi, kAlmostLost);
  }
  return false;
}

}  // namespace hamiltree::branches
