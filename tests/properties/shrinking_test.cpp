// Properties of all mechanisms, by rapidcheck: it draws the choices that a random mechanism is made
// of, and where a property does not hold it looks for fewer and smaller ones. What is left is
// printed as a native model file, with the seed and the choices.
#include <gtest/gtest.h>

#ifndef HAMILTREE_RAPIDCHECK

TEST(Properties, Shrink) { GTEST_SKIP() << "rapidcheck (Debian: librapidcheck-dev) is not there"; }

#else

#include <rapidcheck.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/formulations/dense/dense.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/io/export/model/native_writer.hpp"
#include "hamiltree/io/import/native.hpp"
#include "hamiltree/simulation/probe.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/condition.hpp"
#include "support/random_mechanism.hpp"

namespace hamiltree {
namespace {

using Choices = std::vector<std::uint16_t>;

constexpr std::uint64_t kSeed = 20261121;
constexpr int kMechanisms = 100;

// A mechanism, its model, and a state in which its loops are closed.
struct Drawn {
  Mechanism mechanism;
  Model model;
  State start;
  double condition = 0.0;  // of its augmented system there

  explicit Drawn(const Choices& choices) : Drawn(test::RandomMechanism(test::Choices(choices))) {}

 private:
  explicit Drawn(test::RandomMechanism random) : mechanism(make(random)), model(mechanism) {
    start.t = test::RandomMechanism::kTime;
    model.visit([&]<class Space>(const System<Space>& system) {
      start.q = random.closed_pose(model, system);
      start.p = random.vector(system.velocities);
      const Dense<Space> dense(system);
      typename Dense<Space>::Work work(dense);
      dense.velocities(start.t, start.q.data(), start.p.data(), nullptr, work);
      condition = test::scaled_condition(work.augmented.M, work.augmented.A);
    });
  }

  static Mechanism make(test::RandomMechanism& random) {
    const auto space = random.integer(0, 1) == 0 ? SpaceKind::kPlanar : SpaceKind::kSpatial;
    const auto topology = test::kTopologies[random.integer(0, std::size(test::kTopologies) - 1)];
    return random.make(space, topology, test::Extent::kFull);
  }
};

// The fault of a mechanism; empty if there is none.
using Property = std::function<std::string(const Drawn&)>;

rc::detail::TestResult result_of(const std::string& name, const Property& property) {
  const auto holds = [&] {
    const auto choices = *rc::gen::scale(4.0, rc::gen::arbitrary<Choices>()).as("choices");
    const Drawn drawn(choices);
    const std::string wrong = property(drawn);
    if (!wrong.empty()) RC_FAIL(wrong + "\n" + to_native(drawn.mechanism));
  };
  rc::detail::TestMetadata metadata;
  metadata.id = metadata.description = name;
  rc::detail::TestParams params;
  params.seed = kSeed;
  params.maxSuccess = kMechanisms;
  return rc::detail::checkTestable(holds, metadata, params);
}

void expect_always(const std::string& name, const Property& property) {
  const auto result = result_of(name, property);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  rc::detail::FailureResult failure;
  EXPECT_FALSE(result.match(failure)) << name << ", seed " << kSeed << "\n" << text.str();
}

double distance(std::span<const double> a, std::span<const double> b) {
  double square = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) square += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(square);
}

// v at the start, by a formulation.
std::vector<double> velocities(const std::string& name, const Model& model, const State& start) {
  const auto formulation = make_formulation(name, model);
  const auto workspace = formulation->make_workspace();
  const StateView state{start.t, start.q.data(), start.p.data()};
  formulation->analyse(state, *workspace);
  if (formulation->rate(state, *workspace) != Status::kOk) return {};
  return {workspace->v.begin(), workspace->v.end()};
}

// How far apart two formulations, or two models, may be: as in tests/agreement.
std::string difference(const std::vector<double>& found, const std::vector<double>& expected,
                       double condition) {
  if (found.size() != expected.size()) return "has no rates";
  const double size = 1.0 + distance(expected, std::vector<double>(expected.size()));
  const double error = distance(found, expected) / size;
  if (error <= 1e-13 * condition + 1e-12) return {};
  return "differs by " + to_short(error) + " at condition " + to_short(condition);
}

// Where drives ask a singular pose for rates that it does not have, loops come apart at once,
// and how is a formulation's own affair.
bool asks_for_the_impossible(const Drawn& drawn, const std::vector<double>& v) {
  const auto probe = make_probe(drawn.model);
  probe->set(drawn.start.t, drawn.start.q.data(), v.data());
  return probe->residuals().velocity > 1e-9;
}

TEST(Properties, RatesOfAllFormulationsAgree) {
  expect_always("rates agree", [](const Drawn& drawn) -> std::string {
    if (!(drawn.condition < 1e8)) return {};
    const auto expected = velocities("dense", drawn.model, drawn.start);
    if (asks_for_the_impossible(drawn, expected)) return {};
    for (const std::string name : {"hdca", "recursive"}) {
      const auto wrong =
          difference(velocities(name, drawn.model, drawn.start), expected, drawn.condition);
      if (!wrong.empty()) return name + " " + wrong;
    }
    return {};
  });
}

// Not to the last digit: rotations pass through a quaternion.
TEST(Properties, WhatIsWrittenMovesInTheSameWay) {
  expect_always("files", [](const Drawn& drawn) -> std::string {
    if (!(drawn.condition < 1e8)) return {};
    const Model again(parse_native(to_native(drawn.mechanism), "written.toml"));
    return difference(velocities("dense", again, drawn.start),
                      velocities("dense", drawn.model, drawn.start), drawn.condition);
  });
}

TEST(Properties, ARunEndsInNumbersOrAnError) {
  expect_always("runs", [](const Drawn& drawn) -> std::string {
    try {
      Simulation run(drawn.model, {.integrator = with_step(*method_from_name("rk4"), 1e-3)},
                     drawn.start);
      run.run_until(drawn.start.t + 5e-3);
      return run.state().q.allFinite() && run.state().p.allFinite() ? "" : "is not finite";
    } catch (const SimulationError&) {
      return {};
    }
  });
}

// A property that does not hold: it is found, made small, and what is printed is a model file.
TEST(Properties, ThatFailLeaveASmallModelFile) {
  const auto result = result_of("at most two bodies", [](const Drawn& drawn) {
    return std::string(drawn.mechanism.bodies.size() <= 2 ? "" : "has more than two bodies");
  });
  rc::detail::FailureResult failure;
  ASSERT_TRUE(result.match(failure));
  const auto begin = failure.description.find("format = 1");
  ASSERT_NE(begin, std::string::npos) << failure.description;
  const auto read = parse_native(failure.description.substr(begin), "failure.toml");
  EXPECT_EQ(read.bodies.size(), 3U) << failure.description;
  ASSERT_FALSE(failure.counterExample.empty());
  EXPECT_EQ(failure.counterExample.front().first, "choices");
}

}  // namespace
}  // namespace hamiltree

#endif
