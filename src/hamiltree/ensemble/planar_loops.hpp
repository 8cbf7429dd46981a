// PlanarLoops: where loops of pins are open, how that changes, and the impulses that close them, of
// eight mechanisms in the plane side by side. With r the world places of the two points of each
// closing pin:
//   (1)  Phi = r_child - r_parent,   A = Phi_q: a turn of body b moves what is behind it about r_b
//   (2)  S = A M^-1 A^T = L d L^T,   sigma = -S^-1 w
//   (3)  (dA/dt)^T sigma from the velocities of the points
// A pivot lost in a singular pose is masked as in contraction/front.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hamiltree/ensemble/pin_mechanism.hpp"
#include "hamiltree/math/pack.hpp"

namespace hamiltree {

class PlanarLoops {
 public:
  // One to eight that are alike; the last one fills the lanes that are left.
  explicit PlanarLoops(std::span<const PinMechanism> mechanisms);

  std::size_t rows() const { return 2 * closings_.size(); }

  // Puts the bodies where q says: Phi and A.
  void place(const Pack* q);
  std::span<const Pack> gaps() const { return phi_; }
  const Pack* row(std::size_t r) const { return &A_[r * pins_.size()]; }

  // (2) from the columns M^-1 A^T, one after the other.
  void factor(const std::vector<Pack>& columns);
  // sigma of the opening velocities, in place.
  void close(std::span<Pack> w) const;
  // A v
  void opening_velocities(const Pack* v, std::span<Pack> w) const;
  // p += A^T sigma
  void add_impulses(std::span<const Pack> sigma, Pack* p) const;
  // p_dot -= (dA/dt)^T sigma as the bodies turn with v.
  void subtract_turning(const Pack* v, std::span<const Pack> sigma, Pack* p_dot);

 private:
  struct Vector {
    Pack x, y;
  };
  struct Pin {
    int inboard;
    Vector at, turn;  // in the body further in; cosine and sine at q = 0
  };
  struct Closing {
    int body[2];  // parent and child
    Vector at[2];
    Vector r[2];  // world, after place()
  };

  Vector world_point(int body, const Vector& at) const;
  Vector velocity(int body, const Vector& r) const;

  std::vector<Pin> pins_;
  std::vector<Closing> closings_;
  std::vector<Vector> axes_, r_,
      r_dot_;  // of each body: cosine and sine, place and speed of its pin
  std::vector<Pack> omega_;
  std::vector<Pack> phi_, A_, S_, inverse_;  // A_ row by row; S_ its factors
};

}  // namespace hamiltree
