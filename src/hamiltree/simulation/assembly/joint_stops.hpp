// JointStops: between which coordinates the stops of a posed mechanism let its joints stand.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "hamiltree/simulation/assembly/posed_mechanism.hpp"

namespace hamiltree::assembly {

template <class Space>
class JointStops {
 public:
  explicit JointStops(PosedMechanism<Space>& pose) : pose_(pose) {}

  struct Range {
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();

    bool is_finite() const { return std::isfinite(lower) && std::isfinite(upper); }
  };
  Range of(int b) const {
    Range range;
    for (const auto& stop : pose_.system.joint_stops) {
      if (stop.joint == b) (stop.law.side > 0.0 ? range.upper : range.lower) = double(stop.law.at);
    }
    return range;
  }

  // Of a joint of which nothing is said.
  bool is_beyond(int b) const {
    const auto& joint = pose_.system.joint(b);
    if (joint.velocities != 1 || pose_.described(b).initial_q) return false;
    const auto [lower, upper] = of(b);
    return pose_.q(joint.q) < lower || pose_.q(joint.q) > upper;
  }

  bool is_any_beyond() const {
    for (int b = 0; b < pose_.system.body_count(); ++b) {
      if (is_beyond(b)) return true;
    }
    return false;
  }

  // The coordinate in the middle between a joint's stops, or from where it was guessed.
  double home_of(int b) const {
    const auto range = of(b);
    if (range.is_finite()) return 0.5 * (range.lower + range.upper);
    return pose_.described(b).guess_q ? (*pose_.described(b).guess_q)(0) : 0.0;
  }

  // Whole turns of pins change nothing, but that stops and springs would count them.
  void unwind() {
    for (int b = 0; b < pose_.system.body_count(); ++b) {
      const auto& joint = pose_.system.joint(b);
      if (joint.type != JointType::kRevolute || joint.velocities != 1) continue;
      const bool coupled = std::ranges::any_of(
          pose_.system.couplings, [&](const auto& c) { return c.joint == b || c.to == b; });
      if (coupled || pose_.described(b).initial_q) continue;
      const double home = home_of(b);
      double& q = pose_.q(joint.q);
      if (std::abs(q - home) > std::numbers::pi)
        q = home + std::remainder(q - home, 2.0 * std::numbers::pi);
    }
  }

 private:
  PosedMechanism<Space>& pose_;
};

}  // namespace hamiltree::assembly
