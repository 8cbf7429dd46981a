// hamiltree-lab bench, as a user meets it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cli/program.hpp"

namespace hamiltree::test {
namespace {

using Bench = LabCli;
using Json = nlohmann::json;

TEST_F(Bench, PrintsJsonAndWritesAReport) {
  const auto outcome = run({"bench", "--quick", "--json", "--out", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto found = Json::parse(outcome.out);
  EXPECT_GT(found["limits"]["vector_flops"], 0.0);
  std::set<std::string> engines;
  for (const auto& engine : found["engines"]) {
    engines.insert(engine["name"]);
    EXPECT_TRUE(engine.contains(engine["present"].get<bool>() ? "version" : "install"));
  }
  EXPECT_EQ(engines, (std::set<std::string>{"Pinocchio", "Pinocchio lcaba", "MuJoCo", "Bullet",
                                            "DART", "Simbody"}));
  EXPECT_EQ(found["families"].size(), 13U);
  for (const auto& family : found["families"]) {
    const bool has_jacobians = family["name"] == "derivatives";
    for (const auto& one : family["cases"]) {
      const auto& first = one["contests"][0];
      EXPECT_EQ(first["engine"], has_jacobians ? "hamiltree jacobians" : "hamiltree recursive");
      EXPECT_EQ(first["outcome"], "timed");
      EXPECT_LT(first["difference"], 1e-9);
      // Those of machines and of Jacobians are not counted.
      EXPECT_EQ(first.value("flops", 0.0) > 0.0, !has_jacobians && family["name"] != "machines");
      for (const auto& contest : one["contests"]) EXPECT_NE(contest["outcome"], "disagrees");
    }
  }
  EXPECT_EQ(read("out/bench.json"), outcome.out);
  EXPECT_TRUE(contains(read("out/report.md"), "hamiltree recursive"));
  EXPECT_TRUE(contains(read("out/tables/engines.csv"), "Simbody"));
}

TEST_F(Bench, ShowsMissingEnginesAsMissing) {
  const auto outcome = run({"bench", "--quick", "--only", "arm", "--peers", "nowhere"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "MuJoCo: missing, "));
  EXPECT_TRUE(contains(outcome.out, "the Python wheel `mujoco`"));
  EXPECT_TRUE(contains(outcome.out, "hamiltree recursive"));
  EXPECT_TRUE(contains(outcome.out, "Report: out/bench/report.html"));
}

TEST_F(Bench, NamesTheFamiliesThatThereAre) {
  for (const char* name : {"", "arms"}) {
    const auto outcome = run({"bench", "--only", name});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_TRUE(is_one_sentence(outcome.err));
    EXPECT_TRUE(contains(outcome.err, "\" is not one of chain, planar_chain, tree, humanoid"));
  }
}

TEST_F(Bench, TakesNoOtherFileForAnEngine) {
  write("simbody.so", "not a library");
  const auto outcome = run({"bench", "--quick", "--only", "arm", "--peers", ".", "--out", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "Simbody: missing, "));
}

TEST_F(Bench, IsRefusedByName) {
  const auto outcome = run({"bench", "--quick", "--only", "bicycle"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(is_one_sentence(outcome.err));
}

}  // namespace
}  // namespace hamiltree::test
