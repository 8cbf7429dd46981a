// Runs on generated code: the same as without, from a cache, with errors that say what is missing.
#include "hamiltree/formulations/formulation.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "codegen/library.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree::test {
namespace {

State run(const Model& model, const std::string& formulation, const Method& method, double until) {
  SimulationOptions options;
  options.formulation = formulation;
  options.integrator = method;
  Simulation simulation(model, options);
  simulation.run_until(until, kEveryStep);
  return simulation.state();
}

struct Run {
  const char* mechanism;
  const char* formulation;
  Method method;
};

class GeneratedRun : public GeneratedTest, public testing::WithParamInterface<Run> {};

TEST_P(GeneratedRun, IsThatOfTheEngine) {
  if (!has("cc")) GTEST_SKIP() << "no cc";
  const auto& [mechanism, formulation, method] = GetParam();
  const Model model = shipped(mechanism);
  const auto engine = run(model, formulation, method, 0.3);
  const auto generated = run(model, std::string("generated_") + formulation, method, 0.3);
  const double error = (engine.q - generated.q).cwiseAbs().maxCoeff();
  std::printf("%s, %s: apart by %.1e\n", mechanism, formulation, error);
  EXPECT_LT(error, 1e-8);  // measured: 2e-11 at most
}

INSTANTIATE_TEST_SUITE_P(
    Models, GeneratedRun,
    testing::Values(
        Run{"four_bar", "hdca", DormandPrince{}}, Run{"four_bar", "recursive", Adams{}},
        Run{"four_bar", "hdca", RungeKutta4{}}, Run{"four_bar_spatial", "hdca", DormandPrince{}},
        Run{"parallelogram", "recursive", DormandPrince{}}, Run{"bennett", "hdca", DormandPrince{}},
        Run{"driven_slider_crank", "recursive", DormandPrince{}},
        Run{"spatial_arm", "recursive", DormandPrince{}},
        Run{"torque_free_body", "recursive", Gauss{}}, Run{"four_bar", "recursive", Spark{}},
        Run{"iftomm_a02_four_bars_2", "recursive", DormandPrince{}}),
    [](const auto& info) {
      return std::string(info.param.mechanism) + "_" + info.param.formulation + "_" +
             to_name(info.param.method);
    });

// All coordinates zero, its loop is folded flat.
TEST_F(GeneratedTest, SeesItsPivotsBeforeAnythingIsEvaluated) {
  if (!has("cc")) GTEST_SKIP() << "no cc";
  const Model model = shipped("parallelogram");
  const auto start = Simulation(model).state();
  const StateView state{0.0, start.q.data(), start.p.data()};
  const auto formulation = make_formulation("generated_recursive", model);
  const auto workspace = formulation->make_workspace();
  formulation->analyse(state, *workspace);
  EXPECT_GT(formulation->least_pivot(*workspace), 1e-3);
}

// Slopes of curved couplings are part of the code.
TEST_F(GeneratedTest, FollowsCurvedCouplings) {
  if (!has("cc")) GTEST_SKIP() << "no cc";
  const Model whole = load(std::string(HAMILTREE_TEST_MODELS) + "/curves.xml");
  // Of hdca, whose code grows faster with the bodies, without the foot, which no coupling moves.
  Mechanism footless = whole.mechanism();
  std::erase_if(footless.bodies, [](const auto& b) { return b.name == "foot"; });
  std::erase_if(footless.joints, [](const auto& j) { return j.child == "foot"; });
  const Model less(std::move(footless));
  for (const std::string formulation : {"recursive", "hdca"}) {
    const Model& model = formulation == "hdca" ? less : whole;
    const auto engine = run(model, formulation, DormandPrince{}, 0.5);
    const auto generated = run(model, "generated_" + formulation, DormandPrince{}, 0.5);
    const double error = (engine.q - generated.q).cwiseAbs().maxCoeff();
    std::printf("curves, %s: apart by %.1e\n", formulation.c_str(), error);
    EXPECT_LT(error, 1e-8);
  }
}

// The traced kernel is that for any joint, one body after the other.
TEST_F(GeneratedTest, SaysHowItComputesAndHasNoLanes) {
  const Model chain = shipped("double_pendulum");
  EXPECT_EQ(make_formulation("generated_recursive", chain)->plan(),
            "recursive, 2 bodies in order, as compiled C");
  EXPECT_EQ(make_formulation("generated_hdca", shipped("four_bar_spatial"))->plan(),
            make_formulation("hdca", shipped("four_bar"))->plan() +
                ", as compiled C, in the plane normal to 0 0 1");
  try {
    make_formulation("generated_recursive", chain, {.lanes = LaneChoice::kAlways});
    FAIL() << "nothing was thrown";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "formulation generated_recursive has no lanes to choose (recursive has)");
  }
}

int libraries(const fs::path& cache) {
  int count = 0;
  if (!fs::exists(cache)) return count;
  for (const auto& entry : fs::recursive_directory_iterator(cache)) {
    if (entry.path().extension() == ".so") ++count;
    EXPECT_TRUE(entry.is_directory() || entry.path().extension() == ".so") << entry.path();
  }
  return count;
}

TEST_F(GeneratedTest, IsCompiledOnce) {
  if (!has("cc")) GTEST_SKIP() << "no cc";
  const Model model = shipped("double_pendulum");
  const auto log = folder() / "log";
  const auto compiler = folder() / "counting_cc";
  std::ofstream(compiler) << "#!/bin/sh\n[ \"$1\" = --version ] || echo run >> " << log
                          << "\nexec cc \"$@\"\n";
  fs::permissions(compiler, fs::perms::owner_all);
  use(compiler.string());
  const auto first = run(model, "generated_hdca", RungeKutta4{}, 0.01);
  const auto second = run(model, "generated_hdca", RungeKutta4{}, 0.01);
  EXPECT_EQ(first.q, second.q);
  std::ifstream in(log);
  const std::string runs{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(runs, "run\n");
  EXPECT_EQ(libraries(folder() / "hamiltree"), 1);

  // From another state it is the same library.
  run(shipped("double_pendulum", {"joint.elbow.initial.q=0.7"}), "generated_hdca", RungeKutta4{},
      0.01);
  EXPECT_EQ(libraries(folder() / "hamiltree"), 1);

  // A spoiled file is made again, also one of which the beginning is left.
  fs::path library;
  for (const auto& entry : fs::recursive_directory_iterator(folder() / "hamiltree"))
    if (entry.path().extension() == ".so") library = entry.path();
  std::ifstream whole(library, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(whole), {}};
  for (const auto& left : {std::string("not a library"), bytes.substr(0, 1000)}) {
    fs::remove(library);
    std::ofstream(library, std::ios::binary) << left;
    EXPECT_EQ(run(model, "generated_hdca", RungeKutta4{}, 0.01).q, first.q);
    EXPECT_EQ(fs::file_size(library), bytes.size());
  }
}

std::string usage_error(const Model& model) {
  try {
    run(model, "generated_hdca", RungeKutta4{}, 0.01);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST_F(GeneratedTest, WithoutACompilerIsRefused) {
  use("/nowhere/cc");
  EXPECT_EQ(usage_error(shipped("double_pendulum")),
            "generated code needs a C compiler, and \"/nowhere/cc\" does not run (the environment "
            "variable CC names another)");
}

TEST_F(GeneratedTest, WithoutACacheIsRefused) {
  const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(usage_error(shipped("double_pendulum")),
            "generated code needs a folder to be kept in: XDG_CACHE_HOME or HOME must be set");
  if (!home.empty()) setenv("HOME", home.c_str(), 1);
}

TEST_F(GeneratedTest, AFolderThatCannotBeWrittenIsTold) {
  setenv("XDG_CACHE_HOME", "/dev/null", 1);
  EXPECT_EQ(usage_error(shipped("double_pendulum")),
            "/dev/null/hamiltree/generated cannot be written, where generated code is kept (the "
            "environment variable XDG_CACHE_HOME names another folder)");
}

TEST_F(GeneratedTest, ACompilerThatFailsIsToldOf) {
  const auto compiler = folder() / "bad_cc";
  std::ofstream(compiler)
      << "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\necho no memory >&2\nexit 1\n";
  fs::permissions(compiler, fs::perms::owner_all);
  use(compiler.string());
  try {
    run(shipped("double_pendulum"), "generated_hdca", RungeKutta4{}, 0.01);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "the C compiler \"" + compiler.string() + "\" fails on generated code: no memory");
  }
  EXPECT_EQ(libraries(folder() / "hamiltree"), 0);
}

}  // namespace
}  // namespace hamiltree::test
