// hamiltree bench: what it tells of a model; how long things take is nobody's to promise.
#include <nlohmann/json.hpp>
#include <set>

#include "cli/program.hpp"

namespace hamiltree::test {
namespace {

using Json = nlohmann::json;

class ModelBenchCommand : public Cli {
 protected:
  Json json(const std::string& file) const {
    const auto outcome = run({"bench", file, "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
};

TEST_F(ModelBenchCommand, TimesEveryFormulationTheDefaultFirst) {
  const auto document = json(mechanism("four_bar_spatial"));
  EXPECT_EQ(document["format"], 1);
  EXPECT_EQ(document["name"], "four_bar_spatial");
  EXPECT_EQ(document["bodies"], 3);
  EXPECT_EQ(document["formulations"][0]["name"], "recursive");
  std::set<std::string> names;
  for (const auto& f : document["formulations"]) {
    names.insert(f["name"]);
    EXPECT_GT(f["rate_ns"], 0.0) << f;
    EXPECT_EQ(f["jacobian_ns"].is_number(), f["name"] != "dca" && f["name"] != "aba") << f;
    // A step takes more than one rate.
    EXPECT_GT(f["step_ns"], f["rate_ns"]) << f;
    const bool traced = f["name"] == "recursive" || f["name"] == "hdca";
    EXPECT_EQ(f["operations"].is_number(), traced) << f;
  }
  EXPECT_EQ(names, (std::set<std::string>{"recursive", "hdca", "dense", "dca", "aba"}));
  EXPECT_GT(document["formulations"][0]["operations"], 100);
  EXPECT_GT(document["batch_ns"], 0.0);
  EXPECT_EQ(document["batch_in_lanes"], true);  // in its plane
}

TEST_F(ModelBenchCommand, PrintsATable) {
  const auto outcome = run({"bench", mechanism("double_pendulum")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* part : {"double_pendulum, 2 bodies", "formulation", "recursive",
                           "default: ", "batch of 1024 states: ", " a state, eight at a time"}) {
    EXPECT_TRUE(contains(outcome.out, part)) << outcome.out;
  }
}

TEST_F(ModelBenchCommand, OptionsGoToTheFormulationsThatHaveThem) {
  const auto outcome = run({"bench", mechanism("four_bar"), "--baumgarte", "10", "--leak", "1"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_FALSE(contains(outcome.out, "takes no"));
}

TEST_F(ModelBenchCommand, RefusesAFileThatIsNotThere) {
  EXPECT_EQ(run({"bench", "nowhere.toml"}).exit_code, 3);
}

}  // namespace
}  // namespace hamiltree::test
