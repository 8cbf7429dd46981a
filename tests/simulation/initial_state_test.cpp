// Assembly: what is prescribed stays, the rest closes the loops.
#include "hamiltree/simulation/initial_state.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/native.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/simulation/assembly/loop_closer.hpp"
#include "hamiltree/simulation/probe.hpp"
#include "support/n_four_bars.hpp"

namespace hamiltree {
namespace {

Model four_bar(const std::vector<std::string>& overrides = {}) {
  return load(std::string(HAMILTREE_MECHANISMS) + "/four_bar/model.toml", overrides);
}

double gap(const Model& model, const InitialState& state) {
  const auto probe = make_probe(model);
  probe->set(0.0, state.q.data(), state.v.data());
  return std::max(probe->residuals().position, probe->residuals().velocity);
}

TEST(InitialState, ClosesTheLoopAroundThePrescribedCrank) {
  for (const double angle : {0.6, 0.9, 1.2}) {
    const auto model = four_bar({"joint.A.initial.q=" + to_text(angle)});
    const auto state = initial_state(model);
    EXPECT_EQ(state.q(0), angle);
    EXPECT_LE(gap(model, state), 1e-13);
    EXPECT_EQ(state.v.norm(), 0.0);
    EXPECT_EQ(state.p.norm(), 0.0);
  }
}

TEST(InitialState, GuessesChooseTheBranch) {
  const auto model = four_bar();
  const auto open = initial_state(model);
  // The other branch of the same crank angle: coupler and rocker mirrored at the diagonal.
  const auto crossed = initial_state(four_bar({"joint.B.guess.q=-2.5", "joint.C.guess.q=1.6"}));
  EXPECT_LE(gap(model, crossed), 1e-13);
  EXPECT_GT((open.q - crossed.q).norm(), 0.1);
}

// Of the two poses of a crossed four-bar the one at the guess, whichever body of the pin that
// closes the loop is called the child.
TEST(InitialState, GuessesChooseTheBranchWhicheverEndIsTheChild) {
  const std::string bars = R"(
format = 1
space = "planar"
gravity = [0, -9.81]
body = [
  { name = "crank", mass = 1.0, com = [0.1, 0.25], inertia = 0.02 },
  { name = "coupler", mass = 1.0, com = [0.65, 0.65], inertia = 0.08 },
  { name = "rocker", mass = 1.0, com = [1.05, 0.4], inertia = 0.05 },
]
joint = [
  { name = "A", type = "revolute", parent = "ground", child = "crank", initial = { q = 0.4 } },
  { name = "B", type = "revolute", parent = "ground", child = "rocker", at_parent = { position = [1, 0] }, at_child = { position = [1, 0] } },
  { name = "D", type = "revolute", parent = "coupler", child = "rocker", at_parent = { position = [1.1, 0.8] }, at_child = { position = [1.1, 0.8] }, guess = { q = -2.5 } },
  { name = "C", type = "revolute", at_parent = { position = [0.2, 0.5] }, at_child = { position = [0.2, 0.5] }, )";
  for (const char* ends :
       {R"(parent = "crank", child = "coupler" }])", R"(parent = "coupler", child = "crank" }])"}) {
    const Model model(parse_native(bars + ends, "crossed.toml"));
    const auto state = initial_state(model);
    EXPECT_LE(gap(model, state), 1e-13);
    const int D =
        model.visit([&](const auto& system) { return system.joint(*model.find_joint("D")).q; });
    EXPECT_NEAR(state.q(D), -2.5386, 1e-4) << ends;
  }
}

TEST(InitialState, OneVelocityDrivesTheLoop) {
  const auto model = four_bar({"joint.A.initial.v=2.0"});
  const auto state = initial_state(model);
  EXPECT_DOUBLE_EQ(state.v(0), 2.0);
  EXPECT_GT(std::abs(state.v(1)), 1e-3);
  EXPECT_LE(gap(model, state), 1e-13);
  // Momenta without any impulse in the loop: 2 T = v . p
  const auto probe = make_probe(model);
  probe->set(0.0, state.q.data(), state.v.data());
  EXPECT_NEAR(probe->kinetic_energy(), 0.5 * state.v.dot(state.p), 1e-15);
}

TEST(InitialState, RefusesALoopThatCannotClose) {
  const auto model = four_bar({"joint.D.at_parent.position=[2.0, 0.0]"});
  try {
    initial_state(model);
    FAIL() << "three bars of 0.3 m reached 2 m";
  } catch (const ModelError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("joint \"D\""), std::string::npos) << text;
    EXPECT_NE(text.find("model.toml:"), std::string::npos) << text;
    // From the crank's tip to the far pin 1.8003 m, coupler and rocker reach 0.6 m.
    EXPECT_NE(text.find("gap of 1.20"), std::string::npos) << text;
  }
}

// Sixty loops in a row, the last of which ends far away: all tries together are bounded, and they
// go on until the bound.
TEST(InitialState, SearchesForNoLongerThanItsBoundWhereLoopsCannotClose) {
  auto mechanism = test::n_four_bars(60);
  mechanism.joints.back().at_parent.position.x() += 100.0;
  const Model model(mechanism);
  model.visit([&]<class Space>(const System<Space>& system) {
    assembly::PosedMechanism<Space> pose(model, system, 0.0);
    pose.prescribe();
    place(pose.system, 0.0, pose.q.data(), pose.kin);
    assembly::LoopCloser<Space> closer(pose);
    EXPECT_THROW(closer.close_loops(), ModelError);
    EXPECT_GT(closer.work(), closer.kMostWork);
    EXPECT_LT(closer.work(), 2.0 * closer.kMostWork);
  });
}

// The same start told by any joint, whichever joint is cut.
TEST(InitialState, AnyJointOfALoopMayCarryIt) {
  const auto model = four_bar({"joint.A.initial.v=2.0"});
  const auto told = initial_state(model);
  const auto probe = make_probe(model);
  probe->set(0.0, told.q.data(), told.v.data());
  Eigen::VectorXd q_cut, v_cut;
  probe->outside(q_cut, v_cut);
  std::map<std::string, std::pair<double, double>> start{{"D", {q_cut(0), v_cut(0)}}};
  for (const int b : {0, 1, 2}) start[model.joint_name(b)] = {told.q(b), told.v(b)};
  for (const auto& [teller, values] : start) {
    for (const auto& [cut, ignored] : start) {
      auto m = model.mechanism();
      for (auto& joint : m.joints) {
        joint.cut = joint.name == cut;
        joint.initial_q = joint.initial_v = std::nullopt;
        joint.guess_q = Eigen::VectorXd::Constant(1, start[joint.name].first + 0.1);
        if (joint.name != teller) continue;
        joint.initial_q = Eigen::VectorXd::Constant(1, values.first);
        joint.initial_v = Eigen::VectorXd::Constant(1, values.second);
      }
      const Model other(m);
      EXPECT_EQ(other.joint_name(3), cut);
      const auto found = initial_state(other);
      for (const int b : {0, 1, 2}) {
        const auto [q, v] = start[other.joint_name(b)];
        EXPECT_NEAR(found.q(b), q, 1e-12) << "told by " << teller << ", cut at " << cut;
        EXPECT_NEAR(found.v(b), v, 1e-11) << "told by " << teller << ", cut at " << cut;
      }
      EXPECT_NEAR(found.v.dot(found.p), told.v.dot(told.p), 1e-12);
      EXPECT_LE(gap(other, found), 1e-13);
    }
  }
}

TEST(InitialState, VelocitiesThatAgreeAreTakenAsTheyAre) {
  const auto model = four_bar({"joint.A.initial.v=2.3"});
  const auto told = initial_state(model);
  auto m = model.mechanism();
  for (const int b : {0, 1, 2}) {
    m.joints[at(b)].initial_q = Eigen::VectorXd::Constant(1, told.q(b));
    m.joints[at(b)].initial_v = Eigen::VectorXd::Constant(1, told.v(b));
  }
  const auto taken = initial_state(Model(m));
  EXPECT_EQ(taken.v, told.v);
  // Somewhat further off they are solved for, and much further refused.
  (*m.joints[1].initial_v)(0) *= 1.0 + 1e-10;
  const auto solved = initial_state(Model(m));
  EXPECT_NE(solved.v(1), (*m.joints[1].initial_v)(0));
  EXPECT_NEAR(solved.v(1), told.v(1), 1e-9);
  (*m.joints[1].initial_v)(0) *= 1.01;
  EXPECT_THROW(initial_state(Model(m)), ModelError);
}

// A row of equal four-bars whose couplers lie on the next crank; crank 0 is told, and all guesses
// are off.
Mechanism guessed_ladder(int windows, SpaceKind space = SpaceKind::kPlanar) {
  Mechanism m;
  m.space = space;
  const auto add_bar = [&](const std::string& name) {
    BodyDescription bar;
    bar.name = name;
    bar.mass = 1.0;
    bar.com.x() = 0.5;
    bar.inertia.diagonal().setConstant(0.1);
    m.add(bar);
  };
  const auto pin = [&](const std::string& name, const std::string& parent, double x,
                       const std::string& child, double x_child, double guess) {
    JointDescription joint;
    joint.name = name, joint.parent = parent, joint.child = child;
    joint.at_parent.position.x() = x;
    joint.at_child.position.x() = x_child;
    joint.guess_q = Eigen::VectorXd::Constant(1, guess);
    m.add(joint);
  };
  const auto numbered = [](const std::string& name, int i) { return name + std::to_string(i); };
  for (int i = 0; i <= windows; ++i) {
    add_bar(numbered("crank", i));
    pin(numbered("pin", i), kGround, i, numbered("crank", i), 0.0, 1.0);
  }
  for (int i = 0; i < windows; ++i) {
    add_bar(numbered("coupler", i));
    pin(numbered("a", i), numbered("crank", i), 1.0, numbered("coupler", i), 0.0, -1.0);
    pin(numbered("b", i), numbered("crank", i + 1), 1.0, numbered("coupler", i), 1.0, -1.0);
  }
  m.joints.front().initial_q = Eigen::VectorXd::Constant(1, 1.2);
  return m;
}

// By their names alone the pins on the ground would be cut, and the start solved for along a chain
// of 601 bodies.
TEST(InitialState, ALongRowOfLoopsClosesFromGuesses) {
  const Model model(guessed_ladder(300));
  const auto state = initial_state(model);
  EXPECT_LE(gap(model, state), 1e-11);
  for (int b = 0; b < model.body_count(); ++b) {
    if (model.joint_name(b).starts_with("pin")) {
      EXPECT_NEAR(state.q(b), 1.2, 1e-9) << model.joint_name(b);
    }
  }
}

// In space three rows of each loop are redundant.
TEST(InitialState, OneVelocityDrivesALongRowOfLoops) {
  auto m = guessed_ladder(300, SpaceKind::kSpatial);
  m.joints.front().initial_v = Eigen::VectorXd::Constant(1, 0.7);
  const Model model(m);
  const auto state = initial_state(model);
  EXPECT_LE(gap(model, state), 1e-11);
  for (int b = 0; b < model.body_count(); ++b) {
    if (model.joint_name(b).starts_with("pin")) {
      EXPECT_NEAR(state.q(b), 1.2, 1e-9) << model.joint_name(b);
      EXPECT_NEAR(state.v(b), 0.7, 1e-9) << model.joint_name(b);
    }
  }
}

// There rounded places miss each other by more than is acceptable.
TEST(InitialState, LoopsCloseFarFromTheOrigin) {
  auto m = guessed_ladder(4);
  for (auto& joint : m.joints) {
    if (joint.parent == kGround) joint.at_parent.position.x() += 1e6;
  }
  const auto state = initial_state(Model(m));
  const auto near = initial_state(Model(guessed_ladder(4)));
  EXPECT_LE((state.q - near.q).norm(), 1e-13);
}

TEST(InitialState, SaysHowManyMoreLoopsAreOpen) {
  auto m = guessed_ladder(30);
  for (auto& joint : m.joints) {
    if (joint.name.starts_with("b")) joint.at_parent.position.x() = 9.0;
  }
  try {
    initial_state(Model(m));
    FAIL();
  } catch (const ModelError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(" m, and 26 more"), std::string::npos) << text;
  }
}

TEST(InitialState, KeepsWholeTurnsOfWhatIsGiven) {
  const auto model = four_bar({"joint.A.initial.q=7.0", "joint.A.cut=true"});
  const auto state = initial_state(model);
  const auto probe = make_probe(model);
  probe->set(0.0, state.q.data(), state.v.data());
  Eigen::VectorXd q, v;
  probe->outside(q, v);
  EXPECT_NEAR(q(0), 7.0, 1e-12);
}

std::string start_refusal(const std::vector<std::string>& overrides) {
  try {
    initial_state(four_bar(overrides));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

TEST(InitialState, RefusesCoordinatesThatContradictEachOther) {
  const std::vector<std::string> all{"joint.B.initial.q=-0.5475", "joint.C.initial.q=-2.15",
                                     "joint.D.initial.q=-1.9"};
  const auto text = start_refusal(all);
  EXPECT_NE(text.find("joint \"A\""), std::string::npos) << text;  // which has no guess, and is cut
  EXPECT_NE(text.find("model.toml:"), std::string::npos) << text;
  // Two are one too many.
  const auto two = start_refusal({"joint.D.initial.q=-1.0"});
  EXPECT_NE(two.find("joint \"C\""), std::string::npos) << two;
}

// Two five-bars whose joints are geared one to one, but for D: these are cut, and what is said of
// one is a condition.
TEST(InitialState, ACutMayBeACondition) {
  Mechanism m;
  m.space = SpaceKind::kPlanar;
  const char* ends[] = {"ground", "a", "b", "c", "d", "ground"};
  const Eigen::Vector2d sides[] = {{0.0, 0.0}, {0.4, 0.0}, {0.5, 0.0}, {0.5, 0.0}};
  for (const std::string n : {"1", "2"}) {
    for (const char* name : {"a", "b", "c", "d"}) {
      BodyDescription body;
      body.name = name + n;
      body.mass = 1.0;
      body.inertia(2, 2) = 0.1;
      m.add(body);
    }
    for (int i = 0; i < 5; ++i) {
      JointDescription joint;
      joint.name = std::string(1, "ABDCE"[i]) + n;
      const auto of = [&](const std::string& end) { return end == "ground" ? end : end + n; };
      joint.parent = of(ends[i]);
      joint.child = of(ends[i + 1]);
      if (i < 4) joint.at_parent.position.head<2>() = sides[i];
      if (i == 4) {
        joint.parent = "ground";
        joint.child = "d" + n;
        joint.at_parent.position.x() = 0.6;
        joint.at_child.position.x() = 0.4;
      }
      const double guesses[] = {2.2, -0.9, -1.4, -1.3, -1.3};
      joint.guess_q = Eigen::VectorXd::Constant(1, guesses[i]);
      m.add(joint);
    }
  }
  for (const char* name : {"A", "B", "C", "E"}) {
    m.add(Coupling{std::string("gear ") + name,
                   std::string(name) + "2",
                   std::string(name) + "1",
                   1.0,
                   0.0,
                   {}});
  }
  const auto give = [&](const std::string& name, double q) {
    for (auto& joint : m.joints) {
      if (joint.name == name) joint.initial_q = Eigen::VectorXd::Constant(1, q);
    }
  };
  give("D1", -1.5);
  give("A1", 2.1);
  const Model model(m);
  const auto state = initial_state(model);
  EXPECT_LE(gap(model, state), 1e-12);
  const auto probe = make_probe(model);
  probe->set(0.0, state.q.data(), state.v.data());
  EXPECT_NEAR(probe->position(*model.find_joint("D1")), -1.5, 1e-11);
  EXPECT_NEAR(probe->position(*model.find_joint("D2")), -1.5, 1e-11);
  give("D2", -1.4);
  try {
    initial_state(Model(m));
    FAIL() << "what is geared stands differently";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("but the other joints of its loop make it"),
              std::string::npos)
        << error.what();
  }
}

// A door whose upper hinge is beside the axis of the lower one, which a drive turns.
Mechanism torn_door(const std::string& wall) {
  BodyDescription door;
  door.name = "door";
  door.mass = 10.0;
  door.inertia = Eigen::Matrix3d::Identity();
  JointDescription low;
  low.name = "low";
  low.parent = wall;
  low.child = "door";
  low.drive = Polynomial{{0.3, 1.0}};
  auto high = low;
  high.name = "high";
  high.type = JointType::kPinInSlot;
  high.drive.reset();
  high.at_parent.position = high.at_child.position = {0.1, 0.0, 0.0};
  high.at_parent.position =
      Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitZ()) * high.at_child.position;
  Mechanism mechanism;
  mechanism.add(door).add(low).add(high);
  return mechanism;
}

void expect_to_be_refused_for_its_drive(const Mechanism& mechanism) {
  try {
    initial_state(Model(mechanism));
    FAIL() << "the upper hinge stays where it is";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("the loops cannot follow the drives"),
              std::string::npos)
        << error.what();
  }
}

// Nothing else moves.
TEST(InitialState, RefusesADriveThatTearsTheLoop) {
  expect_to_be_refused_for_its_drive(torn_door(kGround));
}

// The wall swings, which moves the loop by nothing but rounding.
TEST(InitialState, RefusesADriveThatTearsALoopOnABodyThatMoves) {
  auto mechanism = torn_door("wall");
  BodyDescription wall;
  wall.name = "wall";
  wall.mass = 1.0;
  wall.inertia = Eigen::Matrix3d::Identity();
  JointDescription swing;
  swing.name = "swing";
  swing.parent = kGround;
  swing.child = "wall";
  const Eigen::Matrix3d skew =
      Eigen::AngleAxisd(1.1, Eigen::Vector3d(0.3, -0.7, 0.5).normalized()).toRotationMatrix();
  swing.at_parent = {{0.123, 0.456, 0.789}, skew};
  swing.at_child = {{-0.321, 0.654, -0.987}, skew.transpose() * skew.transpose()};
  mechanism.add(wall).add(swing);
  expect_to_be_refused_for_its_drive(mechanism);
}

TEST(InitialState, RefusesVelocitiesThatTearTheLoop) {
  const auto model = four_bar({"joint.A.initial.v=2.0", "joint.B.initial.v=2.0"});
  EXPECT_THROW(initial_state(model), ModelError);
}

// A grain of dust: no distance in the model says how small it is, but its inertia does.
TEST(InitialState, TakesBodiesOfAnySize) {
  for (const double length : {1e-9, 1e-6, 1.0, 1e6}) {
    Mechanism m;
    m.gravity.setZero();
    BodyDescription body;
    body.name = "grain";
    body.mass = 1e-9;
    body.inertia.diagonal() << 1.0, 2.0, 2.5;
    body.inertia *= body.mass * length * length;
    JointDescription joint;
    joint.name = "floats";
    joint.type = JointType::kFree;
    joint.parent = kGround;
    joint.child = "grain";
    joint.initial_v = Eigen::Matrix<double, 6, 1>(0.0, 0.0, 0.0, 1.0, 2.0, 3.0);
    const auto state = initial_state(Model(m.add(body).add(joint)));
    EXPECT_NEAR(state.p(4) / (2.0 * body.inertia(1, 1)), 1.0, 1e-14) << length;
  }
}

}  // namespace
}  // namespace hamiltree
