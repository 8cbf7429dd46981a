// Ranks that are threads of the test: what one sends another receives, in the order of the calls.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "hamiltree/base/ranks.hpp"

namespace hamiltree::test {

// How many messages and numbers were sent.
struct Traffic {
  int messages = 0;
  std::size_t numbers = 0;
};

// Calls f(ranks) on as many threads as there are ranks.
inline Traffic on_ranks(int count, const std::function<void(const Ranks&)>& f) {
  std::mutex mutex;
  std::condition_variable arrived;
  std::map<std::pair<int, int>, std::deque<std::vector<double>>> mail;  // by sender and receiver
  Traffic traffic;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) {
    Ranks ranks;
    ranks.rank = rank;
    ranks.count = count;
    ranks.send = [&, rank](int to, std::span<const double> numbers) {
      const std::scoped_lock lock(mutex);
      mail[{rank, to}].emplace_back(numbers.begin(), numbers.end());
      ++traffic.messages;
      traffic.numbers += numbers.size();
      arrived.notify_all();
    };
    ranks.receive = [&, rank](int from, std::span<double> numbers) {
      std::unique_lock lock(mutex);
      auto& box = mail[{from, rank}];
      arrived.wait(lock, [&] { return !box.empty(); });
      if (box.front().size() != numbers.size()) std::abort();  // the two do not agree
      std::ranges::copy(box.front(), numbers.begin());
      box.pop_front();
    };
    threads.emplace_back([&f, ranks] { f(ranks); });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& [between, box] : mail) {
    if (!box.empty()) std::abort();  // nobody was to receive it
  }
  return traffic;
}

}  // namespace hamiltree::test
