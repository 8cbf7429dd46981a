// How much ballast the bodies of a System need that cannot be inverted, see ballast.hpp.
#pragma once

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/ballast.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree {
namespace ballast_detail {

constexpr double kLeastInertia = 1e-11;  // of the mean mass at the length; below it there is none

// A body's mass, kg, and inertia about one of its joints, kg m^2.
struct Weight {
  double mass = std::numeric_limits<double>::infinity();
  double inertia = std::numeric_limits<double>::infinity();
};

// Whether the only coordinate of a joint is a length; balls, which have armature too, have more.
template <class Space>
bool slides(const Joint<Space>& joint) {
  return joint.along != kNone && joint.along < Space::kLinear;
}

// For flywheels and rotors whose mass moves nothing: of what has their inertia at the
// length.
template <class Space>
double mean_mass(const System<Space>& system) {
  double mass = 0.0;
  double inertia = 0.0;
  for (const auto& body : system.bodies) {
    mass += body.mass;
    inertia += body.J_com.trace();
  }
  for (const auto& joint : system.joints) {
    (slides(joint) ? mass : inertia) += joint.armature;
  }
  const double total = mass > 0.0 ? mass : inertia / (system.length * system.length);
  return total / static_cast<double>(system.bodies.size());
}

// The rest of what a joint moves with a body alone may be next to nothing, beside heavy
// neighbours: its armature, and the little inertia that the body has. Ballast is kept to a share of
// it.
template <class Space>
void feel_own(const Joint<Space>& joint, const RigidInertia<Space>& body,
              const typename Space::Position& origin, Weight& weight) {
  constexpr double kTimes = kOwnShare / kBallastShare;
  const auto lower = [](double& least, double value) {
    if (value > 0.0) least = std::min(least, value);
  };
  const double square = (body.com - origin).squaredNorm();
  lower(weight.inertia, kTimes * (body.J_com.trace() / Space::kAngular + body.mass * square));
  if (!(joint.armature > 0.0)) return;
  if (slides(joint)) {
    lower(weight.mass, kTimes * joint.armature);
  } else {
    lower(weight.inertia, kTimes * joint.armature);
    if (square > 0.0) lower(weight.mass, kTimes * joint.armature / square);
  }
}

// Spread from neighbour to neighbour until nothing changes.
template <class Space>
std::vector<Weight> weights_of_neighbours(const System<Space>& system,
                                          const std::vector<bool>& needs) {
  std::vector<Weight> weights(needs.size());
  const auto lower = [](double value, double& least) {
    const bool lighter = value > 0.0 && value < least;
    if (lighter) least = value;
    return lighter;
  };
  const auto spread = [&](int to, int from, const typename Space::Position& joint) {
    if (to == kNone || from == kNone || !needs[at(to)]) return false;
    const auto& body = system.body(from);
    const double inertia =
        body.J_com.trace() / Space::kAngular + body.mass * (body.com - joint).squaredNorm();
    bool changed = lower(body.mass, weights[at(to)].mass);
    changed |= lower(inertia, weights[at(to)].inertia);
    if (needs[at(from)]) {
      changed |= lower(weights[at(from)].mass, weights[at(to)].mass);
      changed |= lower(weights[at(from)].inertia, weights[at(to)].inertia);
    }
    return changed;
  };
  for (const auto& joint : system.joints) {
    const auto feel = [&](int b, const typename Space::Position& origin) {
      if (b != kNone && needs[at(b)]) feel_own(joint, system.body(b), origin, weights[at(b)]);
    };
    feel(joint.child, joint.X_CM.r);
    feel(joint.parent, joint.X_PF.r);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& joint : system.joints) {
      changed |= spread(joint.parent, joint.child, joint.X_CM.r);
      changed |= spread(joint.child, joint.parent, joint.X_PF.r);
    }
  }
  return weights;
}

}  // namespace ballast_detail

// Bodies that cannot be inverted get a ballast: a share of what their
// lightest neighbours weigh, also over others that need ballast, and of what their joints
// move without these.
template <class Space>
void add_ballast(System<Space>& system) {
  const double square = system.length * system.length;
  const double mean = ballast_detail::mean_mass(system);
  std::vector<bool> needs;
  for (const auto& body : system.bodies) {
    const double smallest =
        Eigen::SelfAdjointEigenSolver<typename Space::AngularInertia>(body.J_com).eigenvalues()(0);
    needs.push_back(!(body.mass > 0.0 && smallest > ballast_detail::kLeastInertia * mean * square));
  }
  if (std::find(needs.begin(), needs.end(), true) == needs.end()) return;
  const auto weights = ballast_detail::weights_of_neighbours(system, needs);
  system.ballasted = system.bodies;
  for (std::size_t b = 0; b < needs.size(); ++b) {
    if (!needs[b]) continue;
    auto& body = system.ballasted[b];
    const auto [mass, inertia] = weights[b];
    if (!(body.mass > 0.0)) body.mass = kBallastShare * (std::isfinite(mass) ? mass : mean);
    body.J_com += kBallastShare * (std::isfinite(inertia) ? inertia : mean * square) *
                  Space::AngularInertia::Identity();
    body.J_com_inverse = body.J_com.inverse();
  }
}

}  // namespace hamiltree
