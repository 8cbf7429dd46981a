// RevoluteLanes: the equations of motion of mechanisms of revolutes, eight side by side, each with
// its own dimensions. A lane never feels the others if they are alike.
#pragma once

#include <cstddef>
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
  // Connected alike, in packs of eight; the last one fills the lanes that are left.
  explicit RevoluteLanes(std::span<const RevoluteMechanism> mechanisms);

  // v, q_dot and p_dot of (q, p), of the mechanisms of this pack; where there is one pack it serves
  // all. A lane that is not finite spoils no other. False if there is one.
  bool rate(const Pack* q, const Pack* p, Pack* v, Pack* q_dot, Pack* p_dot, std::size_t pack = 0);
  // After a step, with loops: closes them by one Newton step that moves the masses least, and makes
  // the momenta those of the same motion without impulses in the loops.
  void close_loops(Pack* q, std::size_t pack = 0);
  void reset_momenta(const Pack* q, Pack* p, std::size_t pack = 0);

 private:
  struct Trees {
    explicit Trees(std::vector<dh_frames::TreeOf<Pack>> trees);

    std::vector<dh_frames::TreeOf<Pack>> packs;
    dh_frames::WorkIn<Pack> work;
    const dh_frames::Kernels& kernels = dh_frames::kernels();
  };
  class PlanarLoops {
   public:
    using Linkage = planar_loops::Linkage<Pack>;
    explicit PlanarLoops(std::vector<Linkage> packs);

    const std::vector<Linkage>& packs() const { return packs_; }
    bool rate(const Linkage& linkage, const Pack* q, const Pack* p, Pack* v, Pack* q_dot,
              Pack* p_dot);
    void close_loops(const Linkage& linkage, Pack* q);
    void reset_momenta(const Linkage& linkage, const Pack* q, Pack* p);

   private:
    void find_velocities(const Linkage& linkage, const planar_loops::Arrays& state);

    std::vector<Linkage> packs_;
    planar_loops::Work<Pack> work_;
    const planar_loops::KernelsOf<Pack>& kernels_ = planar_loops::kernels().eight;
    std::vector<Pack> at_rest_, v_, sigma_;
  };

  static std::variant<Trees, PlanarLoops> lanes_of(std::span<const RevoluteMechanism> mechanisms);

  std::variant<Trees, PlanarLoops> lanes_;
};

}  // namespace hamiltree
