// Random loops that start at singular poses: whatever they are, none is completed open.
#include "support/singular_loops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

constexpr std::array kEachFormulation{"auto", "hdca", "recursive", "dense", "dca", "aba"};
constexpr double kLoopsUntil = 0.3;  // s
constexpr double kLost = 1e-6;       // of the energy that moves
constexpr long kMostSteps = 20000;   // beyond, the run is left: it is not completed

struct TooLong {};

struct Outcomes {
  int completed = 0, refused = 0, ended = 0, left = 0;
  double open = 0.0, energy = 0.0;
};

void run_one(const Mechanism& mechanism, const char* formulation, const std::string& which,
             Outcomes& outcomes) {
  try {
    Simulation simulation(Model(mechanism), test::options(formulation, 1e-9));
    long steps = 0;
    simulation.on_step([&](double) {
      if (++steps > kMostSteps) throw TooLong{};
    });
    const auto found = simulation.run_until(kLoopsUntil, kLoopsUntil);
    const double length = found.summary.model.length;
    const double open = found.summary.constraint.position_max / length;
    const auto& energy = found.summary.energy;
    EXPECT_LT(open, 1e-12) << which;
    EXPECT_LT(energy.max_relative_error, kLost) << which;
    ++outcomes.completed;
    outcomes.open = std::max(outcomes.open, open);
    outcomes.energy = std::max(outcomes.energy, energy.max_relative_error);
  } catch (const ModelError& error) {
    EXPECT_FALSE(std::string(error.what()).empty());
    ++outcomes.refused;
  } catch (const SimulationError& error) {
    EXPECT_FALSE(std::string(error.what()).empty());
    ++outcomes.ended;
    std::printf("%s: %s\n", which.c_str(), error.what());
  } catch (const TooLong&) {
    ++outcomes.left;
    std::printf("%s: %s is left after %ld steps\n", which.c_str(), mechanism.name.c_str(),
                kMostSteps);
  }
}

// One formulation after the other.
const char* formulation_of(std::uint64_t seed) {
  return kEachFormulation[static_cast<std::size_t>(seed % kEachFormulation.size())];
}

Outcomes run_all(std::uint64_t first, int count) {
  std::printf("seeds %llu to %llu\n", static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(first) + static_cast<unsigned long long>(count) - 1);
  Outcomes outcomes;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    const char* formulation = formulation_of(seed);
    run_one(test::SingularLoops(seed).next(), formulation,
            "seed " + std::to_string(seed) + " " + formulation, outcomes);
  }
  std::printf(
      "completed %d, refused %d, ended %d, left %d; open by %.1e of the length, "
      "energy %.1e\n",
      outcomes.completed, outcomes.refused, outcomes.ended, outcomes.left, outcomes.open,
      outcomes.energy);
  return outcomes;
}

TEST(SingularLoopsAtRandom, AreNeverCompletedOpen) {
  const auto outcomes = run_all(20261124, 300);
  EXPECT_GT(outcomes.completed, 100);
  EXPECT_GT(outcomes.refused, 30);
}

// Seeds that lost 7e-6 ... 3e-5 of their energy: other singular poses within reach of the first one
// were not seen, or pivots that light bodies make small were masked; and two that started at
// 1e13 rad/s, where the joint whose velocity is given does not move in the motion chosen.
TEST(SingularLoopsAtRandom, KeepTheirEnergyBesideTheFirstPose) {
  for (const std::uint64_t seed : {30001880U, 30002704U, 30004216U, 30003547U, 30004273U}) {
    const auto found = Simulation(Model(test::SingularLoops(seed).next()),
                                  test::options(formulation_of(seed), 1e-9))
                           .run_until(kLoopsUntil, kLoopsUntil);
    EXPECT_LT(found.summary.energy.max_relative_error, 1e-9) << seed;
    EXPECT_LT(found.summary.constraint.position_max, 1e-12) << seed;
  }
}

// Lost 1e-6: the rows of the last of three scissors, which are eliminated first, nearly vanish
// where two of them are in line, at a pose that is not singular.
TEST(SingularLoopsAtRandom, KeepTheirEnergyWherePivotsAreSmall) {
  constexpr std::uint64_t kSeed = 30004128;
  const auto found = Simulation(Model(test::SingularLoops(kSeed).next()),
                                test::options(formulation_of(kSeed), 1e-9))
                         .run_until(kLoopsUntil, kLoopsUntil);
  EXPECT_LT(found.summary.energy.max_relative_error, 2e-7);
  EXPECT_LT(found.summary.constraint.position_max, 1e-12);
}

// Seeds that lost 7e-6 ... 1e-3: rows decided where seven directions are free, and said nothing.
TEST(SingularLoopsAtRandom, AreRefusedWhereTooManyDirectionsAreFree) {
  for (const std::uint64_t seed :
       {30001376U, 30002498U, 30002732U, 30002742U, 30003741U, 30004797U}) {
    try {
      Simulation(Model(test::SingularLoops(seed).next()), test::options(formulation_of(seed), 1e-9))
          .run_until(kLoopsUntil, kLoopsUntil);
      ADD_FAILURE() << seed << " is not refused";
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("7 free directions"), std::string::npos)
          << seed << ": " << error.what();
    }
  }
}

// Two ways in which a motion has no chart: found among the first 1,500 seeds of the 5,000.
TEST(SingularLoopsAtRandom, AreRefusedWithTheReasonWhereAMotionHasNoChart) {
  for (const auto& [seed, reason] :
       {std::pair{30000591U, "one of them bends too sharply to be followed"},
        std::pair{30000976U, "along one of them the loops do not stay closed"}}) {
    try {
      Simulation(Model(test::SingularLoops(seed).next()), test::options("recursive", 1e-9));
      ADD_FAILURE() << seed << " is not refused";
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos)
          << seed << ": " << error.what();
    }
  }
}

// In the extended tests.
TEST(SingularLoopsAtRandom, DISABLED_FiveThousandAreNeverCompletedOpen) {
  const auto outcomes = run_all(30000000, 5000);
  EXPECT_GT(outcomes.completed, 1500);
}

}  // namespace
}  // namespace hamiltree
