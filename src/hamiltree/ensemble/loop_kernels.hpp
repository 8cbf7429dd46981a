// What works on the loops of eight planar mechanisms of pins side by side, compiled for every
// instruction set. With r the world places of the two points of each closing pin:
//   (1)  Phi = r_child - r_parent,   A = Phi_q: a turn of body b moves what is behind it about r_b
//   (2)  S = A M^-1 A^T = L d L^T,   sigma = -S^-1 w
//   (3)  (dA/dt)^T sigma from the velocities of the points, and A^T (omega x sigma), for momenta
//   are
//        kept in the gauge of the formulations: sigma turns with the child of its pin
// A pivot lost in a singular pose is masked as in contraction/front.hpp.
#pragma once

#include <vector>

#include "hamiltree/math/pack.hpp"

namespace hamiltree::loops {

inline constexpr int kGround = -1;  // in place of a body

struct State {
  struct Vector {
    Pack x, y;
  };
  struct Pin {
    int inboard;      // body, or kGround
    Vector at, turn;  // in the body further in; cosine and sine at q = 0
  };
  struct Closing {
    int body[2];  // parent and child
    Vector at[2];
    Vector r[2];  // world, where they were placed
  };

  std::vector<Pin> pins;
  std::vector<Closing> closings;
  std::vector<Vector> axes, r, r_dot;  // of each body: cosine and sine, place and speed of its pin
  std::vector<Pack> omega;
  std::vector<Pack> phi, A, S, inverse;  // A row by row; S its factors
};

struct Kernels {
  void (*place)(State&, const Pack* q);
  void (*factor)(State&, const Pack* columns);
  void (*close)(const State&, Pack* w);
  void (*opening_velocities)(const State&, const Pack* v, Pack* w);
  void (*add_impulses)(const State&, const Pack* sigma, Pack* p);
  void (*subtract_turning)(State&, const Pack* v, const Pack* sigma, Pack* p_dot);
};

// Of the best set that this machine has.
const Kernels& kernels();

}  // namespace hamiltree::loops
