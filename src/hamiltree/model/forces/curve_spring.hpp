// A spring along a joint whose effort follows a curve through points, described and in tables; its
// law is in hamiltree/forces/curve_spring.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/model/forces/fields.hpp"

namespace hamiltree {

// A spring with a characteristic curve and a damper along a joint with one degree of freedom:
//   effort on the child = -scale f(q - rest) - damping qdot
// f is the monotone piecewise cubic through the points (deflection, effort), with a continuous
// derivative; beyond them it goes on at the slopes of the first and the last two points.
struct CurveSpring {
  std::string name;
  std::string joint;
  std::vector<double> deflections;  // rad or m, ascending, at least two
  std::vector<double> efforts;      // N m or N, as many
  double scale = 1.0;               // >= 0
  double rest = 0.0;                // rad or m
  double damping = 0.0;             // N m s/rad or N s/m, >= 0
  SourceLocation where;

  static constexpr const char* kType = "curve_spring";
  static constexpr const char* kClass = "CurveSpring";
  static constexpr const char* kHelp =
      "A spring with a characteristic curve and a damper along a joint with one degree of freedom: "
      "effort = -scale f(q - rest) - damping q_dot. f is the monotone piecewise cubic through the "
      "points (deflections, efforts) in rad or m and N m or N, straight beyond them.";
  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit.joint("joint", self.joint);
    visit.numbers("deflections", self.deflections);
    visit.numbers("efforts", self.efforts);
    visit.number("scale", self.scale, Range::kNotNegative);
    visit.number("rest", self.rest, Range::kAny);
    visit.number("damping", self.damping, Range::kNotNegative);
  }
  template <class Refuse>
  void check(const Refuse& refuse) const {
    if (deflections.size() < 2) {
      refuse("needs two deflections or more, it has " + std::to_string(deflections.size()),
             "deflections");
    }
    if (efforts.size() != deflections.size()) {
      refuse("has " + std::to_string(efforts.size()) + " efforts for " +
                 std::to_string(deflections.size()) + " deflections",
             "efforts");
    }
    const auto fall = std::ranges::adjacent_find(deflections, std::ranges::greater_equal{});
    if (fall == deflections.end()) return;
    refuse("deflections must ascend, but " + to_text(*fall) + " is followed by " +
               to_text(*(fall + 1)),
           "deflections");
  }

  template <class Tables>
  void compile(const Tables& to) const;
};

// value + slope u + c2 u^2 + c3 u^3 for 0 <= u <= length behind the start
struct CurvePiece {
  double start = 0.0, length = 0.0, value = 0.0, slope = 0.0, c2 = 0.0, c3 = 0.0;
};

// Slopes as by F. N. Fritsch and J. Butland, A method for constructing local monotone piecewise
// cubic interpolants, SIAM J. Sci. Stat. Comput. 5 (1984); at the ends those of the chords.
inline std::vector<CurvePiece> monotone_curve(const std::vector<double>& x,
                                              const std::vector<double>& f) {
  std::vector<CurvePiece> pieces;
  std::vector<double> chord;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    chord.push_back((f[i + 1] - f[i]) / (x[i + 1] - x[i]));
  }
  const auto slope_at = [&](std::size_t i) {
    if (i == 0) return chord.front();
    if (i == chord.size()) return chord.back();
    const double before = chord[i - 1], after = chord[i];
    if (!(before * after > 0.0)) return 0.0;
    const double h = x[i] - x[i - 1], H = x[i + 1] - x[i];
    return 3.0 * (h + H) / ((h + 2.0 * H) / before + (2.0 * h + H) / after);
  };
  for (std::size_t i = 0; i < chord.size(); ++i) {
    const double h = x[i + 1] - x[i], left = slope_at(i), right = slope_at(i + 1);
    pieces.push_back({x[i], h, f[i], left, (3.0 * chord[i] - 2.0 * left - right) / h,
                      (left + right - 2.0 * chord[i]) / (h * h)});
  }
  return pieces;
}

template <class Space>
struct JointCurveSpring {
  int joint = 0;
  std::vector<CurvePiece> pieces;
  typename Space::Scalar scale{1}, rest{0}, damping{0};

  template <class To>
  JointCurveSpring<To> cast() const {
    using Other = typename To::Scalar;
    return {joint, pieces, Other(scale), Other(rest), Other(damping)};
  }
  const char* parameters() const { return "curve_spring"; }
  // Of any curve.
  CurveSpring described() const {
    return {{}, {}, {0.0, 1.0}, {0.0, 1.0}, scale, rest, damping, {}};
  }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    visit.joint(self.joint, Uses::kPosition);
    visit.number("scale", self.scale);
    visit.number("rest", self.rest);
    visit.number("damping", self.damping);
  }
};

template <class Tables>
void CurveSpring::compile(const Tables& to) const {
  to.system.curve_springs.push_back(
      {to.joint(joint), monotone_curve(deflections, efforts), scale, rest, damping});
}

}  // namespace hamiltree
