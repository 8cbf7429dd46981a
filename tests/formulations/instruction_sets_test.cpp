// Instruction sets agree to rounding: which products and sums are fused is the compiler's choice.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/dh_frames/compile.hpp"
#include "hamiltree/formulations/dh_frames/evaluate.hpp"
#include "hamiltree/formulations/dh_frames/into_lanes.hpp"
#include "hamiltree/formulations/dh_frames/kernel_sets.hpp"
#include "hamiltree/formulations/dh_frames/side_by_side.hpp"
#include "support/pins.hpp"

namespace hamiltree::test {
namespace {

using dh_frames::Kernels;

// q_dot, then p_dot, of one system, of one laid into lanes and of eight.
struct Rates {
  std::vector<double> one, in_lanes;
  std::vector<Pack> eight;
};

Rates rates(const Kernels& kernels, const dh_frames::Tree& tree) {
  const auto n = tree.revolutes.size();
  Pins random(3);
  const auto size = static_cast<Eigen::Index>(n);
  const Eigen::VectorXd q = 3.0 * random.vector(size), p = random.vector(size);
  std::vector<Pack> q_packs(n), p_packs(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int lane = 0; lane < kLanes; ++lane) {
      q_packs[i].set(lane, q(static_cast<Eigen::Index>(i)) + 0.1 * lane);
      p_packs[i].set(lane, p(static_cast<Eigen::Index>(i)) - 0.2 * lane);
    }
  }
  Rates result{std::vector<double>(2 * n), std::vector<double>(2 * n), std::vector<Pack>(2 * n)};
  dh_frames::TreeWork work(tree);
  EXPECT_TRUE(kernels.one(
      tree, {q.data(), p.data(), result.one.data(), result.one.data(), &result.one[n]}, work));
  const auto cut = dh_frames::into_lanes(
      tree,
      {.revolute = 100.0, .lane_step = 110.0, .hand_over = 0.0, .segment_step = 1.0, .joins = 0.0});
  EXPECT_TRUE(cut.chain || !cut.lane_groups.empty());
  dh_frames::TreeWork cut_work(cut);
  auto& lanes = result.in_lanes;
  EXPECT_TRUE(dh_frames::evaluate(
      kernels, cut, {q.data(), p.data(), lanes.data(), lanes.data(), &lanes[n]}, cut_work));
  const auto packs = *dh_frames::side_by_side(std::span(&tree, 1));
  auto pack_work = dh_frames::work_of(packs);
  EXPECT_TRUE(kernels.eight(
      packs,
      {q_packs.data(), p_packs.data(), result.eight.data(), result.eight.data(), &result.eight[n]},
      pack_work));
  return result;
}

std::vector<dh_frames::Tree> trees() {
  std::vector<dh_frames::Tree> all;
  for (const auto axes : {Axes::kAny, Axes::kRightAngles, Axes::kNearlyParallel, Axes::kInPlane}) {
    for (const int reach : {1, 3})
      all.push_back(*dh_frames::tree_of(Model(Pins(7).tree(24, axes, reach))));
  }
  return all;
}

TEST(InstructionSets, EightLanesGiveWhatOneGives) {
  for (const auto& tree : trees()) {
    const auto result = rates(dh_frames::kBaseline, tree);
    for (std::size_t i = 0; i < result.one.size(); ++i)
      EXPECT_NEAR(result.eight[i][0], result.one[i], 1e-11 * (1.0 + std::abs(result.one[i])));
  }
}

TEST(InstructionSets, AgreeToRounding) {
  std::vector<const dh_frames::Kernels*> others;
  for (const auto set : {InstructionSet::kAvx2, InstructionSet::kAvx512})
    if (has(set)) others.push_back(dh_frames::kKernelSets[static_cast<std::size_t>(set)]);
  if (others.empty()) GTEST_SKIP() << "this machine has neither AVX2 nor AVX-512";
  for (const auto& tree : trees()) {
    const auto baseline = rates(dh_frames::kBaseline, tree);
    for (const auto* set : others) {
      const auto other = rates(*set, tree);
      for (std::size_t i = 0; i < baseline.one.size(); ++i) {
        const double tolerance = 1e-11 * (1.0 + std::abs(baseline.one[i]));
        EXPECT_NEAR(other.one[i], baseline.one[i], tolerance);
        EXPECT_NEAR(other.in_lanes[i], baseline.in_lanes[i], tolerance);
        for (int lane = 0; lane < kLanes; ++lane)
          EXPECT_NEAR(other.eight[i][lane], baseline.eight[i][lane],
                      1e-11 * (1.0 + std::abs(baseline.eight[i][lane])));
      }
    }
  }
}

}  // namespace
}  // namespace hamiltree::test
