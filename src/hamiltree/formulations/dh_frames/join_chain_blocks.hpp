// ChainBlocks of a chain joined, and told what they hand each other.
#pragma once

#include <cstddef>

#include "hamiltree/formulations/dh_frames/chain_block.hpp"

namespace hamiltree::dh_frames {

// B, the next one outboard, into A.
template <bool kPlanar>
inline void join(Outside<kPlanar>& A, const Outside<kPlanar>& B,
                 JoinedChainBlocks<kPlanar>& joined) {
  joined.turn = A.turn;
  joined.turn_B = B.turn;
  joined.moments_B = B.moments;
  A.compound = join(A.compound, B.compound, joined.joined);
  const auto further_out = turned(A.turn, B.moments);
  for (std::size_t i = 0; i < 3; ++i) A.moments[i] += further_out[i];
  A.turn = product(A.turn, B.turn);
}

// `A` is what both are told, then what A is told.
template <bool kPlanar>
inline void part(const JoinedChainBlocks<kPlanar>& joined, Inside<kPlanar>& A, Inside<kPlanar>& B) {
  B = A;
  const auto sigma = handed_on(joined.joined, A.T_1, A.T_2);
  for (std::size_t i = 0; i < sigma.size(); ++i) A.T_2[i] = -sigma[i], B.T_1[i] = sigma[i];
  B.gravity = turned_back(joined.turn, A.gravity);
  const auto further_out = turned(joined.turn_B, A.behind);
  for (std::size_t i = 0; i < 3; ++i) A.behind[i] = joined.moments_B[i] + further_out[i];
}

// On the ground, with nothing beyond the tip. `all`: of all of the chain; gravity in the axes of
// its first revolute.
template <bool kPlanar>
inline void close(const Outside<kPlanar>& all, const Vector3& gravity, Inside<kPlanar>& inside) {
  close(all.compound, inside.T_1, inside.T_2);
  inside.gravity = gravity;
  inside.behind = {0.0, 0.0, 0.0};
}

}  // namespace hamiltree::dh_frames
