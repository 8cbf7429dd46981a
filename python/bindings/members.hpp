// The members of what is pickled, forces left aside, which say their fields. A struct is taken
// apart into as many names as it has members, so that one more does not compile before it is here.
#pragma once

#include <tuple>

#include "hamiltree/analysis/equilibrium.hpp"
#include "hamiltree/analysis/inverse_dynamics.hpp"
#include "hamiltree/analysis/kinematics.hpp"
#include "hamiltree/analysis/linearize.hpp"
#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

inline auto members(SourceLocation& x) {
  auto& [a, b] = x;
  return std::tie(a, b);
}

inline auto members(Frame& x) {
  auto& [a, b] = x;
  return std::tie(a, b);
}

inline auto members(Polynomial& x) {
  auto& [a] = x;
  return std::tie(a);
}

inline auto members(Sine& x) {
  auto& [a, b, c, d] = x;
  return std::tie(a, b, c, d);
}

inline auto members(SmoothStep& x) {
  auto& [a, b, c, d] = x;
  return std::tie(a, b, c, d);
}

inline auto members(Table& x) {
  auto& [a, b, c, d] = x;
  return std::tie(a, b, c, d);
}

inline auto members(TimeVector& x) {
  auto& [a, b, c] = x;
  return std::tie(a, b, c);
}

inline auto members(FrameMotion& x) {
  auto& [a, b, c, d, e, f] = x;
  return std::tie(a, b, c, d, e, f);
}

inline auto members(BodyDescription& x) {
  auto& [a, b, c, d, e, f] = x;
  return std::tie(a, b, c, d, e, f);
}

inline auto members(JointDescription& x) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = x;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
}

inline auto members(Coupling& x) {
  auto& [a, b, c, d, e, f, g] = x;
  return std::tie(a, b, c, d, e, f, g);
}

inline auto members(RopePoint& x) {
  auto& [a, b, c] = x;
  return std::tie(a, b, c);
}

inline auto members(BodySensor& x) {
  auto& [a, b, c] = x;
  return std::tie(a, b, c);
}

inline auto members(PointSensor& x) {
  auto& [a, b, c, d] = x;
  return std::tie(a, b, c, d);
}

inline auto members(JointSensor& x) {
  auto& [a, b, c] = x;
  return std::tie(a, b, c);
}

inline auto members(ReactionSensor& x) {
  auto& [a, b, c] = x;
  return std::tie(a, b, c);
}

inline auto members(EnergySensor& x) {
  auto& [a, b] = x;
  return std::tie(a, b);
}

inline auto members(EventDescription& x) {
  auto& [a, b, c, d, e, f] = x;
  return std::tie(a, b, c, d, e, f);
}

inline auto members(Mechanism& x) {
  auto& [a, b, c, d, e, f, g, h, i, j] = x;
  return std::tie(a, b, c, d, e, f, g, h, i, j);
}

inline auto members(Channel& x) {
  auto& [a, b] = x;
  return std::tie(a, b);
}

inline auto members(Power& x) {
  auto& [a, b, c] = x;
  return std::tie(a, b, c);
}

inline auto members(BodyShape& x) {
  auto& [a, b, c] = x;
  return std::tie(a, b, c);
}

inline auto members(RecordingHeader& x) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = x;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
}

inline auto members(BodyPose& x) {
  auto& [a, b] = x;
  return std::tie(a, b);
}

inline auto members(Sample& x) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = x;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
}

inline auto members(EventRecord& x) {
  auto& [a, b] = x;
  return std::tie(a, b);
}

inline auto members(StepRecord& x) {
  auto& [a, b, c] = x;
  return std::tie(a, b, c);
}

inline auto members(ConstraintSummary& x) {
  auto& [a, b, c, d, e, f] = x;
  return std::tie(a, b, c, d, e, f);
}

inline auto members(EnergySummary& x) {
  auto& [a, b, c, d, e, f] = x;
  return std::tie(a, b, c, d, e, f);
}

inline auto members(ModelSummary& x) {
  auto& [a, b, c, d, e, f, g, h, i] = x;
  return std::tie(a, b, c, d, e, f, g, h, i);
}

inline auto members(MethodChange& x) {
  auto& [a, b] = x;
  return std::tie(a, b);
}

inline auto members(IntegratorSummary& x) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = x;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
}

inline auto members(Summary& x) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = x;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
}

inline auto members(ShownMode& x) {
  auto& [a, b, c, d, e, f] = x;
  return std::tie(a, b, c, d, e, f);
}

inline auto members(Recording& x) {
  auto& [a, b, c, d, e] = x;
  return std::tie(a, b, c, d, e);
}

namespace analysis {

inline auto members(Mode& x) {
  auto& [a, b, c, d] = x;
  return std::tie(a, b, c, d);
}

inline auto members(Linearization& x) {
  auto& [a, b, c, d, e, f, g, h, i, j] = x;
  return std::tie(a, b, c, d, e, f, g, h, i, j);
}

inline auto members(Equilibrium& x) {
  auto& [a, b, c, d, e] = x;
  return std::tie(a, b, c, d, e);
}

inline auto members(InverseDynamics& x) {
  auto& [a, b, c, d] = x;
  return std::tie(a, b, c, d);
}

inline auto members(PointJacobian& x) {
  auto& [a, b, c, d] = x;
  return std::tie(a, b, c, d);
}

inline auto members(InverseKinematics& x) {
  auto& [a, b, c, d] = x;
  return std::tie(a, b, c, d);
}

}  // namespace analysis

}  // namespace hamiltree
