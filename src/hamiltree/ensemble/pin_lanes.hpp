// PinLanes: the equations of motion of up to eight mechanisms of pins side by side, each with its
// own dimensions. A lane never feels the others.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "hamiltree/ensemble/pin_mechanism.hpp"
#include "hamiltree/ensemble/planar_loops.hpp"
#include "hamiltree/formulations/screws/kernels.hpp"
#include "hamiltree/math/pack.hpp"

namespace hamiltree {

class PinLanes {
 public:
  // One to eight; the last one fills the lanes that are left. Throws UsageError if they are not
  // alike.
  explicit PinLanes(std::span<const PinMechanism> mechanisms);

  // v, q_dot and p_dot of (q, p); a lane that is not finite spoils no other. False if there is one.
  bool rate(const Pack* q, const Pack* p, Pack* v, Pack* q_dot, Pack* p_dot);
  // After a step, with loops: closes them by one Newton step that moves the masses least, and makes
  // the momenta those of the same motion without impulses in the loops.
  void close_loops(Pack* q);
  void reset_momenta(const Pack* q, Pack* p);

 private:
  void place_loops(const Pack* q);
  void find_impulses(const Pack* q, const Pack* p);

  screws::TreeOf<Pack> tree_;
  std::optional<PlanarLoops> loops_;
  const screws::Kernels& kernels_;
  const screws::PoseKernels& at_pose_;
  screws::WorkIn<Pack> work_;
  std::vector<Pack> placed_;  // where the loops have been placed
  std::vector<Pack> columns_, sigma_, p_, v_;
};

}  // namespace hamiltree
