// Compiled once for each instruction set, with HAMILTREE_SET its name. All that it calls is
// inlined: nothing compiled for one set may be linked where another is wanted.
#include "hamiltree/base/inline_all.hpp"

HAMILTREE_INLINE_ALL_BEGIN

#include "hamiltree/formulations/planar_loops/kernel_sets.hpp"
#include "hamiltree/formulations/planar_loops/kernels.hpp"
#include "hamiltree/formulations/planar_loops/passes.hpp"

namespace hamiltree::planar_loops {
namespace {

template <class T>
HAMILTREE_FLAT void place_all(const Linkage<T>& linkage, const Arrays& state, Work<T>& work) {
  take_state(linkage, state, work);
  place(linkage, work);
}
template <class T>
HAMILTREE_FLAT void contract_inwards(const Linkage<T>& linkage, const Arrays& state,
                                     Work<T>& work) {
  take_gaps(linkage, state, work);
  contract_bodies(linkage, work);
}
template <class T>
HAMILTREE_FLAT void contract_ground(const Linkage<T>& linkage, const Arrays&, Work<T>& work) {
  if (linkage.hub == kGround) {
    contract_over_ground<Retained::kNothing>(linkage, work);
  } else {
    contract_over_ground<Retained::kTurning>(linkage, work);
  }
}
template <class T>
HAMILTREE_FLAT void move_outwards(const Linkage<T>& linkage, const Arrays& state, Work<T>& work) {
  if (linkage.hub == kGround) {
    release_over_ground<Retained::kNothing>(linkage, work);
  } else {
    release_over_ground<Retained::kTurning>(linkage, work);
  }
  move_bodies(linkage, work);
  load_cuts(linkage, work);
  give_velocities(linkage, work, state);
}
template <class T>
HAMILTREE_FLAT void rates_inwards(const Linkage<T>& linkage, const Arrays& state, Work<T>& work) {
  if (state.p_clean != nullptr) drop_impulses(work);
  find_momentum_rates(linkage, work);
  give_momentum_rates(linkage, work, state);
  if (state.p_clean != nullptr) find_momenta<true>(linkage, state.p_clean, work);
}
template <class T>
HAMILTREE_FLAT void momenta_inwards(const Linkage<T>& linkage, const Arrays& state, Work<T>& work) {
  find_momenta<false>(linkage, state.p_dot, work);
}

template <class T>
constexpr KernelsOf<T> kKernels = {place_all<T>,     contract_inwards<T>, contract_ground<T>,
                                   move_outwards<T>, rates_inwards<T>,    momenta_inwards<T>};

}  // namespace

const Kernels HAMILTREE_SET = {kKernels<double>, kKernels<Pack>};

}  // namespace hamiltree::planar_loops

HAMILTREE_INLINE_ALL_END
