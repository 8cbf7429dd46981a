#include "hamiltree/formulations/kernel/pivots.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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

template <class Number, int n>
Number pivot_of(const Event& event, const ClosedIn<Number, n>& closed, std::size_t lane) {
  using std::abs;
  const Number &inverse = closed.inverse[lane], none(0.0);
  return select(abs(inverse) <= none, none, Number(event.weight[lane]) / inverse);
}

// By the first lane of rows that are alike.
template <class Number, int n>
std::array<Number, n> largest_pivots(const Event& event, const ClosedIn<Number, n>& closed) {
  std::array<Number, n> largest{};
  for (int k = 0; k < event.closing; ++k) {
    const auto lane = at(event.lane[at(k)]);
    auto& most = largest[event.alike[lane]];
    const Number pivot = pivot_of(event, closed, lane);
    most = select(most < pivot, pivot, most);
  }
  return largest;
}

template <class Number>
Number find_least_pivot(const Tables& tables, const WorkIn<Number>& work) {
  Number least(1.0);
  for_each_closing(tables, work, [&](const Event& event, const auto& closed) {
    const auto largest = largest_pivots(event, closed);
    for (int k = 0; k < event.closing; ++k) {
      const auto lane = at(event.lane[at(k)]);
      const auto alike = event.alike[lane];
      const Number at_start(closed.reference[alike]);
      const Number reference = select(largest[alike] < at_start, at_start, largest[alike]);
      const Number pivot = pivot_of(event, closed, lane), share = pivot / reference;
      least = select(pivot < reference, select(share < least, share, least), least);
    }
  });
  return least;
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
  return find_least_pivot(tables, work);
}
Pack least_pivot(const Tables& tables, const WorkIn<Pack>& work) {
  return find_least_pivot(tables, work);
}

void set_references(const Tables& tables, Work& work) {
  for_each_closing(tables, work, [&](const Event& event, auto& closed) {
    std::ranges::copy(largest_pivots(event, closed), closed.reference);
  });
}

void take_references(const Work& from, WorkIn<Pack>& to) {
  from.with_open([&](const auto& one) {
    to.with_open([&](auto& eight) {
      for (std::size_t i = 0; i < one.closed.size(); ++i)
        std::ranges::copy(one.closed[i].reference, eight.closed[i].reference);
    });
  });
}

}  // namespace hamiltree::kernel
