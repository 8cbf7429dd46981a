// Binomial checkpoints [Griewank1992]: the states of a row of steps backwards, with few of them
// kept at a time, at the cost of as few steps taken again as can be. With c states kept and no step
// taken more than r times beforehand, (c + r)! / (c! r!) steps can be gone through.
#pragma once

#include <cstddef>

namespace hamiltree::sensitivity {

// How many steps the first state kept after the beginning of a row lies ahead; steps > 1,
// kept > 0, the state at the beginning included.
std::size_t first_leg(std::size_t steps, std::size_t kept);

// Calls visit(n, state) for n = end - 1 down to `begin`, with the state after n steps.
// advance(n, state) takes step n. Besides one state on its way, `kept` are held at most, `state`
// included.
template <class State, class Advance, class Visit>
void for_states_backwards(std::size_t begin, std::size_t end, const State& state, std::size_t kept,
                          const Advance& advance, const Visit& visit) {
  while (end - begin > 1) {
    const auto middle = begin + first_leg(end - begin, kept);
    State there = state;
    for (std::size_t n = begin; n < middle; ++n) advance(n, there);
    if (kept > 1) {
      for_states_backwards(middle, end, there, kept - 1, advance, visit);
    } else {
      visit(middle, there);
    }
    end = middle;
  }
  visit(begin, state);
}

}  // namespace hamiltree::sensitivity
