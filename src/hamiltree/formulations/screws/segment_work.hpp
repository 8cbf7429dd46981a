// What segments of a chain keep between their passes.
#pragma once

#include <array>
#include <vector>

#include "hamiltree/formulations/screws/articulated.hpp"
#include "hamiltree/formulations/screws/compound.hpp"

namespace hamiltree::screws {

// Of one step.
struct SegmentStep {
  Pack s, c, p;
  Pack Wx, Wy, Wz, Wa, Wb, u, inverse;  // of the pin: rate = u - W . V - phi . y / C_zz
  Five phi;
  Vector6<Pack> V;
  Pack gx, gy;
  Pack v, p_dot;
};

struct SegmentWork {
  std::vector<SegmentStep> steps;
  std::array<Joined, 3> joined;
};

}  // namespace hamiltree::screws
