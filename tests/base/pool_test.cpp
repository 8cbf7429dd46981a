#include "hamiltree/base/pool.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace hamiltree::test {
namespace {

TEST(Pool, DoesEveryItemOnceAndTaskAfterTask) {
  for (const int threads : {1, 2, 5}) {
    Pool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (int round = 0; round < 50; ++round) {
      std::vector<int> times(97);
      std::vector<int> by(5);
      pool.run(times.size(), [&](int thread, std::size_t item) {
        ++times[item];
        ++by[static_cast<std::size_t>(thread)];
      });
      EXPECT_EQ(std::ranges::count(times, 1), 97);
      int sum = 0;
      for (const int count : by) sum += count;
      EXPECT_EQ(sum, 97);
    }
  }
}

TEST(Pool, BeginsAndEndsManyShortTasks) {
  Pool pool(4);
  std::vector<int> done(3);
  for (int round = 1; round <= 20000; ++round) {
    pool.run(done.size(), [&](int, std::size_t item) { ++done[item]; });
    ASSERT_EQ(done, std::vector<int>(3, round));
  }
}

// Threads that have gone to sleep are woken; those that have nothing to do end.
TEST(Pool, WakesAndEndsThreadsThatSleep) {
  for (int round = 0; round < 5; ++round) {
    Pool pool(3);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::atomic<int> others = 0, done = 0;
    pool.run(3, [&](int thread, std::size_t) {
      others += thread != 0;
      ++done;
      while (thread == 0 && others == 0) std::this_thread::yield();  // until another one takes part
    });
    EXPECT_EQ(done, 3);
    EXPECT_GE(others, 1);
  }
}

// Sanitizers need more memory than is left.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(PoolDeathTest, EndsWhatItHasBegunWhereThereAreNoMoreThreads) {
  const auto make = [] {
    const rlimit few{1 << 30, 1 << 30};  // of memory, and so of stacks
    setrlimit(RLIMIT_AS, &few);
    try {
      const Pool pool(1024);
    } catch (const std::system_error&) {
      std::_Exit(0);
    }
    std::_Exit(1);
  };
  EXPECT_EXIT(make(), testing::ExitedWithCode(0), "");
}
#endif

// Each thread has one of the two items, and the caller's ends first.
TEST(Pool, WaitsForItemsThatOthersHaveBegun) {
  std::atomic<int> begun = 0, ended = 0;
  Pool pool(2);
  pool.run(2, [&](int thread, std::size_t) {
    ++begun;
    while (begun < 2) std::this_thread::yield();
    if (thread != 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ++ended;
  });
  EXPECT_EQ(ended, 2);
}

// The other thread has the last item, for as long as the caller has not looked often enough.
TEST(Pool, LooksWhileItWaits) {
  struct Enough {};
  Pool pool(2);
  for (const bool throws : {false, true}) {
    std::atomic<int> begun = 0, looks = 0;
    const auto task = [&](int thread, std::size_t) {
      ++begun;
      while (begun < 2) std::this_thread::yield();
      while (thread != 0 && looks < 3) std::this_thread::yield();
    };
    const auto look = [&] {
      if (++looks == 3 && throws) throw Enough();
    };
    if (throws) {
      EXPECT_THROW(pool.run(2, task, look), Enough);
      EXPECT_EQ(looks, 3);
    } else {
      pool.run(2, task, look);
      EXPECT_GE(looks, 3);
    }
  }
}

TEST(Pool, PassesOnTheFirstExceptionAndGoesOn) {
  Pool pool(3);
  std::atomic<int> begun = 0;
  EXPECT_THROW(pool.run(100000,
                        [&](int, std::size_t item) {
                          ++begun;
                          if (item == 5) throw std::runtime_error("five");
                        }),
               std::runtime_error);
  EXPECT_LT(begun, 100000);
  begun = 0;
  pool.run(10, [&](int, std::size_t) { ++begun; });
  EXPECT_EQ(begun, 10);
}

}  // namespace
}  // namespace hamiltree::test
