// The compiler without the chip: what it makes of mechanisms computes what the kernels compute.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/math/tracing.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hardware/compiler/compile_step.hpp"
#include "hardware/compiler/dot.hpp"
#include "hardware/compiler/float32_model.hpp"
#include "hardware/compiler/hazards.hpp"
#include "hardware/compiler/lower.hpp"
#include "hardware/tb/mechanisms.hpp"
#include "support/random_graph.hpp"

namespace hamiltree::hardware {
namespace {

constexpr EngineShape kEngine{1, 1, 9, 10, 8, {}};

Model shipped(const std::string& name) {
  return load(std::string(HAMILTREE_MECHANISMS) + "/" + name + "/model.toml");
}

// p and v of a formulation on double beside those of a trace of rates.
void expect_rates(const Model& model) {
  const auto start = initial_state(model);
  const auto formulation = make_formulation("dense", model);
  const auto workspace = formulation->make_workspace();
  const StateView now{0.0, start.q.data(), start.p.data()};
  formulation->analyse(now, *workspace);
  ASSERT_EQ(formulation->rate(now, *workspace), Status::kOk);
  const auto rates = trace_planar_step(model, Update::kRates, 1e-4);
  auto in = to_words(model, rates.words, start.q.data(), start.p.data());
  in.resize(rates.trace.inputs().size(), 0.0);
  const auto out = rates.trace.evaluate(in);
  for (std::size_t i = 0; i < rates.words.size(); ++i) {
    const auto& word = rates.words[i];
    const auto k = static_cast<std::size_t>(word.index);
    if (word.quantity == Quantity::kMomentum) {
      EXPECT_NEAR(out[i], workspace->u_dot[k], 1e-11) << word.name;  // measured: 2e-14
    }
    if (word.quantity == Quantity::kCoordinate) {
      EXPECT_NEAR(out[i], workspace->v[k], 1e-11) << word.name;
    }
  }
}

TEST(PlanarStep, MomentumRatesAreThoseOfTheDenseReference) {
  expect_rates(shipped("double_pendulum"));
  expect_rates(shipped("four_bar"));
  expect_rates(Model(chain(8)));
  expect_rates(Model(tree()));
  expect_rates(Model(cart()));
}

// Steps of the graph on float32 follow those of the integrator on double.
TEST(PlanarStep, FollowsTheTrajectory) {
  for (const auto& model : {shipped("double_pendulum"), shipped("four_bar"), Model(cart())}) {
    constexpr double kH = 1e-3;
    const auto step = compile_step(model, Update::kSemiImplicitEuler, kH, kEngine);
    const auto start = initial_state(model);
    const auto words = to_words(model, step.words, start.q.data(), start.p.data());
    std::vector<Word> state;
    for (const double x : words) state.push_back(bits_of(static_cast<float>(x)));
    Float32Model chip(step.graph);
    const auto formulation = make_formulation("hdca", model);
    const auto workspace = formulation->make_workspace();
    Eigen::VectorXd q = start.q, p = start.p;
    formulation->analyse({0.0, q.data(), p.data()}, *workspace);
    for (int i = 0; i < 200; ++i) {
      chip.step(state);
      formulation->rate({0.0, q.data(), p.data()}, *workspace);
      for (Eigen::Index k = 0; k < p.size(); ++k)
        p(k) += kH * workspace->u_dot[static_cast<std::size_t>(k)];
      formulation->rate({0.0, q.data(), p.data()}, *workspace);
      for (Eigen::Index k = 0; k < q.size(); ++k)
        q(k) += kH * workspace->q_dot[static_cast<std::size_t>(k)];
    }
    Eigen::VectorXd chip_q = start.q, chip_p = start.p;
    std::vector<double> values;
    for (const Word w : state) values.push_back(static_cast<double>(float_of(w)));
    from_words(model, step.words, values, chip_q.data(), chip_p.data());
    EXPECT_LT((chip_q - q).cwiseAbs().maxCoeff(), 2e-4) << model.name();
    EXPECT_LT((chip_p - p).cwiseAbs().maxCoeff(), 2e-4) << model.name();
    EXPECT_GT((q - start.q).cwiseAbs().maxCoeff(), 1e-2) << model.name();
  }
}

TEST(PlanarStep, RefusesWhatTheChipLacks) {
  const auto refusal = [](const Model& model) {
    try {
      trace_planar_step(model, Update::kEuler, 1e-4);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal(shipped("spatial_arm")).find("planar mechanisms only"), std::string::npos);
  EXPECT_NE(refusal(shipped("driven_slider_crank")).find("no driven joints"), std::string::npos);
  Mechanism sprung = chain(2);
  JointSpringDamper spring;
  spring.joint = "joint_1";
  spring.stiffness = 3.0;
  sprung.add(ForceDescription(spring));
  EXPECT_NE(refusal(Model(sprung)).find("the angle of joint_1"), std::string::npos);
}

// The rules of the algebra: (2) to (4) of its header, and numbers drawn out.
TEST(Lowering, RearrangesWithoutChangingTheResult) {
  Trace trace;
  {
    const TraceScope scope(trace);
    std::vector<Traced> x;
    for (int i = 0; i < 6; ++i) x.push_back(trace.input("x" + std::to_string(i)));
    const Traced r = 1.0 / x[0];
    const Traced schur = x[1] - (x[2] * r) * x[2];
    trace.output("x0", (x[0] + x[3] * 0.3) - (x[0] + x[4] * 0.7));
    trace.output("x1", (x[3] - (x[2] * r) * x[4]) / schur);
    trace.output("x2", (2.0 * x[1]) * (0.25 * x[2]));
    trace.output("x3", -x[5]);
    trace.output("x4", x[4]);
    trace.output("x5", x[4]);
  }
  const std::vector<double> in{1.5, 2.0, 0.75, 1.25, -0.5, 3.0};
  const auto exact = trace.evaluate(in);
  for (const bool joins_pivots : {false, true}) {
    const Graph graph = lower(trace, {}, joins_pivots);
    EXPECT_EQ(graph.count()[static_cast<std::size_t>(Kind::kReciprocal)], joins_pivots ? 1 : 2);
    std::vector<Word> state;
    for (const double x : in) state.push_back(bits_of(static_cast<float>(x)));
    Float32Model(graph).step(state);
    for (std::size_t i = 0; i < in.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(float_of(state[i])), exact[i], 1e-6) << i;
    }
  }
}

TEST(Lowering, RefusesOtherOperations) {
  Trace trace;
  {
    const TraceScope scope(trace);
    trace.output("x", sqrt(trace.input("x")));
  }
  EXPECT_THROW(lower(trace, {}), std::invalid_argument);
}

// Random graphs: every step is its own test of schedule, registers and encoding, by the hazard
// check in compile().
TEST(Program, RandomGraphsHaveNoHazards) {
  constexpr std::uint64_t kSeed = 8;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937_64 random(kSeed);
  for (int trial = 0; trial < 200; ++trial) {
    const int states = 1 + static_cast<int>(random() % 12);
    const int operations = static_cast<int>(random() % 300);
    const Graph graph = test::random_graph(random, states, operations);
    for (const auto& shape : {kEngine, EngineShape{2, 2, 8, 10, 6, {}},
                              EngineShape{4, 4, 7, 9, 5, {}}, EngineShape{1, 3, 8, 10, 6, {}}}) {
      Graph own = graph;
      EXPECT_NO_THROW(compile(std::move(own), shape)) << trial;
    }
  }
}

// Each damage to a program is one that the hazard check must see.
TEST(Program, HazardCheckFindsDamage) {
  const auto step = compile_step(shipped("four_bar"), Update::kEuler, 1e-4, kEngine);
  check_hazards(step.program, step.graph);
  int found = 0, bits = 0;
  const auto& shape = step.program.shape;
  for (std::size_t w = 0; w < step.program.words.size(); w += 7) {
    const auto is_set = [&](int bit) {
      return (step.program.words[w][static_cast<std::size_t>(bit / 32)] >> bit % 32 & 1U) != 0;
    };
    // The lowest address bit of every write, and its enable: whatever is written is needed.
    for (int bank = 0; bank < shape.banks(); ++bank) {
      if (!is_set(shape.write_at(bank) + shape.address_bits)) continue;
      for (const int bit : {shape.write_at(bank), shape.write_at(bank) + shape.address_bits}) {
        Program damaged = step.program;
        damaged.words[w][static_cast<std::size_t>(bit / 32)] ^= 1U << bit % 32;
        ++bits;
        try {
          check_hazards(damaged, step.graph);
        } catch (const std::logic_error&) {
          ++found;
        }
      }
    }
  }
  EXPECT_GT(bits, 50);
  EXPECT_EQ(found, bits);
}

TEST(Program, SaysWhatIsTooSmall) {
  const auto message = [](const EngineShape& shape) {
    try {
      compile_step(Model(chain(8)), Update::kEuler, 1e-4, shape);
    } catch (const std::length_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({1, 1, 9, 9, 8, {}}).substr(0, 50),
            "the engine has 512 program words, but the mechanis");
  EXPECT_NE(message({1, 1, 6, 10, 8, {}}).find("registers"), std::string::npos);
  EXPECT_NE(message({1, 1, 9, 10, 4, {}}).find("words of state"), std::string::npos);
}

TEST(Dot, NamesEveryLiveOperation) {
  const auto step = compile_step(shipped("double_pendulum"), Update::kEuler, 1e-4, kEngine);
  const auto text = to_dot(step.graph);
  EXPECT_EQ(text.substr(0, 9), "digraph {");
  EXPECT_NE(text.find("p.shoulder"), std::string::npos);
  EXPECT_NE(text.find("reciprocal"), std::string::npos);
}

}  // namespace
}  // namespace hamiltree::hardware
