// The work of drives without accelerations: what is stored in the momenta, and the rate of the
// rest, against the power that reactions give, along the motion of random mechanisms with loops,
// drives, couplings and forces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <tuple>

#include "hamiltree/formulations/formulation.hpp"
#include "support/random_mechanism.hpp"

namespace hamiltree::test {
namespace {

using Eigen::VectorXd;

constexpr std::uint64_t kSeed = 45;
constexpr std::uint64_t kSamples = 60;
constexpr double kStep = 1e-5;       // s, of central differences of the fourth order
constexpr double kTolerance = 1e-7;  // of the powers that add up; measured: 3e-9 at most

class DrivenWork : public testing::TestWithParam<std::tuple<SpaceKind, Topology>> {};

VectorXd copy(std::span<const double> x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

TEST_P(DrivenWork, GrowsByThePowerOfReactions) {
  const auto [space, topology] = GetParam();
  int stored = 0;
  double worst = 0.0;
  for (std::uint64_t sample = 0; sample < kSamples; ++sample) {
    const auto seed = kSeed + 1000 * static_cast<std::uint64_t>(topology) + sample;
    RandomMechanism random(seed);
    const Model model(random.make(space, topology, Extent::kFull));
    if (model.visit([](const auto& system) { return system.drives.empty(); })) continue;
    const auto formulation = make_formulation("recursive", model, {.plane = false});
    const auto workspace = formulation->make_workspace();
    const double t = RandomMechanism::kTime;
    const VectorXd q =
        model.visit([&](const auto& system) { return random.closed_pose(model, system); });
    const VectorXd p = random.vector(model.velocity_count());
    const StateView state{t, q.data(), p.data()};
    formulation->analyse(state, *workspace);
    if (formulation->least_pivot(*workspace) < 1e-3) continue;  // differences leave few digits
    for (const double leak : {0.0, 3.0}) {
      workspace->leak = leak;
      ASSERT_EQ(formulation->rate(state, *workspace), Status::kOk);
      const auto now = formulation->work_rate(state, *workspace);
      if (!now.stored) continue;  // a coupling acts on a driven joint
      const VectorXd q_dot = copy(workspace->q_dot), p_dot = copy(workspace->u_dot);
      // Along the tangent of the motion.
      const auto stored_at = [&](double h) {
        const VectorXd q_h = q + h * q_dot, p_h = p + h * p_dot;
        const StateView moved{t + h, q_h.data(), p_h.data()};
        EXPECT_EQ(formulation->rate(moved, *workspace), Status::kOk);
        return formulation->work_rate(moved, *workspace).stored.value();
      };
      const double near = stored_at(kStep) - stored_at(-kStep);
      const double far = stored_at(2.0 * kStep) - stored_at(-2.0 * kStep);
      const double growth = (8.0 * near - far) / (12.0 * kStep);
      ASSERT_EQ(formulation->rate(state, *workspace), Status::kOk);
      const double expected = formulation->power(state, *workspace).driven;
      const double size = 1.0 + std::abs(expected) + std::abs(growth) + std::abs(now.power.driven);
      const double off = std::abs(growth + now.power.driven - expected) / size;
      EXPECT_LT(off, kTolerance) << "seed " << seed << ", leak " << leak;
      worst = std::max(worst, off);
      ++stored;
    }
  }
  std::printf("  from seed %llu: %d states, worst %.1e\n", static_cast<unsigned long long>(kSeed),
              stored, worst);
  EXPECT_GT(stored, static_cast<int>(kSamples) / 4);
}

INSTANTIATE_TEST_SUITE_P(Random, DrivenWork,
                         testing::Combine(testing::Values(SpaceKind::kPlanar, SpaceKind::kSpatial),
                                          testing::ValuesIn(kTopologies)),
                         [](const auto& info) {
                           return case_name(std::get<0>(info.param), std::get<1>(info.param));
                         });

}  // namespace
}  // namespace hamiltree::test
