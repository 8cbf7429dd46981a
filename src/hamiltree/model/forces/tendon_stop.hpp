// Elastic stops of a tendon, described and in tables; how they push is said in
// hamiltree/forces/tendon_stop.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/model/forces/fields.hpp"
#include "hamiltree/model/forces/joint_share.hpp"
#include "hamiltree/model/forces/rope.hpp"
#include "hamiltree/model/forces/stop_law.hpp"

namespace hamiltree {

// Elastic stops of x = sum of ratio q over joints with one degree of freedom, or of the length x
// of a rope over points, at one end or both.
struct TendonLimits {
  std::string name;
  std::vector<std::string> joints;
  std::vector<double> ratios;          // of each joint
  std::optional<double> lower, upper;  // rad or m
  double stiffness = 0.0;              // N m/rad or N/m, > 0
  double damping = 0.0;                // N m s/rad or N s/m, >= 0
  std::optional<double> transition;    // rad or m, > 0: as of JointLimits
  SourceLocation where;
  std::vector<RopePoint> points = {};  // instead of joints

  static constexpr const char* kType = "limits";
  static constexpr const char* kClass = "TendonLimits";
  static constexpr const char* kHelp =
      "Elastic stops of x = sum of ratio q over joints with one degree of freedom, all ratios 1 if "
      "there are none; or of the length x of a rope over points, as of a PointSpringDamper.";
  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit.pulled(self.joints, self.ratios, self.points);
    visit.number("lower", self.lower, Range::kAny);
    visit.number("upper", self.upper, Range::kAny);
    visit.number("stiffness", self.stiffness, Range::kPositive, Need::kRequired);
    visit.number("damping", self.damping, Range::kNotNegative);
    visit.number("transition", self.transition, Range::kPositive);
  }
  template <class Refuse>
  void check(const Refuse& refuse) const {
    check_stops(*this, refuse);
  }

  template <class Tables>
  void compile(const Tables& to) const {
    using Space = typename Tables::In;
    std::vector<JointShare> shares;
    for (std::size_t i = 0; i < joints.size(); ++i)
      shares.push_back({to.joint(joints[i]), ratios[i]});
    for_each_stop(*this, [&](double end, double side, double way_in) {
      const StopLaw<Space> law{side, end, stiffness, damping, way_in};
      if (points.empty()) {
        to.system.tendon_stops.push_back({shares, law});
      } else {
        to.system.rope_stops.push_back({to.path(points), law});
      }
    });
  }
};

template <class Space>
struct TendonStop {
  std::vector<JointShare> shares;
  StopLaw<Space> law;

  template <class To>
  TendonStop<To> cast() const {
    return {shares, law.template cast<To>()};
  }
  const char* parameters() const { return "tendon_stop"; }
  TendonLimits described() const { return law.described(TendonLimits{}); }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    for (auto& share : self.shares) visit.joint(share.joint, Uses::kPosition);
    StopLaw<Space>::parts(self.law, visit);
  }
};

template <class Space>
struct RopeStop {
  Path<Space> path;
  StopLaw<Space> law;

  template <class To>
  RopeStop<To> cast() const {
    return {cast_path<To, Space>(path), law.template cast<To>()};
  }
  const char* parameters() const { return "rope_stop"; }
  TendonLimits described() const { return law.described(TendonLimits{}); }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    visit.path(self.path);
    StopLaw<Space>::parts(self.law, visit);
  }
};

}  // namespace hamiltree
