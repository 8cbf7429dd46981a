#include "benchmarks/prediction.hpp"

#include <algorithm>
#include <cmath>

#include "benchmarks/bench.hpp"

namespace hamiltree::benchmarks {
namespace {

constexpr int kLeastFitted = 128, kMostFitted = 4096;  // bodies: in lanes, and in the caches
constexpr double kJoins = 3.0;                         // of eight lanes, one after the other

}  // namespace

double ChainModel::time(double bodies, int cores) const {
  const double share = bodies / cores;
  const auto above =
      std::ranges::find_if(measured, [&](const auto& m) { return m.first >= share; });
  double per_body = measured.back().second;
  if (above == measured.begin()) {
    per_body = above->second;
  } else if (above != measured.end()) {
    const auto& [n, t] = *(above - 1);
    const double part = std::log(share / n) / std::log(above->first / n);
    per_body = t + part * (above->second - t);
  }
  return per_body * share + (join + 2.0 * fork_join) * std::log2(cores);
}

ChainModel fit_chain(const FamilyResult& chains, double fork_join) {
  ChainModel model;
  model.fork_join = fork_join;
  std::vector<std::pair<double, double>> in_lanes;  // bodies, s
  for (const auto& result : chains.cases) {
    const double time = result.contests.front().timing.median;
    model.measured.emplace_back(result.bodies, time / result.bodies);
    if (result.bodies >= kLeastFitted && result.bodies <= kMostFitted)
      in_lanes.emplace_back(result.bodies, time);
  }
  if (in_lanes.size() < 2) return model;
  // Least squares of (a n + 3 b) / t - 1.
  double nn = 0.0, n1 = 0.0, one = 0.0, rn = 0.0, r1 = 0.0;
  for (const auto& [n, t] : in_lanes) {
    const double x = n / t, y = kJoins / t;
    nn += x * x, n1 += x * y, one += y * y, rn += x, r1 += y;
  }
  const double determinant = nn * one - n1 * n1;
  model.body = (rn * one - r1 * n1) / determinant;
  model.join = std::max(0.0, (r1 * nn - rn * n1) / determinant);
  for (const auto& [n, t] : in_lanes)
    model.misfit =
        std::max(model.misfit, std::abs((model.body * n + kJoins * model.join) / t - 1.0));
  return model;
}

}  // namespace hamiltree::benchmarks
