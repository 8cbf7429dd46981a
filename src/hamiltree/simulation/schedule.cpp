#include "hamiltree/simulation/schedule.hpp"

#include <cmath>

namespace hamiltree {

namespace {

double output_at(const Schedule& s, double multiple) {
  const double t = s.start + multiple * s.every;
  return t > s.until - 1e-9 * s.every ? s.until : t;
}

}  // namespace

double Schedule::output_time() const { return output_at(*this, static_cast<double>(next_output)); }

double Schedule::checkpoint_time() const {
  if (!(checkpoint_every > 0.0)) return std::numeric_limits<double>::infinity();
  const double t = start + static_cast<double>(next_checkpoint) * checkpoint_every;
  const double output = output_at(*this, std::round((t - start) / every));
  return std::abs(t - output) <= 1e-9 * checkpoint_every ? output : t;
}

Schedule outputs_until(double now, double until, double every) {
  const bool every_step = every == kEveryStep;
  if (every_step) every = until - now;
  if (!(every > 0.0)) every = (until - now) / 500.0;
  return {now, every, until, 0.0, 0, 0, every_step};
}

}  // namespace hamiltree
