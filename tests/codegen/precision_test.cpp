// Generated code of ten mechanisms, compiled strictly by gcc and by clang, against the kernels in
// quadruple precision: its error is at most ten times the engine's own.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "codegen/exact.hpp"
#include "codegen/library.hpp"
#include "codegen/states.hpp"

namespace hamiltree::test {
namespace {

constexpr std::uint64_t kSeed = 20170;
constexpr int kStates = 16;
constexpr double kAllowed = 10.0;      // times the engine's error; measured: up to 2.1
constexpr double kRounding = 1.2e-16;  // less than half a unit in the last place is no error

struct Sample {
  const char* mechanism;
  const char* formulation;
};

void PrintTo(const Sample& sample, std::ostream* out) {
  *out << sample.mechanism << ", " << sample.formulation;
}

// Driven and free, with loops and without, redundant and not, of all kinds of joints and forces.
constexpr Sample kSamples[] = {{"four_bar", "hdca"},
                               {"four_bar", "recursive"},
                               {"andrews", "recursive"},
                               {"parallelogram", "hdca"},
                               {"driven_slider_crank", "hdca"},
                               {"pendulum_on_moving_pivot", "recursive"},
                               {"gear_pair", "hdca"},
                               {"spatial_arm", "recursive"},
                               {"spatial_slider_crank", "recursive"},
                               {"bennett", "hdca"},
                               {"torque_free_body", "recursive"},
                               {"screw_press", "recursive"}};

class GeneratedPrecision : public GeneratedTest, public testing::WithParamInterface<Sample> {
 protected:
  static double size(const std::vector<Quad>& x) {
    double largest = 0.0;
    for (const auto& value : x) largest = std::max(largest, std::abs(to_double(value)));
    return largest;
  }

  // The largest |x - exact|, in parts of the size of what x is made of.
  static double error(const std::vector<Quad>& exact, std::span<const double> x, double scale) {
    double difference = 0.0;
    EXPECT_EQ(exact.size(), x.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double d = std::abs(to_double(exact[i] - Quad(x[i])));
      if (!(d <= difference)) difference = d;
    }
    return difference / scale;
  }

  static std::vector<double> wrenches(const Model& model, const Formulation& formulation,
                                      const Workspace& workspace) {
    std::vector<double> all;
    for (int j = 0; j < model.joint_count(); ++j) {
      const auto r = formulation.reaction(j, workspace);
      const bool planar = model.space() == SpaceKind::kPlanar;
      all.insert(all.end(), r.force.begin(), r.force.end() - (planar ? 1 : 0));
      all.insert(all.end(), r.moment.begin() + (planar ? 2 : 0), r.moment.end());
    }
    return all;
  }

  static std::span<const double> lane(const std::vector<double>& values, std::size_t k,
                                      std::vector<double>& memory) {
    memory.clear();
    for (std::size_t i = k; i < values.size(); i += 8) memory.push_back(values[i]);
    return memory;
  }

  // Both compilers' code, scalar and in lanes, at all states.
  void check(const std::string& compiler, bool pass) {
    const auto [name, formulation_name] = GetParam();
    const Model model = shipped(name);
    use(compiler + kStrict);
    const Generated generated(model, {formulation_name, true, pass, {}, {}});
    const auto states = states_of(model, generated.start(), kSeed, kStates);
    const auto exact = make_exact(model, formulation_name, generated.start());
    const auto formulation = make_formulation(formulation_name, model);
    const auto workspace = formulation->make_workspace();
    formulation->analyse(generated.start(), *workspace);

    double engine = kRounding, scalar = 0.0, lanes = 0.0;
    const auto worse = [](double& worst, double value) {
      if (!(value <= worst)) worst = value;
    };
    for (std::size_t first = 0; first < states.size(); first += 8) {
      Generated::Values packed;
      for (std::size_t k = 0; k < 8; ++k) {
        for (const auto& [input, values] : generated.inputs(states[first + k].view(), model)) {
          auto& to = packed[input];
          to.resize(values.size() * 8);
          for (std::size_t i = 0; i < values.size(); ++i) to[i * 8 + k] = values[i];
        }
      }
      const auto rates_8 = generated.call("rates_8", packed);
      const auto reactions_8 = generated.call("reactions_8", packed);
      for (std::size_t k = 0; k < 8; ++k) {
        const auto view = states[first + k].view();
        const auto is = exact->at(view);
        const auto rates = generated.call("rates", view, model);
        const auto reactions = generated.call("reactions", view, model);
        std::vector<double> memory;
        const double impulses = std::max(size(is.sigma), states[first + k].p.cwiseAbs().maxCoeff());
        const double forces = std::max({size(is.p_dot), size(is.lambda), size(is.wrench)});
        const auto compare = [&](const std::string& quantity, const std::vector<Quad>& truth,
                                 std::span<const double> by_engine, double scale,
                                 const Generated::Values& one, const Generated::Values& eight) {
          if (truth.empty()) return;
          worse(engine, error(truth, by_engine, scale));
          worse(scalar, error(truth, one.at(quantity), scale));
          worse(lanes, error(truth, lane(eight.at(quantity), k, memory), scale));
        };
        ASSERT_EQ(formulation->rate(view, *workspace), Status::kOk);
        compare("v", is.v, workspace->v, size(is.v), rates, rates_8);
        compare("q_dot", is.q_dot, workspace->q_dot, size(is.q_dot), rates, rates_8);
        compare("p_dot", is.p_dot, workspace->u_dot, forces, rates, rates_8);
        compare("sigma", is.sigma, workspace->sigma, impulses, rates, rates_8);
        ASSERT_EQ(formulation->accelerations(view, *workspace), Status::kOk);
        compare("v_dot", is.v_dot, workspace->v_dot, size(is.v_dot), reactions, reactions_8);
        compare("lambda", is.lambda, workspace->lambda, forces, reactions, reactions_8);
        compare("wrench", is.wrench, wrenches(model, *formulation, *workspace), forces, reactions,
                reactions_8);
      }
    }
    std::printf("%s of %s, %s, %s: engine %.1e, generated %.1e, lanes %.1e; seed %d\n", name,
                formulation_name, compiler.c_str(), pass ? "passed" : "folded", engine, scalar,
                lanes, static_cast<int>(kSeed));
    EXPECT_LE(scalar, kAllowed * engine);
    EXPECT_LE(lanes, kAllowed * engine);
  }
};

TEST_P(GeneratedPrecision, Gcc) {
  if (!has("gcc")) GTEST_SKIP() << "no gcc";
  check("gcc", false);
}
TEST_P(GeneratedPrecision, Clang) {
  if (!has("clang")) GTEST_SKIP() << "no clang";
  check("clang", false);
}
TEST_P(GeneratedPrecision, ParametersPassed) {
  if (!has("cc")) GTEST_SKIP() << "no cc";
  check("cc", true);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, GeneratedPrecision, testing::ValuesIn(kSamples),
                         [](const auto& info) {
                           return std::string(info.param.mechanism) + "_" + info.param.formulation;
                         });

}  // namespace
}  // namespace hamiltree::test
