// What sweeps keep of a run, of samples that are made up.
#include "hamiltree/sweep/reduction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/recording_header.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/shipped.hpp"

namespace hamiltree::test {
namespace {

// The minimum, the maximum and the integral of the kinetic energy, J, at 0, 1, 2 ... s.
std::vector<double> reduced(const std::vector<double>& energies) {
  const Model model = shipped("double_pendulum");
  std::vector<StudyOutput> outputs;
  for (const Take take : {Take::kMinimum, Take::kMaximum, Take::kIntegral})
    outputs.push_back({take, "kinetic_energy", {}, {}, {}});
  const OutputPlan plan(outputs, {}, model);
  Reduction reduction(plan, false);
  reduction.begin(make_header(model));
  auto sample = Simulation(model, {}).run_until(1.0, 1.0).samples.front();
  for (std::size_t i = 0; i < energies.size(); ++i) {
    sample.t = static_cast<double>(i);
    sample.kinetic_energy = energies[i];
    reduction.sample(sample);
  }
  return reduction.outputs();
}

TEST(Reduction, KeepsExtremesAndIntegrals) {
  EXPECT_EQ(reduced({2.0, 5.0, 1.0}), (std::vector{1.0, 5.0, 6.5}));
}

TEST(Reduction, OfWhatIsNoNumberAtSomeTimeIsNone) {
  const double nan = std::nan("");
  for (const auto& energies : {std::vector{nan, 5.0, 1.0}, {2.0, nan, 1.0}, {2.0, 5.0, nan}}) {
    for (const double output : reduced(energies)) EXPECT_TRUE(std::isnan(output));
  }
}

}  // namespace
}  // namespace hamiltree::test
