// Chains whose segments float, in lanes, against formulations that know nothing of chains.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "hamiltree/formulations/dh_frames/compile_floating.hpp"
#include "hamiltree/formulations/dh_frames/kernel_sets.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "support/floating_revolutes.hpp"
#include "support/rates.hpp"

namespace hamiltree::test {
namespace {

constexpr double kTolerance = 1e-11;

bool in_lanes(const std::string& plan) {
  return plan.find("floating segments") != std::string::npos;
}

void expect_near(std::span<const double> x, std::span<const double> y, const std::string& what) {
  const Eigen::VectorXd a = to_vector(x), b = to_vector(y);
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), kTolerance * b.cwiseAbs().maxCoeff()) << what;
}

// The workspace after an evaluation of both.
void compare(const Formulation& one, const Formulation& other, const StateView& state, double leak,
             const std::string& what) {
  const auto a = one.make_workspace(), b = other.make_workspace();
  one.analyse(state, *a);
  other.analyse(state, *b);
  a->leak = b->leak = leak;
  ASSERT_EQ(one.rate(state, *a), Status::kOk);
  ASSERT_EQ(other.rate(state, *b), Status::kOk);
  expect_near(a->v, b->v, what + ": v");
  expect_near(a->q_dot, b->q_dot, what + ": q_dot");
  expect_near(a->u_dot, b->u_dot, what + ": p_dot");
  expect_near(a->sigma, b->sigma, what + ": sigma");
}

struct Case {
  std::string name;
  FloatingOptions options;
  double gap;
};

class Floating : public testing::TestWithParam<Case> {};

TEST_P(Floating, GivesTheRatesOfOtherFormulations) {
  const auto& c = GetParam();
  for (const int n : {11, 16, 27, 64, 73, 150}) {
    FloatingRevolutes pins(static_cast<unsigned>(n));
    auto options = c.options;
    options.bodies = n;
    const Model model(pins.chain(options));
    const auto recursive = make_formulation("recursive", model);
    ASSERT_TRUE(in_lanes(recursive->plan())) << recursive->plan();
    const auto q = pins.pose(model, c.gap);
    const Eigen::VectorXd p = pins.vector(model.velocity_count());
    const StateView state{0.0, q.data(), p.data()};
    const auto what = std::to_string(n) + " bodies, ";
    const auto one_by_one = make_formulation("recursive", model, {.lanes = LaneChoice::kNever});
    EXPECT_FALSE(in_lanes(one_by_one->plan()));
    compare(*recursive, *one_by_one, state, 0.0, what + "one by one");
    compare(*recursive, *one_by_one, state, 0.7, what + "leaky");
    if (n < 100) compare(*recursive, *make_formulation("dense", model), state, 0.0, what + "dense");
  }
}

// The Newton step onto the closed loops, and what moves the cuts with momenta on top.
TEST_P(Floating, MovesTheCutsAsOtherFormulations) {
  const auto& c = GetParam();
  for (const int n : {11, 73}) {
    FloatingRevolutes pins(static_cast<unsigned>(n));
    auto options = c.options;
    options.bodies = n;
    const Model model(pins.chain(options));
    const auto recursive = make_formulation("recursive", model);
    const auto dense = make_formulation("dense", model);
    const auto a = recursive->make_workspace(), b = dense->make_workspace();
    const auto q = pins.pose(model, c.gap);
    const Eigen::VectorXd phi = pins.vector(model.constraint_count());
    for (const double factor : {0.0, 1.0}) {
      const Eigen::VectorXd p = factor * pins.vector(model.velocity_count());
      const StateView state{0.0, q.data(), p.data()};
      dense->analyse(state, *b);
      ASSERT_EQ(recursive->velocities(state, phi.data(), *a), Status::kOk);
      ASSERT_EQ(dense->velocities(state, phi.data(), *b), Status::kOk);
      expect_near(a->v, b->v, "v");
      expect_near(a->q_dot, b->q_dot, "q_dot");
      expect_near(a->sigma, b->sigma, "sigma");
    }
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (int m = 1; m <= 9; ++m)
    all.push_back({"of_" + std::to_string(m), {.segment = m}, m % 2 == 0 ? 0.0 : 0.02});
  all.push_back({"irregular", {.segment = 6, .irregular = true}, 0.02});
  all.push_back({"from_a_body_that_floats", {.segment = 4, .on_ground = false}, 0.02});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Segments, Floating, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

// Accelerations, lambda and reactions come from the general kernel, power from the rates.
TEST(FloatingFormulation, GivesAccelerationsAndReactions) {
  FloatingRevolutes pins(5);
  auto mechanism = pins.chain({.bodies = 20, .segment = 4});
  mechanism.add(JointSpringDamper{"J2", 3.0, 0.0, 0.4, {}});
  const Model model(mechanism);
  const auto recursive = make_formulation("recursive", model);
  ASSERT_TRUE(in_lanes(recursive->plan()));
  const auto other = make_formulation("recursive", model, {.lanes = LaneChoice::kNever});
  const auto q = pins.pose(model);
  const Eigen::VectorXd p = pins.vector(model.velocity_count());
  const StateView state{0.0, q.data(), p.data()};
  compare(*recursive, *other, state, 0.0, "with a spring");
  const auto a = recursive->make_workspace(), b = other->make_workspace();
  const auto redundancy = recursive->analyse(state, *a);
  EXPECT_EQ(redundancy.constraints, 8);
  EXPECT_EQ(redundancy.redundant, 0);
  other->analyse(state, *b);
  ASSERT_EQ(recursive->accelerations(state, *a), Status::kOk);
  ASSERT_EQ(other->accelerations(state, *b), Status::kOk);
  expect_near(a->v, b->v, "v");
  expect_near(a->v_dot, b->v_dot, "v_dot");
  expect_near(a->lambda, b->lambda, "lambda");
  expect_near(a->sigma, b->sigma, "sigma");
  for (int j = 0; j < model.joint_count(); ++j) {
    const auto ours = recursive->reaction(j, *a), its = other->reaction(j, *b);
    EXPECT_LT((ours.force - its.force).norm(), 1e-9 * (1.0 + its.force.norm()));
  }
  recursive->rate(state, *a);
  other->rate(state, *b);
  const auto ours = recursive->power(state, *a), its = other->power(state, *b);
  EXPECT_LT(its.dissipated, 0.0);
  EXPECT_NEAR(ours.dissipated, its.dissipated, 1e-10 * std::abs(its.dissipated));
}

TEST(FloatingFormulation, SaysWhatItDoes) {
  const auto plan = [](const FloatingOptions& options) {
    return make_formulation("recursive", Model(FloatingRevolutes(5).chain(options)))->plan();
  };
  EXPECT_EQ(plan({.bodies = 20, .segment = 8}),
            "recursive, 20 bodies in 3 floating segments of up to 8, eight side by side in lanes");
}

TEST(FloatingFormulation, SaysWhatIsNotFinite) {
  FloatingRevolutes pins(5);
  const Model model(pins.chain({.bodies = 20, .segment = 4}));
  const auto recursive = make_formulation("recursive", model);
  const auto workspace = recursive->make_workspace();
  auto q = pins.pose(model);
  Eigen::VectorXd p = pins.vector(model.velocity_count());
  EXPECT_EQ(recursive->rate({0.0, q.data(), p.data()}, *workspace), Status::kOk);
  p(7) = std::nan("");
  EXPECT_EQ(recursive->rate({0.0, q.data(), p.data()}, *workspace), Status::kNotFinite);
}

// Whatever is no such chain is left to the general kernel.
TEST(FloatingChain, TakesNothingElse) {
  const auto taken = [](const std::function<void(Mechanism&)>& change) {
    auto mechanism = FloatingRevolutes(5).chain({.bodies = 20, .segment = 4});
    change(mechanism);
    return dh_frames::floating_chain_of(Model(mechanism)).has_value();
  };
  const auto joint = [](Mechanism& m, const std::string& name) -> JointDescription& {
    for (auto& j : m.joints) {
      if (j.name == name) return j;
    }
    throw std::runtime_error(name);
  };
  EXPECT_TRUE(taken([](Mechanism&) {}));
  EXPECT_FALSE(taken([&](Mechanism& m) { joint(m, "J2").type = JointType::kPrismatic; }));
  EXPECT_FALSE(taken([&](Mechanism& m) { joint(m, "J4").type = JointType::kPrismatic; }));
  EXPECT_FALSE(taken([&](Mechanism& m) { joint(m, "J2").armature = 0.1; }));
  EXPECT_FALSE(
      taken([&](Mechanism& m) { std::swap(joint(m, "J4").parent, joint(m, "J4").child); }));
  EXPECT_FALSE(taken([&](Mechanism& m) { joint(m, "J3").parent = "B1"; }));  // it branches
  EXPECT_FALSE(taken([&](Mechanism& m) {                                     // its end is held
    auto pin = joint(m, "J1");
    pin.name = "end", pin.parent = kGround, pin.child = "B19";
    m.add(pin);
  }));
  EXPECT_FALSE(taken([&](Mechanism& m) { m.add(JointSpringDamper{"J4", 3.0, 0.0, 0.0, {}}); }));
  EXPECT_FALSE(dh_frames::floating_chain_of(Model(Pins(5).tree(20, Axes::kInPlane, 1))));
}

TEST(FloatingKernels, AgreeToRounding) {
  std::vector<const dh_frames::Kernels*> others;
  for (const auto set : {InstructionSet::kAvx2, InstructionSet::kAvx512})
    if (has(set)) others.push_back(dh_frames::kKernelSets[static_cast<std::size_t>(set)]);
  if (others.empty()) GTEST_SKIP() << "this machine has neither AVX2 nor AVX-512";
  FloatingRevolutes pins(5);
  const Model model(pins.chain({.bodies = 90, .segment = 5, .irregular = true}));
  const auto chain = *dh_frames::floating_chain_of(model);
  const auto q = pins.pose(model, 0.02);
  const Eigen::VectorXd p = pins.vector(model.velocity_count());
  const auto evaluate = [&](const dh_frames::Kernels& kernels) {
    const auto nq = q.size(), nv = p.size();
    Eigen::VectorXd all(nq + 2 * nv + model.constraint_count());
    dh_frames::FloatingWork work(chain);
    EXPECT_TRUE(kernels.floating.all(chain,
                                     {.q = q.data(),
                                      .p = p.data(),
                                      .v = all.data(),
                                      .q_dot = all.data() + nv,
                                      .p_dot = all.data() + nv + nq,
                                      .sigma = all.data() + 2 * nv + nq},
                                     work));
    return all;
  };
  const auto baseline = evaluate(dh_frames::kBaseline);
  for (const auto* set : others) {
    const auto other = evaluate(*set);
    for (Eigen::Index i = 0; i < baseline.size(); ++i)
      EXPECT_NEAR(other(i), baseline(i), 1e-11 * (1.0 + std::abs(baseline(i))));
  }
}

}  // namespace
}  // namespace hamiltree::test
