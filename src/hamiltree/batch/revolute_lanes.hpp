// RevoluteLanes: the equations of motion of up to eight mechanisms of revolutes side by side, each
// with its own dimensions. A lane never feels the others.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "hamiltree/batch/revolute_mechanism.hpp"
#include "hamiltree/formulations/dh_frames/kernels.hpp"
#include "hamiltree/formulations/planar_loops/kernels.hpp"
#include "hamiltree/math/pack.hpp"

namespace hamiltree {

class RevoluteLanes {
 public:
  // One to eight; the last one fills the lanes that are left. Throws UsageError if they are not
  // alike.
  explicit RevoluteLanes(std::span<const RevoluteMechanism> mechanisms);

  // v, q_dot and p_dot of (q, p); a lane that is not finite spoils no other. False if there is one.
  bool rate(const Pack* q, const Pack* p, Pack* v, Pack* q_dot, Pack* p_dot);
  // After a step, with loops: closes them by one Newton step that moves the masses least, and makes
  // the momenta those of the same motion without impulses in the loops.
  void close_loops(Pack* q);
  void reset_momenta(const Pack* q, Pack* p);

 private:
  struct Trees {
    dh_frames::TreeOf<Pack> tree;
    dh_frames::WorkIn<Pack> work;
    const dh_frames::Kernels& kernels = dh_frames::kernels();
  };
  class PlanarLoops {
   public:
    explicit PlanarLoops(planar_loops::Linkage<Pack> linkage);

    bool rate(const Pack* q, const Pack* p, Pack* v, Pack* q_dot, Pack* p_dot);
    void close_loops(Pack* q);
    void reset_momenta(const Pack* q, Pack* p);

   private:
    void find_velocities(const planar_loops::Arrays& state);

    planar_loops::Linkage<Pack> linkage_;
    planar_loops::Work<Pack> work_;
    const planar_loops::KernelsOf<Pack>& kernels_ = planar_loops::kernels().eight;
    std::vector<Pack> at_rest_, v_, sigma_;
  };

  static std::variant<Trees, PlanarLoops> lanes_of(std::span<const RevoluteMechanism> mechanisms);

  std::variant<Trees, PlanarLoops> lanes_;
};

}  // namespace hamiltree
