// SharedOrAlone on durations that are made up: who is faster is chosen, and what is lost by trying
// stays small.
#include "hamiltree/base/shared_or_alone.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace hamiltree {
namespace {

struct Spent {
  double time = 0.0, alone = 0.0;  // s; `alone`: what the caller would have taken for all of it
  int pieces = 0, shared = 0;

  double share() const { return static_cast<double>(shared) / pieces; }
};

// Pieces for so many seconds; shared(i) is how long the i-th takes when it is shared.
Spent spend(SharedOrAlone& choice, double seconds, double alone,
            const std::function<double(int)>& shared) {
  Spent spent;
  while (spent.time < seconds) {
    const bool share = choice.share();
    const double took = share ? shared(spent.shared) : alone;
    choice.took(took);
    spent.time += took;
    spent.alone += alone;
    spent.shared += share ? 1 : 0;
    ++spent.pieces;
  }
  return spent;
}

TEST(SharedOrAlone, SharesWhatIsFasterShared) {
  for (const double alone : {1e-5, 1e-3, 0.05}) {
    SharedOrAlone choice;
    const auto spent = spend(choice, 200 * alone, alone, [&](int) { return 0.6 * alone; });
    EXPECT_GT(spent.share(), 0.95);
    EXPECT_LT(spent.time, 0.64 * spent.alone);
  }
}

TEST(SharedOrAlone, LeavesAloneWhatIsSlowerShared) {
  for (const double factor : {1.2, 3.0, 30.0}) {
    SharedOrAlone choice;
    const auto spent = spend(choice, 1.0, 1e-3, [&](int) { return factor * 1e-3; });
    EXPECT_GT(spent.shared, 0) << "it never tried";
    EXPECT_LT(spent.time, 1.07 * spent.alone);
  }
}

// A core that others use: most pieces gain, and some stop for as long as a scheduler's turn.
TEST(SharedOrAlone, LosesLittleWhereSomePiecesStop) {
  for (const int every : {2, 5, 10, 15}) {
    SharedOrAlone choice;
    const auto spent =
        spend(choice, 1.0, 1e-3, [&](int i) { return i % every == every - 1 ? 9e-3 : 0.6e-3; });
    EXPECT_LT(spent.time, 1.1 * spent.alone) << every;
  }
}

TEST(SharedOrAlone, ChangesItsMindWithinASecond) {
  SharedOrAlone choice;
  const auto fast = [](int) { return 0.6e-3; };
  const auto slow = [](int i) { return i % 3 == 0 ? 8e-3 : 1e-3; };
  for (int turn = 0; turn < 3; ++turn) {
    // After a minute of gains, too, a busy second costs no more.
    EXPECT_LT(spend(choice, turn == 0 ? 60.0 : 2.0, 1e-3, fast).time, 1e9);
    const auto busy = spend(choice, 1.0, 1e-3, slow);
    EXPECT_LT(busy.time, 1.1 * busy.alone);
    spend(choice, 1.0, 1e-3, fast);
    const auto idle = spend(choice, 1.0, 1e-3, fast);
    EXPECT_GT(idle.share(), 0.9);
  }
}

// The first pieces alone found cold caches, or a slow clock of the core.
TEST(SharedOrAlone, LooksAgainAtThePiecesThatAreDoneAlone) {
  SharedOrAlone choice;
  for (int i = 0; i < 4; ++i) choice.took(5e-3);
  const auto spent = spend(choice, 3.0, 1e-3, [](int) { return 1.5e-3; });
  EXPECT_LT(spent.time, 1.1 * spent.alone);
}

// The caller itself was held up while it worked alone: that is no reason to share for long.
TEST(SharedOrAlone, ForgetsAPieceThatTookLongAlone) {
  SharedOrAlone choice;
  for (int i = 0; i < 4; ++i) choice.took(i == 3 ? 1.0 : 1e-3);
  const auto spent = spend(choice, 1.0, 1e-3, [](int) { return 1.5e-3; });
  EXPECT_LT(spent.time, 1.1 * spent.alone);
}

}  // namespace
}  // namespace hamiltree
