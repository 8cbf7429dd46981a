#include "hamiltree/formulations/kernel/pivots.hpp"

#include <algorithm>
#include <array>

#include "hamiltree/base/index.hpp"

namespace hamiltree::kernel {
namespace {

// f(event, its closed rows) of every event that closes some.
template <class AnyWork, class F>
void for_each_closing(const Tables& tables, AnyWork& work, const F& f) {
  work.with_open([&](auto& open) {
    for (const auto& event : tables.events)
      if (event.kind == Event::Kind::kClose) f(event, open.closed[at(event.closed)]);
  });
}

template <int n>
double pivot_of(const Event& event, const Closed<n>& closed, std::size_t lane) {
  return closed.inverse[lane] == 0.0 ? 0.0 : event.weight[lane] / closed.inverse[lane];
}

// By the first lane of rows that are alike.
template <int n>
std::array<double, n> largest_pivots(const Event& event, const Closed<n>& closed) {
  std::array<double, n> largest{};
  for (int k = 0; k < event.closing; ++k) {
    const auto lane = at(event.lane[at(k)]);
    auto& most = largest[event.alike[lane]];
    most = std::max(most, pivot_of(event, closed, lane));
  }
  return largest;
}

}  // namespace

std::vector<int> masked_joints(const Tables& tables, const Work& work) {
  std::vector<int> joints;
  for_each_closing(tables, work, [&](const Event& event, const auto& closed) {
    for (int k = 0; k < event.closing; ++k) {
      const auto lane = at(event.lane[at(k)]);
      if (closed.inverse[lane] != 0.0) continue;
      if (std::find(joints.begin(), joints.end(), event.joint[lane]) == joints.end())
        joints.push_back(event.joint[lane]);
    }
  });
  return joints;
}

double least_pivot(const Tables& tables, const Work& work) {
  double least = 1.0;
  for_each_closing(tables, work, [&](const Event& event, const auto& closed) {
    const auto largest = largest_pivots(event, closed);
    for (int k = 0; k < event.closing; ++k) {
      const auto lane = at(event.lane[at(k)]);
      const auto alike = event.alike[lane];
      const double reference = std::max(largest[alike], closed.reference[alike]);
      const double pivot = pivot_of(event, closed, lane);
      if (pivot < reference) least = std::min(least, pivot / reference);
    }
  });
  return least;
}

void set_references(const Tables& tables, Work& work) {
  for_each_closing(tables, work, [&](const Event& event, auto& closed) {
    std::ranges::copy(largest_pivots(event, closed), closed.reference);
  });
}

}  // namespace hamiltree::kernel
