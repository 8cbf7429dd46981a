// hamiltree simulate: what is printed where, what is written, what each option does.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cli/program.hpp"

namespace hamiltree::test {
namespace {

using Json = nlohmann::json;

class Simulate : public Cli {
 protected:
  Outcome simulate(const std::string& model, std::vector<std::string> options) const {
    options.insert(options.begin(), {"simulate", mechanism(model)});
    return run(options);
  }
  Json summary(const std::string& model, std::vector<std::string> options) const {
    options.emplace_back("--json");
    const auto outcome = simulate(model, options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return Json::parse(outcome.out);
  }
  std::set<std::string> files_in(const fs::path& folder) const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(root() / folder)) {
      names.insert(entry.path().filename());
    }
    return names;
  }
};

// Explodes within a few steps: a spring that the step is far too long for.
const std::vector<std::string> kExplodes{
    "--set", "joint.A.spring.stiffness=1e12", "--integrator", "rk4", "--step", "0.1"};

TEST_F(Simulate, PrintsASummaryAndWritesNothing) {
  const auto outcome = simulate("four_bar", {"--until", "1"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* part :
       {"four_bar: planar, 3 bodies, 4 joints, 1 loop", "1 degree of freedom, 0 redundant",
        "auto (dormand_prince), rtol 1e-9, atol 1e-9, weights inertia; reset on, projection on",
        "1 s of 1 s simulated", "initial 2.42 J", "largest relative error", "loops open by",
        "recursive, by auto: nothing is faster", "recursive, 3 bodies in order, planar pins"}) {
    EXPECT_TRUE(contains(outcome.out, part));
  }
  EXPECT_TRUE(fs::is_empty(root()));
}

TEST_F(Simulate, SaysThatASpatialModelIsComputedInItsPlane) {
  const auto outcome = simulate("four_bar_spatial", {"--until", "1"});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* part :
       {"four_bar_spatial: spatial, 3 bodies", "1 degree of freedom, 3 redundant",
        "planar pins, in the plane normal to 0 0 1"}) {
    EXPECT_TRUE(contains(outcome.out, part));
  }
  const auto in_plane = summary("four_bar_spatial", {"--until", "1"});
  EXPECT_FALSE(in_plane["integrator"].contains("plane"));
  const auto in_space = summary("four_bar_spatial", {"--until", "1", "--plane", "off"});
  EXPECT_EQ(in_space["integrator"]["plane"], false);
  EXPECT_FALSE(contains(in_space["plan"].get<std::string>(), "in the plane"));
  EXPECT_EQ(in_space["model"], in_plane["model"]);
}

TEST_F(Simulate, ShowsALongChainInSegmentsAsItIs) {
  const std::vector<std::string> options{"--until", "0.1", "--formulation", "recursive"};
  auto in_segments = options;
  in_segments.insert(in_segments.end(), {"--segments", "8"});
  const auto outcome = simulate("chain_100", in_segments);
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* part : {"100 degrees of freedom", "13 floating segments of up to 8",
                           "segments of 8 bodies", "segments apart by"}) {
    EXPECT_TRUE(contains(outcome.out, part));
  }
  const auto parts = summary("chain_100", in_segments);
  EXPECT_EQ(parts["integrator"]["segments"], 8);
  EXPECT_EQ(parts["model"], summary("chain_100", options)["model"]);
}

TEST_F(Simulate, JsonIsTheSummaryDocumentAndNothingElse) {
  const auto outcome = simulate("four_bar", {"--until", "1", "--json", "--out", "out"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, read("out/summary.json"));
  Json document = Json::parse(outcome.out);
  EXPECT_EQ(document["status"], "completed");
  EXPECT_GT(document["wall_seconds"], 0.0);

  // A second run differs in its wall-clock time only.
  Json again = summary("four_bar", {"--until", "1"});
  document.erase("wall_seconds");
  again.erase("wall_seconds");
  EXPECT_EQ(document, again);
}

TEST_F(Simulate, WritesTheOutputFolder) {
  const auto outcome =
      simulate("four_bar", {"--until", "1", "--every", "0.25", "--out", "deep/out"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(files_in("deep/out"),
            (std::set<std::string>{"report.html", "steps.csv", "summary.json", "trajectory.csv"}));
  EXPECT_TRUE(contains(outcome.out, "Report: deep/out/report.html\n"));
  std::istringstream table(read("deep/out/trajectory.csv"));
  std::vector<std::string> times;
  for (std::string line; std::getline(table, line);)
    times.push_back(line.substr(0, line.find(',')));
  EXPECT_EQ(times, (std::vector<std::string>{"t", "0", "0.25", "0.5", "0.75", "1"}));
}

TEST_F(Simulate, FiveHundredIntervalsByDefault) {
  simulate("double_pendulum", {"--until", "1", "--out", "out"});
  const auto table = read("out/trajectory.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 501);
}

TEST_F(Simulate, TenSecondsByDefault) {
  const auto document = summary("double_pendulum", {});
  EXPECT_EQ(document["until"], 10.0);
  EXPECT_EQ(document["reached"], 10.0);
  EXPECT_EQ(document["formulation"], "recursive");
  EXPECT_EQ(document["formulation_reason"],
            "nothing is faster, and no other keeps more digits here");
  EXPECT_EQ(document["integrator"], (Json{{"name", "auto"},
                                          {"rtol", 1e-9},
                                          {"atol", 1e-9},
                                          {"weights", "inertia"},
                                          {"reset", true},
                                          {"projection", true}}));
}

TEST_F(Simulate, SaysWhenAutoChangedTheMethod) {
  const std::vector<std::string> options{"--until", "0.2"};
  const auto changes = summary("iftomm_a05_flyball_governor", options)["integrator"]["changes"];
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0]["to"], "bdf");
  EXPECT_LT(changes[0]["t"], 0.2);
  EXPECT_TRUE(contains(simulate("iftomm_a05_flyball_governor", options).out,
                       "auto (dormand_prince -> bdf at 0.0"));
}

TEST_F(Simulate, OptionsReachTheSimulation) {
  const auto adaptive =
      summary("four_bar", {"--until", "0.5", "--formulation", "dense", "--rtol", "1e-6", "--atol",
                           "1e-7", "--weights", "equal", "--reset", "off", "--projection", "off"});
  EXPECT_EQ(adaptive["formulation"], "dense");
  EXPECT_EQ(adaptive["integrator"], (Json{{"name", "auto"},
                                          {"rtol", 1e-6},
                                          {"atol", 1e-7},
                                          {"weights", "equal"},
                                          {"reset", false},
                                          {"projection", false}}));
  const auto fixed = summary("double_pendulum", {"--until", "0.5", "--formulation", "recursive",
                                                 "--integrator", "rk4", "--step", "0.005"});
  EXPECT_EQ(fixed["formulation"], "recursive");
  EXPECT_EQ(fixed["integrator"]["name"], "rk4");
  EXPECT_EQ(fixed["integrator"]["step"], 0.005);
  EXPECT_EQ(fixed["steps"], 100);  // an output after each: five hundred would cut them short
  const auto cut = summary("double_pendulum", {"--until", "0.5", "--integrator", "rk4", "--step",
                                               "0.005", "--every", "0.001"});
  EXPECT_EQ(cut["steps"], 500);  // output times are stepped to
  const auto loop = summary("four_bar", {"--until", "0.5", "--formulation", "recursive"});
  EXPECT_EQ(loop["formulation"], "recursive");
  EXPECT_LE(loop["constraint"]["position_max"], 1e-11);
  const auto euler = summary("double_pendulum", {"--until", "0.5", "--integrator", "euler"});
  EXPECT_EQ(euler["integrator"]["step"], 1e-4);
  EXPECT_EQ(euler["steps"], 5000);
}

TEST_F(Simulate, SetChangesTheModel) {
  // At 45 degrees, gravity only: energies are proportional to the masses.
  const double energy = summary("four_bar", {"--until", "0.1"})["energy"]["initial"];
  const double doubled = summary(
      "four_bar", {"--until", "0.1", "--set", "body.crank.mass=1", "--set", "body.coupler.mass=1",
                   "--set", "body.rocker.mass=1"})["energy"]["initial"];
  EXPECT_NEAR(doubled, 2.0 * energy, 1e-12);
  const double weightless =
      summary("four_bar", {"--until", "0.1", "--set", "gravity=[0, 0]"})["energy"]["initial"];
  EXPECT_EQ(weightless, 0.0);
}

TEST_F(Simulate, QuietPrintsErrorsOnly) {
  const auto good = simulate("double_pendulum", {"--until", "0.1", "--quiet", "--out", "out"});
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_EQ(good.out + good.err, "");
  EXPECT_TRUE(fs::exists(root() / "out/summary.json"));
  const auto json = simulate("double_pendulum", {"--until", "0.1", "-q", "--json"});
  EXPECT_EQ(Json::parse(json.out)["status"], "completed");
  const auto bad = run({"simulate", "nothing.toml", "--quiet"});
  EXPECT_TRUE(is_one_sentence(bad.err));
}

// docs/formats/trajectory.md says how large files become.
TEST_F(Simulate, FilesAreAsLargeAsSaid) {
  const auto lines = [&](const char* file) {
    const auto text = read(file);
    return std::count(text.begin(), text.end(), '\n');
  };
  const auto fixed = summary("four_bar", {"--integrator", "rk4", "--step", "1e-3", "--until", "10",
                                          "--every", "0.02", "--out", "fixed"});
  EXPECT_EQ(fixed["steps"], 10000);
  EXPECT_EQ(lines("fixed/trajectory.csv"), 502);
  EXPECT_EQ(lines("fixed/steps.csv"), 501);  // the first sample comes before any step
  const auto table = read("fixed/trajectory.csv");
  const auto columns =
      std::count(table.begin(), table.begin() + static_cast<long>(table.find('\n')), ',') + 1;
  EXPECT_NEAR(static_cast<double>(table.size()), 19.0 * static_cast<double>(columns) * 501.0,
              0.1 * static_cast<double>(table.size()));
  const auto chosen = summary("four_bar", {"--until", "10", "--every", "0.02", "--out", "chosen"});
  EXPECT_EQ(lines("chosen/steps.csv"), chosen["steps"].get<long>() + 1);
  EXPECT_NEAR(static_cast<double>(read("chosen/steps.csv").size()),
              45.0 * chosen["steps"].get<double>(), 5.0 * chosen["steps"].get<double>());
}

TEST_F(Simulate, AFailureLeavesWhatWasReached) {
  auto options = kExplodes;
  options.insert(options.end(), {"--out", "out", "--json"});
  const auto outcome = simulate("four_bar", options);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(is_one_sentence(outcome.err));
  EXPECT_TRUE(contains(outcome.err, "hamiltree: t = "));
  EXPECT_TRUE(contains(outcome.err, "the loop that joint \"D\" closes is open by"));
  EXPECT_EQ(outcome.out, read("out/summary.json"));
  const auto document = Json::parse(outcome.out);
  EXPECT_EQ(document["status"], "failed");
  EXPECT_EQ("hamiltree: " + document["error"].get<std::string>() + "\n", outcome.err);
  EXPECT_LT(document["reached"], 10.0);
  EXPECT_EQ(files_in("out"),
            (std::set<std::string>{"report.html", "steps.csv", "summary.json", "trajectory.csv"}));
}

TEST_F(Simulate, AFailureWithoutAFolderWritesNothing) {
  const auto outcome = simulate("four_bar", kExplodes);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(is_one_sentence(outcome.err));
  EXPECT_TRUE(contains(outcome.out, "failed"));
  EXPECT_TRUE(fs::is_empty(root()));
}

TEST_F(Simulate, StepsThatWouldNeverArrive) {
  const auto outcome = simulate("four_bar", {"--integrator", "euler", "--step", "1e-300"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(contains(outcome.err, "steps of 1e-300 s are too small"));
}

TEST_F(Simulate, AFolderThatCannotBeMadeIsFoundAtOnce) {
  write("file", "");
  // So long a run would never end.
  const auto outcome =
      simulate("four_bar", {"--until", "1e9", "--every", "1e9", "--out", "file/out"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_TRUE(is_one_sentence(outcome.err));
  EXPECT_TRUE(contains(outcome.err, "cannot write to file/out"));
  EXPECT_TRUE(contains(outcome.err, "Not a directory"));
}

TEST_F(Simulate, ManyEventsDoNotHideWhatFollows) {
  const auto model = write("swing.toml", read(mechanism("four_bar")) +
                                             "\n[[event]]\nname = \"turned\"\n"
                                             "channel = \"rocker_angle.v\"\nvalue = 0\n");
  const auto outcome = run({"simulate", model, "--until", "20"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto summary = Json::parse(run({"simulate", model, "--until", "20", "--json"}).out);
  const auto count = summary["events"].size();
  ASSERT_GT(count, 20U);
  std::size_t told = 0;
  for (std::size_t at = 0; (at = outcome.out.find("turned at t = ", at)) != std::string::npos; ++at)
    ++told;
  EXPECT_EQ(told, 12U);
  EXPECT_TRUE(contains(outcome.out, std::to_string(count - 12) + " more: all " +
                                        std::to_string(count) + " are in summary.json"))
      << outcome.out;
}

TEST_F(Simulate, StdoutThatIsFullIsAnError) {
  // A disk that is always full stands for a pipe or a file that cannot be written.
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  const auto outcome = run_into("/dev/full", {"info", mechanism("four_bar")});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, "hamiltree: cannot write to standard output\n");
}

}  // namespace
}  // namespace hamiltree::test
