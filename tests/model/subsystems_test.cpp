// Which bodies only the ground connects, and models of them alone.
#include "hamiltree/model/subsystems.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hamiltree/model/kinematics.hpp"
#include "support/beside.hpp"

namespace hamiltree {
namespace {

using Numbers = std::vector<int>;

// A body on a slider and another one on a pin of it.
Mechanism cart(double mass) {
  Mechanism m;
  m.name = "carts";
  for (const char* name : {"cart", "bob"}) {
    BodyDescription body;
    body.name = name;
    body.mass = mass;
    body.inertia.setIdentity();
    m.add(body);
  }
  JointDescription slider;
  slider.name = "slider";
  slider.type = JointType::kPrismatic;
  slider.parent = kGround;
  slider.child = "cart";
  m.add(slider);
  JointDescription pin;
  pin.name = "pin";
  pin.parent = "cart";
  pin.child = "bob";
  m.add(pin);
  return m;
}

Mechanism two_carts() {
  Mechanism m = cart(1.0);
  test::put_beside(m, cart(2.0), "tail.");
  return m;
}

PointSpringDamper spring(const std::string& a, const std::string& b) {
  PointSpringDamper result;
  result.name = "spring";
  result.points = {{a}, {b}};
  result.stiffness = 1.0;
  return result;
}

// Closes a loop over the ground.
JointDescription lid(const std::string& child) {
  JointDescription result;
  result.name = "lid";
  result.type = JointType::kSpherical;
  result.parent = kGround;
  result.child = child;
  return result;
}

TEST(Subsystems, AreWhatOnlyTheGroundConnects) {
  EXPECT_EQ(subsystem_numbers(Model(cart(1.0))), (Numbers{0, 0}));
  EXPECT_EQ(subsystem_numbers(Model(two_carts())), (Numbers{0, 0, 1, 1}));

  auto held = two_carts();
  held.add(spring(kGround, "bob"));
  EXPECT_EQ(subsystem_numbers(Model(held)), (Numbers{0, 0, 1, 1}));
  auto tied = two_carts();
  tied.add(spring("bob", "tail.cart"));
  EXPECT_EQ(subsystem_numbers(Model(tied)), (Numbers{0, 0, 0, 0}));
  auto geared = two_carts();
  geared.add(Coupling{"belt", "slider", "tail.slider", 2.0, 0.0, {}});
  EXPECT_EQ(subsystem_numbers(Model(geared)), (Numbers{0, 0, 0, 0}));
  auto steered = two_carts();
  steered.add(Controller{"law", {"slider"}, [](Controls&) {}, {}});
  EXPECT_EQ(subsystem_numbers(Model(steered)), (Numbers{0, 0, 0, 0}));
}

TEST(Subsystems, KnowTheirNumbersInTheWhole) {
  auto m = two_carts();
  m.add(JointSpringDamper{"pin", 3.0, 0.0, 0.0, {}});
  m.add(JointSpringDamper{"tail.pin", 4.0, 0.0, 0.0, {}});
  m.add(lid("tail.bob"));
  m.add(Coupling{"gear", "tail.pin", "tail.slider", 2.0, 0.0, {}});
  const Model whole(m);
  const auto part = make_subsystem(whole, {false, false, true, true});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->model.body_count(), 2);
  EXPECT_EQ(part->coordinates, (Numbers{2, 3}));
  EXPECT_EQ(part->velocities, (Numbers{2, 3}));
  EXPECT_EQ(part->rows, (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(part->joints, (Numbers{2, 3, 4}));
  part->model.visit([](const auto& system) {
    EXPECT_EQ(system.body(0).mass, 2.0);
    ASSERT_EQ(system.joint_springs.size(), 1u);
    EXPECT_EQ(system.joint_springs[0].stiffness, 4.0);
    EXPECT_EQ(system.couplings.size(), 1u);
  });
  const auto other = make_subsystem(whole, {true, true, false, false});
  ASSERT_TRUE(other);
  EXPECT_EQ(other->coordinates, (Numbers{0, 1}));
  EXPECT_TRUE(other->rows.empty());
}

// The parts would be closed.
TEST(Subsystems, OfOpenedLoopsAreNotMade) {
  auto m = two_carts();
  m.add(lid("bob"));
  EXPECT_TRUE(make_subsystem(Model(m), {true, true, false, false}));
  EXPECT_FALSE(make_subsystem(Model(m).opened(), {true, true, false, false}));
}

}  // namespace
}  // namespace hamiltree
