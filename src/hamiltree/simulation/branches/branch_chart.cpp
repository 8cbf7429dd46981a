#include "hamiltree/simulation/branches/branch_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/random.hpp"
#include "hamiltree/math/dense_solvers.hpp"

namespace hamiltree::branches {
namespace {

constexpr int kMostSteps = 20;
constexpr double kRegular = 1e-6;  // across a branch, phi' is regular
// By dimension. Measured: displacements are then right to 1e-14 of the length.
constexpr std::array<int, 3> kDegrees{13, 9, 7};
// Samples for each product of polynomials.
constexpr int kPointsOnCurve = 2, kPointsOnSurface = 4;
constexpr int kLooks = 12;
constexpr double kLeastReach = 0.004;  // in units
constexpr double kNearest = 0.25;      // of the radius: points keep away from the pose

// All lists of `dimension` degrees whose sum is at most `total`.
void add_degrees(int dimension, int total, std::vector<int>& begun,
                 std::vector<std::vector<int>>& all) {
  if (dimension == 0) {
    all.push_back(begun);
    return;
  }
  for (int degree = 0; degree <= total; ++degree) {
    begun.push_back(degree);
    add_degrees(dimension - 1, total - degree, begun, all);
    begun.pop_back();
  }
}

// T_n(s / radius), its first and its second derivative with respect to s for n = 0 .. degree.
Eigen::MatrixXd chebyshev(int degree, double s, double radius) {
  const double z = s / radius;
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(degree + 1, 3);
  T(0, 0) = 1.0;
  if (degree > 0) T.row(1) << z, 1.0, 0.0;
  for (int n = 2; n <= degree; ++n) {
    T(n, 0) = 2.0 * z * T(n - 1, 0) - T(n - 2, 0);
    T(n, 1) = 2.0 * T(n - 1, 0) + 2.0 * z * T(n - 1, 1) - T(n - 2, 1);
    T(n, 2) = 4.0 * T(n - 1, 1) + 2.0 * z * T(n - 1, 2) - T(n - 2, 2);
  }
  T.col(1) /= radius;
  T.col(2) /= radius * radius;
  return T;
}

// Where the branch is sampled, for |s| <= 1.
std::vector<Eigen::VectorXd> nodes(int dimension, int products) {
  std::vector<Eigen::VectorXd> nodes;
  if (dimension == 1) {
    const int count = kPointsOnCurve * products;  // even: none at 0
    for (int i = 0; i < count; ++i) {
      nodes.push_back(
          Eigen::VectorXd::Constant(1, std::cos((2 * i + 1) * std::numbers::pi / (2 * count))));
    }
    return nodes;
  }
  std::mt19937_64 random(11);
  while (static_cast<int>(nodes.size()) < kPointsOnSurface * products) {
    Eigen::VectorXd s(dimension);
    for (auto& value : s) value = about_zero(random);
    if (s.norm() <= 1.0 && s.norm() >= kNearest) nodes.push_back(s);
  }
  return nodes;
}

}  // namespace

// Gauss-Newton over w.
PointOnBranch point_on(const ReducedLoops& loops, const Eigen::MatrixXd& tangent,
                       const Eigen::VectorXd& s) {
  const auto d = tangent.cols();
  const Eigen::MatrixXd across =
      singular_value_decomposition(tangent).U.rightCols(tangent.rows() - d);
  PointOnBranch best{{}, Eigen::VectorXd::Zero(across.cols()), 0.0};
  Eigen::VectorXd aside = best.aside;
  for (int i = 0; i < kMostSteps; ++i) {
    auto point = loops.point(tangent * s + across * aside, i > 0 ? &best.point : nullptr);
    const double gap = point.phi.norm();
    if (i > 0 && !(gap < best.gap)) break;
    const bool stalls = i > 0 && gap > 0.5 * best.gap;
    best = {std::move(point), aside, gap};
    if (across.cols() == 0 || gap == 0.0 || stalls) break;
    aside -= least_norm_solution(best.point.phi_x * across, best.point.phi, kRegular);
  }
  return best;
}

BranchChart::Sampler sampler(const ReducedLoops& loops, const Eigen::MatrixXd& tangent) {
  return [&loops, tangent](const std::vector<Eigen::VectorXd>& parameters)
             -> std::optional<std::vector<Eigen::VectorXd>> {
    std::vector<Eigen::VectorXd> displacements;
    for (const auto& s : parameters) {
      auto on = point_on(loops, tangent, s);
      if (!(on.gap < kOnLoops * loops.length())) return {};
      displacements.push_back(std::move(on.point.displacement));
    }
    return displacements;
  };
}

std::variant<BranchChart, ChartFault> BranchChart::make(LoopBlock& block,
                                                        const Eigen::MatrixXd& tangent,
                                                        double radius, const Sampler& sample) {
  BranchChart chart(tangent, radius);
  auto samples = nodes(chart.dimension(), static_cast<int>(chart.degrees_.size()));
  for (auto& s : samples) s *= radius;
  const auto displacements = sample(samples);
  if (!displacements) return ChartFault::kOpen;
  chart.fit(samples, *displacements);
  if (!(chart.gap(block) < kOnLoops * block.length())) return ChartFault::kBends;
  return chart;
}

std::variant<BranchChart, ChartFault> BranchChart::make_widest(LoopBlock& block,
                                                               const Eigen::MatrixXd& tangent,
                                                               double unit, const Sampler& sample) {
  auto made = make(block, tangent, kReach * unit, sample);
  for (double reach = 0.5 * kReach; reach > kLeastReach; reach *= 0.5) {
    if (std::holds_alternative<BranchChart>(made)) break;
    made = make(block, tangent, reach * unit, sample);
  }
  return made;
}

BranchChart::BranchChart(Eigen::MatrixXd tangent, double radius)
    : tangent_(std::move(tangent)), radius_(radius) {
  std::vector<int> begun;
  add_degrees(dimension(), kDegrees[at(dimension() - 1)], begun, degrees_);
}

// A pose on the branch is the better known the farther it is from the singular one.
void BranchChart::fit(const std::vector<Eigen::VectorXd>& samples,
                      const std::vector<Eigen::VectorXd>& displacements) {
  const auto count = static_cast<Eigen::Index>(samples.size());
  Eigen::MatrixXd values(count, static_cast<Eigen::Index>(degrees_.size()));
  Eigen::MatrixXd wanted(count, tangent_.rows());
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(dimension());
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto& s = samples[static_cast<std::size_t>(i)];
    const double weight = s.norm() / radius_;
    values.row(i) = weight * basis(s, at_rest).values;
    wanted.row(i) = weight * displacements[static_cast<std::size_t>(i)];
  }
  coefficients_ = least_norm_solutions(values, wanted, 1e-14).transpose();
}

BranchChart::Basis BranchChart::basis(const Eigen::VectorXd& s,
                                      const Eigen::VectorXd& s_rate) const {
  const int d = dimension();
  const auto count = static_cast<Eigen::Index>(degrees_.size());
  std::vector<Eigen::MatrixXd> T;
  for (int i = 0; i < d; ++i) T.push_back(chebyshev(kDegrees[at(d - 1)], s(i), radius_));
  Basis result{Eigen::VectorXd(count), Eigen::VectorXd::Zero(count), Eigen::MatrixXd(count, d)};
  for (Eigen::Index k = 0; k < count; ++k) {
    const auto& degrees = degrees_[static_cast<std::size_t>(k)];
    // The product with one factor, or two, differentiated.
    const auto product = [&](int i, int j) {
      double value = 1.0;
      for (int a = 0; a < d; ++a) {
        const int times = (a == i ? 1 : 0) + (a == j ? 1 : 0);
        value *= T[at(a)](degrees[at(a)], times);
      }
      return value;
    };
    constexpr int kNone = -1;
    result.values(k) = product(kNone, kNone);
    for (int i = 0; i < d; ++i) {
      result.slopes(k, i) = product(i, kNone);
      for (int j = 0; j < d; ++j) result.curvature(k) += product(i, j) * s_rate(i) * s_rate(j);
    }
  }
  return result;
}

BranchChart::Point BranchChart::point(const Eigen::VectorXd& s,
                                      const Eigen::VectorXd& s_rate) const {
  const auto now = basis(s, s_rate);
  return {coefficients_ * now.values, coefficients_ * now.slopes, coefficients_ * now.curvature};
}

double BranchChart::gap(LoopBlock& block) const {
  std::mt19937_64 random(12);
  double widest = 0.0;
  for (int i = 0; i < kLooks; ++i) {
    Eigen::VectorXd s(dimension());
    do {
      for (auto& value : s) value = about_zero(random);
    } while (s.norm() > 1.0);
    if (i % 2 == 0) s.normalize();
    const auto here = point(radius_ * s, Eigen::VectorXd::Zero(dimension()));
    widest = std::max(widest, block.gaps(here.displacement).phi.cwiseAbs().maxCoeff());
  }
  return widest;
}

}  // namespace hamiltree::branches
