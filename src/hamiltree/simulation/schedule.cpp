#include "hamiltree/simulation/schedule.hpp"

#include <algorithm>
#include <cmath>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"

namespace hamiltree {

namespace {

constexpr double kUsualOutputs = 500.0;
constexpr double kMostOutputs = 9007199254740992.0;  // 2^53: numbers that doubles count

double output_at(const Schedule& s, double multiple) {
  const double t = s.start + multiple * s.every;
  return t > s.until - 1e-9 * s.every ? s.until : t;
}

// The k-th.
double checkpoint_at(const Schedule& s, double k) {
  const double t = s.start + k * s.checkpoint_every;
  const double output = output_at(s, std::round((t - s.start) / s.every));
  return std::abs(t - output) <= 1e-9 * s.checkpoint_every ? output : t;
}

constexpr double kRounding = 1e-12;  // of a time that is a multiple

}  // namespace

double Schedule::output_time() const { return output_at(*this, static_cast<double>(next_output)); }

double Schedule::checkpoint_time() const {
  if (!(checkpoint_every > 0.0)) return std::numeric_limits<double>::infinity();
  return checkpoint_at(*this, static_cast<double>(next_checkpoint));
}

double Schedule::in_step(double t) const {
  if (!std::isfinite(t)) return t;
  const auto is_same = [t](double other) { return std::abs(t - other) <= kRounding * std::abs(t); };
  if (checkpoint_every > 0.0) {
    const double checkpoint = checkpoint_at(*this, std::round((t - start) / checkpoint_every));
    if (is_same(checkpoint)) return checkpoint;
  }
  const double output = output_at(*this, std::round((t - start) / every));
  return is_same(output) ? output : t;
}

Schedule outputs_until(double now, double until, double every, std::optional<double> step) {
  const bool every_step = every == kEveryStep;
  if (every_step) every = until - now;
  if (std::isnan(every)) throw UsageError("the time between outputs is nan");
  if (!(every > 0.0)) {
    every = (until - now) / kUsualOutputs;
    if (step) every = *step * std::max(std::ceil(every / *step * (1.0 - kRounding)), 1.0);
  }
  if ((until - now) / every > kMostOutputs)
    throw UsageError("an output every " + to_text(every) + " s is too many in " +
                     to_text(until - now) + " s");
  return {now, every, until, 0.0, 0, 0, every_step};
}

}  // namespace hamiltree
