#include <algorithm>
#include <cmath>

#include "hamiltree/io/import/normalise/normalise.hpp"
#include "hamiltree/io/import/normalise/outboard.hpp"
#include "hamiltree/io/import/number_by_name.hpp"

namespace hamiltree {
namespace {

constexpr double kStopFrequency = 50.0;  // rad/s

// Stops of a joint or of a tendon of which the file does not say how hard they are.
template <class Force>
constexpr bool kIsStop = requires(const Force& stop) {
  stop.transition;
  stop.stiffness;
};

bool is_soft(const ForceDescription& force) {
  return std::visit(
      []<class Force>(const Force& f) {
        if constexpr (kIsStop<Force>) return f.stiffness == 0.0;
        return false;
      },
      force);
}

}  // namespace

void stiffen_limits(Mechanism& mechanism) {
  if (std::ranges::none_of(mechanism.forces, is_soft)) return;
  const Outboard outboard(mechanism);
  const auto joints = number_by_name(mechanism.joints);
  const auto along = [&](const std::string& joint) {
    return outboard.inertia(mechanism.joints[joints.at(joint)]);
  };
  // Of a tendon, as if nothing else moved with its joints or the ends of its rope.
  const auto behind = [&](const auto& stop) {
    if constexpr (requires { stop.joint; }) {
      return along(stop.joint);
    } else {
      double ease = 0.0;
      for (std::size_t i = 0; i < stop.joints.size(); ++i)
        ease += stop.ratios[i] * stop.ratios[i] / along(stop.joints[i]);
      if (!stop.points.empty())
        ease = 1.0 / outboard.mass(stop.points.front().body) +
               1.0 / outboard.mass(stop.points.back().body);
      return 1.0 / ease;
    }
  };
  for (auto& force : mechanism.forces) {
    if (!is_soft(force)) continue;
    std::visit(
        [&]<class Force>(Force& f) {
          if constexpr (kIsStop<Force>) {
            const double inertia = behind(f);
            if (!std::isfinite(inertia)) return;  // nothing moves
            f.stiffness = inertia * kStopFrequency * kStopFrequency;
            f.damping = 2.0 * inertia * kStopFrequency;
          }
        },
        force);
  }
  // Where nothing with mass is outboard, or nothing moves, there is nothing to stop.
  std::erase_if(mechanism.forces, is_soft);
}

}  // namespace hamiltree
