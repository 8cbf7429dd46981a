// The functions of generated files beside what the engine does at the same states.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "codegen/library.hpp"
#include "codegen/states.hpp"
#include "hamiltree/formulations/derivatives/derivatives.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree::test {
namespace {

constexpr std::uint64_t kRoutineSeed = 4711;
constexpr double kTolerance = 1e-11;  // of the largest entry; measured: 4e-13 at most

constexpr double kDerivativeTolerance = 1e-9;
constexpr double kLeastDerivative = 1e-3;  // rows of driven joints by momenta are rounding

using codegen::GenerateOptions;

void expect_same(const std::vector<double>& x, const Eigen::VectorXd& expected,
                 const std::string& what, double tolerance = kTolerance, double least = 0.0) {
  ASSERT_EQ(static_cast<Eigen::Index>(x.size()), expected.size()) << what;
  const double size = std::max(expected.cwiseAbs().maxCoeff(), least);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(x[i], expected(static_cast<Eigen::Index>(i)), tolerance * (size > 0.0 ? size : 1.0))
        << what << " " << i << ", seed " << kRoutineSeed;
  }
}

class GeneratedRoutines : public GeneratedTest, public testing::WithParamInterface<const char*> {};

void agree_with_the_engine(const Model& model, const Generated& generated) {
  const auto formulation = make_formulation("recursive", model);
  const auto workspace = formulation->make_workspace();
  formulation->analyse(generated.start(), *workspace);
  const auto probe = make_probe(model);
  for (const auto& state : states_of(model, generated.start(), kRoutineSeed, 8)) {
    const auto call = [&](const char* name) { return generated.call(name, state.view(), model); };
    ASSERT_EQ(formulation->rate(state.view(), *workspace), Status::kOk);
    if (!probe->conservative()) {
      const auto power = formulation->power(state.view(), *workspace);
      expect_same(call("power").at("power"),
                  Eigen::Vector3d(power.driven, power.applied, power.dissipated), "power");
    }
    ASSERT_EQ(formulation->velocities(state.view(), nullptr, *workspace), Status::kOk);
    const Eigen::VectorXd v =
        Eigen::Map<const Eigen::VectorXd>(workspace->v.data(), model.velocity_count());
    expect_same(call("velocities").at("v"), v, "v");
    probe->set(state.t, state.q.data(), v.data());
    expect_same(call("energy").at("energy"),
                Eigen::Vector2d(probe->kinetic_energy(), probe->potential_energy()), "energy");
    if (model.constraint_count() == 0) continue;

    Eigen::VectorXd p(model.velocity_count());
    probe->momenta(p.data());
    expect_same(call("reset").at("p_new"), p, "p after reset");
    // Off the loops by a thousandth, then as Motion projects.
    State open = state;
    for (Eigen::Index i = 0; i < open.q.size(); ++i) open.q(i) += 1e-3 * std::sin(3.0 * double(i));
    probe->normalise(open.q.data());
    const auto projected = generated.call("project", open.view(), model);
    const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(model.velocity_count());
    probe->set(open.t, open.q.data(), at_rest.data());
    const Eigen::VectorXd phi = probe->phi();
    expect_same(projected.at("phi"), phi, "phi");
    ASSERT_EQ(
        formulation->velocities({open.t, open.q.data(), at_rest.data()}, phi.data(), *workspace),
        Status::kOk);
    for (Eigen::Index i = 0; i < open.q.size(); ++i) open.q(i) += workspace->q_dot[std::size_t(i)];
    probe->normalise(open.q.data());
    expect_same(projected.at("q_new"), open.q, "q after projection");
  }
}

// By forward differentiation of what the engine finds in closed form or with its own factors.
void jacobians_agree_with_the_engine(const Model& model, const Generated& generated) {
  const auto formulation = make_formulation("recursive", model);
  const auto workspace = formulation->make_workspace();
  formulation->analyse(generated.start(), *workspace);
  Derivatives derivatives(model, *formulation);
  for (const auto& state : states_of(model, generated.start(), kRoutineSeed, 4)) {
    Jacobians jacobians;
    ASSERT_EQ(derivatives.jacobians(state.view(), *workspace, jacobians), Status::kOk);
    const auto found = generated.call("jacobians", state.view(), model);
    const auto check = [&](const Jacobians::Part& of, const std::string& by) {
      const auto expect = [&](const char* what, const Columns& expected) {
        if (expected.size() == 0) return;
        expect_same(found.at(what + by),
                    Eigen::Map<const Eigen::VectorXd>(expected.data(), expected.size()), what + by,
                    kDerivativeTolerance, kLeastDerivative);
      };
      expect("v", of.v);
      expect("q_dot", of.q_dot);
      expect("p_dot", of.p_dot);
      expect("sigma", of.sigma);
    };
    check(jacobians.q, "_q");
    check(jacobians.p, "_p");
    check(jacobians.t, "_t");
  }
}

// In one test, so that the file is compiled once.
TEST_P(GeneratedRoutines, AgreeWithTheEngine) {
  if (!has("cc")) GTEST_SKIP() << "no cc";
  const Model model = shipped(GetParam());
  GenerateOptions options{"recursive", false, false, {}, {}};
  options.derivatives = true;
  const Generated generated(model, options);
  agree_with_the_engine(model, generated);
  jacobians_agree_with_the_engine(model, generated);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, GeneratedRoutines,
                         testing::Values("four_bar", "bennett", "driven_slider_crank",
                                         "spatial_arm", "torque_free_body", "cardan_shaft"),
                         [](const auto& info) { return std::string(info.param); });

// What a ball transmits, with its stop and friction: as the engine, and as its sensor shows it.
TEST_F(GeneratedTest, GivesReactionsOfBalls) {
  if (!has("cc")) GTEST_SKIP() << "no cc";
  Mechanism on_a_ball = shipped("heavy_top").mechanism();
  const std::string joint = on_a_ball.joints.front().name;
  on_a_ball.add(JointLimits{joint, {}, 1e-3, 50.0, 0.3, {}, {}});
  on_a_ball.add(JointFriction{joint, 0.2, 0.1, 0.5, {}});
  const Model model(std::move(on_a_ball));
  const Generated generated(model, {"recursive", false, false, {}, {}});
  const auto formulation = make_formulation("recursive", model);
  const auto workspace = formulation->make_workspace();
  for (const auto& state : states_of(model, generated.start(), kRoutineSeed, 8)) {
    ASSERT_EQ(formulation->accelerations(state.view(), *workspace), Status::kOk);
    const auto reaction = formulation->reaction(0, *workspace);
    EXPECT_GT(reaction.moment.norm(), 0.1);  // all of it by stop and friction
    Eigen::VectorXd wrench(6);
    wrench << reaction.force, reaction.moment;
    expect_same(generated.call("reactions", state.view(), model).at("wrench"), wrench, "wrench");
  }
}

class GeneratedSteps : public GeneratedRoutines {
 protected:
  // A tenth of a second by generated steps, one state or eight, and by the engine.
  static void check(const Model& model, const Generated& generated, const std::string& function,
                    const Method& method, double h) {
    SCOPED_TRACE(function);
    SimulationOptions options;
    options.formulation = "recursive";
    options.integrator = with_step(method, h);
    Simulation simulation(model, options);
    simulation.run_until(0.1, kEveryStep);
    const State end = simulation.state();

    auto one = generated.inputs(generated.start(), model);
    Generated::Values eight;
    for (const auto& [name, values] : one) {
      for (const double value : values) eight[name].insert(eight[name].end(), 8, value);
    }
    const long steps = std::lround(0.1 / h);
    for (long i = 0; i < steps; ++i) {
      one["t"] = {double(i) * h};
      eight["t"].assign(8, double(i) * h);
      generated.step(function, h, one);
      generated.step(function + "_8", h, eight);
    }
    expect_same(one.at("q"), end.q, "q", 1e-9);
    expect_same(one.at("p"), end.p, "p", 1e-9);
    for (std::size_t k = 0; k < 8; ++k) {
      std::vector<double> q;
      for (std::size_t i = k; i < eight.at("q").size(); i += 8) q.push_back(eight.at("q")[i]);
      expect_same(q, end.q, "q of a lane", 1e-9);
    }
  }
};

// In one test, so that the file is compiled once.
TEST_P(GeneratedSteps, AreThoseOfTheEngine) {
  if (!has("cc")) GTEST_SKIP() << "no cc";
  const Model model = shipped(GetParam());
  const Generated generated(model, {"recursive", true, false, {}, {}});
  check(model, generated, "step_rk4", RungeKutta4{}, 1e-3);
  check(model, generated, "step_semi_implicit_euler", SemiImplicitEuler{}, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, GeneratedSteps,
                         testing::Values("four_bar", "bennett", "driven_slider_crank",
                                         "spatial_arm", "torque_free_body"),
                         [](const auto& info) { return std::string(info.param); });

TEST_F(GeneratedTest, ParametersAreThoseOfAnotherModel) {
  if (!has("cc")) GTEST_SKIP() << "no cc";
  const Model model = shipped("four_bar");
  const Model heavy = shipped("four_bar", {"body.crank.mass=2.5", "gravity=[0, -1.62]"});
  const GenerateOptions pass{"recursive", false, true, {}, {}};
  const Generated code(model, pass);
  const Generated other(heavy, pass);
  ASSERT_EQ(code.file().parameters.size(), other.file().parameters.size());
  auto inputs = code.inputs(code.start(), model);
  const auto light = code.call("rates", inputs).at("p_dot");
  inputs["parameters"] = other.inputs(other.start(), heavy)["parameters"];
  const auto formulation = make_formulation("recursive", heavy);
  const auto workspace = formulation->make_workspace();
  formulation->analyse(code.start(), *workspace);
  ASSERT_EQ(formulation->rate(code.start(), *workspace), Status::kOk);
  const auto p_dot = code.call("rates", inputs).at("p_dot");
  expect_same(p_dot, Eigen::Map<const Eigen::VectorXd>(workspace->u_dot.data(), 3), "p_dot");
  EXPECT_GT(std::abs(p_dot[0] - light[0]), 0.1);
}

// As the four-bar falls flat its pivot vanishes, which the file says.
TEST_F(GeneratedTest, PivotsTellWhereRowsWear) {
  if (!has("cc")) GTEST_SKIP() << "no cc";
  const Model model = shipped("parallelogram");
  const Generated generated(model, {"recursive", false, false, {}, {}});
  const double start = generated.call("pivots", generated.start(), model).at("ratio")[0];
  EXPECT_GT(start, 1e-3);
  EXPECT_LE(start, 1.0);
}

TEST_F(GeneratedTest, CallbacksAreRefusedByName) {
  Mechanism mechanism = shipped("double_pendulum").mechanism();
  EffortCallback effort;
  effort.name = "my motor";
  effort.joint = mechanism.joints[0].name;
  effort.effort = [](double, double, double) { return 1.0; };
  mechanism.add(ForceDescription(effort));
  const Model model(std::move(mechanism));
  const auto start = initial_state(model);
  try {
    codegen::generate(model, {0.0, start.q.data(), start.p.data()}, {}, "model.h");
    FAIL() << "nothing was thrown";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("\"my motor\" is a callback"), std::string::npos)
        << error.what();
  }
}

TEST_F(GeneratedTest, OtherFormulationsAreRefused) {
  const Model model = shipped("double_pendulum");
  EXPECT_THROW(make_formulation("generated_dense", model), UsageError);
}

// A name that could end a comment, start a trigraph or be no name in C.
TEST_F(GeneratedTest, NamesDoNoHarm) {
  if (!has("cc")) GTEST_SKIP() << "no cc";
  Mechanism mechanism = shipped("double_pendulum").mechanism();
  const std::string name = "2 */ \"?\?/\" \\ names";
  for (auto& joint : mechanism.joints) {
    if (joint.name != mechanism.joints[0].name) continue;
    joint.name = name;
  }
  mechanism.sensors.clear();
  mechanism.events.clear();
  mechanism.forces.clear();
  mechanism.name = name;
  use(std::string("cc") + kStrict);
  const Model model(std::move(mechanism));
  const Generated generated(model, {"hdca", true, true, {name}, {name}});
  EXPECT_EQ(generated.file().prefix, "model_2____________names");
}

}  // namespace
}  // namespace hamiltree::test
