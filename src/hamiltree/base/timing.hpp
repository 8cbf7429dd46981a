// How things are timed: pinned to one core, in rounds in which everything that is compared has its
// turn, so that a disturbance meets all alike. Times are those of the thread on its core, not of
// the clock on the wall: what else the machine does counts as little as possible.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace hamiltree {

// s that this thread has run.
double thread_seconds();

struct MeasureOptions {
  double sample = 2e-3;  // s, at least, of one contestant in one round
  double budget = 1.0;   // s, about, of all together
  int rounds = 31;       // at most; at least 5
};

struct Timing {
  double median = 0.0, least = 0.0;  // s per call
  double ratio = 1.0;  // to the first contestant: median over the rounds of time / its time
};

// Each call is told its number, from 0 on, so that it may take another state each time.
using Timed = std::function<void(std::size_t)>;
std::vector<Timing> measure(const std::vector<Timed>& contestants, const MeasureOptions& options);

double median(std::vector<double> values);

// The cores that this process may use.
std::vector<int> usable_cores();
// Keeps the calling thread on a core while it lives.
class Pinned {
 public:
  explicit Pinned(int core);
  ~Pinned();
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

 private:
  std::vector<int> before_;
};

}  // namespace hamiltree
