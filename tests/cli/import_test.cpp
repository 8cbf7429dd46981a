// Model files of other formats on the command line: warnings, strictness, conversion, resuming.
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace hamiltree::test {
namespace {

std::string model(const std::string& name) {
  return std::string(HAMILTREE_TEST_MODELS) + "/" + name;
}

class Import : public Cli {};

TEST_F(Import, InfoTellsWhatWasReadAndWhatWasNot) {
  const auto outcome = run({"info", model("arm.urdf")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "shoulder  revolute"));
  EXPECT_TRUE(contains(outcome.err, "hamiltree: warning: " + model("arm.urdf") + ":"));
  EXPECT_TRUE(contains(outcome.err, "ignored: 1 transmission\n"));
}

TEST_F(Import, InfoAndConvertCanBeQuiet) {
  for (const char* command : {"info", "convert"}) {
    const auto outcome = run({command, model("arm.urdf"), "--quiet"});
    EXPECT_EQ(outcome.exit_code, 0) << command;
    EXPECT_EQ(outcome.err, "") << command;
    EXPECT_NE(outcome.out, "") << command;
  }
}

// Forces become native text on the way, which has other lines.
TEST_F(Import, ForcesThatAreRefusedNameTheirLine) {
  const auto refused = [&](const std::string& file, const std::string& text, const char* said) {
    const auto outcome = run({"info", write(file, text)});
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_TRUE(contains(outcome.err, said)) << outcome.err;
  };
  const auto rope = [](const std::string& attribute) {
    return "<mujoco><worldbody><site name='w' pos='0 0 1'/>\n<body><joint axis='0 1 0'/>"
           "<geom size='0.1' pos='0.2 0 0'/><site name='s' pos='0.3 0 0'/></body></worldbody>\n"
           "<tendon>\n<spatial name='t' " +
           attribute + "='-5'><site site='w'/><site site='s'/></spatial></tendon></mujoco>";
  };
  for (const std::string attribute : {"stiffness", "damping"}) {
    const auto said =
        "hamiltree: rope.xml:4: force \"t\": " + attribute + " must not be negative, it is -5\n";
    refused("rope.xml", rope(attribute), said.c_str());
  }
  refused("twice.xml",
          "<mujoco><worldbody><body><joint name='j'/><geom size='0.1' pos='0.2 0 0'/></body>"
          "</worldbody>\n<tendon>\n<fixed name='t' stiffness='5'><joint joint='j' coef='1'/>"
          "<joint joint='j' coef='2'/></fixed></tendon></mujoco>",
          "hamiltree: twice.xml:3: force \"t\": names joint \"j\" twice\n");
}

TEST_F(Import, ADamagedHeadIsCalledThat) {
  const auto file = write("bad.urdf", "%robot>\n</robot>");
  EXPECT_EQ(run({"info", file}).err,
            "hamiltree: bad.urdf:1: is no XML, it does not begin with an element\n");
}

TEST_F(Import, ActuatorsTakeControlsFromAFile) {
  const auto controls = write("controls.toml", "[control]\nturn = 0.25\n");
  const auto given = run({"convert", model("actuators.xml"), "--control", controls, "-q"});
  EXPECT_TRUE(contains(given.out, "name = \"turn\"")) << given.err;
  EXPECT_TRUE(contains(given.out, "coefficients = [0.25]"));
  const auto none = run({"convert", model("actuators.xml"), "--no-actuators", "-q"});
  EXPECT_FALSE(contains(none.out, "name = \"turn\"")) << none.err;
  const auto wrong = write("wrong.toml", "[control]\nturm = 0.25\n");
  EXPECT_EQ(run({"info", model("actuators.xml"), "--control", wrong}).exit_code, 3);
}

TEST_F(Import, OptionsOfOtherFormatsAreRefused) {
  const auto urdf = model("arm.urdf"), mjcf = model("actuators.xml");
  const auto native = write("native.toml", "format = 1\nname = \"native\"\nspace = \"planar\"\n");
  const auto controls = write("controls.toml", "[control]\nturn = 0.25\n");
  const auto refused = [&](const std::vector<std::string>& arguments) {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments.back();
    return outcome.err;
  };
  EXPECT_EQ(refused({"info", urdf, "--keyframe", "home"}),
            "hamiltree: keyframe is for MJCF, and " + urdf + " is URDF\n");
  EXPECT_EQ(refused({"info", native, "--control", controls}),
            "hamiltree: control is for MJCF and URDF, and " + native + " is a native file\n");
  EXPECT_EQ(refused({"convert", mjcf, "--fixed-base"}),
            "hamiltree: fixed base is for URDF and SDF, and " + mjcf + " is MJCF\n");
  EXPECT_EQ(refused({"convert", urdf, "--no-actuators"}),
            "hamiltree: no actuators is for MJCF, and " + urdf + " is URDF\n");
}

TEST_F(Import, SimulatesAndChangesValues) {
  const auto outcome = run({"simulate", model("loop_joint.urdf"), "--set", "body.crank.mass=3",
                            "--set", "gravity=[0, 0, -1.62]", "--until", "1", "--json", "-q"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const auto summary = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(summary["model"]["name"], "four_bar");
  EXPECT_LT(summary["constraint"]["position_max"], 1e-12);
}

TEST_F(Import, StrictRefuses) {
  const auto outcome = run({"info", model("arm.urdf"), "--strict"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(outcome.err, "(--strict)"));
}

TEST_F(Import, ErrorsNameFileAndLine) {
  const auto file = write("bad.urdf", "<robot>\n<link name='a'/>\n<joint name='j'/>\n</robot>");
  const auto outcome = run({"simulate", file, "--out", "out"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, "hamiltree: bad.urdf:3: <joint name=\"j\">: attribute type is missing\n");
  EXPECT_FALSE(fs::exists(root() / "out"));
}

// A loop that cannot close is an error at the line of the file, not of the text made of it.
TEST_F(Import, LaterErrorsNameTheFileToo) {
  const std::string mass =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
  const auto file = write(
      "gap.urdf", "<robot>\n<link name='base'/>\n<link name='a'>" + mass +
                      "</link>\n<joint name='j' type='continuous'><parent link='base'/>"
                      "<child link='a'/></joint>\n<loop name='l' type='spherical'>"
                      "<predecessor link='base'><origin xyz='0 5 0'/></predecessor>"
                      "<successor link='a'><origin xyz='0 1 0'/></successor></loop>\n</robot>");
  const auto outcome = run({"info", file});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_TRUE(contains(outcome.err, "hamiltree: gap.urdf:5: joint \"l\": the loop that it closes"))
      << outcome.err;
}

TEST_F(Import, Converts) {
  EXPECT_EQ(run({"convert", model("frames.sdf"), "--out", "a.toml"}).exit_code, 0);
  EXPECT_EQ(run({"convert", "a.toml", "--out", "b.xml"}).exit_code, 0);
  const auto back = run({"info", "b.xml", "--json"});
  EXPECT_EQ(back.exit_code, 0) << back.err;
  EXPECT_EQ(nlohmann::json::parse(back.out)["loops"], 1);
  const auto refused = run({"convert", "a.toml", "--out", "c.urdf"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_TRUE(contains(refused.err, "closes a loop, which URDF cannot say"));
  EXPECT_FALSE(fs::exists(root() / "c.urdf"));
  EXPECT_EQ(run({"convert", "a.toml", "--out", "c.step"}).exit_code, 2);
  EXPECT_TRUE(
      contains(run({"convert", "a.toml", "--to", "mjcf"}).out, "<mujoco model=\"frames\">"));
}

TEST_F(Import, SaysWhatItDoesNotWrite) {
  const auto file = write("swing.toml", R"(
format = 1
space = "spatial"
gravity = [0, 0, -9.81]
[[body]]
name = "bar"
mass = 1
com = [0.1, 0, 0]
inertia = [0.1, 0.1, 0.3]
accept_inertia = true
[[joint]]
name = "pin"
type = "revolute"
parent = "ground"
child = "bar"
initial = { q = 0.5, v = 2.0 }
limits = { lower = -1, upper = 1, stiffness = 1e4 }
[[sensor]]
name = "pin"
type = "joint"
joint = "pin"
[[event]]
name = "through"
channel = "pin.q"
)");
  const std::string rest =
      "velocities at the start, how hard stops are, that inertias are accepted which no body has, "
      "sensors, events\n";
  EXPECT_EQ(run({"convert", file, "--to", "mjcf"}).err, "hamiltree: not written in mjcf: " + rest);
  EXPECT_EQ(run({"convert", file, "--to", "urdf"}).err,
            "hamiltree: not written in urdf: where joints start, " + rest);
  EXPECT_EQ(run({"convert", file, "--to", "urdf", "-q"}).err, "");
  EXPECT_EQ(run({"convert", file}).err, "");
}

// Gravity is the motion's, and so is where a body floats; URDF has a place for neither.
TEST_F(Import, SaysThatUrdfHasNoGravity) {
  const auto file = write("float.toml", R"(
format = 1
space = "spatial"
gravity = [0, 0, -1.62]
[[body]]
name = "bar"
mass = 1
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "f"
type = "free"
parent = "ground"
child = "bar"
at_parent = { axis_angle = [1, 0, 0, 0.5] }
)");
  EXPECT_EQ(run({"convert", file, "--to", "urdf"}).err,
            "hamiltree: not written in urdf: gravity, where joints start\n");
  EXPECT_EQ(run({"convert", file, "--to", "mjcf"}).err, "");
}

// The loop is closed by a search, which another last digit may lead elsewhere.
TEST_F(Import, WritesWhereLoopsOfRobotsClose) {
  const std::string mass =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
  const auto bar = [&](const std::string& name, const std::string& parent) {
    return "<link name='" + name + "'>" + mass + "</link><joint name='to_" + name +
           "' type='continuous'><origin xyz='0 1 0'/><parent link='" + parent + "'/><child link='" +
           name + "'/><axis xyz='0 0 1'/></joint>";
  };
  const auto file = write("open.urdf", "<robot name='open'><link name='world'/>" +
                                           bar("a", "world") + bar("b", "a") + bar("c", "b") +
                                           "<loop name='l' type='revolute'>"
                                           "<predecessor link='world'><origin xyz='1 0.5 0'/>"
                                           "</predecessor><successor link='c'><origin xyz='0 1 0'/>"
                                           "</successor><axis xyz='0 0 1'/></loop></robot>");
  const auto converted = run({"convert", file, "-q"});
  EXPECT_EQ(converted.exit_code, 0) << converted.err;
  EXPECT_TRUE(contains(converted.out, "guess = { q = ")) << converted.out;
}

// Models without mass can still be read and written.
TEST_F(Import, ConvertsWhatCannotBeSimulated) {
  const auto file = write("light.urdf",
                          "<robot><link name='a'/><link name='b'/><joint name='j' "
                          "type='continuous'><parent link='a'/><child link='b'/></joint></robot>");
  EXPECT_EQ(run({"convert", file}).exit_code, 0);
  EXPECT_EQ(run({"simulate", file}).exit_code, 3);
}

TEST_F(Import, RunsAreTakenUpWithoutTheFile) {
  if (!has_terminals()) GTEST_SKIP() << "this machine gives out no pseudo-terminals";
  const auto file = write("swing.urdf", read(model("loop_joint.urdf")));
  const auto outcome = run_on_terminal(
      {"simulate", file, "--integrator", "rk4", "--step", "1e-4", "--until", "20", "--out", "run"},
      {}, 1);
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  fs::remove(root() / file);
  const auto resumed = run({"resume", "run", "-q"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
}

}  // namespace
}  // namespace hamiltree::test
