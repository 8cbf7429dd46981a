// Gradients of runs of linkages: 1,000 steps against quadruple precision, redundant rows against
// extrapolated differences, adaptive steps, checkpoints, sensors, closed forms, and refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>

#include "analysis/linkage.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/model/with_parameters.hpp"
#include "hamiltree/sensitivity/differentiable_run.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "sensitivity/samples.hpp"
#include "sensitivity/wide_run.hpp"

namespace hamiltree::test {
namespace {

using Eigen::VectorXd;
using sensitivity::Columns;
using sensitivity::DifferentiableRun;
using sensitivity::RunChange;
using sensitivity::RunOptions;
using sensitivity::RunSamples;

// The four-bar with a spring, a damper and sensors of all kinds that a run can read.
Mechanism watched_four_bar(SpaceKind space) {
  auto m = FourBar::mechanism(space, 0.6);
  m.add(JointSpringDamper{"D", 3.0, 0.4, 0.05, {}});
  m.add(PointSensor{"foot", "coupler", {0.4, 0.3, 0.0}, {}});
  m.add(JointSensor{"closing", "C", {}});
  m.add(JointSensor{"crank", "A", {}});
  m.add(BodySensor{"rocker", "rocker", {}});
  m.add(EnergySensor{"energy", {}});
  m.add(ReactionSensor{"reaction", "A", {}});
  return m;
}

const std::vector<std::string> kNumbers{
    "body.crank.mass",     "body.coupler.com.x", "body.rocker.inertia.zz", "joint.B.at_parent.x",
    "joint.C.at_parent.x", "joint.C.at_child.x", "joint.D.at_parent.y",    "spring.D.stiffness",
    "spring.D.damping",    "gravity.y"};

RunOptions options_for(const Model& model, double step, double until) {
  RunOptions options;
  options.integrator = RungeKutta4{step};
  options.until = until;
  for (const auto& name : kNumbers) {
    for (const auto& parameter : parameters(model)) {
      if (parameter.name == name) options.parameters.push_back(name);
    }
  }
  return options;
}

RunChange change_for(const RunOptions& options, const Model& model) {
  RunChange change{
      VectorXd::LinSpaced(model.coordinate_count(), 0.3, -0.4),
      VectorXd::LinSpaced(model.velocity_count(), -0.5, 0.7),
      VectorXd::LinSpaced(static_cast<Eigen::Index>(options.parameters.size()), 0.02, -0.03),
      Columns::Zero(1, 0)};
  return change;
}

// The samples at a start, parameters and efforts that are moved by s.
RunSamples moved(const Model& model, RunOptions options, const VectorXd& q, const VectorXd& v,
                 const RunChange& change, double s) {
  std::vector<Parameter> values;
  for (std::size_t i = 0; i < options.parameters.size(); ++i) {
    const auto number = parameter_numbers(model, {options.parameters[i]}).front();
    const double value = parameters(model)[static_cast<std::size_t>(number)].value;
    values.push_back(
        {options.parameters[i], value + s * change.parameters(static_cast<Eigen::Index>(i))});
  }
  if (change.efforts.size() > 0) options.efforts += s * change.efforts;
  DifferentiableRun run(with_parameters(model, values), options, q + s * change.q,
                        v + s * change.v);
  return run.samples();
}

// d/ds at 0 of sixth order.
VectorXd extrapolated(const std::function<VectorXd(double)>& f, double s) {
  const auto second = [&](double h) { return VectorXd((f(h) - f(-h)) / (2 * h)); };
  const VectorXd a = second(s), b = second(s / 2), c = second(s / 4);
  const VectorXd ab = (4 * b - a) / 3, bc = (4 * c - b) / 3;
  return (16 * bc - ab) / 15;
}

class ThousandSteps : public testing::TestWithParam<Method> {};

TEST_P(ThousandSteps, AgreeWithQuadruplePrecision) {
  const auto* spark = std::get_if<Spark>(&GetParam());
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    auto mechanism = watched_four_bar(space);
    const Model model(mechanism);
    const auto start = initial_state(model);
    auto options = options_for(model, 1e-3, 1.0);
    options.integrator = GetParam();
    const VectorXd v = VectorXd::Constant(model.velocity_count(), 0.8);
    DifferentiableRun run(model, options, start.q, v);
    ASSERT_EQ(run.steps(), 1000U);
    const auto change = change_for(options, model);
    const auto tangents = run.tangents(change);
    RunSamples cotangents;
    cotangents.q = Columns::Zero(run.samples().q.rows(), run.samples().q.cols());
    cotangents.q.row(1000).setConstant(1.0);
    cotangents.q.row(400).setConstant(-2.0);
    const auto gradient = run.gradient(cotangents);
    const double there = product(gradient, change);
    const double back = tangents.q.row(1000).sum() - 2.0 * tangents.q.row(400).sum();
    std::printf("  transposed: %.1e\n", std::abs(there - back) / (1.0 + std::abs(back)));
    EXPECT_NEAR(there, back, 1e-11 * (1.0 + std::abs(back)));
    if (space == SpaceKind::kSpatial) continue;  // its rows are redundant
    model.visit([&]<class Space>(const System<Space>& system) {
      using Wide = WideRun<Space>;
      auto all = change;
      all.parameters = VectorXd::Zero(static_cast<Eigen::Index>(parameters(model).size()));
      const auto numbers = parameter_numbers(model, options.parameters);
      for (std::size_t i = 0; i < numbers.size(); ++i)
        all.parameters(numbers[i]) = change.parameters(static_cast<Eigen::Index>(i));
      const VectorXd none = VectorXd::Zero(model.velocity_count());
      const auto method =
          spark != nullptr ? Wide::Method::kCollocation : Wide::Method::kRungeKutta4;
      Wide wide(model, system, method, run.times(), start.q, v, none,
                spark != nullptr ? spark->stages : 0);
      const double off = error(last_row(tangents), wide.derivative(all, none));
      EXPECT_LT(off, 1e-9);
      std::printf("  1,000 steps: %.1e\n", off);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, ThousandSteps,
                         testing::Values(Method(RungeKutta4{1e-3}), Method(Spark{1, 1e-3}),
                                         Method(Spark{2, 1e-3})),
                         [](const auto& info) { return std::string(to_name(info.param)); });

// A pin is out of the plane of the others by what a file rounds: its rows stay open.
TEST(LinkageRun, TakesRowsOfRoundedNumbers) {
  auto m = FourBar::mechanism(SpaceKind::kSpatial, 0.6);
  for (auto& joint : m.joints) {
    if (joint.name == "C") joint.at_child.position.z() += 1e-7;
  }
  const Model model(m);
  const auto start = initial_state(model);
  RunOptions options;
  options.integrator = RungeKutta4{1e-3};
  options.until = 0.5;
  options.parameters = {"body.crank.mass"};
  const auto end = [&](const Model& changed) -> VectorXd {
    return DifferentiableRun(changed, options, start.q, start.v)
        .samples()
        .q.bottomRows(1)
        .transpose();
  };
  constexpr double h = 1e-4, kMass = FourBar::kBars[0].mass;
  const auto with = [&](double mass) {
    return end(with_parameters(model, {{"body.crank.mass", mass}}));
  };
  DifferentiableRun run(model, options, start.q, start.v);
  RunChange change;
  change.parameters = VectorXd::Ones(1);
  const VectorXd tangents = run.tangents(change).q.bottomRows(1).transpose();
  const VectorXd difference = (with(kMass + h) - with(kMass - h)) / (2.0 * h);
  EXPECT_GT(difference.norm(), 0.1);
  EXPECT_LT((tangents - difference).norm(), 1e-6);
}

// In space the loop of a planar linkage has three rows too many.
TEST(LinkageRun, WithRedundantRowsAgreesWithDifferences) {
  const Model model(watched_four_bar(SpaceKind::kSpatial));
  const auto start = initial_state(model);
  using Case = std::pair<const char*, Method>;
  for (const auto& [formulation, method] :
       {Case{"auto", RungeKutta4{1e-3}}, Case{"dense", RungeKutta4{1e-3}},
        Case{"hdca", RungeKutta4{1e-3}}, Case{"recursive", Spark{2, 4e-3}},
        Case{"dense", Spark{1, 2e-3}}}) {
    auto options = options_for(model, 1e-3, 0.2);
    options.formulation = formulation;
    options.integrator = method;
    options.samples = {0.2};
    options.controls = {"A"};
    options.efforts = Columns::Constant(4, 1, 0.7);
    auto change = change_for(options, model);
    change.efforts = Columns::Constant(4, 1, 0.1);
    change.efforts(2, 0) = -0.3;
    const VectorXd v = VectorXd::Constant(model.velocity_count(), 0.8);
    DifferentiableRun run(model, options, start.q, v);
    const auto tangents = run.tangents(change);
    // The loop leaves one freedom: q and v follow, p too.
    const auto exact = extrapolated(
        [&](double s) { return last_row(moved(model, options, start.q, v, change, s)); }, 1e-3);
    EXPECT_LT(error(last_row(tangents), exact), 2e-8) << formulation;
    const auto readings = extrapolated(
        [&](double s) {
          return VectorXd(moved(model, options, start.q, v, change, s).readings.row(0));
        },
        1e-3);
    EXPECT_LT(error(tangents.readings.row(0), readings), 2e-8) << formulation;
    EXPECT_EQ(run.reading_names().size(), static_cast<std::size_t>(readings.size()));
    RunSamples cotangents;
    cotangents.readings = Columns::Ones(1, readings.size());
    const auto gradient = run.gradient(cotangents);
    const double there = product(gradient, change);
    EXPECT_NEAR(there, tangents.readings.sum(), 1e-11 * (1.0 + std::abs(there)));
  }
}

// Checkpoints take memory, and nothing else: not a bit.
TEST(LinkageRun, CheckpointsGiveTheSameGradient) {
  const Model model(watched_four_bar(SpaceKind::kPlanar));
  const auto start = initial_state(model);
  for (const Method& method : {Method(RungeKutta4{1e-3}), Method(Spark{1, 1e-3})}) {
    auto options = options_for(model, 1e-3, 0.5);
    options.integrator = method;
    DifferentiableRun whole(model, options, start.q, start.v);
    RunSamples cotangents;
    cotangents.v = Columns::Ones(whole.samples().v.rows(), whole.samples().v.cols());
    cotangents.readings =
        Columns::Ones(whole.samples().readings.rows(), whole.samples().readings.cols());
    const auto gradient = whole.gradient(cotangents);
    for (const std::size_t kept : {3U, 12U, 1000U}) {
      options.checkpoints = kept;
      DifferentiableRun run(model, options, start.q, start.v);
      EXPECT_EQ(run.samples().readings, whole.samples().readings);
      const auto again = run.gradient(cotangents);
      EXPECT_EQ(again.parameters, gradient.parameters) << kept;
      EXPECT_EQ(again.q, gradient.q);
      EXPECT_EQ(again.v, gradient.v);
      const std::size_t bytes = 6 * sizeof(double);
      EXPECT_EQ(run.kept_bytes(), std::min<std::size_t>(kept, 500) * bytes);
      EXPECT_EQ(whole.kept_bytes(), 501 * bytes);
    }
  }
}

// Nor do steps that are kept change one, whose rows are chosen as when they were taken.
TEST(LinkageRun, KeptStepsGiveTheSameGradient) {
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    const Model model(watched_four_bar(space));
    const auto start = initial_state(model);
    auto options = options_for(model, 1e-3, 0.5);
    const Eigen::VectorXd v = Eigen::VectorXd::Constant(model.velocity_count(), 0.8);
    DifferentiableRun whole(model, options, start.q, v);
    RunSamples cotangents;
    cotangents.q = Columns::Ones(whole.samples().q.rows(), whole.samples().q.cols());
    const auto gradient = whole.gradient(cotangents);
    const auto all = whole.step_bytes();
    EXPECT_GT(all, 500 * 4 * 9 * sizeof(double));  // at least q, v and sigma of each stage
    for (const std::size_t room : {std::size_t{0}, all / 3}) {
      options.step_memory = room;
      DifferentiableRun run(model, options, start.q, v);
      EXPECT_LE(run.step_bytes(), room);
      EXPECT_GE(run.step_bytes(), room - room / 50);
      const auto again = run.gradient(cotangents);
      EXPECT_EQ(again.parameters, gradient.parameters) << room;
      EXPECT_EQ(again.q, gradient.q);
      EXPECT_EQ(again.v, gradient.v);
    }
  }
}

// A mass on a spring from rest: x = a cos(w t), dx/dk = -a t sin(w t) / (2 m w).
TEST(LinkageRun, OfAMassOnASpringIsKnown) {
  Mechanism m;
  m.name = "mass";
  m.space = SpaceKind::kPlanar;
  m.add(bar("mass", 2.0, 0.0, 0.1));
  JointDescription rail;
  rail.name = "rail";
  rail.type = JointType::kPrismatic;
  rail.parent = kGround;
  rail.child = "mass";
  m.add(rail);
  m.add(JointSpringDamper{"rail", 50.0, 0.0, 0.0, {}});
  const Model model(m);
  RunOptions options;
  options.until = 1.3;
  options.samples = {1.3};
  options.parameters = {"spring.rail.stiffness", "body.mass.mass"};
  options.controls = {"rail"};
  const double w = 5.0, a = 0.4, t = 1.3;
  RunSamples cotangents;
  cotangents.q = Columns::Ones(1, 1);
  for (const Method& method : {Method(RungeKutta4{1e-3}), Method(DormandPrince{1e-12, 1e-12}),
                               Method(Gauss{3, 1e-2}), Method(Spark{3, 1e-2})}) {
    options.integrator = method;
    DifferentiableRun run(model, options, VectorXd::Constant(1, a), VectorXd::Zero(1));
    EXPECT_NEAR(run.samples().q(0, 0), a * std::cos(w * t), 1e-9);
    const auto gradient = run.gradient(cotangents);
    const double by_w = -a * t * std::sin(w * t);
    EXPECT_NEAR(gradient.parameters(0), by_w / (2 * 2.0 * w), 1e-9);
    EXPECT_NEAR(gradient.parameters(1), -by_w * w / (2 * 2.0), 1e-9);
    EXPECT_NEAR(gradient.q(0), std::cos(w * t), 1e-9);
    EXPECT_NEAR(gradient.v(0), std::sin(w * t) / w, 1e-9);
    EXPECT_NEAR(gradient.efforts(0, 0), (1 - std::cos(w * t)) / 50.0, 1e-9);
  }
}

// On a shoe without mass, which carries ballast while equations are solved.
TEST(LinkageRun, OfAMassOnAMasslessShoeIsKnown) {
  Mechanism m;
  m.name = "shoe";
  m.space = SpaceKind::kPlanar;
  m.add(bar("shoe", 0.0, 0.0, 0.0)).add(bar("mass", 2.0, 0.0, 0.1));
  auto rail = pin("rail", kGround, "shoe");
  rail.type = JointType::kPrismatic;
  m.add(rail).add(pin("pin", "shoe", "mass"));
  m.add(JointSpringDamper{"rail", 50.0, 0.0, 0.0, {}});
  const Model model(m);
  RunOptions options;
  options.until = 1.3;
  options.samples = {1.3};
  options.parameters = {"body.mass.mass"};
  options.integrator = RungeKutta4{1e-3};
  const double w = 5.0, a = 0.4, t = 1.3;
  RunSamples cotangents;
  cotangents.q = Columns::Zero(1, 2);
  cotangents.q(0, 0) = 1.0;
  DifferentiableRun run(model, options, Eigen::Vector2d(a, 0.3), VectorXd::Zero(2));
  EXPECT_NEAR(run.gradient(cotangents).parameters(0), a * t * std::sin(w * t) * w / (2 * 2.0),
              1e-9);
}

TEST(LinkageRun, AdaptiveStepsAndFixedOnesHaveOneLimit) {
  const Model model(watched_four_bar(SpaceKind::kPlanar));
  const auto start = initial_state(model);
  auto options = options_for(model, 2e-4, 0.5);
  options.samples = {0.25, 0.5};
  VectorXd gradients[2];
  for (const int k : {0, 1}) {
    if (k == 1) options.integrator = DormandPrince{1e-11, 1e-11};
    DifferentiableRun run(model, options, start.q, VectorXd::Constant(3, 0.8));
    RunSamples cotangents;
    cotangents.v = Columns::Ones(2, 3);
    cotangents.readings = Columns::Ones(2, run.samples().readings.cols());
    gradients[k] = run.gradient(cotangents).parameters;
  }
  EXPECT_LT(error(gradients[1], gradients[0]), 1e-8);
}

TEST(LinkageRun, RefusesWhatItCannotDifferentiate) {
  const Model model(watched_four_bar(SpaceKind::kPlanar));
  const auto start = initial_state(model);
  const auto refuses = [&](const char* what, const std::function<void(RunOptions&)>& change) {
    RunOptions options;
    options.until = 0.01;
    change(options);
    try {
      DifferentiableRun run(model, options, start.q, start.v);
      ADD_FAILURE() << what;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  refuses("not for adams", [](RunOptions& o) { o.integrator = Adams{}; });
  refuses("step must be a positive number",
          [](RunOptions& o) { o.integrator = RungeKutta4{-1e-3}; });
  refuses("\"body.leg.mass\" is not a parameter",
          [](RunOptions& o) { o.parameters = {"body.leg.mass"}; });
  refuses("there is no joint \"E\"", [](RunOptions& o) { o.controls = {"E"}; });
  refuses("\"C\" takes no effort", [](RunOptions& o) { o.controls = {"C"}; });
  refuses("a row of efforts has 2 entries, not 1", [](RunOptions& o) {
    o.controls = {"A"};
    o.efforts = Columns::Zero(3, 2);
  });
  refuses("efforts are given, but no controls",
          [](RunOptions& o) { o.efforts = Columns::Zero(3, 1); });
  refuses("ascending times between 0 and 0.01 s, not at 0.02 s", [](RunOptions& o) {
    o.samples = {0.005, 0.02};
  });
  refuses("has a length", [](RunOptions& o) { o.until = 0.0; });
  RunOptions options;
  options.until = 0.01;
  EXPECT_THROW(DifferentiableRun(model, options, VectorXd::Zero(2), start.v), UsageError);
  const auto too_long = with_parameters(model, {{"joint.D.at_parent.x", 9.0}});
  EXPECT_THROW(DifferentiableRun(too_long, options, start.q, start.v), UsageError);
  DifferentiableRun run(model, options, start.q, start.v);
  RunSamples cotangents;
  cotangents.q = Columns::Zero(3, 3);
  EXPECT_THROW(run.gradient(cotangents), UsageError);
  options.controls = {"A"};
  options.efforts = Columns::Zero(3, 1);
  DifferentiableRun held(model, options, start.q, start.v);
  RunChange across;
  across.efforts = Columns::Zero(1, 3);
  EXPECT_THROW(held.tangents(across), UsageError);
  EXPECT_THROW(with_parameters(model, {{"body.crank.mass", -1.0}}), UsageError);
  // The guess of the joint that closes the loop is one for the description's own dimensions.
  EXPECT_THROW(initial_state(with_parameters(model, {{"body.crank.mass", 1.0}})), UsageError);
}

// A parallelogram that passes its flat pose, where another motion branches off.
Mechanism parallelogram(double start) {
  Mechanism m;
  m.name = "parallelogram";
  m.space = SpaceKind::kPlanar;
  for (const auto* name : {"crank", "coupler", "rocker"}) m.add(bar(name, 1.0, 0.1, 0.02));
  m.add(pin("A", kGround, "crank"));
  m.joints.back().guess_q.reset();
  m.joints.back().initial_q = VectorXd::Constant(1, start);
  m.joints.back().initial_v = VectorXd::Constant(1, -2.0);
  m.add(pin("B", "crank", "coupler", 0.2, -0.5));
  m.add(pin("D", kGround, "rocker", 0.6, 0.5));
  m.add(pin("C", "coupler", "rocker", 0.6, 0.5));
  m.joints.back().at_child.position = {0.2, 0.0, 0.0};
  m.joints.back().cut = true;
  return m;
}

// Steps end on the flat pose, where a pivot is masked, and beside it, where it is only small.
TEST(LinkageRun, PassingASingularPoseSaysSo) {
  using Case = std::pair<double, Method>;
  for (const auto& [at, method] : {Case{0.5, RungeKutta4{1e-3}}, Case{0.5009, RungeKutta4{1e-3}},
                                   Case{0.5, Spark{2, 1e-3}}, Case{0.5009, Spark{1, 1e-3}}}) {
    const Model model(parallelogram(at));
    const auto start = initial_state(model);
    RunOptions options;
    options.integrator = method;
    options.until = 0.2;
    DifferentiableRun before(model, options, start.q, start.v);
    options.until = 0.3;
    try {
      DifferentiableRun run(model, options, start.q, start.v);
      ADD_FAILURE() << "it has a gradient";
    } catch (const SimulationError& error) {
      EXPECT_NE(std::string(error.what()).find("near a singular pose"), std::string::npos);
      EXPECT_NEAR(error.time(), 0.25, 0.01);
    }
  }
}

// A door on a wall that swings, whose second hinge a drive tears off from 0.1 s on.
Mechanism torn_door() {
  Mechanism m;
  m.name = "torn door";
  m.space = SpaceKind::kPlanar;
  m.gravity = {0.0, -9.81, 0.0};
  for (const char* name : {"wall", "door"}) {
    BodyDescription body;
    body.name = name;
    body.mass = 1.0;
    body.com = {0.3, 0.1, 0.0};
    body.inertia = 0.1 * Eigen::Matrix3d::Identity();
    m.add(body);
  }
  JointDescription swing;
  swing.name = "swing";
  swing.parent = kGround;
  swing.child = "wall";
  auto hinge = swing;
  hinge.name = "hinge";
  hinge.parent = "wall";
  hinge.child = "door";
  hinge.at_parent.position = {0.7, 0.2, 0.0};
  auto second = hinge;
  second.name = "second";
  second.type = JointType::kPinInSlot;
  second.at_parent.position = {0.8, 0.2, 0.0};
  second.at_child.position = {0.1, 0.0, 0.0};
  hinge.drive = SmoothStep{0.0, 0.5, 0.1, 0.3};
  m.add(swing).add(hinge).add(second);
  return m;
}

TEST(LinkageRun, EndsWhereALoopStaysOpen) {
  for (const Method& method :
       {Method{RungeKutta4{1e-3}}, Method{Spark{2, 1e-3}}, Method{DormandPrince{}}}) {
    const Model model(torn_door());
    const auto start = initial_state(model);
    RunOptions options;
    options.integrator = method;
    options.until = 0.1;
    DifferentiableRun before(model, options, start.q, start.v);
    options.until = 0.4;
    try {
      DifferentiableRun run(model, options, start.q, start.v);
      ADD_FAILURE() << "the hinge is torn off";
    } catch (const SimulationError& error) {
      EXPECT_NE(std::string(error.what()).find("the loop that joint \"second\" closes is open by"),
                std::string::npos)
          << error.what();
      EXPECT_GT(error.time(), 0.1);
      EXPECT_LT(error.time(), 0.2);
    }
  }
}

}  // namespace
}  // namespace hamiltree::test
