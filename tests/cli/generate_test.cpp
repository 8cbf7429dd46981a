// hamiltree generate, and simulate --generated.
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "cli/program.hpp"

namespace hamiltree::test {
namespace {

class Generate : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    setenv("XDG_CACHE_HOME", (root() / "cache").c_str(), 1);
    unsetenv("CC");
  }
};

TEST_F(Generate, WritesAFileAndItsHeader) {
  const auto outcome = run({"generate", mechanism("four_bar"), "-o", "arm.c", "--lanes"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "four_bar_rates"));
  EXPECT_TRUE(contains(outcome.out, "t, q[3], p[3] -> v[3], q_dot[3], p_dot[3], sigma[2]"));
  const auto header = read("arm.h");
  EXPECT_TRUE(contains(header, "q[0]  q.A, rad"));
  EXPECT_TRUE(contains(header, "p[2]  p.C, kg m^2/s"));
  EXPECT_TRUE(contains(header, "void four_bar_rates_8(const double *t"));
  const auto source = read("arm.c");
  EXPECT_TRUE(contains(source, "#include \"arm.h\""));
  EXPECT_TRUE(contains(source, "four_bar_step_rk4("));
  EXPECT_FALSE(contains(source, "parameters"));
}

TEST_F(Generate, WritesCuda) {
  const auto outcome = run({"generate", mechanism("four_bar"), "-o", "arm.cu"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(read("arm.h"), "int four_bar_rates_many(int count, const double *t"));
  const auto source = read("arm.cu");
  EXPECT_TRUE(contains(source, "#include \"arm.h\""));
  EXPECT_TRUE(contains(source, "HAMILTREE_FUNCTION void four_bar_rates(double t"));
  const auto refused = run({"generate", mechanism("four_bar"), "-o", "arm.cu", "--lanes"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.err, "--lanes is for C files"));
}

TEST_F(Generate, PassesParameters) {
  const auto outcome =
      run({"generate", mechanism("four_bar"), "--parameters", "pass", "--out", "arm.c"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(read("arm.h"), "parameters[1]  body.crank.mass"));
}

TEST_F(Generate, WritesDerivatives) {
  const auto outcome = run({"generate", mechanism("four_bar"), "--derivatives", "--out", "arm.c"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "four_bar_jacobians"));
  EXPECT_TRUE(contains(read("arm.h"), "p_dot_q[9]"));
  const auto refused =
      run({"generate", mechanism("four_bar"), "--derivatives", "--out", "arm.hpp"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.err, "a transmission takes --actuators and --joints"));
}

TEST_F(Generate, IsDeterministic) {
  ASSERT_EQ(run({"generate", mechanism("andrews"), "-o", "a.c"}).exit_code, 0);
  const auto first = read("a.c");
  ASSERT_EQ(run({"generate", mechanism("andrews"), "-o", "a.c"}).exit_code, 0);
  EXPECT_EQ(read("a.c"), first);
}

TEST_F(Generate, WritesBothFilesOrNone) {
  std::filesystem::create_directory(root() / "arm.h");
  const auto outcome = run({"generate", mechanism("four_bar"), "-o", "arm.c"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_TRUE(contains(outcome.err, "cannot write arm.h: Is a directory"));
  EXPECT_FALSE(std::filesystem::exists(root() / "arm.c"));
}

TEST_F(Generate, RefusesOtherNames) {
  const auto outcome = run({"generate", mechanism("four_bar"), "-o", "arm.cpp"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(is_one_sentence(outcome.err));
  EXPECT_TRUE(contains(outcome.err, "--out must name a file that ends in .c"));
  EXPECT_EQ(run({"generate", mechanism("four_bar")}).exit_code, 2);
  EXPECT_EQ(run({"generate", mechanism("four_bar"), "-o", "nowhere/arm.c"}).exit_code, 3);
}

TEST_F(Generate, SimulatesCompiled) {
  if (std::system("cc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no cc";
  const auto outcome = run({"simulate", mechanism("four_bar"), "--generated", "--until", "0.2",
                            "--checkpoint", "0.05", "--out", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "generated_recursive"));
  EXPECT_TRUE(contains(outcome.out, "as compiled C"));
  EXPECT_TRUE(fs::exists(root() / "cache" / "hamiltree" / "generated"));
}

// Every checkpoint starts anew, from a library that is there already; Ctrl-C does not reach the
// compiler.
TEST_F(Generate, InterruptedRunsGoOnBitForBit) {
  if (std::system("cc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no cc";
  if (!has_terminals()) GTEST_SKIP() << "this machine gives out no pseudo-terminals";
  const std::vector<std::string> options{"simulate",    mechanism("four_bar_spatial"),
                                         "--generated", "--formulation",
                                         "recursive",   "--integrator",
                                         "rk4",         "--step",
                                         "2e-5",        "--until",
                                         "30",          "--every",
                                         "0.5",         "--checkpoint",
                                         "0.5"};
  auto whole = options;
  whole.insert(whole.end(), {"--out", "whole", "-q"});
  ASSERT_EQ(run(whole).exit_code, 0);
  int libraries = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root() / "cache"))
    libraries += entry.path().extension() == ".so";
  EXPECT_LE(libraries, 8);  // of 60 checkpoints
  auto stopped = options;
  stopped.insert(stopped.end(), {"--out", "stopped"});
  const auto outcome = run_on_terminal(stopped, {}, 1);
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  const auto resumed = run({"resume", "stopped"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(read("whole/trajectory.csv"), read("stopped/trajectory.csv"));
}

// And nothing of what was made for it stays.
TEST_F(Generate, CtrlCEndsTheCompiler) {
  const auto compiler = write("compiler", R"(#!/bin/sh
[ "$1" = --version ] && exec echo slow
echo $$ > started.part && mv started.part started
exec sleep 60
)");
  fs::permissions(root() / compiler, fs::perms::owner_all);
  fs::create_directory(root() / "scratch");
  setenv("CC", (root() / compiler).c_str(), 1);
  setenv("TMPDIR", (root() / "scratch").c_str(), 1);
  const auto outcome =
      run_and_interrupt([&] { return fs::exists(root() / "started"); },
                        {"simulate", mechanism("four_bar"), "--generated", "--until", "0.1"});
  unsetenv("TMPDIR");
  unsetenv("CC");
  EXPECT_EQ(outcome.exit_code, 128 + SIGINT) << outcome.err;
  EXPECT_TRUE(fs::is_empty(root() / "scratch"));
  EXPECT_NE(kill(std::stoi(read("started")), 0), 0);
}

TEST_F(Generate, SimulateNeedsACompilerAndAKernel) {
  setenv("CC", "/nowhere/cc", 1);
  const auto none = run({"simulate", mechanism("four_bar"), "--generated", "--until", "0.1"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(is_one_sentence(none.err));
  EXPECT_TRUE(contains(none.err, "needs a C compiler"));
  const auto dense = run({"simulate", mechanism("four_bar"), "--formulation", "dense",
                          "--generated", "--until", "0.1"});
  EXPECT_EQ(dense.exit_code, 2);
  EXPECT_TRUE(contains(dense.err, "formulation \"dense\" cannot be generated"));
}

}  // namespace
}  // namespace hamiltree::test
