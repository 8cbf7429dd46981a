// Where paths of joints are cut into floating segments, and what becomes of the tables.
#include "hamiltree/model/in_segments.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <variant>

namespace hamiltree {
namespace {

using Flat = System<Planar<double>>;

std::string body(int k) { return "link " + std::to_string(k); }
std::string pin(int k) { return "pin " + std::to_string(k); }

void add_link(Mechanism& mechanism, int k, const std::string& parent) {
  BodyDescription link;
  link.name = body(k);
  link.mass = 1.0;
  link.inertia = Eigen::Matrix3d::Identity();
  mechanism.add(link);
  JointDescription joint;
  joint.name = pin(k);
  joint.type = JointType::kRevolute;
  joint.parent = parent;
  joint.child = body(k);
  joint.at_parent.position = {parent == kGround ? 0.0 : 1.0, 0.0, 0.0};
  mechanism.add(joint);
}

Mechanism chain(int bodies) {
  Mechanism mechanism;
  mechanism.space = SpaceKind::kPlanar;
  for (int k = 0; k < bodies; ++k) add_link(mechanism, k, k == 0 ? kGround : body(k - 1));
  return mechanism;
}

InSegments cut(Mechanism mechanism, int bodies) {
  return in_segments(Model(std::move(mechanism)), bodies);
}
const Flat& flat_tables(const InSegments& cut) { return std::get<Flat>(cut.model.tables()); }

TEST(InSegments, CutsAChainAtEveryEighthBody) {
  const auto found = cut(chain(20), 8);
  EXPECT_EQ(found.bases, (std::vector{8, 16}));
  EXPECT_EQ(found.longest, 8);
  const auto& system = flat_tables(found);
  EXPECT_EQ(system.joint_count(), 22);
  EXPECT_EQ(system.velocities, 18 + 2 * 3);
  EXPECT_EQ(system.coordinates, 18 + 2 * 3);
  EXPECT_EQ(system.constraints, 2 * 2);
  EXPECT_EQ(system.row_scales.size(), 4U);
  EXPECT_EQ(system.joint(8).type, JointType::kFree);
  EXPECT_EQ(system.inboard(8), kNone);
  EXPECT_EQ(system.joint(9).v, 11);
  EXPECT_EQ(system.inboard(9), 8);
  EXPECT_EQ(system.joint(20).parent, 7);
  EXPECT_EQ(system.joint(20).child, 8);
  EXPECT_EQ(system.joint(21).row, 2);
  EXPECT_EQ(found.model.find_joint(pin(8)), 20);
  EXPECT_EQ(found.model.find_joint(pin(9)), 9);
  EXPECT_EQ(found.model.joint_name(21), pin(16));
  EXPECT_EQ(found.model.body_name(8), body(8));
}

TEST(InSegments, LeavesShortPathsAlone) {
  const auto found = cut(chain(8), 8);
  EXPECT_TRUE(found.bases.empty());
  EXPECT_EQ(found.longest, 8);
  EXPECT_EQ(found.model.joint_count(), 8);
}

TEST(InSegments, CutsEveryBranchOfATree) {
  auto tree = chain(4);
  add_link(tree, 4, body(1));  // two bodies deep, as link 2
  add_link(tree, 5, body(4));
  const auto found = cut(std::move(tree), 2);
  const auto& system = flat_tables(found);
  ASSERT_EQ(found.bases.size(), 2U);
  for (const int b : found.bases) {
    EXPECT_TRUE(found.model.body_name(b) == body(2) || found.model.body_name(b) == body(4));
  }
  EXPECT_EQ(system.constraints, 4);
  EXPECT_EQ(found.longest, 2);
}

// Each of these makes pin 3 one that may not be cut: the next one is.
TEST(InSegments, PassesOverJointsThatMustStay) {
  const auto bases_with = [](const std::function<void(Mechanism&)>& change) {
    auto mechanism = chain(6);
    change(mechanism);
    return cut(std::move(mechanism), 3).bases;
  };
  const std::vector<int> passed_over{4};
  EXPECT_EQ(bases_with([](Mechanism&) {}), std::vector{3});
  EXPECT_EQ(bases_with([](Mechanism& m) {
              m.add(JointSpringDamper{pin(3), 1.0, 0.0, 0.0, {}});
            }),
            passed_over);
  EXPECT_EQ(bases_with([](Mechanism& m) {
              JointLimits stops;
              stops.joint = pin(3), stops.upper = 1.0;
              stops.stiffness = 1.0, stops.transition = 0.1;
              m.add(stops);
            }),
            passed_over);
  EXPECT_EQ(bases_with([](Mechanism& m) { m.joints[3].armature = 0.1; }), passed_over);
  EXPECT_EQ(bases_with([](Mechanism& m) { m.joints[3].drive = TimeFunction{Sine{}}; }),
            passed_over);
  EXPECT_EQ(bases_with([](Mechanism& m) {
              Coupling coupling;
              coupling.name = "c", coupling.joint = pin(3), coupling.to = pin(1);
              m.add(coupling);
            }),
            passed_over);
  EXPECT_EQ(bases_with([](Mechanism& m) {
              m.add(EffortCallback{"e", pin(3), [](double, double, double) { return 0.0; }, {}});
            }),
            passed_over);
  EXPECT_TRUE(bases_with([](Mechanism& m) {
                m.add(Controller{"k", {pin(1)}, [](Controls&) {}, {}});
              }).empty());
}

TEST(InSegments, SaysHowLongTheLongestIs) {
  auto mechanism = chain(6);
  for (int k = 3; k < 6; ++k) mechanism.joints[static_cast<std::size_t>(k)].armature = 0.1;
  const auto found = cut(std::move(mechanism), 2);
  EXPECT_EQ(found.bases, std::vector{2});
  EXPECT_EQ(found.longest, 4);
}

TEST(InSegments, MovesForcesAlong) {
  auto mechanism = chain(4);
  Actuator motor;
  motor.name = "m", motor.joint = pin(2);
  mechanism.add(motor);
  motor.name = "n", motor.joint = pin(1);
  mechanism.add(motor);
  const auto& found = cut(std::move(mechanism), 2);
  EXPECT_EQ(flat_tables(found).actuators[0].joint, 4);
  EXPECT_EQ(flat_tables(found).actuators[1].joint, 1);
}

// Rows of loops that the model has come first, those of couplings last.
TEST(InSegments, KeepsTheOrderOfRows) {
  auto mechanism = chain(5);
  JointDescription closing;
  closing.name = "closing";
  closing.type = JointType::kRevolute;
  closing.parent = kGround;
  closing.child = body(4);
  closing.at_child.position = {1.0, 0.0, 0.0};
  closing.cut = true;
  mechanism.add(closing);
  Coupling coupling;
  coupling.name = "c", coupling.joint = pin(4), coupling.to = pin(1);
  mechanism.add(coupling);
  const auto found = cut(std::move(mechanism), 3);
  const auto& system = flat_tables(found);
  EXPECT_EQ(system.joint(5).row, 0);
  EXPECT_EQ(found.model.joint_name(5), "closing");
  EXPECT_EQ(system.joint(6).row, 2);
  EXPECT_EQ(system.couplings[0].row, 4);
  EXPECT_EQ(system.constraints, 5);
}

}  // namespace
}  // namespace hamiltree
