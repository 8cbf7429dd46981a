// Runs that start at, rest at or pass poses where several motions meet: against a pendulum that
// moves alike, and against what can be said of any mechanism: loops stay closed, energy is kept, or
// the run is refused with the motions named.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/registry.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/folded.hpp"
#include "support/four_bars.hpp"
#include "support/largest_difference.hpp"
#include "support/peaucellier.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::Bars;
using test::column;
using test::flat_parallelograms;
using test::folded_four_bar;
using test::folded_scissor;
using test::FourBarSizes;
using test::has_note;
using test::joint_of;
using test::largest_difference;
using test::plate_on_rods;
using test::run;
using test::sarrus;
using test::truss;

constexpr double kG = 9.81;
constexpr std::array kAllFormulations{"hdca", "recursive", "dense", "dca", "aba"};

// inertia theta'' = -g moment cos theta
Model horizontal_pendulum(double inertia, double moment, double angle, double speed) {
  BodyDescription body;
  body.name = "pendulum";
  body.mass = 2.0 * moment * moment / inertia;
  body.com = {moment / body.mass, 0.0, 0.0};
  body.inertia.diagonal().setConstant(inertia - moment * moment / body.mass);
  Bars bars;
  bars.mechanism().add(body);
  bars.pin_at("A", "ground", "pendulum", 0.0, angle, speed);
  return Model(bars.mechanism());
}

// With uprights of length a all points of the coupler move on circles of radius a:
//   (m1 a^2/3 + m3 a^2/3 + m2 a^2) theta'' = -g a (m1/2 + m3/2 + m2) cos theta
Model pendulum_like_parallelogram(const std::array<double, 3>& m, double angle, double speed) {
  constexpr double a = 0.5;
  return horizontal_pendulum((m[0] + m[2]) * a * a / 3.0 + m[1] * a * a,
                             a * (0.5 * m[0] + 0.5 * m[2] + m[1]), angle, speed);
}

// Parallelograms side by side, of unequal masses, and their pendulum.
struct Row {
  Mechanism mechanism;
  double inertia = 0.0, moment = 0.0;
};
Row row_of_parallelograms(int count, SpaceKind space = SpaceKind::kPlanar, double a = 0.5) {
  Row row{flat_parallelograms(count, space, a)};
  int n = 0;
  for (auto& body : row.mechanism.bodies) {
    body.mass = std::array{3.0, 0.2, 1.0, 0.7}[static_cast<std::size_t>(n++ % 4)];
    const bool is_upright = body.name.front() == 'u';
    const double length = 2.0 * body.com.x();
    const double J = body.mass * length * length / 12.0;
    body.inertia.diagonal() << 1e-2 * J, J, J;
    row.inertia += body.mass * a * a * (is_upright ? 1.0 / 3.0 : 1.0);
    row.moment += body.mass * a * (is_upright ? 0.5 : 1.0);
  }
  return row;
}
void start_row(Mechanism& m, double angle, double speed) {
  for (auto& joint : m.joints) {
    if (joint.name.front() == 'C') continue;
    const double sign = joint.name.front() == 'A' ? 1.0 : -1.0;
    joint.initial_q = Eigen::VectorXd::Constant(1, sign * angle);
    joint.initial_v = Eigen::VectorXd::Constant(1, sign * speed);
  }
}

// All that hangs on the ground hangs on an arm that turns about the hinge H.
Mechanism on_arm(Mechanism m) {
  BodyDescription arm;
  arm.name = "arm";
  arm.mass = 2.0;
  arm.com = {0.5, 0.0, 0.0};
  arm.inertia.diagonal().setConstant(0.3);
  m.add(arm);
  for (auto& joint : m.joints) {
    if (joint.parent == "ground") joint.parent = "arm";
  }
  JointDescription hinge;
  hinge.name = "H";
  hinge.parent = "ground";
  hinge.child = "arm";
  m.add(hinge);
  return m;
}

// Parallelograms in space beside each other on a body that floats, turned by these angles.
Mechanism floating_parallelograms(const std::vector<double>& angles) {
  Bars bars(SpaceKind::kSpatial);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const auto n = std::to_string(i);
    bars.bar("u" + n, 0.5);
    bars.bar("c" + n, 1.0);
    bars.bar("w" + n, 0.5);
    bars.pin_at("A" + n, "ground", "u" + n, 0.0, angles[i]);
    bars.pin_at("B" + n, "u" + n, "c" + n, 0.5, -angles[i]);
    bars.pin_at("D" + n, "ground", "w" + n, 1.0, angles[i]);
    bars.pin("C" + n, "c" + n, "w" + n, 1.0, 0.5);
  }
  auto m = on_arm(bars.mechanism());
  m.joints.back().type = JointType::kFree;
  return m;
}

// On a body that floats, `rows` of `count` flat parallelograms, of which each but the first hangs
// on an upright of the one before.
Mechanism floating_rows_of_flat_parallelograms(int rows, int count) {
  Bars bars(SpaceKind::kSpatial);
  const auto add = [&](int row, int i, const std::string& on) {
    const auto n = std::to_string(row) + "_" + std::to_string(i);
    for (const auto* bar : {"w", "u", "c"}) bars.bar(bar + n, 1.0, 1.0, -0.5);
    bars.pin_at("D" + n, on, "w" + n, 1.0, 0.0);
    bars.pin_at("A" + n, on, "u" + n, 0.0, 0.0);
    bars.pin_at("B" + n, "u" + n, "c" + n, 0.5, 0.0);
    bars.pin("C" + n, "w" + n, "c" + n, 0.5, 1.0);
  };
  for (int row = 0; row < rows; ++row) add(row, 0, "ground");
  for (int row = 0; row < rows; ++row)
    for (int i = 1; i < count; ++i)
      add(row, i, "w" + std::to_string(row) + "_" + std::to_string(i - 1));
  auto m = on_arm(bars.mechanism());
  m.joints.back().type = JointType::kFree;
  return m;
}

class SingularStarts : public testing::TestWithParam<const char*> {};

// From rest it falls as a parallelogram, comes to rest at the other flat pose and goes back.
TEST_P(SingularStarts, FlatParallelogramAtRestFallsAsItsPendulum) {
  for (const auto& masses : {std::array{1.0, 1.0, 1.0}, std::array{3.0, 1.0, 0.2}}) {
    FourBarSizes sizes;
    sizes.masses = masses;
    for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
      const auto found = run(Model(folded_four_bar(sizes, space)), GetParam(), 1e-11, 2.0, 0.05);
      const auto pendulum =
          run(pendulum_like_parallelogram(masses, 0.0, 0.0), "recursive", 1e-12, 2.0, 0.05);
      const auto crank = column(found, "q.A");
      EXPECT_LT(largest_difference(crank, column(pendulum, "q.A")), 1e-8);
      EXPECT_LT(largest_difference(crank, column(found, "q.D")), 1e-10);
      EXPECT_LT(std::ranges::min(crank), -3.13) << "it has been at the other flat pose";
      EXPECT_LT(found.summary.constraint.position_max, 1e-14);
      EXPECT_LT(found.summary.energy.max_error, 1e-9);
      EXPECT_EQ(found.summary.model.degrees_of_freedom, 1);
    }
  }
}

// Steps along the branch of one loop leave another one, which has none, open by their errors.
// Measured: 1.5e-12 m, and 2e-9 without its projection.
TEST(SingularStart, ClosesOtherLoopsWhileOneFollowsItsBranch) {
  Mechanism m = folded_four_bar(FourBarSizes{}, SpaceKind::kPlanar);
  const auto renamed = [](std::string name) { return name == "ground" ? name : "other_" + name; };
  const auto other = test::four_bars(1, 3);
  for (auto body : other.bodies) {
    body.name = renamed(body.name);
    m.add(body);
  }
  for (auto joint : other.joints) {
    for (auto* name : {&joint.name, &joint.parent, &joint.child}) *name = renamed(*name);
    m.add(joint);
  }
  const auto found = run(Model(m), "recursive", 1e-5, 1.0, 0.01);
  EXPECT_LT(found.summary.constraint.position_max, 1e-11);
  EXPECT_LT(found.summary.constraint.velocity_max, 1e-11);
}

// The joints' velocities choose; of the crank alone the nearer one, which is the parallelogram.
TEST_P(SingularStarts, VelocitiesChooseTheMotion) {
  const double nan = std::nan("");
  struct Given {
    std::array<double, 3> v;
    double ratio;  // of rocker to crank, from then on while they are slow
  };
  for (const auto& [v, ratio] :
       {Given{{0.1, -0.1, 0.1}, 1.0}, Given{{-0.1, 0.1, -0.1}, 1.0}, Given{{-0.1, 0.3, 0.3}, -3.0},
        Given{{0.1, -0.3, -0.3}, -3.0}, Given{{0.1, nan, nan}, 1.0}}) {
    const Model model(folded_four_bar({}, SpaceKind::kPlanar, Eigen::Vector3d::Zero(), v));
    const auto found = run(model, GetParam(), 1e-10, 1.0, 0.1);
    EXPECT_NEAR(found.samples.front().v(0), v[0], 1e-12);
    EXPECT_NEAR(column(found, "v.D").front() / column(found, "v.A").front(), ratio, 1e-9);
    EXPECT_NEAR(column(found, "q.D")[1] / column(found, "q.A")[1], ratio, 1e-2);
    EXPECT_LT(found.summary.constraint.position_max, 1e-14);
    EXPECT_LT(found.summary.energy.max_error, 1e-10 * (1.0 + found.summary.energy.initial));
  }
}

// It comes from below, passes the flat pose at the speed given, turns and passes it again.
TEST_P(SingularStarts, SlowPassagesKeepTheMotionAndItsEnergy) {
  const std::array masses{3.0, 1.0, 0.2};
  const double inertia = 3.2 * 0.25 / 3.0 + 0.25, moment = 0.5 * (0.5 * 3.2 + 1.0);
  for (const double speed : {1.0, 0.1, 0.03}) {
    const double start = -0.3;
    const double v = std::sqrt(speed * speed - 2.0 * kG * moment * std::sin(start) / inertia);
    FourBarSizes sizes;
    sizes.masses = masses;
    sizes.angles = {start, -start, start};
    const Model model(folded_four_bar(sizes, SpaceKind::kPlanar, {0.0, -kG, 0.0}, {v, -v, v}));
    const auto found = run(model, GetParam(), 1e-9, 1.0, 0.01);
    const auto pendulum =
        run(pendulum_like_parallelogram(masses, start, v), "recursive", 1e-12, 1.0, 0.01);
    EXPECT_LT(largest_difference(column(found, "q.A"), column(pendulum, "q.A")), 1e-7) << speed;
    const auto angles = column(pendulum, "q.A");
    EXPECT_GT(std::ranges::max(angles), -1e-3) << "it is not reached";
    EXPECT_LT(found.summary.energy.max_error, 1e-7) << speed;
    EXPECT_LT(found.summary.constraint.position_max, 1e-12) << speed;
  }
}

// 7 and 26 directions are free at the flat pose, too many to look for the motions that meet there;
// the motion itself leads through.
TEST_P(SingularStarts, SlowPassagesOfManyLoopsKeepTheMotionAndItsEnergy) {
  for (const int count : {6, 25}) {
    for (const double speed : {1.0, 0.03}) {
      auto row = row_of_parallelograms(count);
      const double start = -0.3;
      const double v =
          std::sqrt(speed * speed - 2.0 * kG * row.moment * std::sin(start) / row.inertia);
      start_row(row.mechanism, start, v);
      const auto found = run(Model(row.mechanism), GetParam(), 1e-9, 0.4, 0.01);
      const auto pendulum = run(horizontal_pendulum(row.inertia, row.moment, start, v), "recursive",
                                1e-12, 0.4, 0.01);
      for (const int upright : {0, count / 2, count}) {
        const auto angle = column(found, "q.A" + std::to_string(upright));
        EXPECT_LT(largest_difference(angle, column(pendulum, "q.A")), 1e-8)
            << count << ", " << speed;
      }
      EXPECT_GT(std::ranges::max(column(pendulum, "q.A")), -1e-3) << "it is not reached";
      EXPECT_TRUE(has_note(found, "along a branch of motion")) << count << ", " << speed;
      EXPECT_LT(found.summary.energy.max_error, 1e-9 * found.summary.energy.scale)
          << count << ", " << speed;
      EXPECT_LT(found.summary.constraint.position_max, 1e-12) << count << ", " << speed;
      std::printf("%s: %d loops at %g rad/s: energy %.1e of %.1e J, position %.1e\n", GetParam(),
                  count, speed, found.summary.energy.max_error, found.summary.energy.scale,
                  largest_difference(column(found, "q.A0"), column(pendulum, "q.A")));
    }
  }
}

// With rows and mask alone hdca, dca and aba ended at the first of these passages.
TEST_P(SingularStarts, QuickPassagesKeepTheMotionAndItsEnergy) {
  const test::Peaucellier sizes;
  const Model model(test::peaucellier(sizes));
  const auto found = run(model, GetParam(), 1e-9, 3.0, 0.01);
  const auto DA = static_cast<std::size_t>(
      std::ranges::find(found.header.bodies, "DA", &BodyShape::name) - found.header.bodies.begin());
  double off_line = 0.0;
  for (const auto& sample : found.samples)
    off_line = std::max(off_line, std::abs(sample.poses[DA].position.x() - sizes.line()));
  std::printf("%s: off the line by %.1e m, energy %.1e J, %ld steps; %s\n", GetParam(), off_line,
              found.summary.energy.max_error, found.summary.steps,
              found.summary.notes.front().c_str());
  EXPECT_LT(off_line, 1e-12);
  EXPECT_LT(found.summary.energy.max_error, 1e-6);
  EXPECT_LT(found.summary.constraint.position_max, 1e-12);
  EXPECT_TRUE(has_note(found, "along a branch of motion"));
}

// On a cart the linkage has two freedoms, and poses at which it flattens are a whole curve. With
// rows and mask alone it lost up to 1e-4 J, or its run ended.
TEST_P(SingularStarts, QuickPassagesWithSeveralFreedomsKeepTheMotionAndItsEnergy) {
  const Model model(test::peaucellier({}, true));
  const auto found = run(model, GetParam(), 1e-9, 2.0, 0.01);
  const auto reference = run(model, "dense", 1e-12, 2.0, 0.01);
  for (const char* name : {"q.P", "q.rail", "q.O1"}) {
    const double off = largest_difference(column(found, name), column(reference, name));
    std::printf("%s: %s off by %.1e\n", GetParam(), name, off);
    EXPECT_LT(off, 1e-6) << name;
  }
  std::printf("%s: energy %.1e J, %ld steps; %s\n", GetParam(), found.summary.energy.max_error,
              found.summary.steps, found.summary.notes.front().c_str());
  EXPECT_LT(found.summary.energy.max_error, 1e-6);
  EXPECT_LT(reference.summary.energy.max_error, 1e-9);
  EXPECT_LT(found.summary.constraint.position_max, 1e-12);
  EXPECT_TRUE(has_note(found, "along a branch of motion"));
}

TEST_P(SingularStarts, WhereNoForceChoosesItRests) {
  const Model model(folded_four_bar({}, SpaceKind::kPlanar, {kG, 0.0, 0.0}));
  const auto found = run(model, GetParam(), 1e-9, 0.5, 0.1);
  for (const auto& sample : found.samples) EXPECT_LT(sample.q.cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_TRUE(has_note(found, "no force moves it"));
}

TEST_P(SingularStarts, FoldedLinkagesOpenUnderGravity) {
  for (const auto& mechanism :
       {flat_parallelograms(2), flat_parallelograms(3, SpaceKind::kSpatial), folded_scissor(3),
        sarrus(0.0), truss(0.0), folded_four_bar({1.0, 1.0, 1.0, 1.0}),
        folded_four_bar({1.0, 0.5, 1.2, 0.7}),
        folded_four_bar({1.0, 1.0, 0.6, 0.6, {0.0, std::numbers::pi, std::numbers::pi}})}) {
    const auto found = run(Model(mechanism), GetParam(), 1e-9, 1.0, 0.1);
    EXPECT_LT(found.summary.constraint.position_max, 1e-12) << mechanism.name;
    EXPECT_LT(found.summary.energy.max_error, 1e-6) << mechanism.name;
    EXPECT_GT((found.samples.back().q - found.samples.front().q).norm(), 0.1) << "it moves";
  }
}

// A flat four-bar whose crank turns as it is told. As an antiparallelogram, with uprights of a and
// a base of b,
//   tan(q_D / 2) = -(b + a) / (b - a) tan(q_A / 2)
Mechanism driven_parallelogram(double rate, SpaceKind space = SpaceKind::kPlanar) {
  auto m = folded_four_bar({}, space);
  auto& crank = joint_of(m, "A");
  crank.initial_q.reset();
  crank.drive = Polynomial{{0.0, rate}};
  return m;
}

TEST_P(SingularStarts, DrivesAreFollowedOnTheMotionThatIsChosen) {
  constexpr double kRate = 1.5;
  for (const bool is_parallel : {true, false}) {
    for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
      for (const bool by_key : {true, false}) {
        auto m = driven_parallelogram(kRate, space);
        if (by_key) {
          joint_of(m, "C").branch = is_parallel ? 1 : 2;
        } else {
          joint_of(m, "D").initial_v = Eigen::VectorXd::Constant(1, is_parallel ? kRate : -4.5);
        }
        const auto found = run(Model(m), GetParam(), 1e-10, 1.0, 0.1);
        const auto exact = [&](double t) {
          return is_parallel ? kRate * t : -2.0 * std::atan(3.0 * std::tan(0.5 * kRate * t));
        };
        EXPECT_LT(test::error(found, "q.D", exact), 1e-8) << is_parallel << by_key;
        EXPECT_LT(found.summary.constraint.position_max, 1e-13);
        EXPECT_LT(found.summary.energy.max_error, 1e-8) << "less the work of the drive";
        EXPECT_EQ(found.summary.model.degrees_of_freedom, 0);
      }
    }
  }
}

// The drive turns a body that carries the flat four-bar: it is as in a frame that turns.
TEST_P(SingularStarts, DrivesOutsideTheLoopMoveItAlong) {
  std::vector<Recording> found;
  for (const bool is_driven : {true, false}) {
    auto m =
        on_arm(folded_four_bar({}, SpaceKind::kPlanar, Eigen::Vector3d::Zero(), {0.3, -0.3, 0.3}));
    auto& hinge = joint_of(m, "H");
    if (is_driven) {
      hinge.drive = Polynomial{{0.4, 2.0}};
    } else {  // an arm so heavy that nothing brakes it
      auto& arm = *std::ranges::find(m.bodies, "arm", &BodyDescription::name);
      arm.inertia *= 1e9;
      hinge.initial_q = Eigen::VectorXd::Constant(1, 0.4);
      hinge.initial_v = Eigen::VectorXd::Constant(1, 2.0);
    }
    found.push_back(run(Model(m), GetParam(), 1e-10, 0.5, 0.1));
    EXPECT_LT(found.back().summary.constraint.position_max, 1e-12);
  }
  EXPECT_LT(largest_difference(column(found[0], "q.A"), column(found[1], "q.A")), 1e-6);
  EXPECT_LT(largest_difference(column(found[0], "q.D"), column(found[0], "q.A")), 1e-9);
  EXPECT_LT(found[0].summary.energy.max_error, 1e-7);
}

// A coupler without mass: the uprights are one pendulum.
TEST_P(SingularStarts, BodiesWithoutMassGoAlong) {
  const std::array masses{3.0, 0.0, 0.2};
  FourBarSizes sizes;
  sizes.masses = masses;
  const auto found = run(Model(folded_four_bar(sizes)), GetParam(), 1e-11, 1.0, 0.05);
  const auto pendulum =
      run(pendulum_like_parallelogram(masses, 0.0, 0.0), "recursive", 1e-12, 1.0, 0.05);
  EXPECT_LT(largest_difference(column(found, "q.A"), column(pendulum, "q.A")), 1e-8);
  EXPECT_LT(found.summary.constraint.position_max, 1e-13);
}

// At rest, too, and where the forces would choose the other one.
TEST_P(SingularStarts, TheKeyBranchChoosesTheMotion) {
  for (const auto& [branch, ratio] : {std::pair{1, 1.0}, std::pair{2, -3.0}}) {
    auto m = folded_four_bar({});
    joint_of(m, "A").branch = branch;
    const auto found = run(Model(m), GetParam(), 1e-10, 0.2, 0.02);
    EXPECT_NEAR(column(found, "q.D")[1] / column(found, "q.A")[1], ratio, 1e-2);
    EXPECT_LT(found.summary.constraint.position_max, 1e-13);
    EXPECT_LT(found.summary.energy.max_error, 1e-9);
    EXPECT_NE(found.summary.notes.front().find("`branch` chooses"), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(In, SingularStarts, testing::ValuesIn(kAllFormulations));

std::string refusal_of(const Mechanism& mechanism) {
  try {
    Simulation(Model(mechanism), {}).run_until(0.1, 0.1);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(SingularStart, IsRefusedWhereTheForcesDoNotDecide) {
  const auto said = refusal_of(folded_scissor(2));
  EXPECT_NE(said.find("2 motions meet"), std::string::npos) << said;
  EXPECT_NE(said.find("do not decide"), std::string::npos) << said;
  EXPECT_NE(said.find("E1 1"), std::string::npos) << "it names velocities: " << said;
}

TEST(SingularStart, IsRefusedWhereTheVelocitiesFitNoMotion) {
  const auto said =
      refusal_of(folded_four_bar({}, SpaceKind::kPlanar, {0.0, -kG, 0.0}, {2.0 / 3.0, 0.0, 2.0}));
  EXPECT_NE(said.find("fit none"), std::string::npos) << said;
}

TEST(SingularStart, IsRefusedWhereThePoseIsRigid) {
  const auto said = refusal_of(folded_four_bar({3.0, 1.0, 1.0, 1.0, {0.0, 0.0, std::numbers::pi}}));
  EXPECT_NE(said.find("rigid"), std::string::npos) << said;
}

TEST(SingularStart, IsRefusedWhereADriveDoesNotDecide) {
  const auto said = refusal_of(driven_parallelogram(1.5));
  EXPECT_NE(said.find("its drives do not decide"), std::string::npos) << said;
  EXPECT_NE(said.find("1: B -1.5, D 1.5; in 2: B -4.5, D -4.5"), std::string::npos) << said;
  EXPECT_NE(said.find("`branch`"), std::string::npos) << said;
  const auto at_rest = refusal_of(driven_parallelogram(0.0));
  EXPECT_NE(at_rest.find("cannot follow its drives"), std::string::npos) << at_rest;
}

// A pentagon on one line: its motions leave along a curved cone. Those of a plate on four rods are
// decided by the fourth order.
TEST(SingularStart, IsRefusedWhereMotionsAreNoSmoothBranches) {
  Bars bars;
  std::string before = "ground";
  for (int i = 0; i < 4; ++i) {
    const auto name = "bar" + std::to_string(i);
    bars.bar(name, 1.0);
    bars.pin_at("P" + std::to_string(i), before, name, i == 0 ? 0.0 : 1.0,
                i == 3 ? std::numbers::pi : 0.0);
    before = name;
  }
  bars.pin("Z", "ground", before, 2.0, 1.0);
  for (const auto& mechanism : {bars.mechanism(), plate_on_rods(4)}) {
    const auto said = refusal_of(mechanism);
    EXPECT_NE(said.find("no smooth branches"), std::string::npos) << said;
  }
}

TEST(SingularStart, IsRefusedWhereTheKeyBranchChoosesNothing) {
  auto m = folded_four_bar({});
  joint_of(m, "C").branch = 3;
  auto said = refusal_of(m);
  EXPECT_NE(said.find("branch is 3, but"), std::string::npos) << said;
  EXPECT_NE(said.find("1: A 1, B -1, D 1; in 2: A 0.333, B -1, D -1"), std::string::npos) << said;
  joint_of(m, "C").branch = 1;
  joint_of(m, "A").branch = 2;
  said = refusal_of(m);
  EXPECT_NE(said.find("of the same loops has"), std::string::npos) << said;
  m = folded_four_bar({1.0, 0.5, 1.0, 0.5, {0.7, -0.7, 0.7}});
  joint_of(m, "A").branch = 1;
  EXPECT_NE(refusal_of(m).find("none of its loops starts at a singular pose"), std::string::npos);
  m = folded_four_bar({}, SpaceKind::kPlanar, {0.0, -kG, 0.0}, {0.1, -0.1, 0.1});
  joint_of(m, "A").branch = 2;
  EXPECT_NE(refusal_of(m).find("the velocities given miss that motion"), std::string::npos);
}

// One parallelogram beside its flat pose and another far from it fall as one body. Rows across the
// plane, which nothing moves but by rounding, are no rows of the other.
TEST(SingularStart, LeavesOtherLoopsOnABodyThatFloatsAsTheyAre) {
  const Model model(floating_parallelograms({0.3, 0.01}));
  const auto found = run(model, "auto", 1e-9, 0.05, 0.05);
  for (const auto* joint : {"q.A0", "q.A1"}) {
    const auto angle = column(found, joint);
    EXPECT_NEAR(angle.back(), angle.front(), 1e-9) << joint;
  }
  EXPECT_LT(found.summary.constraint.position_max, 1e-12);
  EXPECT_LT(found.summary.energy.max_error, 1e-9);
}

// Parallelograms on an arm turn towards their flat poses, which one reaches while others are
// beside theirs.
TEST(SingularPoses, AreSharedByLoopsThatComeToThemOneAfterTheOther) {
  const auto start = {std::vector{0.1, 0.13}, std::vector{0.02, 0.03, 0.04, 0.05}};
  for (const auto& angles : start) {
    for (const auto arm : {JointType::kFree, JointType::kRevolute}) {
      auto m = floating_parallelograms(angles);
      m.joints.back().type = arm;
      for (auto& joint : m.joints) {
        if (joint.initial_q)
          joint.initial_v = Eigen::VectorXd::Constant(1, joint.name.front() == 'B' ? 1.0 : -1.0);
      }
      const auto found = run(Model(m), "auto", 1e-9, 0.6, 0.05);
      const auto tight = run(Model(m), "auto", 1e-11, 0.6, 0.05);
      for (std::size_t i = 0; i < angles.size(); ++i) {
        const auto name = "q.A" + std::to_string(i);
        EXPECT_LT(std::ranges::min(column(found, name)), -0.02) << name;
        EXPECT_LT(largest_difference(column(found, name), column(tight, name)), 1e-7) << name;
      }
      EXPECT_LT(found.summary.constraint.position_max, 1e-12);
      EXPECT_LT(found.summary.energy.max_error, 1e-7);
    }
  }
}

// Each moves once, and the body six times. Of so many some do not close where a pose beside the
// start is looked for.
TEST(SingularStart, OfManyLoopsCountsTheMotionsOfAll) {
  for (const auto& [rows, count] : {std::pair{7, 7}, std::pair{12, 4}}) {
    const Model model(floating_rows_of_flat_parallelograms(rows, count));
    const auto start = initial_state(model);
    for (const auto* name : {"recursive", "hdca"}) {
      const auto formulation = make_formulation(name, model);
      const auto workspace = formulation->make_workspace();
      const auto found = formulation->analyse({0.0, start.q.data(), start.p.data()}, *workspace);
      EXPECT_EQ(model.velocity_count() - (found.constraints - found.redundant), rows * count + 6)
          << name;
    }
  }
}

// Rhombi fold into one line, in which each may also turn about a pin: that motion has no chart.
TEST(SingularStart, WhoseMotionsAreNotAllKnownTakesVelocitiesThatFit) {
  const auto row = row_of_parallelograms(2, SpaceKind::kPlanar, 1.0);
  auto said = refusal_of(row.mechanism);
  EXPECT_NE(said.find("and others that are not"), std::string::npos) << said;
  EXPECT_NE(said.find("or give its joints velocities of one motion"), std::string::npos) << said;
  auto moving = row.mechanism;
  start_row(moving, 0.0, 0.5);
  const auto found = run(Model(moving), "auto", 1e-9, 0.5, 0.1);
  const auto pendulum =
      run(horizontal_pendulum(row.inertia, row.moment, 0.0, 0.5), "recursive", 1e-12, 0.5, 0.1);
  EXPECT_LT(largest_difference(column(found, "q.A2"), column(pendulum, "q.A")), 1e-8);
  EXPECT_LT(found.summary.constraint.position_max, 1e-12);
  joint_of(moving, "A2").initial_v = Eigen::VectorXd::Constant(1, 0.2);
  for (const auto* joint : {"B0", "B1"}) joint_of(moving, joint).initial_v.reset();
  EXPECT_NE(refusal_of(moving).find("the velocities given"), std::string::npos);
}

// Six parallelograms in a row have more directions than are searched for motions, and twenty-five
// more rows.
TEST(SingularStart, WithTooManyDirectionsTakesVelocitiesThatFit) {
  for (const int count : {6, 25}) {
    const auto row = row_of_parallelograms(count);
    auto said = refusal_of(row.mechanism);
    EXPECT_NE(said.find(std::to_string(count + 1) + " free directions"), std::string::npos) << said;
    EXPECT_NE(said.find("at rest nothing chooses"), std::string::npos) << said;
    EXPECT_EQ(said.find("and 50 constraint rows") != std::string::npos, count == 25) << said;
    const auto given = [&](double others) {  // velocities of the other uprights
      auto m = row.mechanism;
      for (auto& joint : m.joints) {
        if (joint.name.front() == 'A')
          joint.initial_v = Eigen::VectorXd::Constant(1, joint.name == "A0" ? 0.5 : others);
      }
      return m;
    };
    said = refusal_of(given(-0.1));
    EXPECT_NE(said.find("the velocities given miss all of them"), std::string::npos) << said;
    const auto found = run(Model(given(0.5)), "auto", 1e-9, 0.5, 0.1);
    const auto pendulum =
        run(horizontal_pendulum(row.inertia, row.moment, 0.0, 0.5), "recursive", 1e-12, 0.5, 0.1);
    for (const int upright : {0, count}) {
      EXPECT_LT(largest_difference(column(found, "q.A" + std::to_string(upright)),
                                   column(pendulum, "q.A")),
                1e-8);
    }
    EXPECT_LT(found.summary.constraint.position_max, 1e-12);
    EXPECT_LT(found.summary.energy.max_relative_error, 1e-9);
    EXPECT_EQ(found.summary.model.degrees_of_freedom, 1);
    EXPECT_NE(found.summary.notes.front().find("that of the velocities given is followed"),
              std::string::npos);
    auto lying = row.mechanism;
    lying.gravity = {kG, 0.0, 0.0};
    const auto resting = run(Model(lying), "auto", 1e-9, 0.5, 0.1);
    EXPECT_LT(resting.samples.back().q.cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_TRUE(has_note(resting, "no force moves it")) << count;
  }
}

// In space rows of a plane loop are redundant wherever it is. A round necklace of thirty bars, one
// of its pins on the ground: 28 free directions, in which no pose is near that would be singular.
TEST(SingularStart, IsNotSoughtForeverInManyDirections) {
  constexpr int kCount = 30;
  Bars bars(SpaceKind::kSpatial);
  const auto name = [](int i) { return "bar " + std::to_string(i); };
  for (int i = 0; i < kCount; ++i) bars.bar(name(i), 0.1);
  for (int i = 0; i < kCount; ++i) {
    auto& pin = bars.pin("pin " + std::to_string(i), i == 0 ? "ground" : name(i - 1), name(i),
                         i == 0 ? 0.0 : 0.1);
    pin.guess_q = Eigen::VectorXd::Constant(1, 2.0 * std::numbers::pi / kCount);
  }
  bars.pin("last", "ground", name(kCount - 1), 0.0, 0.1);
  const auto found = run(Model(bars.mechanism()), "auto", 1e-9, 0.01, 0.01);
  EXPECT_EQ(found.summary.status, "completed");
  EXPECT_LT(found.summary.constraint.position_max, 1e-12);
}

TEST(SingularStart, IsNotWhereALoopHoldsEverything) {
  Bars bars(SpaceKind::kSpatial);
  bars.bar("bar", 1.0);
  bars.pin("pin", "ground", "bar", 0.0);
  bars.pin("weld", "ground", "bar", 0.0).type = JointType::kFixed;
  const auto found = run(Model(bars.mechanism()), "auto", 1e-9, 0.1, 0.1);
  EXPECT_EQ(found.summary.status, "completed");
  EXPECT_EQ(column(found, "q.pin").back(), 0.0);
}

TEST(SingularStart, WorksWithEveryMethod) {
  const auto pendulum =
      run(pendulum_like_parallelogram({1.0, 1.0, 1.0}, 0.0, 0.0), "recursive", 1e-12, 1.0, 0.1);
  for (const Method& method :
       {Method(BogackiShampine{}), Method(Adams{}), Method(Bdf{}), Method(RungeKutta4{1e-3}),
        Method(Spark{2, 1e-3}), Method(SemiImplicitEuler{1e-4})}) {
    Simulation simulation(Model(folded_four_bar({})), {.integrator = method});
    const auto found = simulation.run_until(1.0, 0.1);
    const double allowed = std::holds_alternative<SemiImplicitEuler>(method) ? 1e-3 : 1e-6;
    EXPECT_LT(largest_difference(column(found, "q.A"), column(pendulum, "q.A")), allowed)
        << to_name(method);
    EXPECT_LT(found.summary.constraint.position_max, 1e-8) << to_name(method);
  }
}

TEST(SingularStart, CanBeResumedFromACheckpointNextToIt) {
  const Model model(folded_four_bar({}));
  Simulation simulation(model, {});
  std::optional<Checkpoint> kept;
  simulation.on_checkpoint(0.02, [&](const Checkpoint& checkpoint) {
    if (!kept) kept = checkpoint;
  });
  const auto whole = simulation.run_until(1.0, 0.1);
  ASSERT_TRUE(kept);
  EXPECT_LT(std::abs(kept->state.q(0)), 0.02) << "it is still on the chart";
  auto resumed = Simulation::from_checkpoint(model, *kept);
  Recording rest;
  resumed.resume(rest);
  EXPECT_EQ(rest.samples.back().q, whole.samples.back().q);
  EXPECT_EQ(rest.samples.back().p, whole.samples.back().p);
  EXPECT_EQ(rest.summary.notes, whole.summary.notes);
}

// A flat four-bar that swings on a body that turns, and one with a spring and a damper.
TEST(SingularStart, LeavesJointsOutsideTheLoopAndForcesAsTheyAre) {
  auto mechanism = on_arm(folded_four_bar({}, SpaceKind::kPlanar, {0.0, -kG, 0.0}));
  joint_of(mechanism, "H").initial_q = Eigen::VectorXd::Constant(1, 0.4);
  joint_of(mechanism, "H").initial_v = Eigen::VectorXd::Constant(1, 2.0);
  mechanism.add(
      JointSpringDamper{.joint = "B", .stiffness = 2.0, .rest = 0.2, .damping = 0.1, .where = {}});
  std::vector<Recording> found;
  for (const char* formulation : {"recursive", "dense"}) {
    found.push_back(run(Model(mechanism), formulation, 1e-11, 1.0, 0.1));
    EXPECT_LT(found.back().summary.constraint.position_max, 1e-12);
    EXPECT_LT(found.back().summary.energy.max_error, 1e-8);
  }
  EXPECT_LT(test::difference(found[0].samples.back(), found[1].samples.back()), 1e-7);
}

// Grashof's limit: the shortest and the longest bar are as long as the other two.
TEST(SingularStart, OfRandomFourBarsIsPassedClosedOrRefused) {
  constexpr unsigned kSeed = 20261123;
  std::printf("seed %u\n", kSeed);
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  int refused = 0, passed = 0;
  for (int i = 0; i < 150; ++i) {
    FourBarSizes sizes;
    sizes.crank = 0.2 + uniform(random);
    sizes.coupler = 0.2 + uniform(random);
    sizes.rocker = 0.2 + uniform(random);
    const bool is_folded = sizes.coupler > sizes.rocker + 0.05 && uniform(random) < 0.5;
    sizes.base = sizes.crank + sizes.coupler - sizes.rocker;
    if (is_folded) {
      sizes.base = sizes.crank + sizes.coupler + sizes.rocker;
      sizes.angles = {0.0, 0.0, std::numbers::pi};  // stretched, rigid
    } else if (sizes.base < 0.05) {
      continue;
    }
    for (auto& mass : sizes.masses) mass = 0.1 + 3.0 * uniform(random);
    const double direction = 2.0 * std::numbers::pi * uniform(random);
    auto mechanism =
        folded_four_bar(sizes, uniform(random) < 0.5 ? SpaceKind::kPlanar : SpaceKind::kSpatial,
                        {kG * std::cos(direction), kG * std::sin(direction), 0.0});
    std::ranges::find(mechanism.joints, "C", &JointDescription::name)->cut = true;
    const char* formulation =
        kAllFormulations[static_cast<std::size_t>(i) % kAllFormulations.size()];
    try {
      const auto found = run(Model(mechanism), formulation, 1e-9, 0.5, 0.1);
      EXPECT_LT(found.summary.constraint.position_max, 1e-12) << i;
      EXPECT_LT(found.summary.energy.max_error, 1e-6) << i;
      ++passed;
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("joint \"C\""), std::string::npos);
      ++refused;
    }
  }
  EXPECT_GT(passed, 50);
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace hamiltree
