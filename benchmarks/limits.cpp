#include "benchmarks/limits.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "benchmarks/multiply_add.hpp"
#include "hamiltree/base/timing.hpp"

namespace hamiltree::benchmarks {
namespace {

double seconds(const Timed& call, bool quick) {
  return measure({call}, {quick ? 2e-4 : 5e-3, quick ? 0.01 : 0.2, 21})[0].median;
}

// Read as whole lines, summed in words that need no order.
double read_bandwidth(bool quick) {
  const std::size_t words = (quick ? 64U : 512U) << 17U;  // MiB of 8 B
  const std::vector<std::uint64_t> memory(words, 1);
  volatile std::uint64_t sink = 0;
  const auto read = [&](std::size_t) {
    std::uint64_t sum = 0;
    for (const auto word : memory) sum += word;
    sink = sum;
  };
  return 8.0 * static_cast<double>(words) / seconds(read, quick);
}

// One thread hands over to another, which spins on another core, and waits for its answer.
double fork_join(bool quick) {
  const auto cores = usable_cores();
  if (cores.size() < 2) return 0.0;
  struct alignas(64) Counter {
    std::atomic<long> value{0};
  };
  Counter asked, answered;
  std::thread other([&] {
    const Pinned pinned(cores[1]);
    for (long done = 0;;) {
      const long now = asked.value.load(std::memory_order_acquire);
      if (now < 0) return;
      if (now != done) answered.value.store(done = now, std::memory_order_release);
    }
  });
  const Pinned pinned(cores[0]);
  long round = 0;
  const double time = seconds(
      [&](std::size_t) {
        asked.value.store(++round, std::memory_order_release);
        while (answered.value.load(std::memory_order_acquire) != round) {
        }
      },
      quick);
  asked.value.store(-1, std::memory_order_release);
  other.join();
  return time;
}

}  // namespace

MachineLimits measure_limits(bool quick) {
  MachineLimits limits;
  {
    const Pinned pinned(usable_cores().front());
    const auto rate = [&](const MultiplyAdd& loop) {
      volatile double sink = 0.0;
      return loop.flops / seconds([&](std::size_t) { sink = loop.run(); }, quick);
    };
    const auto widest = widest_multiply_add();
    limits.scalar_flops = rate(scalar_multiply_add());
    limits.vector_flops = rate(widest);
    limits.lanes = widest.lanes;
    limits.bandwidth = read_bandwidth(quick);
  }
  limits.fork_join = fork_join(quick);
  return limits;
}

}  // namespace hamiltree::benchmarks
