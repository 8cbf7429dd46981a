#include "hamiltree/base/timing.hpp"

#include <sched.h>

#include <algorithm>
#include <ctime>

namespace hamiltree {
namespace {

constexpr int kFewestRounds = 5;

double time_of(const Timed& call, std::size_t repetitions) {
  const double start = thread_seconds();
  for (std::size_t i = 0; i < repetitions; ++i) call(i);
  return thread_seconds() - start;
}

// So many calls that they take as long as a sample should; warms up on the way.
std::size_t repetitions(const Timed& call, double sample) {
  call(0);
  for (std::size_t count = 1;; count *= 2) {
    const double time = time_of(call, count);
    if (time >= sample) return count;
    if (time > 0.1 * sample) {
      return static_cast<std::size_t>(static_cast<double>(count) * sample / time) + 1;
    }
  }
}

void pin(const std::vector<int>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(static_cast<unsigned>(core), &set);
  sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<Timing> measure(const std::vector<Timed>& contestants, const MeasureOptions& options) {
  const std::size_t count = contestants.size();
  std::vector<std::size_t> calls;
  for (const auto& call : contestants) calls.push_back(repetitions(call, options.sample));
  std::vector<std::vector<double>> times(count), ratios(count);
  double spent = 0.0;
  for (int round = 0; round < options.rounds; ++round) {
    for (std::size_t c = 0; c < count; ++c) {
      const double time = time_of(contestants[c], calls[c]);
      spent += time;
      times[c].push_back(time / static_cast<double>(calls[c]));
      ratios[c].push_back(times[c].back() / times[0].back());
    }
    if (spent > options.budget && round + 1 >= kFewestRounds) break;
  }
  std::vector<Timing> timings;
  for (std::size_t c = 0; c < count; ++c) {
    timings.push_back({median(times[c]), std::ranges::min(times[c]), median(ratios[c])});
  }
  return timings;
}

std::vector<int> usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return {0};
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(static_cast<unsigned>(core), &set)) cores.push_back(core);
  }
  return cores;
}

Pinned::Pinned(int core) : before_(usable_cores()) { pin({core}); }
Pinned::~Pinned() { pin(before_); }

}  // namespace hamiltree
