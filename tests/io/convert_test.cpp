// Models leave in native TOML, URDF and MJCF and come back: the dynamics stay the same.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <iostream>
#include <locale>
#include <random>
#include <sstream>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/io/export/model/at_start.hpp"
#include "hamiltree/io/export/model/mjcf_writer.hpp"
#include "hamiltree/io/export/model/native_writer.hpp"
#include "hamiltree/io/export/model/urdf_writer.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/native.hpp"
#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "import_text.hpp"
#include "support/shipped.hpp"

namespace hamiltree {
namespace {

using test::import_text;

// Coordinates, velocities or accelerations of joints by name; quaternions are turned to those of
// the body, of which joint frames at another angle know nothing.
using ByJoint = std::map<std::string, Eigen::VectorXd>;

class Moving {
 public:
  explicit Moving(const Mechanism& mechanism) : model_(mechanism) {
    model_.visit([&](const auto& system) {
      for (int b = 0; b < system.body_count(); ++b) {
        const auto& joint = system.joint(b);
        places_.push_back({joint.q, joint.coordinates, joint.v, joint.velocities});
      }
    });
  }

  const Model& model() const { return model_; }

  ByJoint accelerations(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
    const auto formulation = make_formulation("dca", model_);
    const auto workspace = formulation->make_workspace();
    const StateView state{0.0, q.data(), v.data()};
    formulation->analyse(state, *workspace);
    formulation->prepare(state, *workspace);
    EXPECT_EQ(formulation->accelerations(state, *workspace), Status::kOk);
    ByJoint result;
    for (std::size_t b = 0; b < places_.size(); ++b) {
      Eigen::VectorXd a(places_[b].velocities);
      for (int i = 0; i < a.size(); ++i) a(i) = workspace->v_dot[at(places_[b].v + i)];
      if (a.size() == 3) a = turn(b) * a;
      result[name(b)] = a;
    }
    return result;
  }

  // Random coordinates and velocities, the same for the same joints of another model.
  ByJoint accelerations_at_random(unsigned seed) const {
    Eigen::VectorXd q(count(&Place::q, &Place::coordinates));
    Eigen::VectorXd v(count(&Place::v, &Place::velocities));
    for (std::size_t b = 0; b < places_.size(); ++b) {
      std::seed_seq mixed{seed, static_cast<unsigned>(std::hash<std::string>{}(name(b)))};
      std::mt19937_64 random(mixed);
      std::normal_distribution<double> normal;
      const auto& place = places_[b];
      Eigen::VectorXd own_q(place.coordinates), own_v(place.velocities);
      for (auto& x : own_q) x = normal(random);
      for (auto& x : own_v) x = normal(random);
      if (place.coordinates > 3) own_q.tail<4>().normalize();
      if (place.coordinates == 4) {
        const Eigen::Matrix3d R = turn(b);
        own_q = to_quat_wxyz(R.transpose() * from_quat_wxyz(own_q) * R);
        own_v = R.transpose() * own_v;
      }
      q.segment(place.q, place.coordinates) = own_q;
      v.segment(place.v, place.velocities) = own_v;
    }
    return accelerations(q, v);
  }

  ByJoint accelerations_at_start() const {
    const auto start = initial_state(model_);
    return accelerations(start.q, start.v);
  }

 private:
  struct Place {
    int q, coordinates, v, velocities;
  };

  int count(int Place::*first, int Place::*size) const {
    int end = 0;
    for (const auto& place : places_) end = std::max(end, place.*first + place.*size);
    return end;
  }
  const JointDescription& described(std::size_t b) const {
    return model_.mechanism().joints[at(model_.described_joint(static_cast<int>(b)))];
  }
  // A floating body goes by its name: URDF has no joint for it.
  std::string name(std::size_t b) const {
    const auto& joint = described(b);
    return joint.type == JointType::kFree ? joint.child : joint.name;
  }
  Eigen::Matrix3d turn(std::size_t b) const { return described(b).at_child.rotation; }

  Model model_;
  std::vector<Place> places_;
};

// The largest difference of accelerations of joints that both have in their tree, by the largest.
double difference(const ByJoint& one, const ByJoint& other, std::size_t& compared) {
  double largest = 0.0, difference = 0.0;
  for (const auto& [name, a] : one) {
    const auto found = other.find(name);
    if (found == other.end() || found->second.size() != a.size() || a.size() == 0) continue;
    ++compared;
    largest = std::max(largest, a.cwiseAbs().maxCoeff());
    difference = std::max(difference, (a - found->second).cwiseAbs().maxCoeff());
  }
  return largest == 0.0 ? difference : difference / largest;
}

// The start is no part of the dynamics: where it is asked for, it becomes a guess, and one joint
// that both have moves.
void start_alike(Mechanism& one, Mechanism& other) {
  const auto asked_for = one;
  for (auto* mechanism : {&one, &other}) {
    for (auto& joint : mechanism->joints) {
      if (joint.initial_q) joint.guess_q = joint.initial_q;
      joint.initial_q.reset();
      joint.initial_v.reset();
    }
  }
  const auto driven = [](const JointDescription& joint) { return joint.drive.has_value(); };
  if (std::ranges::any_of(one.joints, driven)) return;
  for (auto& joint : one.joints) {
    const auto twin = std::ranges::find(other.joints, joint.name, &JointDescription::name);
    if (twin == other.joints.end() || twin->type != joint.type ||
        joint_size(joint.type, one.space).velocities != 1) {
      continue;
    }
    joint.initial_v = twin->initial_v = Eigen::VectorXd::Constant(1, 0.3);
    const auto& asked = asked_for.joints[static_cast<std::size_t>(&joint - one.joints.data())];
    joint.initial_q = twin->initial_q = asked.initial_q;
    return;
  }
}

// Bennett's and Bricard's linkages move only because their geometry is exact: what a quaternion
// rounds, 1e-16, comes back as 1e-10. Others were measured at most 4e-13 apart.
double bound_of(const Mechanism& mechanism) {
  return mechanism.name == "bennett" || mechanism.name == "bricard" ? 1e-9 : 1e-12;
}

void expect_same_motion(Mechanism before, Mechanism after, const std::string& what) {
  start_alike(before, after);
  const Moving one(before), other(after);
  std::size_t compared = 0;
  double worst = 0.0;
  if (one.model().loop_count() + static_cast<int>(before.couplings.size()) == 0) {
    for (const unsigned seed : {1U, 2U, 3U}) {
      worst = std::max(worst, difference(one.accelerations_at_random(seed),
                                         other.accelerations_at_random(seed), compared));
    }
  } else {
    worst = difference(one.accelerations_at_start(), other.accelerations_at_start(), compared);
  }
  std::cout << "  " << what << ": " << compared << " joints, largest difference " << worst << "\n";
  EXPECT_GT(compared, 0U) << what;
  EXPECT_LT(worst, bound_of(before)) << what;
}

std::vector<std::filesystem::path> files() {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {HAMILTREE_TEST_MODELS, HAMILTREE_MECHANISMS}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const auto extension = entry.path().extension();
      if (extension == ".toml" || extension == ".urdf" || extension == ".sdf" ||
          extension == ".xml") {
        files.push_back(entry.path());
      }
    }
  }
  std::ranges::sort(files);
  return files;
}

class Convert : public testing::TestWithParam<std::filesystem::path> {};

// Momenta of long chains keep few digits: how they move is no test of a writer.
bool is_long(const Mechanism& mechanism) { return mechanism.bodies.size() > 60; }

Mechanism read_file(const std::filesystem::path& file) {
  ImportLog log;
  return read_model(file, {}, log).mechanism();
}

TEST_P(Convert, ThereAndBack) {
  const auto mechanism = read_file(GetParam());
  const auto native = to_native(mechanism);
  const auto again = parse_native(native, "m.toml");
  if (is_long(mechanism)) {
    EXPECT_EQ(to_native(again), native);
    return;
  }
  expect_same_motion(mechanism, again, "native");
  // A planar mechanism has its coordinates otherwise in space.
  if (mechanism.space == SpaceKind::kPlanar) return;
  for (const auto& [what, write] : {std::pair{"urdf", &to_urdf}, std::pair{"mjcf", &to_mjcf}}) {
    std::string text;
    try {
      text = write(mechanism);
    } catch (const ModelError& refusal) {
      std::cout << "  " << what << ": " << refusal.what() << "\n";
      continue;
    }
    const std::string keyframe = text.find("name=\"start\"") == std::string::npos ? "" : "start";
    auto back = import_text(text, {.keyframe = keyframe}).mechanism;
    back.gravity = mechanism.gravity;
    expect_same_motion(mechanism, back, what);
  }
}

std::vector<std::string> joints_in_order(const Mechanism& mechanism) {
  const Model model(mechanism);
  std::vector<std::string> names{std::to_string(model.body_count()) + " in the tree"};
  for (int j = 0; j < model.joint_count(); ++j) names.push_back(model.joint_name(j));
  return names;
}

// So that coordinates of the one file are those of the other.
TEST_P(Convert, KeepsTheSpanningTree) {
  const auto mechanism = read_file(GetParam());
  EXPECT_EQ(joints_in_order(parse_native(to_native(at_start(mechanism)), "m.toml")),
            joints_in_order(mechanism));
}

INSTANTIATE_TEST_SUITE_P(Files, Convert, testing::ValuesIn(files()), [](const auto& info) {
  std::string name =
      info.param.parent_path().filename().string() + "_" + info.param.filename().string();
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

// MuJoCo refuses moments of which the largest is more than the sum of the others, be it by
// rounding.
// Numbers read back to the same double; several springs of a joint are one.
TEST(ConvertToNative, KeepsWhereASpringRests) {
  Mechanism mechanism;
  mechanism.name = "sprung";
  mechanism.add(BodyDescription{"rod", 1.0, {}, Eigen::Matrix3d::Identity(), false, {}});
  JointDescription pin;
  pin.name = "pin";
  pin.parent = kGround;
  pin.child = "rod";
  mechanism.add(pin);
  mechanism.add(JointSpringDamper{"pin", 3.0, 0.2, 0.0, {}});
  const auto spring = [&] {
    const auto back = parse_native(to_native(mechanism), "m.toml");
    return *test::force_on<JointSpringDamper>(back, "pin");
  };
  EXPECT_EQ(spring().rest, 0.2);
  mechanism.add(JointSpringDamper{"pin", 1.0, 1.0, 0.5, {}});
  EXPECT_EQ(spring().stiffness, 4.0);
  EXPECT_DOUBLE_EQ(spring().rest, 0.4);
  EXPECT_EQ(spring().damping, 0.5);
}

TEST(ConvertToMjcf, FlatBodiesStayPossible) {
  std::mt19937 engine(5);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 100; ++i) {
    const Eigen::Quaterniond turn =
        Eigen::Quaterniond(normal(engine), normal(engine), normal(engine), normal(engine))
            .normalized();
    Mechanism plate;
    plate.space = SpaceKind::kSpatial;
    BodyDescription body;
    body.name = "plate";
    body.mass = 1.0;
    body.inertia = turn * Eigen::Vector3d(0.1, 0.7, 0.8).asDiagonal() * turn.inverse();
    plate.add(body);
    JointDescription joint;
    joint.name = "pin";
    joint.parent = kGround;
    joint.child = "plate";
    plate.add(joint);
    const std::string text = to_mjcf(plate);
    const std::string key = "diaginertia=\"";
    std::istringstream numbers(text.substr(text.find(key) + key.size()));
    numbers.imbue(std::locale::classic());
    Eigen::Vector3d moments;
    numbers >> moments(0) >> moments(1) >> moments(2);
    EXPECT_LT((moments - Eigen::Vector3d(0.1, 0.7, 0.8)).norm(), 1e-14);
    EXPECT_FALSE(moments(0) + moments(1) < moments(2)) << text;
  }
}

// Where one joint has a guess it stays in the tree; where all have one, names decide.
TEST(ConvertToNative, KeepsTheSpanningTreeThatAGuessChose) {
  for (const auto* guessed : {"A", "B", "C", "D"}) {
    auto mechanism = test::shipped("four_bar").mechanism();
    for (auto& joint : mechanism.joints) {
      joint.initial_q.reset();
      joint.initial_v.reset();
      if (joint.name != guessed)
        joint.guess_q.reset();
      else
        joint.guess_q = Eigen::VectorXd::Constant(1, 0.3);
    }
    EXPECT_EQ(joints_in_order(parse_native(to_native(at_start(mechanism)), "m.toml")),
              joints_in_order(mechanism))
        << guessed;
  }
}

// Its guesses are some hundredths off where the loop closes. A reader that does not assemble, or
// cuts another joint, is told that place.
TEST(Convert, WritesWhereLoopsClose) {
  const auto model = test::shipped("four_bar");
  const auto q = initial_state(model).q;
  const auto text = to_mjcf(model.mechanism());
  std::istringstream qpos(text.substr(text.find("qpos=\"") + 6));
  qpos.imbue(std::locale::classic());
  for (int i = 0; i < 3; ++i) {
    double x = 0.0;
    qpos >> x;
    EXPECT_NEAR(x, q(i), 1e-12) << text;
  }
}

TEST(ConvertRefusals, NameTheElement) {
  const auto refusal = [](const Mechanism& mechanism, auto* write) -> std::string {
    try {
      write(mechanism);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "none";
  };
  const auto loop = read_file(test::model_file("loop_joint.urdf"));
  EXPECT_NE(refusal(loop, to_urdf).find("closes a loop, which URDF cannot say"), std::string::npos);
  EXPECT_EQ(refusal(loop, to_mjcf), "none");
  auto driven = read_file(test::model_file("arm.urdf"));
  driven.couplings.clear();
  driven.joints.front().drive = Polynomial{{1.0}};
  EXPECT_NE(refusal(driven, to_mjcf).find("is driven, which cannot be written"), std::string::npos);
  const auto native = [&](const ForceDescription& force) {
    auto mechanism = driven;
    const auto& joint = mechanism.joints.front().name;
    mechanism.forces.assign(2, force);
    for (auto& f : mechanism.forces)
      std::visit(
          [&](auto& x) {
            if constexpr (requires { x.joint; }) x.joint = joint;
          },
          f);
    return refusal(
        mechanism, +[](const Mechanism& m) { return to_native(m); });
  };
  const auto says = [](const std::string& text, const char* what) {
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  JointLimits stops;
  stops.lower = -1.0;
  says(native(stops), "two stops in one joint cannot be written in a native model file");
  auto two = driven;
  two.joints.front().drive.reset();
  stops.joint = two.joints.front().name;
  two.forces.assign(2, stops);
  says(refusal(two, to_urdf), "two stops in one joint cannot be written");
  says(native(JointFriction{}), "two frictions in one joint cannot be written");
  says(native(EffortCallback{"motor", "", {}, {}}),
       "force \"motor\": a function cannot be written in a native model file");
}

constexpr const char* kTwoBars = R"(
format = 1
space = "spatial"
gravity = [0, 0, -9.81]
[[body]]
name = "a"
mass = 1
inertia = [0.1, 0.1, 0.1]
[[body]]
name = "b"
mass = 1
inertia = [0.1, 0.1, 0.1]
)";

std::string refusal_of(const std::string& text, std::string (*write)(const Mechanism&)) {
  try {
    return "none, but wrote " + write(parse_native(text, "bars.toml"));
  } catch (const ModelError& error) {
    return error.what();
  }
}

std::string joint_text(const std::string& name, const std::string& type, const std::string& parent,
                       const std::string& child) {
  return "[[joint]]\nname = \"" + name + "\"\ntype = \"" + type + "\"\nparent = \"" + parent +
         "\"\nchild = \"" + child + "\"\n";
}

// Only a bushing in a joint is its damper; one that has the joint's name may act elsewhere.
TEST(ConvertRefusals, BushingsThatGoByTheNameOfAJoint) {
  const auto with = [](const std::string& type, const std::string& bushing) {
    return kTwoBars + joint_text("hip", type, "ground", "a") +
           joint_text("knee", "revolute", "a", "b") + "[[force]]\nname = \"hip\"\n" +
           "type = \"bushing\"\nbody_a = \"ground\"\n" + bushing;
  };
  const std::string turning = "rotational_damping = 2\n", sliding = "translational_damping = 2\n";
  const std::string on_a = "body_b = \"a\"\n", on_b = "body_b = \"b\"\n";
  const std::string apart = "at_b = { position = [0.1, 0, 0] }\n";
  const std::string refused = "force \"hip\": a bushing cannot be written as ";
  for (const auto& [type, bushing] : {std::pair{"spherical", on_b + turning},
                                      {"spherical", on_a + apart + turning + sliding},
                                      {"revolute", on_a + turning},
                                      {"planar", on_a + turning},
                                      {"planar", on_a + sliding}}) {
    const auto text = with(type, bushing);
    EXPECT_NE(refusal_of(text, to_urdf).find(refused + "URDF"), std::string::npos) << text;
    EXPECT_NE(refusal_of(text, to_mjcf).find(refused + "MJCF"), std::string::npos) << text;
  }
  const auto floating = with("free", on_a + apart + turning + sliding);
  EXPECT_NE(refusal_of(floating, to_mjcf).find(refused + "MJCF"), std::string::npos);
  const auto fits = with("spherical", on_a + turning);
  EXPECT_NE(refusal_of(fits, to_urdf).find("none"), std::string::npos);
  EXPECT_NE(refusal_of(fits, to_mjcf).find("none"), std::string::npos);
  const auto even = with("planar", on_a + turning + sliding);
  EXPECT_NE(refusal_of(even, to_urdf).find("none"), std::string::npos);
}

// The ground of these formats would be one with it.
TEST(ConvertRefusals, BodiesCalledWorld) {
  std::string text = kTwoBars;
  text.replace(text.find("\"a\""), 3, "\"world\"");
  text += joint_text("f", "free", "ground", "world") + joint_text("knee", "revolute", "world", "b");
  const std::string says = "body \"world\": this is the name of what stands still in ";
  EXPECT_NE(refusal_of(text, to_urdf).find(says + "URDF"), std::string::npos);
  EXPECT_NE(refusal_of(text, to_mjcf).find(says + "MJCF"), std::string::npos);
}

TEST(ConvertRefusals, TwoCouplingsOfOneJointInUrdf) {
  std::string text = kTwoBars;
  text += "[[body]]\nname = \"c\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n";
  text += joint_text("j", "revolute", "ground", "a") + joint_text("k", "revolute", "a", "b") +
          joint_text("l", "revolute", "b", "c");
  for (const std::string to : {"j", "k"})
    text +=
        "[[coupling]]\nname = \"l_" + to + "\"\njoint = \"l\"\nto = \"" + to + "\"\nratio = 2\n";
  EXPECT_NE(refusal_of(text, to_urdf).find("coupling \"l_k\": joint \"l\" follows another"),
            std::string::npos);
  EXPECT_NE(refusal_of(text, to_mjcf).find("none"), std::string::npos);
}

// The parser of ROS wants limits of efforts and velocities beside those of the way, which it wants
// of everything that slides.
TEST(ConvertToUrdf, WritesTheLimitsThatParsersOfRosWant) {
  const std::string stops = "limits = { lower = -1, upper = 2, stiffness = 100 }\n";
  const auto text = to_urdf(parse_native(kTwoBars + joint_text("s", "prismatic", "ground", "a") +
                                             joint_text("r", "revolute", "a", "b") + stops,
                                         "bars.toml"));
  const std::string rest = "effort=\"1e+16\" velocity=\"1e+16\"";
  EXPECT_NE(text.find("lower=\"-1e+16\" upper=\"1e+16\" " + rest), std::string::npos) << text;
  EXPECT_NE(text.find("lower=\"-1\" upper=\"2\" " + rest), std::string::npos) << text;
  const auto back = import_text(text).mechanism;
  ASSERT_EQ(back.forces.size(), 1U);
  EXPECT_EQ(std::get<JointLimits>(back.forces.front()).joint, "r");
}

// A robot of URDF is one tree: one body that floats is its root, several have a joint each.
TEST(ConvertToUrdf, BodiesThatFloatApartShareARoot) {
  const auto free_a = joint_text("fa", "free", "ground", "a");
  const auto one =
      to_urdf(parse_native(kTwoBars + free_a + joint_text("r", "revolute", "a", "b"), "bars.toml"));
  EXPECT_EQ(one.find("world"), std::string::npos) << one;
  const auto two = to_urdf(
      parse_native(kTwoBars + free_a + joint_text("fb", "free", "ground", "b"), "two.toml"));
  EXPECT_NE(two.find("<link name=\"world\""), std::string::npos) << two;
  const auto back = import_text(two).mechanism;
  ASSERT_EQ(back.joints.size(), 2U);
  for (const auto& joint : back.joints) {
    EXPECT_EQ(joint.type, JointType::kFree);
    EXPECT_EQ(joint.parent, kGround);
  }
}

// A universal joint is two in MJCF, the second of which needs a name of its own.
TEST(ConvertToMjcf, NamesOfPartsAreNobodyElses) {
  const auto text = kTwoBars + joint_text("u", "universal", "ground", "a") +
                    joint_text("u_2", "revolute", "a", "b");
  const auto mechanism = parse_native(text, "bars.toml");
  const auto back = import_text(to_mjcf(mechanism)).mechanism;
  EXPECT_EQ(back.joints.size(), 3U);
  EXPECT_EQ(back.joints.back().name, "u_2");
}

TEST(ConvertRefusals, TreesFromThePinToTheSlot) {
  const auto file = std::filesystem::path(HAMILTREE_TEST_MODELS) / "quick_return_in_space.toml";
  auto mechanism = read_file(file);
  EXPECT_NE(to_mjcf(mechanism), "");
  mechanism.joints.front().cut.reset();
  try {
    to_mjcf(mechanism);
    FAIL() << "written";
  } catch (const ModelError& error) {
    EXPECT_EQ(std::string(error.what()),
              file.string() +
                  ":42: joint \"slot\": the tree that is written runs from the pin to the slot, "
                  "which cannot be written; cut another joint of the loop");
  }
}

TEST(ConvertRefusals, StopsThatMjcfCannotSay) {
  const std::string two_bodies = R"(
    format = 1
    space = "spatial"
    gravity = [0, 0, -9.81]
    body = [
      { name = "a", mass = 1, inertia = [1, 1, 1] },
      { name = "b", mass = 1, inertia = [1, 1, 1] },
    ]
  )";
  const auto refusal = [&](const std::string& joints) -> std::string {
    try {
      to_mjcf(parse_native(two_bodies + "joint = [" + joints + "]", "m.toml"));
    } catch (const ModelError& error) {
      return error.what();
    }
    return "none";
  };
  const std::string first = R"({ name = "A", type = "revolute", parent = "ground", child = "a" },)";
  const auto second = [](const std::string& keys) {
    return R"({ name = "B", parent = "a", child = "b", )" + keys + "},";
  };
  const std::string pin = R"(type = "revolute")",
                    loop = R"({ name = "C", type = "revolute", )"
                           R"(parent = "ground", child = "b", cut = true )";
  EXPECT_EQ(refusal(first + second(pin)), "none");
  EXPECT_EQ(refusal(first + second(pin) + loop + "}"), "none");
  const auto single = second(pin + ", limits = { upper = 1, stiffness = 9, transition = 0.1 }");
  EXPECT_NE(refusal(first + single).find("a single stop"), std::string::npos);
  const auto closed = loop + ", limits = { lower = -1, upper = 1, stiffness = 9 } }";
  EXPECT_NE(refusal(first + second(pin) + closed).find("closes a loop and has forces"),
            std::string::npos);
  EXPECT_NE(refusal(first + second(R"(type = "free")")).find("is free between two bodies"),
            std::string::npos);
}

TEST(Reverse, KeepsThePose) {
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  const auto frame = [&] {
    const Eigen::Vector4d quat(normal(engine), normal(engine), normal(engine), normal(engine));
    return Frame{{normal(engine), normal(engine), normal(engine)}, from_quat_wxyz(quat)};
  };
  const auto across = [](const JointDescription& joint) {
    const auto X = visit_joint<Spatial<double>>(joint.type, joint.pitch, [&](const auto& type) {
      return type.pose(joint.initial_q->data());
    });
    return compose(compose(joint.at_parent, {X.r, X.R}), inverse(joint.at_child));
  };
  for (const auto type : {JointType::kRevolute, JointType::kPrismatic, JointType::kHelical,
                          JointType::kCylindrical, JointType::kUniversal, JointType::kSpherical,
                          JointType::kPlanar, JointType::kTranslational, JointType::kFree}) {
    JointDescription joint;
    joint.type = type;
    joint.pitch = 0.3;
    joint.at_parent = frame();
    joint.at_child = frame();
    Eigen::VectorXd q(joint_size(type, SpaceKind::kSpatial).coordinates);
    for (double& x : q) x = normal(engine);
    if (type == JointType::kSpherical || type == JointType::kFree) q.tail<4>().normalize();
    joint.initial_q = q;
    const Frame before = across(joint);
    reverse(joint);
    EXPECT_LT(distance(inverse(before), across(joint)), 1e-14) << to_name(type);
  }
}

}  // namespace
}  // namespace hamiltree
