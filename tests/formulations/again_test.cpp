// Several momenta at one pose of eight trees: what the first has made is used again.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/formulations/screws/compile.hpp"
#include "hamiltree/formulations/screws/kernel_sets.hpp"
#include "hamiltree/formulations/screws/side_by_side.hpp"
#include "support/pins.hpp"

namespace hamiltree::test {
namespace {

using Packs = std::vector<Pack>;

void expect_near(const Packs& a, const Packs& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (int lane = 0; lane < kLanes; ++lane)
      EXPECT_NEAR(a[i][lane], b[i][lane], 1e-11 * (1.0 + std::abs(b[i][lane])));
  }
}

TEST(Again, OtherMomentaAtAPoseAreThoseOfAnEvaluationOfTheirOwn) {
  constexpr std::size_t kPins = 24;
  Pins random(11);
  const auto packs = [&](double size) {
    Packs all(kPins);
    for (int lane = 0; lane < kLanes; ++lane) {
      const Eigen::VectorXd values = size * random.vector(kPins);
      for (std::size_t i = 0; i < kPins; ++i)
        all[i].set(lane, values[static_cast<Eigen::Index>(i)]);
    }
    return all;
  };
  for (std::size_t set = 0; set <= static_cast<std::size_t>(instruction_set()); ++set) {
    const auto& kernels = *screws::kKernelSets[set];
    for (const int reach : {1, 3}) {
      const auto tree = *screws::tree_of(Model(Pins(7).tree(kPins, Axes::kInPlane, reach)));
      const auto eight = *screws::side_by_side(std::span(&tree, 1));
      ASSERT_TRUE(eight.is_planar);
      auto work = screws::work_of(eight), own_work = work;
      const auto q = packs(3.0);
      Packs v(kPins), q_dot(kPins), p_dot(kPins), own_v(kPins), own_p_dot(kPins);
      const auto own = [&](const Packs& p) {
        EXPECT_TRUE(kernels.eight(
            eight, {q.data(), p.data(), own_v.data(), own_v.data(), own_p_dot.data()}, own_work));
      };
      const auto& at_pose = kernels.eight_at_a_pose;
      auto p = packs(1.0);
      own(p);
      at_pose.velocities(eight, {q.data(), p.data(), v.data()}, work);
      expect_near(v, own_v);
      for (int other = 0; other < 3; ++other) {
        p = packs(1.0);
        own(p);
        at_pose.velocities_again(eight, {q.data(), p.data(), v.data()}, work);
        expect_near(v, own_v);
        p = packs(1.0);
        own(p);
        at_pose.rates_again(eight, {q.data(), p.data(), v.data(), q_dot.data(), p_dot.data()},
                            work);
        expect_near(v, own_v);
        expect_near(q_dot, own_v);
        expect_near(p_dot, own_p_dot);
      }
    }
  }
}

}  // namespace
}  // namespace hamiltree::test
