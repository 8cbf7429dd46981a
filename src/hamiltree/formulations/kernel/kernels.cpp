// Compiled once for each instruction set, with HAMILTREE_SET its name. All that it calls is
// inlined: nothing compiled for one set may be linked where another is wanted.
#include "hamiltree/formulations/kernel/kernels.hpp"

#include "hamiltree/base/inline_all.hpp"

// The set that counts, for tests, and those of states have names of their own: without inlining
// their functions would stand in for those of the others.
#if defined(HAMILTREE_COUNTING)
#define kernel kernel::counting
#elif defined(HAMILTREE_STATES)
#define kernel kernel::states
#endif

HAMILTREE_INLINE_ALL_BEGIN

#include "hamiltree/formulations/kernel/inwards.hpp"
#include "hamiltree/formulations/kernel/momentum_rates.hpp"
#include "hamiltree/formulations/kernel/outwards.hpp"
#include "hamiltree/formulations/kernel/place.hpp"

namespace hamiltree::kernel {
namespace {

HAMILTREE_FLAT void place_all(const Tables& tables, const Arrays& state, Work& work) {
  place(tables, state, work);
  turn_inertias(tables, work);
  place_cuts(tables, work);
}
// n: lanes of open rows.
template <int n>
HAMILTREE_FLAT void go_inwards_flat(const Tables& tables, const Arrays& state, Work& work) {
  take_gaps(tables, state, work);
  go_inwards<n>(tables, state, work);
}
template <int n>
HAMILTREE_FLAT void go_outwards_flat(const Tables& tables, const Arrays& state, Work& work) {
  go_outwards<n>(tables, state, work);
  give_impulses(tables, state, work);
}
#ifdef HAMILTREE_STATES
void find_velocities(const Tables& tables, const Arrays& state, Work& work) {
  go_inwards_flat<kMostLanes>(tables, state, work);
  go_outwards_flat<kMostLanes>(tables, state, work);
}
#else
template <int n>
void find_velocities_in(const Tables& tables, const Arrays& state, Work& work) {
  go_inwards_flat<n>(tables, state, work);
  if (!work.held) go_outwards_flat<n>(tables, state, work);
}
void find_velocities(const Tables& tables, const Arrays& state, Work& work) {
  if (tables.lanes == kLaneCount) {
    find_velocities_in<kLaneCount>(tables, state, work);
  } else {
    find_velocities_in<kMostLanes>(tables, state, work);
  }
}
#endif
HAMILTREE_FLAT void find_rates_flat(const Tables& tables, const Arrays& state, Work& work) {
  find_momentum_rates(tables, state, work);
}

}  // namespace

extern const KernelsIn<Number> HAMILTREE_SET;
const KernelsIn<Number> HAMILTREE_SET = {place_all, find_velocities, find_rates_flat};

}  // namespace hamiltree::kernel

HAMILTREE_INLINE_ALL_END
