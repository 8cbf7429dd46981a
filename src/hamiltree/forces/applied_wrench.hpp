// Applied wrench: a force at a point of a body and a moment, given in time.
#pragma once

#include <algorithm>
#include <array>
#include <functional>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/instant.hpp"

namespace hamiltree {

template <class Space, class Sink>
void exert(const BodyWrench<Space>& wrench, const Instant<Space>& now, Sink& sink) {
  const auto X = now.kin.pose(wrench.body) * wrench.X;
  typename Space::Force F;
  for (int i = 0; i < Space::kLinear; ++i) F(i) = wrench.force[at(i)](now.t).value;
  for (int i = 0; i < Space::kAngular; ++i) {
    F(Space::kLinear + i) = wrench.moment[at(i)](now.t).value;
  }
  if (wrench.given) F += *wrench.given;
  if (wrench.turns) F = rotate<Space>(X.R, F);
  sink.pair(kNone, wrench.body, X.r,
            std::array{ForcePart<typename Space::Force>{ForceKind::kApplied, F}}, std::identity());
}

template <class Space>
bool is_conservative(const BodyWrench<Space>& wrench) {
  const auto is_zero = [](const PiecewiseSine& f) { return f.is_zero(); };
  return !wrench.given && std::all_of(wrench.force.begin(), wrench.force.end(), is_zero) &&
         std::all_of(wrench.moment.begin(), wrench.moment.end(), is_zero);
}

}  // namespace hamiltree
