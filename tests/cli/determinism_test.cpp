// The same program on the same machine gives the same bits: in every process, on any number of
// threads, with any number of samples beside a sample. Other instructions give the same to
// rounding.
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/program.hpp"
#include "hamiltree/base/checksum.hpp"
#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/base/text.hpp"

namespace hamiltree::test {
namespace {

using Json = nlohmann::json;

// An environment variable that the program sees while this lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

class Determinism : public Cli {
 protected:
  // The bytes of all that a run leaves, but for the time that it took.
  std::string hash(const fs::path& folder) const {
    Checksum sum(read(folder / "trajectory.csv"));
    sum.add(read(folder / "steps.csv"));
    auto summary = Json::parse(read(folder / "summary.json"));
    summary.erase("wall_seconds");
    sum.add(summary.dump());
    return sum.text();
  }

  std::string simulate(const std::string& model, const std::vector<std::string>& options) const {
    std::vector<std::string> arguments{
        "simulate", mechanism(model), "--until", "0.2", "--out", "run", "-q", "--overwrite"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << model << ": " << outcome.err;
    return outcome.exit_code == 0 ? hash("run") : "";
  }

  // 21 four-bars with steps as given, so many of them, over so many threads.
  std::string sweep(const std::string& steps, int threads) const {
    write("model.toml", read(mechanism("four_bar")));
    write("study.toml",
          "format = 1\nmodel = \"model.toml\"\n[sample]\nmethod = \"latin_hypercube\"\n"
          "count = 21\nseed = 5\n"
          "[[parameter]]\npath = \"joint.A.initial.q\"\nfrom = 0.5\nto = 0.9\n"
          "[[parameter]]\npath = \"body.crank.mass\"\nfrom = 0.5\nto = 2.0\n"
          "[run]\nuntil = 0.5\n" +
              steps + "\n[[output]]\ntake = \"final\"\nchannel = \"q\"\n" +
              "[[output]]\ntake = \"integral\"\nchannel = \"C.position.x\"\n");
    fs::remove_all(root() / "sweep");
    const auto outcome =
        run({"sweep", "study.toml", "--out", "sweep", "--threads", std::to_string(threads), "-q"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return read("sweep/results.csv");
  }
};

TEST_F(Determinism, EveryProcessGivesTheSameBits) {
  const std::map<std::string, std::vector<std::string>> methods{
      {"auto", {}},
      {"adams", {"--formulation", "recursive", "--integrator", "adams"}},
      {"spark_2", {"--formulation", "hdca", "--integrator", "spark_2", "--step", "0.01"}},
  };
  for (const auto* model : {"four_bar", "bricard", "rssr", "spatial_arm", "chain_100", "door",
                            "driven_slider_crank", "gear_pair", "heavy_top"}) {
    for (const auto& [name, options] : methods) {
      if (name == "spark_2" && std::string(model) == "chain_100") continue;  // takes long
      const auto first = simulate(model, options);
      // Neither the memory's former content nor the environment matters.
      const Environment memory("MALLOC_PERTURB_", "165");
      const Environment more("HAMILTREE_OF_NO_MEANING", std::string(3001, 'x'));
      EXPECT_EQ(simulate(model, options), first) << model << ' ' << name;
    }
  }
}

TEST_F(Determinism, AnyNumberOfThreadsGivesTheSameBits) {
  for (const auto* steps : {"integrator = \"rk4\"\nstep = 1e-3", "rtol = 1e-7"}) {
    const auto first = sweep(steps, 1);
    ASSERT_FALSE(first.empty());
    for (const int threads : {2, 3, 4, 8}) EXPECT_EQ(sweep(steps, threads), first) << threads;
  }
}

// Fixed steps are taken eight samples at a time.
TEST_F(Determinism, SamplesNeverFeelThoseBesideThem) {
  const auto whole = sweep("integrator = \"rk4\"\nstep = 1e-3", 1);
  std::istringstream lines(whole);
  std::string line;
  std::getline(lines, line);
  for (int sample = 0; sample < 3; ++sample) {
    ASSERT_TRUE(std::getline(lines, line));
    std::istringstream fields(line);
    std::string index, angle, mass;
    std::getline(fields, index, ',');
    std::getline(fields, angle, ',');
    std::getline(fields, mass, ',');
    write("one.toml",
          "format = 1\nmodel = \"model.toml\"\n[sample]\nmethod = \"list\"\n"
          "[[parameter]]\npath = \"joint.A.initial.q\"\nvalues = [" +
              angle + "]\n[[parameter]]\npath = \"body.crank.mass\"\nvalues = [" + mass +
              "]\n[run]\nuntil = 0.5\nintegrator = \"rk4\"\nstep = 1e-3\n"
              "[[output]]\ntake = \"final\"\nchannel = \"q\"\n"
              "[[output]]\ntake = \"integral\"\nchannel = \"C.position.x\"\n");
    fs::remove_all(root() / "one");
    ASSERT_EQ(run({"sweep", "one.toml", "--out", "one", "-q"}).exit_code, 0);
    const auto alone = read("one/results.csv");
    const auto row = alone.substr(alone.find('\n') + 1);
    EXPECT_EQ(row.substr(row.find(',')), line.substr(line.find(',')) + '\n');
  }
}

// By the agreement rule a rate differs by round-off, of which a few steps do not make much.
TEST_F(Determinism, OtherInstructionsGiveTheSameToRounding) {
  std::vector<std::string> sets{"baseline"};
  for (const auto set : {InstructionSet::kAvx2, InstructionSet::kAvx512})
    if (has(set)) sets.emplace_back(to_name(set));
  if (sets.size() == 1) GTEST_SKIP() << "this machine has one set of instructions";
  for (const auto* model : {"four_bar", "bricard", "spatial_arm", "chain_100"}) {
    std::vector<double> first;
    for (const auto& set : sets) {
      const Environment chosen("HAMILTREE_INSTRUCTIONS", set);
      simulate(model, {"--formulation", "recursive", "--integrator", "rk4", "--step", "1e-3",
                       "--until", "0.02"});
      const auto table = read("run/trajectory.csv");
      std::vector<double> last;
      const auto row = table.rfind('\n', table.size() - 2) + 1;
      std::istringstream fields(table.substr(row, table.size() - 1 - row));
      for (std::string field; std::getline(fields, field, ',');)
        last.push_back(parse_number(field).value());
      if (first.empty()) first = last;
      ASSERT_EQ(last.size(), first.size());
      for (std::size_t i = 0; i < last.size(); ++i)
        EXPECT_NEAR(last[i], first[i], 1e-9 * (1.0 + std::abs(first[i]))) << model << ' ' << set;
    }
  }
}

}  // namespace
}  // namespace hamiltree::test
