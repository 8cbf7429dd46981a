// How models are computed, as the choice says before anything is.
#include "hamiltree/formulations/choice/choice.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>
#include <string>
#include <variant>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/hdca/hdca.hpp"
#include "support/folded.hpp"
#include "support/shipped.hpp"

namespace hamiltree {
namespace {

std::string why_refused(const std::string& formulation, const Model& model,
                        const FormulationOptions& options) {
  try {
    choice_of(formulation, model, options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}
std::string why_refused(const std::string& formulation, const std::string& mechanism,
                        const FormulationOptions& options) {
  return why_refused(formulation, test::shipped(mechanism), options);
}

TEST(Choice, OfOneKernelForEachKindOfMechanism) {
  using dh_frames::Tree;
  using planar_loops::Alternatives;
  const auto kernel_of_shipped = [](const std::string& name) {
    return choice_of("recursive", test::shipped(name)).kernel;
  };
  EXPECT_TRUE(std::holds_alternative<Tree>(kernel_of_shipped("double_pendulum")));
  EXPECT_TRUE(std::holds_alternative<Tree>(kernel_of_shipped("chain_100")));
  EXPECT_TRUE(std::holds_alternative<Alternatives>(kernel_of_shipped("four_bar")));
  EXPECT_TRUE(std::holds_alternative<Alternatives>(kernel_of_shipped("four_bar_spatial")));
  EXPECT_TRUE(std::holds_alternative<InWorldAxes>(kernel_of_shipped("stewart")));
  EXPECT_TRUE(
      std::holds_alternative<InJointAxes>(choice_of("hdca", test::shipped("stewart")).kernel));
}

TEST(Choice, LeavesSpaceForThePlaneOfTheMechanism) {
  const auto model = test::shipped("four_bar_spatial");
  const auto choice = choice_of("recursive", model);
  ASSERT_TRUE(choice.plane);
  EXPECT_TRUE(std::holds_alternative<System<Planar<double>>>(choice.computed().tables()));
  const auto in_space = choice_of("recursive", model, {.plane = false});
  EXPECT_FALSE(in_space.plane);
  EXPECT_TRUE(std::holds_alternative<InWorldAxes>(in_space.kernel));
}

// A pendulum on a cart, in space, though nothing leaves one plane. Each rail but the first closes a
// loop.
Mechanism cart(int rails) {
  Mechanism m;
  m.name = "cart";
  m.space = SpaceKind::kSpatial;
  m.gravity = {0.0, -9.81, 0.0};
  for (const char* name : {"cart", "pendulum"}) {
    BodyDescription body;
    body.name = name;
    body.mass = 1.0;
    body.com = {0.0, -0.5, 0.0};
    body.inertia = Eigen::Vector3d(0.06, 0.06, 0.1).asDiagonal();
    m.add(body);
  }
  JointDescription joint;
  joint.name = "pin";
  joint.parent = "cart";
  joint.child = "pendulum";
  m.add(joint);
  joint.type = JointType::kPrismatic;
  joint.parent = kGround;
  joint.child = "cart";
  joint.at_parent.rotation = joint.at_child.rotation =
      Eigen::AngleAxisd(0.5 * std::numbers::pi, Eigen::Vector3d::UnitY()).toRotationMatrix();
  for (int i = 0; i < rails; ++i) {
    joint.name = "rail_" + std::to_string(i);
    m.add(joint);
  }
  return m;
}

// Parallelograms on the ground, each a beam on three bars, of which one is redundant.
Mechanism row_of_parallelograms(int count) {
  test::Bars bars(SpaceKind::kSpatial);
  for (int i = 0; i < count; ++i) {
    const auto beam = "beam " + std::to_string(i);
    bars.bar(beam, 0.6);
    for (int k = 0; k < 3; ++k) {
      const auto number = std::to_string(3 * i + k);
      bars.bar("bar " + number, 0.5);
      auto& foot = bars.pin("foot " + number, "ground", "bar " + number, i + 0.3 * k);
      foot.guess_q = Eigen::VectorXd::Constant(1, 1.0);
      auto& head = bars.pin("head " + number, "bar " + number, beam, 0.5, 0.3 * k);
      head.guess_q = Eigen::VectorXd::Constant(1, -1.0);
    }
  }
  return bars.mechanism();
}

// Models that planar kernels leave to the general one go to world axes instead; the text says so.
TEST(Choice, LeavesThePlaneForAFasterKernel) {
  const Model model(cart(1));
  const auto faster = ", in world axes, faster than the general kernel in its plane";
  const auto choice = choice_of("recursive", model);
  EXPECT_FALSE(choice.plane);
  EXPECT_TRUE(std::holds_alternative<InWorldAxes>(choice.kernel));
  EXPECT_EQ(to_text(choice), std::string("recursive, 2 bodies in order") + faster);
  EXPECT_TRUE(choice_of("hdca", model).plane);
  EXPECT_TRUE(choice_of("generated_recursive", model).plane);  // traced from the general kernel
  // Two rows of each loop may be open in world axes, which take sixteen.
  EXPECT_FALSE(choice_of("recursive", Model(cart(9))).plane);
  EXPECT_TRUE(choice_of("recursive", Model(cart(10))).plane);
  // Redundant rows, also in its plane.
  EXPECT_TRUE(to_text(choice_of("recursive", test::shipped("parallelogram"))).ends_with(faster));
  const Model row(row_of_parallelograms(4));
  EXPECT_TRUE(to_text(choice_of("recursive", row)).ends_with(faster));
  EXPECT_TRUE(why_refused("recursive", row, {.lanes = LaneChoice::kAlways})
                  .ends_with("in its plane the general kernel would compute it"));
}

// The cart in the plane.
Mechanism planar_cart() {
  auto m = cart(1);
  m.space = SpaceKind::kPlanar;
  for (auto& joint : m.joints) joint.at_parent.rotation = joint.at_child.rotation.setIdentity();
  return m;
}

// Sliders, drives, couplings, pins in slots and redundant rows in the plane, with the rows that
// they have there.
TEST(Choice, TakesPlanarMechanismsToWorldAxes) {
  const auto lifted_in = [](const Choice& choice) {
    const auto* kernel = std::get_if<InWorldAxes>(&choice.kernel);
    return kernel != nullptr && kernel->lifted &&
           kernel->lifted->constraint_count() == choice.model.constraint_count();
  };
  for (const char* name : {"driven_slider_crank", "scotch_yoke", "gear_pair"}) {
    SCOPED_TRACE(name);
    const auto choice = choice_of("recursive", test::shipped(name));
    EXPECT_TRUE(lifted_in(choice));
    EXPECT_TRUE(to_text(choice).ends_with(" bodies in order, in world axes"));
    EXPECT_FALSE(lifted_in(choice_of("hdca", choice.model)));
  }
  EXPECT_TRUE(lifted_in(choice_of("recursive", Model(planar_cart()))));
  auto three_bars = row_of_parallelograms(1);
  three_bars.space = SpaceKind::kPlanar;
  EXPECT_TRUE(lifted_in(choice_of("recursive", Model(three_bars))));
}

TEST(Choice, LeavesPlanarMechanismsToTheGeneralKernel) {
  const auto by_general = [](const Mechanism& mechanism) {
    return std::holds_alternative<InJointAxes>(choice_of("recursive", Model(mechanism)).kernel);
  };
  EXPECT_TRUE(by_general(test::shipped("pendulum_on_moving_pivot").mechanism()));
  auto many_rails = planar_cart();
  auto rail = many_rails.joints.back();
  for (int i = 0; i < 9; ++i) {
    rail.name = "another " + std::to_string(i);
    many_rails.add(rail);
  }
  EXPECT_TRUE(by_general(many_rails));
  // A gear on each of two rails, of which one closes the loop and so is not in the tree.
  auto geared = planar_cart();
  rail.name = "another";
  geared.add(rail);
  for (const std::string name : {"rail_0", "another"}) {
    BodyDescription gear;
    gear.name = "gear on " + name;
    gear.mass = 1.0;
    gear.inertia = Eigen::Matrix3d::Identity();
    geared.add(gear);
    JointDescription shaft;
    shaft.name = gear.name;
    shaft.type = JointType::kRevolute;
    shaft.parent = kGround;
    shaft.child = gear.name;
    geared.add(shaft);
    Coupling teeth;
    teeth.name = gear.name;
    teeth.joint = shaft.name;
    teeth.to = name;
    geared.add(teeth);
  }
  EXPECT_TRUE(by_general(geared));
  // Bushings beyond one a loop.
  auto held = test::shipped("driven_slider_crank").mechanism();
  Bushing bushing;
  bushing.body_b = "slider";
  for (const char* name : {"first", "second"}) {
    EXPECT_FALSE(by_general(held));
    bushing.name = name;
    bushing.body_a = kGround;
    held.add(bushing);
  }
  EXPECT_TRUE(by_general(held));
}

// The words are those of what computes, which is made of the very choice.
TEST(Choice, IsWhatIsMade) {
  for (const char* name :
       {"four_bar", "four_bar_spatial", "chain_100", "stewart", "scissor_lift"}) {
    for (const auto& formulation : formulation_names()) {
      SCOPED_TRACE(formulation + " of " + name);
      auto choice = choice_of(formulation, test::shipped(name));
      const auto text = to_text(choice);
      EXPECT_FALSE(text.empty());
      EXPECT_EQ(make_formulation(std::move(choice))->plan(), text);
    }
  }
}

TEST(Choice, SaysTheOrderThatTheKernelTakes) {
  const auto model = test::shipped("stewart");
  const auto& system = std::get<System<Spatial<double>>>(model.tables());
  EXPECT_EQ(to_text(choice_of("dca", model)), Hdca(system).plan().to_text());
  EXPECT_EQ(to_text(choice_of("dense", model)),
            "dense, " + std::to_string(model.body_count()) + " bodies in order");
  EXPECT_EQ(to_text(choice_of("recursive", model)),
            "recursive, " + std::to_string(model.body_count()) + " bodies in order, in world axes");
}

TEST(Choice, RefusesOptionsThatDoNotFit) {
  EXPECT_EQ(why_refused("simplex", "four_bar", {}),
            "formulation \"simplex\" is not known (hdca, recursive, dense, dca, aba)");
  EXPECT_EQ(why_refused("hdca", "four_bar", {.lanes = LaneChoice::kNever}),
            "formulation hdca has no lanes to choose (recursive has)");
  EXPECT_EQ(why_refused("recursive", "four_bar", {.threads = -1}),
            "threads must be a whole number up to 1024, not -1");
  EXPECT_NE(why_refused("recursive", "four_bar", {.baumgarte = 1.0}).find("no Baumgarte terms"),
            std::string::npos);
  const auto lanes = [](const std::string& mechanism) {
    return why_refused("recursive", mechanism, {.lanes = LaneChoice::kAlways});
  };
  EXPECT_TRUE(lanes("four_bar").ends_with("no three parts of the linkage are alike"));
  EXPECT_NE(lanes("stewart").find("it is no tree of revolute joints"), std::string::npos);
  EXPECT_EQ(lanes("chain_100"), "");
}

}  // namespace
}  // namespace hamiltree
