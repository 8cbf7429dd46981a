// Command lines that make no sense: exit code 2, one sentence, nothing on stdout.
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "hamiltree/base/version.hpp"

namespace hamiltree::test {
namespace {

class Usage : public Cli {
 protected:
  void expect_refused(const std::vector<std::string>& arguments, const std::string& part) const {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(is_one_sentence(outcome.err));
    EXPECT_TRUE(contains(outcome.err, part));
    EXPECT_TRUE(fs::is_empty(root()));
  }
  // The same for options of `simulate four_bar --out out`.
  void expect_option_refused(const std::vector<std::string>& options,
                             const std::string& part) const {
    std::vector<std::string> arguments{"simulate", mechanism("four_bar"), "--out", "out"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refused(arguments, part);
  }
};

TEST_F(Usage, VersionSaysHowItWasBuilt) {
  const auto outcome = run({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(outcome.out.starts_with(std::string("hamiltree ") + kVersion + " ("));
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Usage, HelpIsOnStdout) {
  const auto general = run({"--help"});
  EXPECT_EQ(general.exit_code, 0);
  EXPECT_TRUE(contains(general.out, "simulate"));
  EXPECT_TRUE(contains(general.out, "Exit codes: 0 ok, 1 simulation failed, 2 usage"));
  EXPECT_EQ(general.err, "");
  for (const char* command : {"simulate", "info"}) {
    const auto outcome = run({command, "--help"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_TRUE(contains(outcome.out, "--set PATH=VALUE"));
    EXPECT_EQ(outcome.err, "");
  }
  EXPECT_TRUE(contains(run({"generate", "--help"}).out, "--no-binary  "));
  const auto diff = run({"diff", "--help"}).out;  // examples of other commands are noise
  EXPECT_TRUE(contains(diff, "hamiltree diff [OPTIONS] FIRST SECOND"));
  EXPECT_TRUE(contains(diff, "hamiltree diff out/four_bar"));
  EXPECT_FALSE(contains(diff, "hamiltree simulate"));
  EXPECT_TRUE(contains(run({"view", "--help"}).out, "hamiltree view out/four_bar\n"));
}

TEST_F(Usage, ACommandIsNeeded) {
  expect_refused({}, "a command is missing; commands are simulate, resume, view, ");
  expect_refused({"dynamics"}, "\"dynamics\" is not a command; commands are simulate, resume, ");
  expect_refused({"smulate"}, "\"smulate\" is not a command, did you mean \"simulate\"?");
  expect_refused({"help", "simulate"}, "\"help\" is not a command, did you mean \"--help\"?");
  const auto model = mechanism("four_bar");
  expect_refused({model}, "is not a command; hamiltree simulate " + model + " simulates a model");
  expect_refused({"simulate"}, "MODEL is required");
}

TEST_F(Usage, UnknownOptions) {
  expect_option_refused({"--tolerance", "1"}, "--tolerance");
  expect_refused({"--tolerance"}, "--tolerance");
  expect_refused({"info", mechanism("four_bar"), "--until", "1"}, "--until");
  expect_refused({"info", mechanism("four_bar"), "another.toml"},
                 "\"another.toml\" is one argument too many for info");
  expect_option_refused({"--untl", "3"},
                        "\"--untl\" is not an option of simulate, did you mean \"--until\"?");
  expect_option_refused({"--output=out"},
                        "\"--output\" is not an option of simulate, did you mean \"--out\"?");
  expect_option_refused({"--integ", "rk4"}, "did you mean \"--integrator\"?");
  expect_refused({"--verson", "info", mechanism("four_bar")},
                 "\"--verson\" is not an option of hamiltree, did you mean \"--version\"?");
  expect_refused({"info", "--", mechanism("four_bar"), "another.toml"}, "\"another.toml\" is one");
}

TEST_F(Usage, OptionsOfAPageNeedThePage) {
  for (const char* option : {"--modes", "--amplitude"})
    expect_refused({"linearize", mechanism("four_bar"), option, "1"},
                   std::string(option) + " requires --report");
}

TEST_F(Usage, PointsLieInTheSpaceOfTheModel) {
  const auto refused = [&](const char* model, const char* option, const char* point,
                           const char* part) {
    expect_refused({"kinematics", mechanism(model), option, point}, part);
  };
  refused("four_bar", "--point", "crank:1,2,3",
          "the point of body \"crank\" leaves the plane: z is 3");
  refused("four_bar", "--reach", "crank:0.3,0=0,0.3,1",
          "the target of body \"crank\" leaves the plane: z is 1");
  refused("stewart", "--point", "platform:1,2", "a body and a point in it as BODY:X,Y,Z");
  refused("stewart", "--reach", "platform:0,0,0=1,2",
          "a point and where it is wanted as BODY:X,Y,Z=X,Y,Z");
}

TEST_F(Usage, AnEmptyValueIsNoneThatWasLeftOut) {
  const auto model = mechanism("four_bar");
  for (const char* option : {"--control", "--keyframe", "--drawing"})
    expect_refused({"info", model, option, ""}, std::string(option) + " must not be empty");
  expect_refused({"linearize", model, "--report", ""}, "--report must not be empty");
  expect_refused({"linearize", model, "--time", ""}, "--time: \"\" is not a number");
  expect_refused({"distributed", mechanism("chain_100"), "--step", "1e-4", "--out", ""},
                 "--out must not be empty");
  expect_refused({"generate", model, "-o", "x.c", "--inputs", ""},
                 "inputs: \"\" is not efforts, drives or wrenches, nor none alone");
  expect_refused({"generate", model, "-o", "x.c", "--inputs", "none,efforts"},
                 "inputs: \"none\" is not efforts");
  for (const char* list : {"A,,D", "A,", ",A", ""}) {
    expect_refused({"linearize", model, "--independent", list},
                   "--independent: \"" + std::string(list) + "\" has an empty value");
  }
  expect_refused({"transmission", model, "--inputs", "A", "--outputs", "D,"},
                 "--outputs: \"D,\" has an empty value");
  expect_refused({"view", "run", "--port", ""}, "--port must be a whole number, 0 or more");
  for (const char* leak : {"", "many", "nan", "inf"})
    expect_option_refused({"--leak", leak},
                          "--leak: \"" + std::string(leak) + "\" is not a number");
}

TEST_F(Usage, RunsTakeSomeTime) {
  expect_refused({"simulate", mechanism("four_bar"), "--until", "1e-300"},
                 "cannot run until 1e-300 s: the shortest run takes 1e-100 s");
}

TEST_F(Usage, AccelerationsAreNumbers) {
  expect_refused({"inverse-dynamics", mechanism("four_bar"), "--joints", "A", "--independent", "A",
                  "--acceleration", "A=nan"},
                 "--acceleration: \"A=nan\" is not JOINT=VALUE");
}

TEST_F(Usage, GeneratedCodeHasNoLanes) {
  expect_option_refused({"--generated", "--lanes", "never"},
                        "--lanes does not go with --generated, whose code has none");
}

TEST_F(Usage, JointsOfATransmissionAreNamedOnce) {
  expect_refused(
      {"generate", mechanism("four_bar"), "-o", "x.hpp", "--actuators", "A,A", "--joints", "D"},
      "actuators: joint \"A\" is named twice");
}

TEST_F(Usage, UnknownNames) {
  expect_option_refused(
      {"--formulation", "crba"},
      "--formulation: \"crba\" is not one of auto, hdca, recursive, dense, dca, aba");
  expect_option_refused(
      {"--integrator", "rk5"},
      "--integrator: \"rk5\" is not one of auto, bogacki_shampine, dormand_prince, adams, bdf");
  expect_option_refused({"--weights", "all"}, "--weights: \"all\" is not one of inertia, equal");
  expect_option_refused({"--reset", "yes"}, "--reset: \"yes\" is neither on nor off");
  expect_option_refused({"--projection", "0"}, "--projection: \"0\" is neither on nor off");
}

TEST_F(Usage, NumbersArePositive) {
  expect_option_refused({"--every", "1e-300"}, "an output every 1e-300 s is too many in 10 s");
  for (const char* option : {"--rtol", "--atol", "--step", "--until", "--every"}) {
    const std::string name = option;
    expect_option_refused({name, "0"}, name + " must be more than 0, it is 0");
    expect_option_refused({name, "-1e-3"}, name + " must be more than 0, it is -1e-3");
    expect_option_refused({name, "fast"}, name + ": \"fast\" is not a number");
    expect_option_refused({name, "1,5"}, name + ": \"1,5\" is not a number");
    expect_option_refused({name, "nan"}, name + ": \"nan\" is not a number");
    expect_option_refused({name, "inf"}, name + ": \"inf\" is not a number");
  }
  for (const std::string text : {"-3", "1.5", "many", "1e12"}) {
    for (const std::string name : {"--segments", "--threads"}) {
      expect_option_refused({name, text},
                            name + " must be a whole number, 0 or more, not \"" + text + "\"");
    }
  }
  expect_option_refused({"--threads", "1025"},
                        "threads must be a whole number up to 1024, not 1025");
}

TEST_F(Usage, StepsAndTolerancesExcludeEachOther) {
  const std::string fixed = ", which has a fixed --step";
  const std::string adaptive = ", which has tolerances, --rtol and --atol";
  expect_option_refused({"--step", "1e-3"}, "--step does not go with --integrator auto" + adaptive);
  expect_option_refused({"--integrator", "bdf", "--step", "1"},
                        "--step does not go with --integrator bdf" + adaptive);
  for (const std::string integrator : {"rk4", "euler", "spark_2"}) {
    const std::string with = " does not go with --integrator " + integrator + fixed;
    expect_option_refused({"--integrator", integrator, "--rtol", "1e-3"}, "--rtol" + with);
    expect_option_refused({"--integrator", integrator, "--atol", "1e-3"}, "--atol" + with);
    expect_option_refused({"--integrator", integrator, "--weights", "equal"}, "--weights" + with);
  }
}

TEST_F(Usage, MethodsThatDoNotFit) {
  expect_option_refused({"--integrator", "gauss_4"}, "spark_2 is the same method with loops");
  expect_option_refused({"--integrator", "spark_2", "--formulation", "aba"},
                        "spark_2 integrates momenta");
  expect_option_refused({"--integrator", "spark_2", "--leak", "1"}, "takes no leak");
  expect_option_refused({"--leak", "-1"}, "the leak must not be negative");
  expect_option_refused({"--integrator", "adams", "--energy-scaling", "on"},
                        "energy scaling cannot be used with adams");
}

TEST_F(Usage, OverridesThatLeadNowhere) {
  expect_option_refused({"--set", "body.crank.mass"}, "--set body.crank.mass: write path=value");
  expect_option_refused({"--set", "body.cranc.mass=1"}, "did you mean \"crank\"?");
  expect_option_refused({"--set", "body.crank.mas=1"}, "did you mean \"mass\"?");
}

TEST_F(Usage, TheFolderHasAName) { expect_option_refused({"--out", ""}, "--out needs the name"); }

TEST_F(Usage, TheLastOfTwoCounts) {
  const auto outcome =
      run({"simulate", mechanism("double_pendulum"), "--until", "9", "--until", "0.5", "--json"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["until"], 0.5);
}

}  // namespace
}  // namespace hamiltree::test
