// Which joints are cut: those that make paths short and rows few, whatever the order of the file.
#include "hamiltree/model/tree_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "hamiltree/model/model.hpp"
#include "hamiltree/model/topology/name_order.hpp"
#include "hamiltree/model/why_cut.hpp"
#include "support/n_four_bars.hpp"
#include "support/random_mechanism.hpp"
#include "two_bodies.hpp"

namespace hamiltree {
namespace {

using test::body;
using test::joint;
using test::refusal;
using test::two_bodies;
using test::values;

using CutNames = std::set<std::string>;

CutNames cuts_of(const Model& model) {
  CutNames cuts;
  for (int j = model.body_count(); j < model.joint_count(); ++j) cuts.insert(model.joint_name(j));
  return cuts;
}

std::string why(const Mechanism& mechanism, const std::string& joint) {
  const Model model(mechanism);
  return why_cut(model, *model.find_joint(joint));
}

int depth_of(const Model& model) {
  return model.visit([](const auto& system) {
    std::vector<int> depths;
    for (int b = 0; b < system.body_count(); ++b) {
      const int inner = system.inboard(b);
      depths.push_back(inner == kNone ? 1 : depths[at(inner)] + 1);
    }
    return *std::ranges::max_element(depths);
  });
}

// n bodies from the ground and back, all joints alike.
Mechanism ring(int n, JointType type = JointType::kRevolute,
               SpaceKind space = SpaceKind::kSpatial) {
  Mechanism m;
  m.space = space;
  for (int i = 1; i <= n; ++i) m.add(body("b" + std::to_string(i)));
  for (int i = 0; i <= n; ++i) {
    const auto name = [&](int k) { return k < 1 || k > n ? "ground" : "b" + std::to_string(k); };
    m.add(i < n ? joint("J" + std::to_string(i), name(i), name(i + 1), type)
                : joint("J" + std::to_string(i), name(n + 1), name(n), type));
  }
  return m;
}

TEST(TreeChoice, TakesShortPathsToTheGround) {
  // With an even number of bodies, only the joint in the middle leaves two halves.
  EXPECT_EQ(cuts_of(Model(ring(12))), CutNames{"J6"});
  EXPECT_EQ(depth_of(Model(ring(12))), 6);
  EXPECT_EQ(why(ring(12), "J6"), "short paths to the ground");
  // With an odd number, two joints do, and the one with the later name is cut.
  EXPECT_EQ(cuts_of(Model(ring(13))), CutNames{"J7"});
  EXPECT_EQ(depth_of(Model(ring(1000))), 500);
  // Five joints are a short path.
  EXPECT_EQ(cuts_of(Model(ring(5))), CutNames{"J5"});
  EXPECT_EQ(cuts_of(Model(ring(6))), CutNames{"J5"});
}

TEST(TreeChoice, CutsJointsOfFewRows) {
  auto m = ring(3);
  m.joints[3].type = JointType::kSpherical;
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J3"});
  EXPECT_EQ(why(m, "J3"), "fewest rows");
  // Where the chain would be long, that costs more.
  auto chain = ring(200);
  chain.joints[200].type = JointType::kSpherical;
  EXPECT_LE(depth_of(Model(chain)), 105);
  // A driven joint would take a row more.
  auto driven = ring(3);
  driven.joints[3].drive = Sine{};
  EXPECT_EQ(cuts_of(Model(driven)), CutNames{"J2"});
}

TEST(TreeChoice, HangsHeavyBodiesOnHeavyOnes) {
  auto m = ring(3);
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J3"});
  m.bodies[0].mass = 0.1;  // a tenth is not light
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J3"});
  m.bodies[0].mass = 1e-4;  // b1 carries none
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J1"});
  m.bodies[2].mass = 1e-7;  // b3 would be the worse to carry b2, and need not be so far out
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J2"});
  m.bodies[2].mass = 0.0;
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J2"});
}

TEST(TreeChoice, LetsBodiesWithoutInertiaCarryOthers) {
  auto m = ring(4);
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J4"});
  const auto take_inertia = [](BodyDescription& body) {
    body.mass = 0.0;
    body.inertia.setZero();
  };
  take_inertia(m.bodies[3]);  // b4, between J3 and J4
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J2"});
  EXPECT_EQ(why(m, "J2"), "bodies without inertia carry others");
  take_inertia(m.bodies[2]);  // and b3
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J1"});
  // A ball would take fewer rows.
  m.joints[4].type = JointType::kSpherical;
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J1"});
  // Nothing else is left.
  take_inertia(m.bodies[0]);
  take_inertia(m.bodies[1]);
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J4"});
}

TEST(TreeChoice, KeepsJointsThatTheUserSpeaksOfAmongEquals) {
  auto m = ring(3);
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J3"});
  m.joints[3].guess_q = values({0.5});
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J2"});
  m.joints[2].initial_v = values({0.5});
  m.joints[1].initial_q = values({0.5});
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J0"});
  m.joints[0].initial_q = values({0.5});
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J3"});
  // A force along a joint is worth more.
  m.add(Actuator{"motor", "J3", Polynomial{{1.0}}, {}});
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J2"});
}

TEST(TreeChoice, KeepsAnglesThatAreCounted) {
  auto m = ring(20);
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J10"});
  m.add(JointSpringDamper{"J10", 0.0, 0.0, 1.0, {}});
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J11"}) << "a damper counts none, but costs operations";
  m.add(JointSpringDamper{"J11", 1.0, 0.0, 0.0, {}});
  m.add(JointSpringDamper{"J10", 1.0, 0.0, 0.0, {}});
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J9"});
  // Where each joint has a spring, paths are as short as without.
  for (int i = 0; i <= 20; ++i)
    m.add(JointSpringDamper{"J" + std::to_string(i), 1.0, 0.0, 0.0, {}});
  EXPECT_EQ(depth_of(Model(m)), 10);
}

TEST(TreeChoice, KeepsCoupledJointsAndThoseWithArmature) {
  auto m = ring(20);
  m.joints[10].armature = 0.1;
  m.add(Coupling{"gear", "J9", "J11", 2.0, 0.0, {}});
  const auto cuts = cuts_of(Model(m));
  ASSERT_EQ(cuts.size(), 1);
  EXPECT_TRUE(CutNames({"J8", "J12"}).contains(*cuts.begin())) << *cuts.begin();
}

TEST(TreeChoice, CutsWhereItIsTold) {
  auto m = ring(4);
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J4"});
  m.joints[0].cut = true;
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J0"});
  EXPECT_EQ(why(m, "J0"), "cut = true");
  m.joints[0].cut.reset();
  m.joints[2].cut = m.joints[3].cut = m.joints[4].cut = false;
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J1"});
  for (auto& j : m.joints) j.cut = false;
  m.joints[1].cut.reset();
  EXPECT_EQ(cuts_of(Model(m)), CutNames{"J1"});
  EXPECT_EQ(why(m, "J1"), "the others must stay");
  // A floating body is held by its free joint, not by a loop.
  auto floats = two_bodies(SpaceKind::kPlanar, true);
  floats.joints[2].type = JointType::kFree;
  EXPECT_EQ(cuts_of(Model(floats)), CutNames{"B"});
}

TEST(TreeChoice, RefusesCutsThatLeaveNoTree) {
  auto m = two_bodies();
  m.joints[1].cut = true;
  EXPECT_EQ(refusal(m, "joint \"B\"", 20),
            "cut = true, but without it no chain of joints connects body \"b\" to the ground");
  auto loop = two_bodies(SpaceKind::kPlanar, true);
  loop.joints[0].cut = loop.joints[2].cut = true;
  EXPECT_EQ(refusal(loop, "joint \"A\"", 20),
            "cut = true, but without it no chain of joints connects body \"a\" to the ground");
  for (auto& j : loop.joints) j.cut = false;
  EXPECT_EQ(refusal(loop, "joint \"C\"", 20),
            "cut = false, but all other joints of a loop are to stay in the tree too; one joint of "
            "each loop must be cut");
  loop = two_bodies(SpaceKind::kPlanar, true);
  loop.joints[1].cut = true;
  loop.joints[1].armature = 0.1;
  EXPECT_EQ(refusal(loop, "joint \"B\"", 20),
            "cut = true, but it has armature, which no cut joint can have");
  loop.joints[1].armature = 0.0;
  loop.add(Coupling{"gear", "B", "A", 2.0, 0.0, {"m.toml", 30}});
  EXPECT_EQ(refusal(loop, "coupling \"gear\"", 30),
            "joint \"B\" has cut = true, so its angle is known only up to whole turns; couple "
            "another joint of the loop");
  loop = two_bodies(SpaceKind::kPlanar, true);
  loop.joints[2].type = JointType::kFree;
  loop.joints[2].cut = true;
  EXPECT_EQ(refusal(loop, "joint \"C\"", 20),
            "cut = true, but a free joint has no constraint to close a loop");
}

// As written it would be a chain of 81 bodies.
TEST(TreeChoice, FourBarsSideBySideHangOnTheGround) {
  for (const auto& [name, mechanism] : test::orders_of(test::n_four_bars(40), 5)) {
    const Model model(mechanism);
    EXPECT_EQ(depth_of(model), 2) << name;
    EXPECT_EQ(model.loop_count(), 40) << name;
  }
}

TEST(TreeChoice, FollowsNoOrderOfBodiesJointsOrEnds) {
  int loops = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    test::RandomMechanism random(seed);
    const auto space = seed % 2 == 0 ? SpaceKind::kPlanar : SpaceKind::kSpatial;
    auto m = random.make(
        space, seed % 4 < 2 ? test::Topology::kSingleLoop : test::Topology::kCoupledLoops);
    const auto cuts = cuts_of(Model(m));
    loops += static_cast<int>(cuts.size());
    std::mt19937 shuffle(static_cast<unsigned>(seed));
    for (int i = 0; i < 4; ++i) {
      std::shuffle(m.bodies.begin(), m.bodies.end(), shuffle);
      std::shuffle(m.joints.begin(), m.joints.end(), shuffle);
      for (auto& j : m.joints) {
        if (shuffle() % 2 == 0 && j.type != JointType::kFree) std::swap(j.parent, j.child);
      }
      EXPECT_EQ(cuts_of(Model(m)), cuts) << "seed " << seed;
    }
  }
  EXPECT_GT(loops, 400);
}

TEST(TreeChoice, IsFastOnManyLoops) {
  // Not timed: a walk along each loop to the ground would not end within the test's time.
  const Model model(test::n_four_bars(20000));
  EXPECT_EQ(model.loop_count(), 20000);
  EXPECT_EQ(depth_of(model), 2);
  EXPECT_EQ(depth_of(Model(ring(100000, JointType::kRevolute, SpaceKind::kPlanar))), 50000);
}

TEST(NameOrder, CountsAsPeopleDo) {
  const std::vector<std::string> names{"A",     "B",      "pin",     "pin_01", "pin_1",
                                       "pin_2", "pin_10", "pin_10b", "pin_11", "pinned"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = 0; j < names.size(); ++j) {
      EXPECT_EQ(is_counted_before(names[i], names[j]), i < j) << names[i] << ' ' << names[j];
    }
  }
}

}  // namespace
}  // namespace hamiltree
