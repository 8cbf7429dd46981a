// Storage of a chain block between its passes, and messages between chain blocks.
#pragma once

#include <array>
#include <vector>

#include "hamiltree/formulations/dh_frames/articulated.hpp"
#include "hamiltree/formulations/dh_frames/compound.hpp"

namespace hamiltree::dh_frames {

template <bool kPlanar>
inline constexpr std::size_t kPinned = kPlanar ? 2 : 5;  // directions that a revolute transmits

// One step, from the inward to the outward pass.
template <bool kPlanar>
struct ChainBlockStep {
  using O = Out<Pack, kPlanar>;
  Pack s, c, p;
  Pack Wx, Wy, u, inverse;  // of the revolute: rate = u - W . V - phi . y / C_zz
  Pinned<kPinned<kPlanar>> phi;
  O Wz, Wa, Wb;
};

// One step, outwards and back: no two chain blocks of a thread need it at a time.
template <bool kPlanar>
struct MovingStep {
  Vector6<Pack, Out<Pack, kPlanar>> V;
  Pack gx, gy;
  Pack v, p_dot;
};
template <bool kPlanar>
using MovingSteps = std::vector<MovingStep<kPlanar>>;

// Momentum that a body hands to the one outboard, y, weighs in on it:
//   P = M V + D + F y,     V_next = F^T V + f - Psi y
template <bool kPlanar>
struct OpenEnd {
  static constexpr std::size_t n = kPinned<kPlanar>;
  std::array<Vector6<Pack, Out<Pack, kPlanar>>, n> F;  // columns
  PinnedSquare<n> Psi;                                 // lower half
  Pinned<n> f;
};

using Rotation = std::array<double, 9>;  // row by row
using Vector3 = std::array<double, 3>;

// A vector at the outboard end in the axes of the inboard one: two columns of a rotation, the
// second of which says nothing new in the plane.
template <bool kPlanar>
struct Turned {
  using O = Out<Pack, kPlanar>;
  Pack x0{1.0}, x1{0.0};
  O x2{0.0}, y0{0.0}, y1{1.0}, y2{0.0};

  Rotation axes(int lane) const {
    const double a = x0[lane], b = x1[lane];
    if constexpr (kPlanar) {
      return {a, -b, 0.0, b, a, 0.0, 0.0, 0.0, 1.0};
    } else {
      const double c = x2[lane], d = y0[lane], e = y1[lane], f = y2[lane];
      return {a, d, b * f - c * e, b, e, c * d - a * f, c, f, a * e - b * d};
    }
  }
};

// A chain block, or several joined, as others see it; its first revolute is at the inboard end, the
// first revolute of the next chain block at the outboard one.
template <bool kPlanar>
struct Outside {
  Compound<kPinned<kPlanar>> compound;  // all lanes alike
  Rotation turn;                        // from the axes at the outboard end to those at the inboard
  Vector3 moments;  // first moments of its bodies, kg m, axes at the inboard end
};

// Messages from others.
template <bool kPlanar>
struct Inside {
  Pinned<kPinned<kPlanar>> T_1, T_2;  // of the compound
  Vector3 gravity;                    // m/s^2, axes at the inboard end
  Vector3 behind;  // first moments of all further out, kg m, axes at the outboard end
};

// The state of a chain block's first revolute; zeros where there is none.
struct FirstRevolute {
  double s = 0.0, c = 0.0, p = 0.0;
};

template <bool kPlanar>
struct ChainBlockWork {
  using O = Out<Pack, kPlanar>;
  std::vector<ChainBlockStep<kPlanar>> steps;
  // From the way in to the way out:
  Pack next_s, next_c, next_p;  // of the next segment's first revolute
  Articulated<Pack, O> m;       // of the first bodies
  Factors<kPinned<kPlanar> + 1> M;
  OpenEnd<kPlanar> end;
  Turned<kPlanar> R;
  std::array<Joined<kPinned<kPlanar>>, 3> joined;
  Outside<kPlanar> outside;
  Inside<kPlanar> inside;
  double last_turns =
      0.0;  // what the next chain block's first revolute finds inboard, about it, rad/s
  bool finite = true;
};

// A and B, the next one outboard, joined: what the way back needs.
template <bool kPlanar>
struct JoinedChainBlocks {
  Joined<kPinned<kPlanar>> joined;
  Rotation turn, turn_B;
  Vector3 moments_B;
};

template <bool kPlanar>
struct ChainWork {
  std::vector<ChainBlockWork<kPlanar>> chain_blocks;
  std::vector<MovingSteps<kPlanar>> moving;        // of each thread
  std::vector<JoinedChainBlocks<kPlanar>> joined;  // one per join
  double potential = 0.0;                          // J, under gravity, less a constant
};

}  // namespace hamiltree::dh_frames
