// Long chains chain block after chain block: what one pin after the other gives, on any number of
// threads the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/formulations/dh_frames/compile.hpp"
#include "hamiltree/formulations/dh_frames/evaluate.hpp"
#include "hamiltree/formulations/dh_frames/into_lanes.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "support/pins.hpp"

namespace hamiltree::test {
namespace {

struct Result {
  Eigen::VectorXd rates;   // v, q_dot, p_dot
  double potential = 0.0;  // J
};

Result evaluate(const dh_frames::Tree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& p) {
  const auto n = p.size();
  Result result{Eigen::VectorXd(3 * n)};
  auto* to = result.rates.data();
  dh_frames::TreeWork work(tree);
  EXPECT_TRUE(dh_frames::evaluate(dh_frames::kernels(), tree,
                                  {q.data(), p.data(), to, to + n, to + 2 * n}, work));
  result.potential = work.potential;
  return result;
}

class ChainBlocks : public testing::TestWithParam<Axes> {};

TEST_P(ChainBlocks, GiveWhatOnePinAfterTheOtherGives) {
  for (const auto& [n, bodies] :
       {std::pair{160, 16}, {160, 40}, {333, 40}, {333, 64}, {500, 100}, {801, 64}}) {
    Pins pins(static_cast<unsigned>(n));
    const Model model(pins.tree(n, GetParam(), 1));
    const auto tree = *dh_frames::tree_of(model);
    const Eigen::VectorXd q = 3.0 * pins.vector(n), p = pins.vector(n);
    const auto serial = evaluate(tree, q, p);
    const auto cut = dh_frames::into_lanes(tree, {.segment_step = 0.0, .joins = 0.0},
                                           static_cast<std::size_t>(bodies));
    ASSERT_TRUE(cut.chain);
    EXPECT_EQ(cut.chain->chain_blocks.size(), static_cast<std::size_t>(n / bodies));
    const auto got = evaluate(cut, q, p);
    EXPECT_LT((got.rates - serial.rates).norm(), 1e-11 * serial.rates.norm())
        << n << " bodies in chain blocks of " << bodies;
    EXPECT_NEAR(got.potential, serial.potential, 1e-12 * std::abs(serial.potential));
  }
}

TEST_P(ChainBlocks, SeeWhereSomethingIsNotFinite) {
  Pins pins(1);
  const auto tree = *dh_frames::tree_of(Model(pins.tree(200, GetParam(), 1)));
  const auto cut = dh_frames::into_lanes(tree, {.segment_step = 0.0, .joins = 0.0}, 40);
  for (const Eigen::Index k : {0, 70, 199}) {
    const Eigen::VectorXd q = pins.vector(200);
    Eigen::VectorXd p = pins.vector(200), to(600);
    p[k] = NAN;
    dh_frames::TreeWork work(cut);
    EXPECT_FALSE(dh_frames::evaluate(
        dh_frames::kernels(), cut,
        {q.data(), p.data(), to.data(), to.data() + 200, to.data() + 400}, work));
  }
}

std::string name_of(const testing::TestParamInfo<Axes>& info) {
  switch (info.param) {
    case Axes::kParallel:
      return "parallel";
    case Axes::kRightAngles:
      return "right_angles";
    case Axes::kNearlyParallel:
      return "nearly_parallel";
    case Axes::kInPlane:
      return "in_plane";
    default:
      return "any";
  }
}

INSTANTIATE_TEST_SUITE_P(Chains, ChainBlocks,
                         testing::Values(Axes::kAny, Axes::kParallel, Axes::kRightAngles,
                                         Axes::kNearlyParallel, Axes::kInPlane),
                         name_of);

TEST(Threads, OfChainBlocksChangeNoBit) {
  for (const auto axes : {Axes::kAny, Axes::kInPlane}) {
    Pins pins(9);
    const auto tree = *dh_frames::tree_of(Model(pins.tree(801, axes, 1)));
    const auto cut = dh_frames::into_lanes(tree, {.segment_step = 0.0, .joins = 0.0}, 64);
    const Eigen::VectorXd q = pins.vector(801), p = pins.vector(801);
    const auto alone = evaluate(cut, q, p);
    for (const int threads : {2, 3, 5}) {
      Pool pool(threads);
      dh_frames::TreeWork work(cut, threads);
      for (int again = 0; again < 50; ++again) {
        Eigen::VectorXd to = Eigen::VectorXd::Zero(3 * 801);
        ASSERT_TRUE(dh_frames::evaluate(dh_frames::kernels(), cut,
                                        {q.data(), p.data(), to.data(), &to[801], &to[2 * 801]},
                                        work, &pool));
        ASSERT_EQ(to, alone.rates) << threads;
        ASSERT_EQ(work.potential, alone.potential);
      }
    }
  }
}

// The formulation's own, which come and go as they gain. Forces along joints act, too.
TEST(Threads, OfLongChainsChangeNoBit) {
  for (const auto axes : {Axes::kAny, Axes::kInPlane}) {
    Pins pins(7);
    auto mechanism = pins.tree(9001, axes, 1);
    mechanism.add(JointSpringDamper{mechanism.joints[5000].name, 3.0, 0.1, 0.2, {}});
    const Model model(mechanism);
    const Eigen::VectorXd q = 0.3 * pins.vector(9001), p = pins.vector(9001);
    const StateView state{0.0, q.data(), p.data()};
    const auto alone = make_formulation("recursive", model);
    EXPECT_NE(alone->plan().find("4 times eight segments"), std::string::npos) << alone->plan();
    const auto a = alone->make_workspace();
    ASSERT_EQ(alone->rate(state, *a), Status::kOk);
    for (const int threads : {0, 2, 3, 5}) {
      const auto shared = make_formulation("recursive", model, {.threads = threads});
      EXPECT_EQ(shared->plan(), alone->plan());
      const auto b = shared->make_workspace();
      for (int again = 0; again < 20; ++again) {
        ASSERT_EQ(shared->rate(state, *b), Status::kOk);
        for (const auto part : {&Workspace::v, &Workspace::q_dot, &Workspace::u_dot})
          EXPECT_TRUE(std::ranges::equal(*a.*part, *b.*part)) << threads;
        EXPECT_EQ(shared->energies(state, *b)->kinetic, alone->energies(state, *a)->kinetic);
        EXPECT_EQ(shared->energies(state, *b)->potential, alone->energies(state, *a)->potential);
      }
    }
  }
}

}  // namespace
}  // namespace hamiltree::test
