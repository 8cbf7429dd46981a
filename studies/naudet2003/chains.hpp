// Chains of pin joints for [Naudet2003]: every body hangs on the one before it.
#pragma once

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::naudet2003 {

inline constexpr unsigned kSeed = 2003;  // of all placements, masses and states

enum class Axes {
  kGeneral,       // frames anywhere: no two axes meet or are parallel
  kCommonNormal,  // the same axes in general, but x axes chosen along the common normals
  kAligned,       // right angles, alternately, a link's length apart along the common normal
};
enum class Loads {
  kNone,
  kGravity,
  kWrench,  // a force and a moment on every body, in its own axes
};

const char* to_text(Axes axes);
const char* to_text(Loads loads);

// Centres of mass anywhere and full inertias in either case; the first axis is the z axis of the
// world. Joints start at random angles with random velocities of at most 1 rad/s.
Mechanism pin_chain(int bodies, Axes axes, Loads loads, unsigned seed = kSeed);

}  // namespace hamiltree::naudet2003
