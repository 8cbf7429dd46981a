// The time of one long chain on many cores: a model on top of what was measured on one.
#pragma once

#include <utility>
#include <vector>

namespace hamiltree::benchmarks {

struct FamilyResult;

// Every core has its share of the chain in its own lanes, and the shares are joined two by two:
//   T(n, c) = t(n / c) + (b + 2 f) log2 c
// t is the time on one core, between measured sizes interpolated as time per body over log n; b a
// join, from the fit t(n) = a n + 3 b to the sizes that one core computes in lanes within its
// caches; f to start and to await another core. That cores share memory is left out.
struct ChainModel {
  std::vector<std::pair<double, double>> measured;  // bodies, s per body
  double body = 0.0, join = 0.0;                    // s: a, b
  double misfit = 0.0;                              // of the fit, relative, at most
  double fork_join = 0.0;                           // s: f

  double time(double bodies, int cores) const;  // s
};

// For the family of chains. Without a size in lanes, b is 0.
ChainModel fit_chain(const FamilyResult& chains, double fork_join);

}  // namespace hamiltree::benchmarks
