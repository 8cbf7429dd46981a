#include "hamiltree/sensitivity/checkpoints.hpp"

#include <algorithm>

namespace hamiltree::sensitivity {
namespace {

// (kept + repeats)! / (kept! repeats!), or any number above `most`.
std::size_t steps_within(std::size_t kept, std::size_t repeats, std::size_t most) {
  std::size_t steps = 1;
  for (std::size_t i = 1; i <= repeats && steps <= most; ++i) steps = steps * (kept + i) / i;
  return steps;
}

}  // namespace

// The shortest leg of those that lead to the least number of steps: as few as possible are taken
// again for what comes later.
std::size_t first_leg(std::size_t steps, std::size_t kept) {
  std::size_t repeats = 1;
  for (auto within = kept + 1; within < steps; ++repeats)
    within = within * (kept + repeats + 1) / (repeats + 1);
  const auto rest = steps_within(kept - 1, repeats, steps);
  const auto shortest = repeats > 1 ? steps_within(kept, repeats - 2, steps) : 1;
  return std::max(steps > rest ? steps - rest : 1, shortest);
}

}  // namespace hamiltree::sensitivity
