// Observed orders: halving the step of a method of order k divides the error by 2^k, on trees and
// loops, with quaternions, redundant rows, couplings and moving frames. The reference is
// dormand_prince at tolerances next to rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <ostream>
#include <string>

#include "support/methods.hpp"
#include "support/recorded.hpp"
#include "support/sample_mechanisms.hpp"

namespace hamiltree {
namespace {

using test::difference;
using test::shipped;
using test::with_step;

Sample state_at_end(const Model& model, const Method& method, double until) {
  // For the Bricard linkage, recursive leaves spark's iteration fewer digits.
  return Simulation(model, {.formulation = "hdca", .integrator = method})
      .run_until(until, until)
      .samples.back();
}

// A free body that carries two arms of spherical, universal, revolute and prismatic joints, some of
// them against the tree, and that tumbles.
Model floating_tree() {
  test::SampleMechanism sample(SpaceKind::kSpatial);
  const auto base = sample.add(JointType::kFree, kGround);
  sample.joint().initial_v = (Eigen::VectorXd(6) << 0.3, -0.2, 0.1, 0.5, -0.7, 0.4).finished();
  const auto ball = sample.add(JointType::kSpherical, base);
  sample.joint().initial_v = Eigen::Vector3d(0.6, 0.2, -0.9);
  sample.add(JointType::kPrismatic, ball);
  sample.add_spring(sample.joint().name);
  const auto cross = sample.add(JointType::kUniversal, base, true);
  sample.joint().initial_v = Eigen::Vector2d(0.8, -0.5);
  const auto link = sample.add(JointType::kRevolute, cross);
  sample.add(JointType::kSpherical, link, true);
  return Model(sample.get());
}

Model all_joints() { return Model(test::sample_joints(SpaceKind::kSpatial, true)); }

// Both of its pivots on the ground move: Phi depends on time.
Model shaken_four_bar() {
  auto mechanism = shipped("four_bar_spatial").mechanism();
  for (auto& joint : mechanism.joints) {
    FrameMotion motion;
    if (joint.name == "A") motion.y = Sine{0.0, 0.02, 2.5, 0.1};
    if (joint.name == "D") {
      motion.x = Sine{0.0, 0.03, 2.0, 0.0};
      motion.y = Sine{0.0, 0.02, 3.0, 0.3};
    }
    if (motion.y) joint.parent_motion = motion;
  }
  return Model(mechanism);
}

struct Case {
  const char* name;
  double until;  // s
  // The steps that the coarser of two runs takes with a method of order 1, 2, 4, 6: so many that
  // the leading term stands alone, so few that errors are far above rounding.
  int steps[4];
  Model (*model)() = nullptr;  // none: a shipped one
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

struct FixedStep {
  const char* name;
  int order;
  bool for_loops = true;
};

constexpr FixedStep kMethods[]{{"euler", 1},
                               {"semi_implicit_euler", 1},
                               {"rk4", 4},
                               {"implicit_midpoint", 2, false},
                               {"gauss_4", 4, false},
                               {"gauss_6", 6, false},
                               {"spark_1", 2},
                               {"spark_2", 4},
                               {"spark_3", 6}};

class ObservedOrder : public testing::TestWithParam<Case> {};

TEST_P(ObservedOrder, IsThatOfTheMethod) {
  const Case& c = GetParam();
  const Model model = c.model != nullptr ? c.model() : shipped(c.name);
  const double until = c.until;
  const auto exact = state_at_end(model, DormandPrince{1e-13, 1e-14}, until);
  std::printf("%s:", c.name);
  for (const auto& method : kMethods) {
    if (!method.for_loops && model.constraint_count() > 0) continue;
    const double step = until / c.steps[method.order / 2];
    const auto error = [&](double h) {
      return difference(state_at_end(model, with_step(method.name, h), until), exact);
    };
    const double coarse = error(step);
    const double fine = error(step / 2.0);
    const double order = std::log2(coarse / fine);
    std::printf(" %s %.2f (%.1e)", method.name, order, fine);
    EXPECT_NEAR(order, method.order, 0.2) << method.name << ": " << coarse << ", " << fine;
  }
  std::printf("\n");
}

// Measured: within 0.14, the implicit methods within 0.11; errors of the finer run from 1e-11.
INSTANTIATE_TEST_SUITE_P(
    Mechanisms, ObservedOrder,
    testing::Values(Case{"double_pendulum", 0.3, {400, 80, 80, 20}},
                    Case{"heavy_top", 0.2, {12800, 320, 160, 80}},
                    Case{"torque_free_body", 0.5, {400, 80, 20, 10}},
                    Case{"floating_tree", 0.6, {1600, 80, 40, 10}, floating_tree},
                    Case{"all_joints", 0.3, {800, 40, 40, 10}, all_joints},
                    Case{"spatial_arm", 0.5, {800, 40, 80, 20}},
                    Case{"pendulum_on_moving_pivot", 0.1, {400, 80, 160, 40}},
                    Case{"four_bar", 0.3, {400, 80, 320, 40}},
                    Case{"four_bar_spatial", 0.3, {400, 80, 320, 40}},
                    Case{"shaken_four_bar", 0.3, {400, 80, 320, 40}, shaken_four_bar},
                    Case{"bricard", 0.5, {400, 80, 80, 10}},
                    Case{"rssr", 0.5, {25600, 160, 640, 60}},
                    Case{"spatial_slider_crank", 0.2, {800, 80, 80, 20}},
                    Case{"gear_pair", 0.5, {400, 40, 20, 5}}),
    [](const auto& info) { return std::string(info.param.name); });

// Work is integrated with the state, by Gauss methods through their stages, and to the same order.
TEST(WorkOfDrives, HasTheOrderOfTheMethod) {
  const auto model = shaken_four_bar();
  constexpr double kUntil = 0.3;
  constexpr int kSteps[]{1600, 80, 80, 40};
  const auto reference =
      Simulation(model, {.integrator = DormandPrince{1e-13, 1e-14}}).run_until(kUntil, kUntil);
  const double exact = reference.samples.back().work.driven;
  EXPECT_LT(exact, -0.1);                                // measured: -0.151 J
  EXPECT_LE(reference.summary.energy.max_error, 1e-11);  // measured: 5e-13 J
  for (const auto& method : kMethods) {
    if (!method.for_loops) continue;
    const double step = kUntil / kSteps[method.order / 2];
    const auto error = [&](double h) {
      return std::abs(state_at_end(model, with_step(method.name, h), kUntil).work.driven - exact);
    };
    const double coarse = error(step);
    const double fine = error(step / 2.0);
    std::printf("work by %s: order %.2f, error %.1e J\n", method.name, std::log2(coarse / fine),
                fine);
    EXPECT_NEAR(std::log2(coarse / fine), method.order, 0.2) << method.name;
  }
}

// On loops momenta drift in the gauge and positions off the loops: neither spoils the accuracy.
class AdaptiveOnALoop : public testing::TestWithParam<const char*> {};

TEST_P(AdaptiveOnALoop, ErrorFallsWithTheTolerance) {
  const auto model = shipped("four_bar");
  constexpr double kUntil = 2.0;
  const auto exact = state_at_end(model, DormandPrince{1e-13, 1e-14}, kUntil);
  double last = 10.0;
  std::printf("%s:", GetParam());
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const double error =
        difference(state_at_end(model, test::with_tolerance(GetParam(), tolerance), kUntil), exact);
    std::printf(" %.1e", error);
    EXPECT_LT(error, 0.2 * last) << tolerance;
    last = error;
  }
  std::printf("\n");
}

INSTANTIATE_TEST_SUITE_P(Methods, AdaptiveOnALoop,
                         testing::Values("bogacki_shampine", "dormand_prince", "adams", "bdf"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace hamiltree
