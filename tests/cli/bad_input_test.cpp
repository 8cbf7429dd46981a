// Files that cannot be accepted: exit code 3, one sentence with file, line and element, and nothing
// made on the disk. Exit code 2 where an option is at fault.
#include <algorithm>
#include <string>
#include <utility>

#include "cli/program.hpp"

namespace hamiltree::test {
namespace {

const std::string kPlanar = "format = 1\nspace = \"planar\"\ngravity = [0.0, -9.81]\n";
const std::string kSpatial = "format = 1\nspace = \"spatial\"\ngravity = [0.0, 0.0, -9.81]\n";

std::string body(const std::string& name, const std::string& mass = "1",
                 const std::string& inertia = "0.1") {
  return "[[body]]\nname = \"" + name + "\"\nmass = " + mass + "\ninertia = " + inertia + "\n";
}

std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& more = "") {
  return "[[joint]]\nname = \"" + name + "\"\ntype = \"revolute\"\nparent = \"" + parent +
         "\"\nchild = \"" + child + "\"\n" + more;
}

class BadInput : public Cli {
 protected:
  // Simulates `text` and expects "hamiltree: bad.toml:LINE: SENTENCE".
  void expect_refused(const std::string& text, int line, const std::string& sentence) const {
    write("bad.toml", text);
    for (const char* command : {"simulate", "info"}) {
      std::vector<std::string> arguments{command, "bad.toml"};
      if (arguments[0] == "simulate") arguments.insert(arguments.end(), {"--out", "out", "--json"});
      const auto outcome = run(arguments);
      EXPECT_EQ(outcome.exit_code, 3);
      EXPECT_EQ(outcome.out, "");
      EXPECT_TRUE(is_one_sentence(outcome.err));
      EXPECT_TRUE(contains(outcome.err, "hamiltree: bad.toml:" + std::to_string(line) + ": "));
      EXPECT_TRUE(contains(outcome.err, sentence));
      EXPECT_FALSE(fs::exists(root() / "out"));
      EXPECT_EQ(std::distance(fs::directory_iterator(root()), fs::directory_iterator()), 1);
    }
  }
};

TEST_F(BadInput, MissingBody) {
  expect_refused(kPlanar + body("rod") + joint("A", "ground", "rood"), 12,
                 "joint \"A\": child \"rood\" is not a body of this mechanism");
}

TEST_F(BadInput, JointToItself) {
  expect_refused(kPlanar + body("rod") + joint("A", "ground", "rod") + joint("B", "rod", "rod"), 13,
                 "joint \"B\": connects \"rod\" to itself");
}

TEST_F(BadInput, NegativeMass) {
  expect_refused(kPlanar + body("rod", "-2") + joint("A", "ground", "rod"), 6,
                 "body \"rod\": mass must not be negative, it is -2");
}

TEST_F(BadInput, InertiaThatBreaksTheTriangleInequality) {
  expect_refused(kSpatial + body("rod", "1", "[1, 1, 3]") + joint("A", "ground", "rod"), 7,
                 "body \"rod\": inertia breaks the triangle inequality");
}

// The line is that of the key that is wrong, in tables within the element too.
TEST_F(BadInput, NegativeDampingBesideASpring) {
  const std::string spring = "spring = { stiffness = 1.0 }\n",
                    damper = "damper = { damping = -1 }\n";
  for (const auto& [more, line] :
       {std::pair(spring + damper, 14), std::pair(damper + spring, 13), std::pair(damper, 13),
        std::pair(spring + "[joint.damper]\ndamping = -1\n", 15)}) {
    expect_refused(kPlanar + body("rod") + joint("A", "ground", "rod", more), line,
                   "spring and damper of joint \"A\": damping must not be negative, it is -1");
  }
}

TEST_F(BadInput, KeysOfElementsOnLinesOfTheirOwn) {
  const std::string pendulum = kPlanar + body("rod") + joint("A", "ground", "rod");
  const auto refused = [&](const std::string& more, int line, const std::string& sentence) {
    expect_refused(pendulum + more, line, sentence);
  };
  refused("limits = { lower = 0.0,  upper = 1.0, stiffness = 1.0, damping = -1 }\n", 13, "damping");
  refused("[joint.limits]\nlower = 2.0\nupper = 1.0\nstiffness = 1.0\n", 14, "lower must be below");
  refused("[joint.drive]\ntype = \"smooth_step\"\nto = 1.0\nduration = -1.0\n", 16,
          "joint \"A\": drive.duration must be positive");
  refused("armature = -0.1\n", 13, "armature must not be negative");
  refused("branch = 0\n", 13, "branch must be the number of a motion");
  refused("pitch = 1.0\n", 13, "a revolute joint has no pitch");
  const std::string force = "[[force]]\nname = \"F\"\n";
  refused(force +
              "type = \"spring_damper\"\nbody_a = \"ground\"\nbody_b = \"rod\"\nstiffness = 1.0\n"
              "damping = -2.0\n",
          19, "force \"F\": damping must not be negative, it is -2");
  refused(force + "type = \"spring_damper\"\nbody_a = \"ground\"\nbody_b = \"rood\"\n", 17,
          "force \"F\": body \"rood\" is not a body");
  // The key is not the first word of the sentence.
  refused(force + "type = \"curve_spring\"\njoint = \"A\"\ndeflections = [0, 1]\nefforts = [0]\n",
          18, "force \"F\": has 1 efforts for 2 deflections");
  // Two points that are not given as body_a and body_b.
  const std::string rope = "type = \"spring_damper\"\npoints = [{ body = \"rod\", ratio = ";
  refused(force + rope + "1 },\n{ body = \"rood\" }]\n", 17,
          "force \"F\": body \"rood\" is not a body of this mechanism");
  refused(force + rope + "1 },\n{ body = \"rod\" }]\n", 16,
          "force \"F\": all points are of \"rod\"");
  refused(force + rope + "1 },\n{ body = \"ground\", ratio = -1 }]\n", 17,
          "force \"F\": ratio 2 must not be negative, it is -1");
  refused(force + "type = \"actuator\"\njoint = \"B\"\neffort = 1.0\n", 16,
          "force \"F\": joint \"B\" is not a joint");
  refused(force + "type = \"servo\"\njoints = [\"A\", \"B\"]\nratios = [1, 1]\n", 16,
          "force \"F\": joint \"B\" is not a joint");
  refused("[[coupling]]\nname = \"C\"\njoint = \"A\"\nto = \"B\"\nratio = 1\n", 16,
          "coupling \"C\": joint \"B\" is not a joint");
  refused("[[coupling]]\nname = \"C\"\njoint = \"A\"\nto = \"A\"\nratio = 1\n", 16,
          "coupling \"C\": couples joint \"A\" to itself");
  refused("[[sensor]]\nname = \"S\"\ntype = \"point\"\nposition = [0.0, 0.0]\nbody = \"rood\"\n",
          17, "sensor \"S\": body \"rood\" is not a body");
  refused(
      "[[event]]\nname = \"A\"\nchannel = \"q.A\"\n[[event]]\nname = \"A\"\nchannel = \"q.A\"\n",
      16, "event \"A\": another event has this name already");
  refused("[[event]]\nname = \"E\"\nchannel = \"q.A\"\n", 15,
          "event \"E\": no sensor records a channel \"q.A\"");
  refused("[[visual]]\ntype = \"sphere\"\nradius = 1.0\nbody = \"rood\"\n", 16,
          "visual of \"rood\": no body has this name");
}

// What a file says comes back in the sentence, which is one line and gives no orders to terminals.
TEST_F(BadInput, ControlCharactersAreWrittenOut) {
  expect_refused(kPlanar + body("rod") + joint("A", "ground", "a\\nb\\u001b[2J"), 12,
                 R"(joint "A": child "a\nb\x1b[2J" is not a body of this mechanism)");
}

TEST_F(BadInput, NotANumber) {
  expect_refused(kPlanar + body("rod", "nan") + joint("A", "ground", "rod"), 6,
                 "body \"rod\": mass is not a number");
}

TEST_F(BadInput, UnknownKey) {
  expect_refused(kPlanar + body("rod") + joint("A", "ground", "rod", "inital = { q = 1 }\n"), 13,
                 "joint \"A\": unknown key \"inital\", did you mean \"initial\"?");
}

TEST_F(BadInput, LoopThatCannotClose) {
  const std::string at_ends =
      "at_parent = { position = [5.0, 0.0] }\nat_child = { position = [1.0, 0.0] }\n";
  expect_refused(kPlanar + body("rod") + body("bar") + joint("A", "ground", "rod") +
                     joint("B", "rod", "bar", "at_parent = { position = [1.0, 0.0] }\n") +
                     joint("C", "ground", "bar", at_ends),
                 23, "joint \"C\": the loop that it closes cannot close");
}

TEST_F(BadInput, UnknownJointType) {
  const std::string ball =
      "[[joint]]\nname = \"A\"\ntype = \"ball\"\nparent = \"ground\"\nchild = \"rod\"\n";
  expect_refused(kPlanar + body("rod") + ball, 10, "joint \"A\": unknown type \"ball\"");
}

TEST_F(BadInput, FutureFormat) {
  expect_refused("format = 2\nspace = \"planar\"\ngravity = [0, 0]\n", 1,
                 "format 2 is newer than this program reads (1)");
}

TEST_F(BadInput, FloatingBody) {
  expect_refused(kPlanar + body("rod") + body("bar") + joint("A", "ground", "rod"), 8,
                 "body \"bar\": no chain of joints connects it to the ground");
}

TEST_F(BadInput, NoToml) { expect_refused(kPlanar + "[[body]\n", 4, ""); }

TEST_F(BadInput, NoFile) {
  const auto outcome = run({"simulate", "nowhere/four_bar.toml", "--out", "out"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, "hamiltree: nowhere/four_bar.toml: file not found\n");
  EXPECT_TRUE(fs::is_empty(root()));
}

// Values from the command line that the reader accepts and the model does not: the file, in which
// they do not stand, is not blamed.
TEST_F(BadInput, SetToWhatNoModelHas) {
  const auto refused = [&](const std::string& set, const std::string& sentence) {
    const auto outcome = run({"simulate", mechanism("four_bar"), "--set", set});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err, "hamiltree: --set " + set + ": " + sentence + "\n");
  };
  refused("body.crank.mass=-1", "body \"crank\": mass must not be negative, it is -1");
  refused("joint.A.damper={damping = -1}",
          "spring and damper of joint \"A\": damping must not be negative, it is -1");
  // What was set beside it is right.
  const auto outcome = run(
      {"simulate", write("heavy.toml", kPlanar + body("rod", "-1") + joint("A", "ground", "rod")),
       "--set", "joint.A.armature=1"});
  EXPECT_EQ(outcome.exit_code, 3);
}

}  // namespace
}  // namespace hamiltree::test
