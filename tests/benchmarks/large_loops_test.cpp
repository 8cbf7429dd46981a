// Many loops at once: a ladder whose motion is known exactly, and grids, on which hdca contracts
// compounds across the loops.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <random>
#include <string>

#include "benchmarks/models.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/model/split_hubs.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree::benchmarks {
namespace {

using Eigen::VectorXd;

VectorXd random_vector(Eigen::Index size) {
  std::mt19937_64 random(1907);
  return VectorXd::NullaryExpr(
      size, [&] { return std::uniform_real_distribution<double>(-1.0, 1.0)(random); });
}

// Where the joints of the tree are said to start: closing a thousand loops takes too long.
VectorXd said_pose(const Model& model) {
  std::map<std::string, double> said;
  for (const auto& joint : model.mechanism().joints) said[joint.name] = (*joint.initial_q)(0);
  VectorXd q(model.coordinate_count());
  for (int b = 0; b < model.body_count(); ++b) q[b] = said.at(model.joint_name(b));
  return q;
}

struct Evaluated {
  VectorXd v, p_dot, v_dot, lambda;
};

Evaluated evaluate(const Formulation& formulation, const VectorXd& q, const VectorXd& p) {
  const auto workspace = formulation.make_workspace();
  const StateView state{0.0, q.data(), p.data()};
  formulation.analyse(state, *workspace);
  EXPECT_EQ(formulation.rate(state, *workspace), Status::kOk);
  const auto as_vector = [](const auto& numbers) {
    return VectorXd(Eigen::Map<const VectorXd>(numbers.data(), Eigen::Index(numbers.size())));
  };
  Evaluated result;
  result.v = as_vector(workspace->v);
  result.p_dot = as_vector(workspace->u_dot);
  EXPECT_EQ(formulation.accelerations(state, *workspace), Status::kOk);
  result.v_dot = as_vector(workspace->v_dot);
  result.lambda = as_vector(workspace->lambda);
  return result;
}

// Cranks at the angle theta and couplers that do not turn: with J the rates of the coordinates by
// that of theta, which are 1 and -1, and N windows of bars of 1 kg and 1 m,
//   thetadot = J^T p / M,   d(J^T p)/dt = -(dV/dtheta),   M = (N + 1) / 3 + N,
//   V = (3 N + 1) g sin(theta) / 2,                       whatever of p is gauge.
TEST(LargeLoops, ALadderOfAThousandWindowsMovesAsItsOneDegreeOfFreedom) {
  constexpr int kWindows = 1000;
  constexpr double kAngle = std::numbers::pi / 3;
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    const Model model(ladder(kWindows, space));
    const VectorXd q = said_pose(model), J = q.cwiseSign();
    const VectorXd p = 1.5 * J + random_vector(q.size());
    const double rate = J.dot(p) / ((kWindows + 1) / 3.0 + kWindows);
    const double pull = -(3.0 * kWindows + 1.0) * 9.81 * std::cos(kAngle) / 2.0;
    for (const bool plane : {true, false}) {
      if (!plane && space == SpaceKind::kPlanar) continue;
      for (const char* name : {"recursive", "hdca"}) {
        SCOPED_TRACE(std::string(name) + (plane ? " in the plane" : " in space"));
        FormulationOptions options;
        options.plane = plane;
        const auto formulation = make_formulation(name, model, options);
        const auto got = evaluate(*formulation, q, p);
        EXPECT_LE((got.v - rate * J).lpNorm<Eigen::Infinity>(), 1e-12 * std::abs(rate));
        EXPECT_NEAR(J.dot(got.p_dot), pull, 1e-12 * std::abs(pull));
      }
    }
  }
}

TEST(LargeLoops, AGridMovesAlikeByAllFormulations) {
  const Model model(grid(12));
  const VectorXd q = said_pose(model), p = random_vector(model.velocity_count());
  const auto expected = evaluate(*make_formulation("dense", model), q, p);
  EXPECT_EQ(make_formulation("hdca", model)->plan().substr(0, 5), "loose");
  for (const char* name : {"recursive", "hdca"}) {
    std::optional<Evaluated> alone;
    for (const int threads : {1, 2, 3}) {
      FormulationOptions options;
      options.threads = threads;
      const auto got = evaluate(*make_formulation(name, model, options), q, p);
      if (!alone) alone = got;
      for (const auto part :
           {&Evaluated::v, &Evaluated::p_dot, &Evaluated::v_dot, &Evaluated::lambda}) {
        EXPECT_LE((got.*part - expected.*part).norm(), 1e-10 * (expected.*part).norm()) << name;
        EXPECT_EQ(got.*part, (*alone).*part);
      }
    }
  }
}

// The body on which the legs stand is welded together from pieces, which nobody sees.
TEST(LargeLoops, ManyLegsOnACrankMoveAlikeByAllFormulations) {
  for (const auto& [count, space] :
       {std::pair{12, SpaceKind::kPlanar}, {13, SpaceKind::kPlanar}, {9, SpaceKind::kSpatial}}) {
    auto mechanism = legs(count);
    mechanism.space = space;
    if (space == SpaceKind::kSpatial) {
      for (auto& body : mechanism.bodies)
        body.inertia = body.inertia(2, 2) * Eigen::Matrix3d::Identity();
    }
    mechanism.add(PointSpringDamper{"spring",
                                    {{"crank", {0.1, 0.05, 0.0}}, {kGround, {0.3, 0.4, 0.0}}},
                                    30.0,
                                    0.2,
                                    2.0,
                                    {},
                                    {}});
    mechanism.add(PointSpringDamper{"between",
                                    {{"foot_3", {0.1, 0.0, 0.0}}, {"crank", {0.0, 0.1, 0.0}}},
                                    20.0,
                                    0.1,
                                    1.0,
                                    {},
                                    {}});
    const Model model(mechanism);
    const auto state = initial_state(model);
    const VectorXd p = random_vector(model.velocity_count());
    const auto dense = make_formulation("dense", model);
    const auto expected = evaluate(*dense, state.q, p);
    const auto expected_workspace = dense->make_workspace();
    dense->analyse({0.0, state.q.data(), p.data()}, *expected_workspace);
    dense->accelerations({0.0, state.q.data(), p.data()}, *expected_workspace);
    FormulationOptions options;
    options.plane = false;
    for (const char* name : {"recursive", "hdca"}) {
      SCOPED_TRACE(name + std::to_string(count));
      const auto formulation = make_formulation(name, model, options);
      const auto got = evaluate(*formulation, state.q, p);
      const auto close = [&](const VectorXd Evaluated::*part) {
        EXPECT_LE((got.*part - expected.*part).norm(), 1e-9 * (expected.*part).norm());
      };
      close(&Evaluated::v);
      close(&Evaluated::v_dot);
      if (space == SpaceKind::kSpatial) continue;  // redundant: p_dot and forces are not unique
      close(&Evaluated::p_dot);
      close(&Evaluated::lambda);
      const auto workspace = formulation->make_workspace();
      formulation->analyse({0.0, state.q.data(), p.data()}, *workspace);
      formulation->accelerations({0.0, state.q.data(), p.data()}, *workspace);
      for (int j = 0; j < model.joint_count(); ++j) {
        const auto force = formulation->reaction(j, *workspace).force;
        EXPECT_LE((force - dense->reaction(j, *expected_workspace).force).norm(),
                  1e-8 * (1.0 + force.norm()))
            << model.joint_name(j);
      }
    }
  }
}

// A mechanism with few legs, or with many that lead nowhere, is left as it is.
TEST(LargeLoops, OnlyHubsAreSplit) {
  const auto is_split = [](const Mechanism& mechanism) {
    return Model(mechanism).visit(
        [](const auto& system) { return split_hubs(system).has_value(); });
  };
  EXPECT_TRUE(is_split(legs(8)));
  EXPECT_FALSE(is_split(legs(7)));
  EXPECT_FALSE(is_split(grid(12)));
  EXPECT_FALSE(is_split(ladder(20, SpaceKind::kPlanar)));
}

}  // namespace
}  // namespace hamiltree::benchmarks
