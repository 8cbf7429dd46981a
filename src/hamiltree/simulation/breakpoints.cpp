#include "hamiltree/simulation/breakpoints.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

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

struct FunctionVisit : IgnoreFields {
  std::vector<double>& times;

  explicit FunctionVisit(std::vector<double>& to) : times(to) {}
  void add(const TimeFunction& function) {
    std::visit([&](const auto& f) { add_breakpoints(f, times); }, function);
  }
  void add(const std::optional<TimeFunction>& function) {
    if (function) add(*function);
  }
  void function(const char*, const TimeFunction& function, Need) { add(function); }
  void along_axes_in_time(const char*, const TimeVector& functions) {
    for (const auto& part : kTimeVectorParts) add(functions.*part.function);
  }
  void about_axes_in_time(const char* word, const TimeVector& functions) {
    along_axes_in_time(word, functions);
  }
};

}  // namespace

Breakpoints::Breakpoints(const Mechanism& mechanism) {
  FunctionVisit visit(times_);
  for (const auto& joint : mechanism.joints) {
    visit.add(joint.drive);
    if (!joint.parent_motion) continue;
    for (const auto& part : kFrameMotionParts) visit.add((*joint.parent_motion).*part.function);
  }
  for (const auto& force : mechanism.forces)
    std::visit([&](const auto& f) { f.fields(f, visit); }, force);
  std::ranges::sort(times_);
}

double Breakpoints::end_of_step(double now, double stop) const {
  const auto next = std::upper_bound(times_.begin(), times_.end(), now + kSameTime * std::abs(now));
  if (next == times_.end() || *next >= stop - kSameTime * std::abs(stop)) return stop;
  return *next;
}

}  // namespace hamiltree
