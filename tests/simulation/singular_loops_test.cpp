// Random loops that start at singular poses: whatever they are, none is completed open.
#include "support/singular_loops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

constexpr std::array kEachFormulation{"auto", "hdca", "recursive", "dense", "dca", "aba"};
constexpr double kLoopsUntil = 0.3;  // s
constexpr long kMostSteps = 20000;   // beyond, the run is left: it is not completed

struct TooLong {};

struct Outcomes {
  int completed = 0, refused = 0, ended = 0, left = 0;
  int lost = 0;  // completed with an energy error above 1e-6
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
    ++outcomes.completed;
    outcomes.open = std::max(outcomes.open, open);
    outcomes.energy = std::max(outcomes.energy, energy.max_relative_error);
    if (energy.max_relative_error > 1e-6) {
      ++outcomes.lost;
      std::printf("%s: %s loses %g of its energy\n", which.c_str(), mechanism.name.c_str(),
                  energy.max_relative_error);
    }
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

// Each mechanism by one formulation after the other of the list.
Outcomes run_all(std::uint64_t first, int count) {
  std::printf("seeds %llu to %llu\n", static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(first) + static_cast<unsigned long long>(count) - 1);
  Outcomes outcomes;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    const char* formulation =
        kEachFormulation[static_cast<std::size_t>(i) % kEachFormulation.size()];
    run_one(test::SingularLoops(seed).next(), formulation,
            "seed " + std::to_string(seed) + " " + formulation, outcomes);
  }
  std::printf(
      "completed %d, refused %d, ended %d, left %d; open by %.1e of the length, "
      "energy %.1e, above 1e-6 %d\n",
      outcomes.completed, outcomes.refused, outcomes.ended, outcomes.left, outcomes.open,
      outcomes.energy, outcomes.lost);
  return outcomes;
}

TEST(SingularLoopsAtRandom, AreNeverCompletedOpen) {
  const auto outcomes = run_all(20261124, 300);
  EXPECT_GT(outcomes.completed, 100);
  EXPECT_GT(outcomes.refused, 30);
}

// In the extended tests.
TEST(SingularLoopsAtRandom, DISABLED_FiveThousandAreNeverCompletedOpen) {
  const auto outcomes = run_all(30000000, 5000);
  EXPECT_GT(outcomes.completed, 1500);
}

}  // namespace
}  // namespace hamiltree
