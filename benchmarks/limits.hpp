// Limits of the machine itself, to compare the times with.
#pragma once

namespace hamiltree::benchmarks {

struct MachineLimits {
  double scalar_flops = 0.0;  // 1/s, of one core, fused multiply-add where there is one
  double vector_flops = 0.0;  // the same in the widest lanes
  int lanes = 1;              // of doubles
  double bandwidth = 0.0;     // B/s, reading from memory, one core
  double fork_join = 0.0;     // s, of two threads that spin; 0 with one core only
};

// quick: less than half a second, and rougher.
MachineLimits measure_limits(bool quick);

}  // namespace hamiltree::benchmarks
