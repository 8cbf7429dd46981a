// The compiler without the chip: what it makes of mechanisms computes what the kernels compute.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/math/tracing.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hardware/compiler/c_program.hpp"
#include "hardware/compiler/compile_step.hpp"
#include "hardware/compiler/dot.hpp"
#include "hardware/compiler/float32_model.hpp"
#include "hardware/compiler/hazards.hpp"
#include "hardware/compiler/lower.hpp"
#include "hardware/compiler/paper_assembly.hpp"
#include "hardware/tb/mechanisms.hpp"
#include "support/random_graph.hpp"
#include "support/shipped.hpp"

namespace hamiltree::hardware {
namespace {

using test::shipped;

constexpr EngineShape kEngine{1, 1, 9, 10, 8, {}};

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
  Mechanism rough = chain(2);
  JointFriction friction;
  friction.joint = "joint_1";
  friction.coulomb = 0.1;
  friction.velocity_scale = 0.01;
  rough.add(ForceDescription(friction));
  EXPECT_NE(refusal(shipped("andrews")).find("needs a square root"), std::string::npos);
  EXPECT_NE(refusal(Model(rough)).find("needs a hyperbolic tangent"), std::string::npos);
  Mechanism commanded = chain(2);
  EffortCallback command;
  command.name = "command";
  command.joint = "joint_1";
  command.effort = [](double, double, double) { return 1.0; };
  commanded.add(ForceDescription(command));
  EXPECT_NE(refusal(Model(commanded)).find("no functions of yours"), std::string::npos);
  // A rhombus stretched out: as parallelogram and as kite it may move on.
  const auto flat = shipped(
      "four_bar", {"joint.D.at_parent.position=[0.3, 0]", "joint.A.initial.q=3.141592653589793"});
  EXPECT_NE(refusal(flat).find("joint \"D\": the chip takes no loops that start at a singular"),
            std::string::npos)
      << refusal(flat);
  const auto inertia = shipped("double_pendulum", {"body.bar_2.inertia=1e-50"});
  EXPECT_NE(refusal(inertia).find("body \"bar_2\": inertia 1e-50 is beyond single precision"),
            std::string::npos)
      << refusal(inertia);
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

// Two bodies of one and the same rod: together they move as the reference says, eqs. 11, 12.
TEST(PaperAssembly, OfTwoBodiesIsTheirCompound) {
  const auto trace = trace_paper_assembly();
  ASSERT_EQ(trace.inputs().size() - trace.outputs().size(), 54U);
  using Matrix3 = Eigen::Matrix3d;
  const Matrix3 M = Eigen::Vector3d(0.5, 0.5, 0.00375).asDiagonal();
  const auto S = [](double x, double y) {
    Matrix3 shift = Matrix3::Identity();
    shift(2, 0) = -y;
    shift(2, 1) = x;
    return shift;
  };
  // xi_ij = S_Ci^T M^-1 S_Cj of bars with handles at -l and +l from the centre
  struct Bar {
    Matrix3 xi_11, xi_12, xi_22;
    Eigen::Vector3d xi_10, xi_20;
  };
  const auto bar = [&](double x, double y, double p) {
    const Matrix3 S1 = S(-x, -y), S2 = S(x, y), W = M.inverse();
    const Eigen::Vector3d H(0.0, 0.0, p);
    return Bar{S1.transpose() * W * S1, S1.transpose() * W * S2, S2.transpose() * W * S2,
               S1.transpose() * W * H, S2.transpose() * W * H};
  };
  const Bar A = bar(0.1, 0.11, 0.02), B = bar(0.14, -0.05, -0.01);
  std::vector<double> in(41, 0.0);
  for (const auto* body : {&A, &B}) {
    for (const auto* xi : {&body->xi_11, &body->xi_22}) {
      for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) in.push_back((*xi)(i, j));
      }
    }
    for (const double x : body->xi_12.reshaped()) in.push_back(x);
    for (const double x : body->xi_10) in.push_back(x);
    for (const double x : body->xi_20) in.push_back(x);
  }
  const auto out = trace.evaluate(in);
  // The joint's impulse, found from both velocities being one, gives V1 of the compound for T1 =
  // e_x.
  const Eigen::Vector3d T1(1.0, 0.0, 0.0);
  const Eigen::Vector3d gap = (B.xi_10 - A.xi_20) - A.xi_12.transpose() * T1;
  const Eigen::Vector2d T = -(A.xi_22 + B.xi_11).topLeftCorner<2, 2>().inverse() * gap.head<2>();
  const Eigen::Vector3d on_A(-T(0), -T(1), 0.0);
  const Eigen::Vector3d V1 = A.xi_11 * T1 + A.xi_12 * on_A + A.xi_10;
  Eigen::Vector3d compound(out[0], out[1], out[2]);  // first column of xi_11
  compound += Eigen::Vector3d(out[21], out[22], out[23]);
  EXPECT_LT((compound - V1).norm(), 1e-12 * V1.norm());
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

// A name of the model ends no comment of the header and no label of the graph.
TEST(Program, NamesDoNoHarm) {
  Mechanism mechanism = chain(1);
  mechanism.name = "a */ int x; /*";
  mechanism.joints[0].name = "\"*/ int y; /*";
  const auto step = compile_step(Model(mechanism), Update::kEuler, 1e-4, kEngine);
  const auto header = to_c_header(mechanism.name, step.program, {});
  EXPECT_EQ(header.find("*/"), header.rfind("*/"));
  EXPECT_NE(to_dot(step.graph).find("[label=\"p.__/ int y; /_\"]"), std::string::npos);
}

// The driver's own names begin as those of programs do.
TEST(Program, NamesAreNotTheDrivers) {
  std::set<std::string> taken;
  for (const std::string file : {"hamiltree_chip.h", "chip_at_address.h"}) {
    std::ifstream header(HAMILTREE_MECHANISMS "/../hardware/driver/" + file);
    const std::string text{std::istreambuf_iterator<char>(header), {}};
    const std::regex name("\\bhamiltree_\\w+");
    for (std::sregex_iterator i(text.begin(), text.end(), name), end; i != end; ++i)
      taken.insert(i->str());
  }
  ASSERT_TRUE(taken.contains("hamiltree_start"));
  const auto program = compile_step(Model(chain(1)), Update::kEuler, 1e-4, kEngine).program;
  for (const auto& name : taken) {
    const auto header = to_c_header(name.substr(std::string("hamiltree_").size()), program, {});
    const std::regex declared("static const \\w+ (\\w+)");
    for (std::sregex_iterator i(header.begin(), header.end(), declared), end; i != end; ++i)
      EXPECT_FALSE(taken.contains((*i)[1].str())) << name;
  }
}

// Also numbers that only the step has: here the weight.
TEST(Program, RefusesNumbersBeyondSinglePrecision) {
  const auto message = [](const std::string& change) {
    try {
      const auto model = shipped("double_pendulum", {change});
      const auto step = compile_step(model, Update::kEuler, 1e-4, kEngine);
      const auto start = initial_state(model);
      to_single(model, step.words, start.q.data(), start.p.data());
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message("gravity=[0, -1e40]").find("beyond single precision"), std::string::npos);
  EXPECT_NE(message("joint.shoulder.initial.v=1e40").find("p.shoulder is"), std::string::npos);
  EXPECT_EQ(message("joint.shoulder.initial.v=1e3"), "");
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
