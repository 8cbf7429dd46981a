#include "hamiltree/simulation/breakpoints.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "hamiltree/model/functions_of_time.hpp"
#include "hamiltree/simulation/bends.hpp"

namespace hamiltree {
namespace {

constexpr double kSameTime = 1e-12;  // of a time

void add_breakpoints(const Polynomial&, std::vector<double>&) {}
void add_breakpoints(const Sine&, std::vector<double>&) {}
// Also between its ends, where rate and acceleration are zero: a multistep method, which evaluates
// rates at the ends of its steps, would see nothing.
void add_breakpoints(const SmoothStep& f, std::vector<double>& times) {
  if (f.from == f.to) return;
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0})
    times.push_back(f.start + part * f.duration);
}
// Steps on a smooth table with many points are not cut short at each of them.
void add_breakpoints(const Table& f, std::vector<double>& times) {
  const auto bends = bends_of(f.times, f.values);
  times.insert(times.end(), bends.begin(), bends.end());
}

}  // namespace

Breakpoints::Breakpoints(const Mechanism& mechanism) {
  for (const auto* function : functions_of_time(mechanism))
    std::visit([&](const auto& f) { add_breakpoints(f, times_); }, *function);
  std::ranges::sort(times_);
}

double Breakpoints::end_of_step(double now, double stop) const {
  const auto next = std::upper_bound(times_.begin(), times_.end(), now + kSameTime * std::abs(now));
  if (next == times_.end() || *next >= stop - kSameTime * std::abs(stop)) return stop;
  return *next;
}

}  // namespace hamiltree
