// Executor: who does the loops of an evaluation, the caller alone or all threads of a pool. Who
// does what never changes a result: a loop's turns write different things, and read what was there
// before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/pool.hpp"
#include "hamiltree/plan/schedule.hpp"

namespace hamiltree::hdca {

struct Executor {
  Pool* pool = nullptr;  // null: alone, compounds in the order of the plan
  const PlanSchedule* schedule = nullptr;
  int grain = 0;  // the least of each()'s turns that are worth being taken by themselves

  // turn(i) for all i below count, in any order.
  template <class Turn>
  void each(int count, Turn turn) const {
    if (pool != nullptr) return share_each(count, turn);
    for (int i = 0; i < count; ++i) turn(i);
  }

  // turn(c) for all compounds, each after its sides.
  template <class Turn>
  void up(int count, Turn turn) const {
    if (pool != nullptr) return share_up(turn);
    for (int c = 0; c < count; ++c) turn(c);
  }

  // turn(c) for all compounds, each before its sides.
  template <class Turn>
  void down(int count, Turn turn) const {
    if (pool != nullptr) return share_down(turn);
    for (int c = count - 1; c >= 0; --c) turn(c);
  }

 private:
  // Functions of their own, with copies of the turns, so that the loops above are compiled as if
  // there were no threads: 2 to 4 % of an evaluation in the plane.
  template <class Turn>
  [[gnu::noinline]] void share_each(int count, Turn turn) const {
    constexpr int kRanges = 32;  // at most; see PlanSchedule
    const int size = std::max(grain, (count + kRanges - 1) / kRanges);
    run((count + size - 1) / size, [&](int item) {
      for (int i = item * size; i < std::min((item + 1) * size, count); ++i) turn(i);
    });
  }

  template <class Turn>
  [[gnu::noinline]] void share_up(Turn turn) const {
    for (std::size_t s = 0; s + 1 < schedule->stages.size(); ++s) {
      run_stage(s, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) turn(schedule->compounds[at(k)]);
      });
    }
  }

  template <class Turn>
  [[gnu::noinline]] void share_down(Turn turn) const {
    for (std::size_t s = schedule->stages.size() - 1; s > 0; --s) {
      run_stage(s - 1, [&](int begin, int end) {
        for (int k = end - 1; k >= begin; --k) turn(schedule->compounds[at(k)]);
      });
    }
  }

  template <class Range>
  void run_stage(std::size_t s, const Range& range) const {
    const int first = schedule->stages[s];
    run(schedule->stages[s + 1] - first, [&](int item) {
      const auto i = at(first + item);
      range(schedule->items[i], schedule->items[i + 1]);
    });
  }

  template <class Item>
  void run(int count, const Item& item) const {
    const auto task = [&item](int, std::size_t i) { item(static_cast<int>(i)); };
    pool->run(at(count), std::ref(task));  // a reference: a Task of more than that allocates
  }
};

}  // namespace hamiltree::hdca
