// Gaps of loops that stand far from the world's origin: those of the same loops at the origin.
#include "hamiltree/model/loop_gaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <tuple>
#include <variant>

#include "hamiltree/model/model.hpp"
#include "support/random_mechanism.hpp"

namespace hamiltree {
namespace {

constexpr double kFarAway = 1048576.0;  // m: places are known to 1e-10 m there
constexpr double kDigit = 1.0 / kFarAway;

// The mechanism with its ground moved, by a distance that loses no digit of it.
Mechanism moved(Mechanism mechanism, double distance) {
  const auto move = [&](Eigen::Vector3d& r) {
    for (int i = 0; i < 2; ++i) r(i) = std::round(r(i) / kDigit) * kDigit + distance;
  };
  for (auto& joint : mechanism.joints) {
    if (joint.parent == kGround) move(joint.at_parent.position);
    if (joint.child == kGround) move(joint.at_child.position);
  }
  return mechanism;
}

template <class Space>
Eigen::VectorXd gaps(const System<Space>& system, const Eigen::VectorXd& q, bool plain) {
  Kinematics<Space> kin(system);
  place(system, test::RandomMechanism::kTime, q.data(), kin);
  Eigen::VectorXd phi = Eigen::VectorXd::Zero(system.constraints);
  if (plain) {
    position_residual(system, kin, q.data(), phi.data());
  } else {
    LoopGaps<Space>(system).find(kin, q.data(), phi.data());
  }
  return phi;
}

class LoopGapsTest : public testing::TestWithParam<std::tuple<SpaceKind, test::Topology>> {};

// Measured: 6e-16, of differences of places 7e-10.
TEST_P(LoopGapsTest, HaveAllDigitsAnywhere) {
  constexpr std::uint64_t kSeed = 20261125;
  const auto [space, topology] = GetParam();
  double worst = 0.0, worst_plain = 0.0;
  for (std::uint64_t seed = kSeed; seed < kSeed + 50; ++seed) {
    test::RandomMechanism random(seed);
    const auto mechanism =
        test::cut_where_closed(random.make(space, topology, test::Extent::kFull));
    const Model near(moved(mechanism, 0.0)), far(moved(mechanism, kFarAway));
    near.visit([&]<class Space>(const System<Space>& system) {
      const auto& far_system = std::get<System<Space>>(far.tables());
      const Eigen::VectorXd q = random.closed_pose(near, system);
      const auto exact = gaps(system, q, true);
      const auto off = [&](bool plain) {
        return (gaps(far_system, q, plain) - exact).template lpNorm<Eigen::Infinity>();
      };
      EXPECT_LE(off(false), 5e-15) << "seed " << seed;
      worst = std::max(worst, off(false));
      worst_plain = std::max(worst_plain, off(true));
    });
  }
  std::printf("seeds from %llu: worst %.1e, of differences of places %.1e\n",
              static_cast<unsigned long long>(kSeed), worst, worst_plain);
  EXPECT_GE(worst_plain, 1e-11);
}

INSTANTIATE_TEST_SUITE_P(All, LoopGapsTest,
                         testing::Combine(testing::Values(SpaceKind::kPlanar, SpaceKind::kSpatial),
                                          testing::Values(test::Topology::kSingleLoop,
                                                          test::Topology::kCoupledLoops,
                                                          test::Topology::kParallelJoints)),
                         [](const auto& info) {
                           return test::case_name(std::get<0>(info.param), std::get<1>(info.param));
                         });

}  // namespace
}  // namespace hamiltree
