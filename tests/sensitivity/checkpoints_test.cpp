// Binomial checkpoints: the order of visits, the states kept at a time, and the steps taken again,
// which are as few as [Griewank1992] proves possible.
#include "hamiltree/sensitivity/checkpoints.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

namespace hamiltree::sensitivity {
namespace {

// A state that counts how many of it there are.
struct Counted {
  explicit Counted(std::size_t n) : steps(n) { add(); }
  Counted(const Counted& other) : steps(other.steps) { add(); }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --alive; }

  static void add() { most = std::max(most, ++alive); }
  static inline std::size_t alive = 0, most = 0;
  std::size_t steps;
};

// (a + b)! / (a! b!)
std::size_t binomial(std::size_t a, std::size_t b) {
  std::size_t value = 1;
  for (std::size_t i = 1; i <= b; ++i) value = value * (a + i) / i;
  return value;
}

// repeats steps - (kept + repeats)! / ((kept + 1)! (repeats - 1)!)
std::size_t fewest_steps(std::size_t steps, std::size_t kept) {
  std::size_t repeats = 0;
  while (binomial(kept, repeats) < steps) ++repeats;
  return repeats == 0 ? 0 : repeats * steps - binomial(kept + 1, repeats - 1);
}

TEST(Checkpoints, TakeTheFewestStepsAndStates) {
  for (const std::size_t kept : {1U, 2U, 3U, 7U, 40U}) {
    for (const std::size_t steps : {1U, 2U, 3U, 10U, 35U, 36U, 37U, 500U, 1000U}) {
      SCOPED_TRACE(testing::Message() << steps << " steps, " << kept << " states");
      Counted::alive = Counted::most = 0;
      std::size_t taken = 0, next = steps;
      const auto advance = [&](std::size_t n, Counted& state) {
        ASSERT_EQ(state.steps, n);
        ++state.steps;
        ++taken;
      };
      const auto visit = [&](std::size_t n, const Counted& state) {
        ASSERT_EQ(n, --next);
        ASSERT_EQ(state.steps, n);
      };
      for_states_backwards(0, steps, Counted(0), kept, advance, visit);
      EXPECT_EQ(next, 0U);
      EXPECT_LE(Counted::most, kept + 1);
      EXPECT_EQ(taken, fewest_steps(steps, kept));
    }
  }
}

}  // namespace
}  // namespace hamiltree::sensitivity
