#include <cstddef>
#include <string>

#include "hamiltree/base/text.hpp"
#include "studies/precision/series.hpp"

namespace hamiltree::studies::round_off {
namespace {

constexpr double kRandomBar = 1e-12;
constexpr double kMotionBar = 10.0;        // times the unavoidable
constexpr double kVelocityBar = 1e-14;     // of (q, v)
constexpr double kRoundedMomentum = 2e-6;  // of qdot, planar straight, kBodiesOfRounding
constexpr int kBodiesOfRounding = 1024;
constexpr int kLeastOfComparison = 64;  // bodies

// The largest value over points of series, and where it was found.
struct Worst {
  double value = 0.0;
  std::string where;

  void see(double x, const Series& series, const EvaluationErrors& point) {
    if (x <= value) return;
    value = x;
    where = series.text() + ", " + std::to_string(point.bodies) + " bodies";
  }
  std::string text() const { return to_short(value) + " (" + where + ")"; }
};

template <class Value>
Worst worst(const std::vector<Series>& all, Momenta momenta, const Value& value) {
  Worst result;
  for (const auto& series : all) {
    if (series.momenta != momenta) continue;
    for (const auto& point : series.points) result.see(value(point), series, point);
  }
  return result;
}

Statement random_bar(const std::vector<Series>& all, std::size_t form) {
  const auto found =
      worst(all, Momenta::kRandom, [&](const auto& e) { return e.momentum_form[form].motion; });
  return ours("Random p of order 1: qdot of " + std::string(kMomentumForms[form]) + " to " +
                  to_short(kRandomBar),
              found.value <= kRandomBar, "largest error " + found.text());
}

Statement motion_bar(const std::vector<Series>& all, std::size_t form) {
  const auto found = worst(all, Momenta::kMotion, [&](const auto& e) {
    return e.momentum_form[form].motion / e.unavoidable;
  });
  return ours("Momenta of a motion: qdot of " + std::string(kMomentumForms[form]) + " within " +
                  to_short(kMotionBar) + " times the unavoidable",
              found.value <= kMotionBar, "largest multiple " + found.text());
}

Statement rounding_costs(const std::vector<Series>& all) {
  const std::string text = "Rounding p alone costs about " + to_short(kRoundedMomentum) +
                           " of qdot on a straight planar chain of " + to_short(kBodiesOfRounding) +
                           " bodies";
  for (const auto& series : all) {
    if (series.momenta != Momenta::kMotion || series.space != SpaceKind::kPlanar ||
        series.shape != Shape::kStraight) {
      continue;
    }
    for (const auto& e : series.points) {
      if (e.bodies != kBodiesOfRounding) continue;
      return ours(text,
                  e.rounded_p > kRoundedMomentum / 10.0 && e.rounded_p < kRoundedMomentum * 10.0,
                  to_short(e.rounded_p));
    }
  }
  return not_run(text);
}

Statement velocity_bar(const std::vector<Series>& all, std::size_t form) {
  const auto found =
      worst(all, Momenta::kMotion, [&](const auto& e) { return e.velocity_form[form].motion; });
  const auto rounding = worst(all, Momenta::kMotion, [](const auto& e) { return e.rounded_qv; });
  return ours(
      "In (q, v), " + std::string(kVelocityForms[form]) + " keeps " + to_short(kVelocityBar) +
          " of vdot",
      found.value <= kVelocityBar,
      "largest error " + found.text() + "; rounding q and v costs up to " + rounding.text());
}

// The best that can be done from (q, p) against the velocities and accelerations of (q, v).
Statement velocities_are_nearer(const std::vector<Series>& all) {
  int compared = 0, lost = 0;
  Worst gain;
  for (const auto& series : all) {
    if (series.momenta != Momenta::kMotion) continue;
    for (const auto& e : series.points) {
      if (e.bodies < kLeastOfComparison) continue;
      const double from_p = e.momentum_form.back().motion;  // recursive
      const double from_v = e.velocity_form.back().motion;  // aba
      ++compared;
      if (from_v >= from_p) ++lost;
      gain.see(from_p / from_v, series, e);
    }
  }
  return ours("(q, v) wins on every chain of " + std::to_string(kLeastOfComparison) +
                  " bodies or more that moves: vdot of aba has a smaller error than qdot of "
                  "recursive, and v itself is the state",
              lost == 0,
              std::to_string(compared - lost) + " of " + std::to_string(compared) +
                  " chains; the largest gain is a factor of " + gain.text());
}

}  // namespace

Statements evaluation_verdicts(const std::vector<Series>& all) {
  Statements found;
  for (std::size_t i = 0; i < kMomentumForms.size(); ++i) found.push_back(random_bar(all, i));
  for (std::size_t i = 0; i < kMomentumForms.size(); ++i) found.push_back(motion_bar(all, i));
  found.push_back(rounding_costs(all));
  for (std::size_t i = 0; i < kVelocityForms.size(); ++i) found.push_back(velocity_bar(all, i));
  found.push_back(velocities_are_nearer(all));
  return found;
}

}  // namespace hamiltree::studies::round_off
