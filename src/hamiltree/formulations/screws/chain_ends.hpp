// The ends of a chain, and of its stretches: what an evaluation of all of it does once.
#pragma once

#include "hamiltree/formulations/screws/request.hpp"
#include "hamiltree/formulations/screws/stretch_work.hpp"
#include "hamiltree/formulations/screws/tree.hpp"

namespace hamiltree::screws {

// Gravity in the axes of the first pin. `root`: its axes in the world at angle zero.
inline Vector3 gravity_at(const FirstPin& pin, const Rotation& root, const Vector3& gravity) {
  Vector3 g;
  for (std::size_t i = 0; i < 3; ++i)
    g[i] = root[i] * gravity[0] + root[3 + i] * gravity[1] + root[6 + i] * gravity[2];
  return {pin.c * g[0] + pin.s * g[1], pin.c * g[1] - pin.s * g[0], g[2]};
}

// J, less a constant, of first moments about the first pin.
inline double potential(const Vector3& moments, const Vector3& gravity) {
  return -(moments[0] * gravity[0] + moments[1] * gravity[1] + moments[2] * gravity[2]);
}

// A stretch's first pin turns less by what the one before turns about it.
inline void turn_back_first(const Stretch& stretch, double last_turns,
                            const Request<double>& asked) {
  const double before = stretch.sign.front()[0] * last_turns;
  asked.v[stretch.velocity.front()[0]] -= before;
  if (asked.q_dot != asked.v) asked.q_dot[stretch.coordinate.front()[0]] -= before;
}

}  // namespace hamiltree::screws
