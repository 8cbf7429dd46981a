// hamiltree info: what it says of shipped mechanisms, as text and as JSON.
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace hamiltree::test {
namespace {

using Json = nlohmann::json;

class Info : public Cli {
 protected:
  std::string text(const std::string& model, std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"info", mechanism(model)});
    const auto outcome = run(options);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
  Json json(const std::string& model, std::vector<std::string> options = {}) const {
    options.emplace_back("--json");
    return Json::parse(text(model, options));
  }
};

TEST_F(Info, SaysWhatAFourBarIs) {
  const auto out = text("four_bar");
  for (const char* part :
       {"planar, gravity (0, -9.81) m/s^2", "3, together 1.5 kg", "4, of them 1 closes a loop",
        "1 degree of freedom: 3 velocities, 2 constraint rows, 0 of them redundant", "0.3 m",
        "kinetic energy 0 J, potential energy 2.42 J", "loops open by", "of about 16",
        "formulation       recursive, by auto: nothing is faster, and no other keeps",
        "A      revolute  ground   crank    tree\n",
        "D      revolute  ground   rocker   closes a loop (short paths to the ground)\n"}) {
    EXPECT_TRUE(contains(out, part));
  }
}

// Like simulate.
TEST_F(Info, RefusesEventsThatNoSensorSees) {
  const auto file = root() / "m.toml";
  std::ifstream shipped(mechanism("four_bar"));
  std::ofstream(file) << shipped.rdbuf()
                      << "\n[[event]]\nname = \"e\"\nchannel = \"nothing.q\"\nvalue = 0\n";
  for (const auto* command : {"info", "simulate"}) {
    const auto outcome = run({command, file.string()});
    EXPECT_EQ(outcome.exit_code, 3) << command;
    EXPECT_TRUE(contains(outcome.err, "event \"e\": no sensor records a channel \"nothing.q\""));
  }
}

TEST_F(Info, JsonHoldsTheSame) {
  const auto document = json("four_bar");
  EXPECT_EQ(document["format"], 1);
  EXPECT_EQ(document["name"], "four_bar");
  EXPECT_EQ(document["file"], mechanism("four_bar"));
  EXPECT_EQ(document["space"], "planar");
  EXPECT_EQ(document["gravity"], (Json{0.0, -9.80665}));
  EXPECT_EQ(document["bodies"], 3);
  EXPECT_EQ(document["total_mass"], 1.5);
  EXPECT_EQ(document["loops"], 1);
  EXPECT_EQ(document["velocities"], 3);
  EXPECT_EQ(document["degrees_of_freedom"], 1);
  EXPECT_EQ(document["constraints"], 2);
  EXPECT_EQ(document["redundant_constraints"], 0);
  EXPECT_EQ(document["length"], 0.3);
  EXPECT_EQ(document["joints"].size(), 4u);
  EXPECT_EQ(document["joints"][3], (Json{{"name", "D"},
                                         {"type", "revolute"},
                                         {"parent", "ground"},
                                         {"child", "rocker"},
                                         {"closes_loop", true},
                                         {"why_cut", "short paths to the ground"}}));
  EXPECT_EQ(document["formulation"], "recursive");
  EXPECT_EQ(document["formulation_reason"],
            "nothing is faster, and no other keeps more digits here");
  EXPECT_EQ(document["energy"]["kinetic"], 0.0);
  EXPECT_LT(document["residuals"]["position"], 1e-12);
  EXPECT_EQ(document["residuals"]["velocity"], 0.0);
  EXPECT_FALSE(document.contains("compounds"));
}

// A flat parallelogram loses a row at the start only.
TEST_F(Info, SaysThatTheStartIsSingular) {
  write("flat.toml",
        "format = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n"
        "[[body]]\nname = \"bar_{i}\"\nrepeat = 2\nmass = 1\ncom = [0.25, 0]\ninertia = 0.02\n"
        "[[body]]\nname = \"beam\"\nmass = 1\ncom = [0.5, 0]\ninertia = 0.08\n"
        "[[joint]]\nname = \"A\"\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"bar_1\"\n"
        "initial = { q = 0.0 }\n"
        "[[joint]]\nname = \"B\"\ntype = \"revolute\"\nparent = \"bar_1\"\nchild = \"beam\"\n"
        "at_parent = { position = [0.5, 0] }\ninitial = { q = 0.0 }\n"
        "[[joint]]\nname = \"D\"\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"bar_2\"\n"
        "at_parent = { position = [1, 0] }\ninitial = { q = 0.0 }\n"
        "[[joint]]\nname = \"C\"\ntype = \"revolute\"\nparent = \"beam\"\nchild = \"bar_2\"\n"
        "at_parent = { position = [1, 0] }\nat_child = { position = [0.5, 0] }\n");
  const auto outcome = run({"info", "flat.toml"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "singular")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "0 of them redundant")) << outcome.out;
  const auto document = Json::parse(run({"info", "flat.toml", "--json"}).out);
  EXPECT_EQ(document["degrees_of_freedom"], 1);
  EXPECT_EQ(document["singular_start"].size(), 1u);
}

// A bar on three parallel bars, the pin of the third off by 1e-8 m, and by 1e-3 m.
TEST_F(Info, TellsOfRowsThatRoundingMakesContradict) {
  std::string bars = "format = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n";
  const auto body = [](const std::string& name) {
    return "[[body]]\nname = \"" + name + "\"\nmass = 1\ninertia = 0.02\n";
  };
  const auto joint = [](const std::string& name, const std::string& ends,
                        const std::string& place) {
    return "[[joint]]\nname = \"" + name + "\"\ntype = \"revolute\"\n" + ends +
           "at_parent = { position = " + place + " }\n";
  };
  for (const std::string i : {"1", "2", "3"}) bars += body("bar_" + i);
  bars += body("beam");
  const std::string turned = "guess = { q = 0.7 }\n";
  for (const std::string i : {"1", "2", "3"}) {
    const std::string x = i == "1" ? "0" : i == "2" ? "0.3" : "0.6";
    bars += joint("A_" + i, "parent = \"ground\"\nchild = \"bar_" + i + "\"\n" + turned,
                  "[" + x + ", 0]");
    bars += joint("B_" + i, "parent = \"bar_" + i + "\"\nchild = \"beam\"\n", "[0, -0.5]") +
            "at_child = { position = [" + x + ", 0] }\n" +
            (i == "1" ? "guess = { q = -0.7 }\n" : "");
  }
  write("bars.toml", bars);
  const auto info = [&](const std::string& x) {
    const std::string set = "joint.A_3.at_parent.position=[" + x + ", 0]";
    return Json::parse(run({"info", "bars.toml", "--json", "--set", set}).out);
  };
  const auto is_in = [](const Json& notes, std::size_t i, const char* part) {
    EXPECT_TRUE(contains(notes.at(i).get<std::string>(), part)) << notes;
  };
  const auto exact = info("0.6");
  EXPECT_EQ(exact["notes"], Json::array());
  EXPECT_EQ(exact["degrees_of_freedom"], 1);
  const auto rounded = info("0.60000001");
  EXPECT_EQ(rounded["degrees_of_freedom"], 1);
  ASSERT_EQ(rounded["notes"].size(), 1u);
  is_in(rounded["notes"], 0, "the redundant ones are left open");
  const auto held = info("0.601");
  EXPECT_EQ(held["degrees_of_freedom"], 0);
  ASSERT_EQ(held["notes"].size(), 2u);
  is_in(held["notes"], 0, "they hold a motion");
  is_in(held["notes"], 1, "the loops hold every motion");
}

TEST_F(Info, EnergiesAtTheStart) {
  write("rod.toml",
        "format = 1\nspace = \"planar\"\ngravity = [0, -10]\n"
        "[[body]]\nname = \"rod\"\nmass = 2\ncom = [0.5, 0]\ninertia = 0.1\n"
        "[[joint]]\nname = \"A\"\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"rod\"\n"
        "initial = { q = 0.5235987755982988, v = 3 }\n");
  const auto outcome = run({"info", "rod.toml", "--json"});
  const auto energy = Json::parse(outcome.out)["energy"];
  EXPECT_NEAR(energy["potential"], 2.0 * 10.0 * 0.5 * 0.5, 1e-14);  // m g l sin 30 degrees
  EXPECT_NEAR(energy["kinetic"], 0.5 * (0.1 + 2.0 * 0.25) * 9.0, 1e-14);
}

TEST_F(Info, RedundantConstraintsInSpace) {
  // Parallel pins in space: 5 rows, of which the plane already implies 3.
  const auto document = json("four_bar_spatial");
  EXPECT_EQ(document["degrees_of_freedom"], 1);
  EXPECT_EQ(document["constraints"], 5);
  EXPECT_EQ(document["redundant_constraints"], 3);
}

TEST_F(Info, ThePlanIsATreeOfAllBodies) {
  const auto out = text("four_bar", {"--plan"});
  EXPECT_TRUE(contains(out,
                       "join over B, closing loops\n"
                       "  crank, to the ground over A, handles B\n"));
  const auto compounds = json("chadaj_case_3", {"--plan"})["compounds"];
  ASSERT_EQ(compounds.size(), 15u);  // 8 leaves, 7 joins
  for (std::size_t c = 0; c < 8; ++c) EXPECT_TRUE(compounds[c].contains("body"));
  for (std::size_t c = 8; c < 15; ++c) {
    EXPECT_LT(compounds[c]["left"], c);
    EXPECT_LT(compounds[c]["right"], c);
  }
  EXPECT_EQ(compounds.back()["handles"], Json::array());
}

TEST_F(Info, PlansAreDrawn) {
  const auto out = text("chain_100", {"--drawing", "plan.svg"});
  EXPECT_TRUE(contains(out, "recursive, 100 bodies in DH frames, eight segments of 13 in lanes"));
  const auto svg = read("plan.svg");
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(contains(svg, "hdca: balanced, 100 leaves, 99 joins"));
  EXPECT_TRUE(contains(svg, "<title>link_100, lane 7 of group 0</title>"));
  EXPECT_TRUE(contains(svg, "<title>join over pin_2, handles"));
  const auto refused = run({"info", mechanism("four_bar"), "--drawing", "nowhere/plan.svg"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_TRUE(contains(refused.err, "nowhere/plan.svg"));
}

TEST_F(Info, DigitsAreLostOnLongChains) {
  const double few = json("double_pendulum")["estimated_digits"];
  const double many = json("chain_100")["estimated_digits"];
  EXPECT_GT(few, 14.0);
  EXPECT_LT(many, 9.0);
  EXPECT_GT(many, 3.0);
}

TEST_F(Info, SetChangesTheModel) {
  const auto document = json("four_bar", {"--set", "body.crank.mass=2"});
  EXPECT_EQ(document["total_mass"], 3.0);
  const auto longer = text(
      "chain_100", {"--set", "body.link_{i}.repeat=301", "--set", "joint.pin_{i+1}.repeat=300"});
  EXPECT_TRUE(contains(longer, "301 degrees of freedom"));
  EXPECT_TRUE(contains(longer, "not estimated (more than 300 velocities)"));
}

// A flat four-bar whose key `branch` chooses a motion: velocities that the file leaves open are
// then those of this motion.
TEST_F(Info, TellsTheEnergyThatARunStartsWith) {
  std::string text = "format = 1\nspace = \"planar\"\ngravity = [0, 0]\n";
  for (const char* bar : {"crank", "coupler", "rocker"}) {
    text +=
        "[[body]]\nname = \"" + std::string(bar) + "\"\nmass = 1\ncom = [0.1, 0]\ninertia = 0.01\n";
  }
  const auto pin = [&](const std::string& name, const std::string& bars, const std::string& rest) {
    text += "[[joint]]\nname = \"" + name + "\"\ntype = \"revolute\"\n" + bars + "\n" + rest + "\n";
  };
  pin("A", "parent = \"ground\"\nchild = \"crank\"", "initial = { q = 0, v = 3 }\nbranch = 2");
  pin("B", "parent = \"crank\"\nchild = \"coupler\"", "at_parent = { position = [0.2, 0] }");
  pin("C", "parent = \"coupler\"\nchild = \"rocker\"",
      "at_parent = { position = [0.4, 0] }\nat_child = { position = [0.2, 0] }");
  pin("D", "parent = \"ground\"\nchild = \"rocker\"", "at_parent = { position = [0.4, 0] }");
  const auto file = write("flat.toml", text);
  const auto told = run({"info", file, "--json"});
  ASSERT_EQ(told.exit_code, 0) << told.err;
  const auto ran = run({"simulate", file, "--until", "0.01", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const double kinetic = Json::parse(told.out)["energy"]["kinetic"];
  EXPECT_NEAR(kinetic, Json::parse(ran.out)["energy"]["initial"].get<double>(), 1e-9);
}

TEST_F(Info, ErrorsHaveTheirExitCodes) {
  EXPECT_EQ(run({"info", "nothing.toml"}).exit_code, 3);
  EXPECT_EQ(run({"info", mechanism("four_bar"), "--set", "body.x.mass=1"}).exit_code, 2);
}

}  // namespace
}  // namespace hamiltree::test
