// PinLanes: the equations of motion of up to eight mechanisms of pins side by side, each with its
// own dimensions. A lane never feels the others.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "hamiltree/ensemble/pin_mechanism.hpp"
#include "hamiltree/formulations/linkages/kernels.hpp"
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
  struct Trees {
    screws::TreeOf<Pack> tree;
    screws::WorkIn<Pack> work;
    const screws::Kernels& kernels = screws::kernels();
  };
  class Linkages {
   public:
    explicit Linkages(linkages::Linkage<Pack> linkage);

    bool rate(const Pack* q, const Pack* p, Pack* v, Pack* q_dot, Pack* p_dot);
    void close_loops(Pack* q);
    void reset_momenta(const Pack* q, Pack* p);

   private:
    void find_velocities(const linkages::Arrays& state);

    linkages::Linkage<Pack> linkage_;
    linkages::Work<Pack> work_;
    const linkages::KernelsOf<Pack>& kernels_ = linkages::kernels().eight;
    std::vector<Pack> at_rest_, v_, sigma_;
  };

  static std::variant<Trees, Linkages> lanes_of(std::span<const PinMechanism> mechanisms);

  std::variant<Trees, Linkages> lanes_;
};

}  // namespace hamiltree
