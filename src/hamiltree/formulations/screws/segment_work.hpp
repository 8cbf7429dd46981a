// What segments of a chain keep between their passes.
#pragma once

#include <array>
#include <vector>

#include "hamiltree/formulations/screws/articulated.hpp"
#include "hamiltree/formulations/screws/compound.hpp"

namespace hamiltree::screws {

template <bool kPlanar>
inline constexpr std::size_t kPinned = kPlanar ? 2 : 5;  // directions that a pin transmits

// Of one step.
template <bool kPlanar>
struct SegmentStep {
  using O = Out<Pack, kPlanar>;
  Pack s, c, p;
  Pack Wx, Wy, u, inverse;  // of the pin: rate = u - W . V - phi . y / C_zz
  O Wz, Wa, Wb;
  Pinned<kPinned<kPlanar>> phi;
  Vector6<Pack, O> V;
  Pack gx, gy;
  Pack v, p_dot;
};

template <bool kPlanar>
struct SegmentWork {
  std::vector<SegmentStep<kPlanar>> steps;
  std::array<Joined<kPinned<kPlanar>>, 3> joined;
  double potential = 0.0;  // J, under gravity, less a constant
};

}  // namespace hamiltree::screws
