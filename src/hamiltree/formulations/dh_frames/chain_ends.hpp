// The ends of a chain, and of its chain blocks: what an evaluation of all of it does once.
#pragma once

#include "hamiltree/formulations/dh_frames/chain_block_work.hpp"
#include "hamiltree/formulations/dh_frames/request.hpp"
#include "hamiltree/formulations/dh_frames/tree.hpp"

namespace hamiltree::dh_frames {

// Gravity in the axes of the first revolute. `root`: its axes in the world at angle zero.
inline Vector3 gravity_at(const FirstRevolute& revolute, const Rotation& root,
                          const Vector3& gravity) {
  Vector3 g;
  for (std::size_t i = 0; i < 3; ++i)
    g[i] = root[i] * gravity[0] + root[3 + i] * gravity[1] + root[6 + i] * gravity[2];
  return {revolute.c * g[0] + revolute.s * g[1], revolute.c * g[1] - revolute.s * g[0], g[2]};
}

// J, less a constant, of first moments about the first revolute.
inline double potential(const Vector3& moments, const Vector3& gravity) {
  return -(moments[0] * gravity[0] + moments[1] * gravity[1] + moments[2] * gravity[2]);
}

// A chain block's first revolute turns less by what the one before turns about it.
inline void turn_back_first(const ChainBlock& chain_block, double last_turns,
                            const Request<double>& asked) {
  const double before = chain_block.sign.front()[0] * last_turns;
  asked.v[chain_block.velocity.front()[0]] -= before;
  if (asked.q_dot != asked.v) asked.q_dot[chain_block.coordinate.front()[0]] -= before;
}

}  // namespace hamiltree::dh_frames
