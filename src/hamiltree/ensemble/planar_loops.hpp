// PlanarLoops: where loops of pins are open, how that changes, and the impulses that close them, of
// eight mechanisms in the plane side by side; the equations are in loop_kernels.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hamiltree/ensemble/loop_kernels.hpp"
#include "hamiltree/ensemble/pin_mechanism.hpp"
#include "hamiltree/math/pack.hpp"

namespace hamiltree {

class PlanarLoops {
 public:
  // One to eight that are alike; the last one fills the lanes that are left.
  explicit PlanarLoops(std::span<const PinMechanism> mechanisms,
                       const loops::Kernels& kernels = loops::kernels());

  std::size_t rows() const { return loops_.phi.size(); }

  // Puts the bodies where q says: Phi and A.
  void place(const Pack* q) { kernels_.place(loops_, q); }
  std::span<const Pack> gaps() const { return loops_.phi; }
  const Pack* row(std::size_t r) const { return &loops_.A[r * loops_.pins.size()]; }

  // (2) from the columns M^-1 A^T, one after the other.
  void factor(const std::vector<Pack>& columns) { kernels_.factor(loops_, columns.data()); }
  // sigma of the opening velocities, in place.
  void close(std::vector<Pack>& w) const { kernels_.close(loops_, w.data()); }
  // A v
  void opening_velocities(const Pack* v, std::vector<Pack>& w) const {
    kernels_.opening_velocities(loops_, v, w.data());
  }
  // p += A^T sigma
  void add_impulses(const std::vector<Pack>& sigma, Pack* p) const {
    kernels_.add_impulses(loops_, sigma.data(), p);
  }
  // p_dot -= (3) as the bodies turn with v.
  void subtract_turning(const Pack* v, const std::vector<Pack>& sigma, Pack* p_dot) {
    kernels_.subtract_turning(loops_, v, sigma.data(), p_dot);
  }

 private:
  const loops::Kernels& kernels_;
  loops::State loops_;
};

}  // namespace hamiltree
