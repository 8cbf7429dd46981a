// Ranks: this process among those that do one thing together.
#pragma once

#include <functional>
#include <span>

namespace hamiltree {

struct Ranks {
  int rank = 0, count = 1;
  // Returns once all ranks have called it.
  std::function<void()> meet = [] {};
  // Numbers to another rank, which receives as many; of two ranks in the order of the calls.
  std::function<void(int to, std::span<const double>)> send = [](int, std::span<const double>) {};
  std::function<void(int from, std::span<double>)> receive = [](int, std::span<double>) {};
};

}  // namespace hamiltree
