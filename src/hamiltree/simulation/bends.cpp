#include "hamiltree/simulation/bends.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace hamiltree {

std::vector<double> bends_of(const std::vector<double>& x, const std::vector<double>& f) {
  constexpr double kBend = 1e-3;  // of the range
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto [least, most] = std::ranges::minmax(f);
  const double allowed = kBend * (most - least);
  std::vector<double> bends{x.front()};
  std::size_t from = 0;
  double least_slope = -kInfinity, most_slope = kInfinity;  // of lines that pass the points between
  const auto rise = [&](std::size_t i) { return f[i] - f[from]; };
  const auto run = [&](std::size_t i) { return x[i] - x[from]; };
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double slope = rise(i) / run(i);
    if (slope < least_slope || slope > most_slope) {
      from = i - 1;
      bends.push_back(x[from]);
      least_slope = -kInfinity;
      most_slope = kInfinity;
    }
    least_slope = std::max(least_slope, (rise(i) - allowed) / run(i));
    most_slope = std::min(most_slope, (rise(i) + allowed) / run(i));
  }
  bends.push_back(x.back());
  return bends;
}

}  // namespace hamiltree
