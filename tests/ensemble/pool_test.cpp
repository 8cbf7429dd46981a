#include "hamiltree/ensemble/pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

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
