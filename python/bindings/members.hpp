// The members of what is pickled, forces left aside, which say their fields. A struct is taken
// apart into as many names as it has members, so that one more does not compile before it is here.
#pragma once

#include <concepts>
#include <tuple>

#include "hamiltree/analysis/equilibrium.hpp"
#include "hamiltree/analysis/inverse_dynamics.hpp"
#include "hamiltree/analysis/inverse_kinematics.hpp"
#include "hamiltree/analysis/linearize.hpp"
#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/sensitivity/run_options.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree::bindings {

template <class T, class... Those>
concept AnyOf = (std::same_as<T, Those> || ...);

template <class T>
auto members(T& x) {
  if constexpr (AnyOf<T, Polynomial>) {
    auto& [a] = x;
    return std::tie(a);
  } else if constexpr (AnyOf<T, SourceLocation, Frame, EnergySensor, Channel, BodyPose, EventRecord,
                             MethodChange>) {
    auto& [a, b] = x;
    return std::tie(a, b);
  } else if constexpr (AnyOf<T, TimeVector, RopePoint, BodySensor, JointSensor, ReactionSensor,
                             Power, BodyShape, StepRecord>) {
    auto& [a, b, c] = x;
    return std::tie(a, b, c);
  } else if constexpr (AnyOf<T, Sine, SmoothStep, Table, PointSensor, analysis::Mode,
                             analysis::InverseDynamics, analysis::PointJacobian,
                             analysis::InverseKinematics, sensitivity::RunChange>) {
    auto& [a, b, c, d] = x;
    return std::tie(a, b, c, d);
  } else if constexpr (AnyOf<T, Recording, sensitivity::RunSamples>) {
    auto& [a, b, c, d, e] = x;
    return std::tie(a, b, c, d, e);
  } else if constexpr (AnyOf<T, FrameMotion, BodyDescription, EventDescription, ConstraintSummary,
                             EnergySummary, ShownMode, analysis::Equilibrium>) {
    auto& [a, b, c, d, e, f] = x;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (AnyOf<T, Coupling>) {
    auto& [a, b, c, d, e, f, g] = x;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (AnyOf<T, ModelSummary>) {
    auto& [a, b, c, d, e, f, g, h, i] = x;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (AnyOf<T, Mechanism, analysis::Linearization>) {
    auto& [a, b, c, d, e, f, g, h, i, j] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (AnyOf<T, RecordingHeader>) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (AnyOf<T, IntegratorSummary>) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (AnyOf<T, JointDescription, Sample>) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  } else if constexpr (AnyOf<T, Summary>) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
  }
}

}  // namespace hamiltree::bindings
