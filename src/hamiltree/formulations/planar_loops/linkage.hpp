// A planar linkage, bodies on revolute joints whose loops other pins close, or a part of one. Plain
// numbers: what is compiled for an instruction set includes nothing else.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/pack.hpp"

namespace hamiltree::planar_loops {

inline constexpr int kGround = -1;     // in place of a body
inline constexpr int kElsewhere = -2;  // a body of another part
inline constexpr int kNoFront = -1;

template <class T>
struct Vector2 {
  T x{0}, y{0};
};

// Where a number of a body or a cut is in an array of the model, in lanes for each of them.
template <class K>
struct Place {
  int number = 0;
};
template <>
struct Place<Pack> {
  std::array<int, kLanes> number{};
};

// A body and the pin that carries it: its origin is the pin.
template <class K>
struct Body {
  int inboard = kGround;
  int front = kNoFront;   // of the cuts that are open behind its pin or close there
  bool is_loose = false;  // its pin is one of the cuts
  Vector2<K> at;          // the pin in the body further in, m
  K sign{1}, offset{0};   // its angle there is sign q + offset; v and p have the sign, too
  K mass{0};              // kg
  Vector2<K> moments;     // mass times the place of the centre of mass, kg m
  K inertia{0};           // about the pin, kg m^2
  Place<K> coordinate, velocity;
};

// A pin that closes a loop: two rows, along x and y of the world.
template <class K>
struct Cut {
  int child = kElsewhere, parent = kElsewhere;
  Vector2<K> at, at_parent;  // on them, m
  Vector2<K> turn;  // cosine and sine on the child of the axes that sigma and Phi are written in
  Place<K> row;     // of sigma and Phi, the first
};

// Where a cut acts on a body of this part, and its position in the front that it is open in first:
// of the body itself, or if that is the hub over the ground.
struct End {
  int body = 0, cut = 0, position = 0;
  bool is_child = true;  // retained +sigma, the parent -sigma
};

// The part of a body's motion that the rows of a front retain: of one on the ground its turning, of
// the ground nothing but, if there is one, the hub's turning.
enum class Retained { kNothing, kTurning, kAll };

// Cuts that are open at the same place, those that close there first. Sources hand over what they
// leave open to one more front.
struct Front {
  Retained retained = Retained::kNothing;
  int cuts = 0, closing = 0;
  int first_end = 0, ends = 0;  // those that are open here first
  int first = 0;                // of its cuts among those of all fronts
  int first_turning = 0;        // of their moments, if turning is felt
  int first_pull = 0;           // of their forces, if all is felt
  int first_block = 0;          // of Psi, row by row up to the diagonal
  bool is_first = true;         // has no source
  int into = kNoFront;          // it is a source of this one
  bool opens = false;           // the first one
};

// K: double, or Pack for eight parts that differ in their constants only.
//
// The hub is a body on the ground whose pin is eliminated after all fronts over the ground: as much
// as hangs on it, no cut is open behind it. Of several parts one has it, the others a copy without
// mass. Cuts close as if it were held, which may not be possible where it is possible otherwise: a
// loop at a dead centre, a loop of one more body.
template <class K>
struct Linkage {
  std::vector<Body<K>> bodies;              // each after the one further in
  std::vector<Cut<K>> cuts;                 // that close loops, then the pins of loose bodies
  std::size_t loop_cuts = 0;                // how many are the former
  std::vector<End> ends;                    // as the fronts
  std::vector<Front> fronts;                // of bodies, the outermost first; then over the ground
  std::size_t body_fronts = 0;              // how many are of bodies
  std::vector<int> front_cuts;              // of all fronts, one after the other
  std::vector<int> to;                      // position of each in the next front, if open there
  int turnings = 0, pulls = 0, blocks = 0;  // of all fronts
  int hub = kGround;
  bool has_hub = false;  // else, if there is one, a copy
  Vector2<K> gravity;    // m/s^2

  bool is_on_ground(int body) const { return bodies[at(body)].inboard == kGround; }
};

// Two by two, row by row. Psi of two cuts: how fast the rows of the first open for a unit of the
// second's sigma; of a closed cut with itself 1/d, l, 1/d of its L d L^T, with others L.
template <class T>
struct Block {
  T xx{0}, xy{0}, yx{0}, yy{0};
};

// At the pin of a body, world axes. Of bodies on the ground only what concerns turning is used.
template <class T>
struct BodyWork {
  Vector2<T> axes, r, arm, moments;              // arm: from the pin further in
  T Axx{0}, Axy{0}, Ayy{0}, Bx{0}, By{0}, C{0};  // articulated inertia
  T Dx{0}, Dy{0}, Dc{0};
  T Wx{0}, Wy{0}, u{0};  // omega = u + rates sigma - W V
  T Vx{0}, Vy{0}, omega{0};
  T Px{0}, Py{0};         // momentum behind the pin
  T Qx{0}, Qy{0}, Qm{0};  // load behind it
};

template <class T>
struct CutWork {
  Vector2<T> O, axes;     // of the child's, world
  Vector2<T> gap;         // to close, world
  Vector2<T> sigma;       // world
  T Lx{0}, Ly{0}, Lm{0};  // cut load at O on the child
};

template <class T>
struct Work {
  explicit Work(const Linkage<T>& linkage)
      : bodies(linkage.bodies.size()),
        cuts(linkage.cuts.size()),
        bias(linkage.front_cuts.size()),
        turning(at(linkage.turnings)),
        pull(at(linkage.pulls)),
        blocks(at(linkage.blocks)) {
    for (auto* numbers : {&q, &p, &v, &p_dot, &sine, &cosine})
      numbers->resize(bodies.size() + kLanes);
  }

  std::vector<BodyWork<T>> bodies;
  std::vector<CutWork<T>> cuts;
  // The two rows of open cuts: opening velocity at rest; moment of a unit of sigma, behind a pin
  // the rate of that pin; force, a column for each row.
  std::vector<Vector2<T>> bias, turning;
  std::vector<Block<T>> pull;
  std::vector<Block<T>> blocks;   // of Psi
  std::vector<T> q, p, v, p_dot;  // by body; there is room for whole packs
  std::vector<T> sine, cosine;
  T potential{0};  // under gravity, J
  T zeros{0};      // a sum of them, unless a rate is not finite
  T held{0};       // not 0: some cut is near-singular while the hub is held
};

// The arrays of a state that an evaluation reads and writes.
struct Arrays {
  const double *q = nullptr, *p = nullptr;
  const double* phi = nullptr;  // what cuts are to close by; null: nothing
  bool closes = false;          // else it is what they are apart
  double *v = nullptr, *sigma = nullptr;
  double* p_dot = nullptr;    // of momenta() these
  double* p_clean = nullptr;  // with momentum_rates(): p, and rates, without impulses of cuts
};

}  // namespace hamiltree::planar_loops
