#include "hamiltree/formulations/kernel/pivots.hpp"

#include <algorithm>
#include <limits>

#include "hamiltree/base/index.hpp"

namespace hamiltree::kernel {
namespace {

// f(event, closed rows, lane) of every row.
template <class F>
void for_each_closed_row(const Tables& tables, const Work& work, const F& f) {
  for (const auto& event : tables.events) {
    if (event.kind != Event::Kind::kClose) continue;
    for (int k = 0; k < event.closing; ++k)
      f(event, work.closed[at(event.closed)], at(event.lane[at(k)]));
  }
}

struct Range {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0.0;
};
Range pivots_of(const Event& event, const Closed& closed) {
  Range range;
  for (int k = 0; k < event.closing; ++k) {
    const auto lane = at(event.lane[at(k)]);
    const double pivot =
        closed.inverse[lane] == 0.0 ? 0.0 : event.weight[lane] / closed.inverse[lane];
    range.smallest = std::min(range.smallest, pivot);
    range.largest = std::max(range.largest, pivot);
  }
  return range;
}

}  // namespace

std::vector<int> masked_joints(const Tables& tables, const Work& work) {
  std::vector<int> joints;
  for_each_closed_row(
      tables, work, [&](const Event& event, const Closed& closed, std::size_t lane) {
        if (closed.inverse[lane] != 0.0) return;
        if (std::find(joints.begin(), joints.end(), event.joint[lane]) == joints.end())
          joints.push_back(event.joint[lane]);
      });
  return joints;
}

double least_pivot(const Tables& tables, const Work& work) {
  double least = 1.0;
  for (const auto& event : tables.events) {
    if (event.kind != Event::Kind::kClose) continue;
    const auto& closed = work.closed[at(event.closed)];
    const auto [smallest, largest] = pivots_of(event, closed);
    const double reference = std::max(largest, closed.reference);
    if (smallest < reference) least = std::min(least, smallest / reference);
  }
  return least;
}

void set_references(const Tables& tables, Work& work) {
  for (const auto& event : tables.events) {
    if (event.kind != Event::Kind::kClose) continue;
    auto& closed = work.closed[at(event.closed)];
    closed.reference = pivots_of(event, closed).largest;
  }
}

}  // namespace hamiltree::kernel
