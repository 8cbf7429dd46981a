#include "hamiltree/simulation/checkpoint.hpp"

#include <cmath>
#include <limits>

namespace hamiltree {

double Schedule::output_time() const {
  const double t = start + static_cast<double>(next_output) * every;
  return t > until - 1e-9 * every ? until : t;
}

double Schedule::checkpoint_time() const {
  if (!(checkpoint_every > 0.0)) return std::numeric_limits<double>::infinity();
  const double t = start + static_cast<double>(next_checkpoint) * checkpoint_every;
  const double output = output_time();
  return std::abs(t - output) <= 1e-9 * checkpoint_every ? output : t;
}

}  // namespace hamiltree
