// Spatial models that move in one plane: which are found, which are refused, and that the planar
// tables are the same machine.
#include "hamiltree/model/in_plane.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <functional>
#include <numbers>
#include <ostream>
#include <stdexcept>
#include <string>

#include "hamiltree/model/loops.hpp"
#include "support/random_mechanism.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using Eigen::Vector3d;
using InSpace = System<Spatial<double>>;
using Flat = System<Planar<double>>;

Mechanism shipped(const std::string& name) { return test::shipped(name).mechanism(); }

template <class Tables>
const Tables& tables(const Model& model) {
  return model.visit([](const auto& system) -> const Tables& {
    if constexpr (requires { static_cast<const Tables&>(system); }) {
      return system;
    } else {
      throw std::logic_error("the model is of another space");
    }
  });
}

Eigen::Matrix3d turn(double angle, const Vector3d& axis) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

TEST(InPlane, MakesTheSpatialFourBarThePlanarOne) {
  const auto plane = in_plane(Model(shipped("four_bar_spatial")));
  ASSERT_TRUE(plane);
  EXPECT_EQ(plane->normal, Vector3d::UnitZ());
  const auto& found = tables<Flat>(plane->model);
  const Model planar(shipped("four_bar"));
  const auto& expected = tables<Flat>(planar);
  EXPECT_EQ(found.constraints, 2);
  EXPECT_EQ(plane->rows.size(), 2U);
  EXPECT_EQ(found.coordinates, expected.coordinates);
  EXPECT_EQ(found.gravity, expected.gravity);
  ASSERT_EQ(found.joint_count(), expected.joint_count());
  for (int b = 0; b < expected.body_count(); ++b) {
    EXPECT_EQ(found.body(b).mass, expected.body(b).mass) << b;
    EXPECT_EQ(found.body(b).com, expected.body(b).com) << b;
    EXPECT_EQ(found.body(b).J_com, expected.body(b).J_com) << b;
  }
  for (int j = 0; j < expected.joint_count(); ++j) {
    EXPECT_EQ(found.joint(j).X_PF.r, expected.joint(j).X_PF.r) << j;
    EXPECT_EQ(found.joint(j).X_CM.r, expected.joint(j).X_CM.r) << j;
    EXPECT_EQ(found.joint(j).parent, expected.joint(j).parent) << j;
  }
}

// Random planar machines lifted into space. Wherever the bodies stand, open loops included, their
// distances in the plane are the same, and the rows of the loops say the same: Phi = W Phi_plane.
TEST(InPlane, StandsAndClosesAsTheModelDoes) {
  int loops = 0, only_sliders = 0;
  for (const auto topology :
       {test::Topology::kTree, test::Topology::kFloatingLoop, test::Topology::kCoupledLoops}) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      SCOPED_TRACE(std::string(to_name(topology)) + ", seed " + std::to_string(seed));
      test::RandomMechanism random(seed);
      const Model model(
          test::cut_where_closed(random.make_in_one_plane(topology, test::Extent::kBasic)));
      const auto plane = in_plane(model);
      if (!plane) {
        ++only_sliders;  // which say nothing of a plane
        continue;
      }
      const auto& space = tables<InSpace>(model);
      const auto& flat = tables<Flat>(plane->model);
      const Eigen::VectorXd q =
          random.closed_pose(model, space) + random.vector(space.coordinates, 0.1);
      Kinematics<Spatial<double>> in_space(space);
      Kinematics<Planar<double>> in_flat(flat);
      place(space, 0.0, q.data(), in_space);
      place(flat, 0.0, q.data(), in_flat);
      for (int b = 0; b < space.body_count(); ++b) {
        const Vector3d d = in_space.X_WB[at(b)].r - in_space.X_WB[0].r;
        const Vector3d across = plane->normal * plane->normal.dot(d);
        EXPECT_NEAR((in_flat.X_WB[at(b)].r - in_flat.X_WB[0].r).norm(), (d - across).norm(), 1e-13);
      }
      Eigen::VectorXd phi(space.constraints), phi_flat(flat.constraints);
      position_residual(space, in_space, q.data(), phi.data());
      position_residual(flat, in_flat, q.data(), phi_flat.data());
      Eigen::VectorXd spread = Eigen::VectorXd::Zero(space.constraints);
      Eigen::VectorXd gathered = Eigen::VectorXd::Zero(flat.constraints);
      for (const auto& r : plane->rows) {
        spread(r.row) += r.part * phi_flat(r.in_plane);
        gathered(r.in_plane) += r.part * phi(r.row);
      }
      EXPECT_NEAR((spread - phi).norm(), 0.0, 1e-12);
      EXPECT_NEAR((gathered - phi_flat).norm(), 0.0, 1e-12);
      loops += model.loop_count();
    }
  }
  EXPECT_GT(loops, 80);
  EXPECT_LE(only_sliders, 3);
}

struct Change {
  std::string name;
  std::function<void(Mechanism&)> make;
};
std::ostream& operator<<(std::ostream& out, const Change& change) { return out << change.name; }

JointDescription& joint(Mechanism& m, const std::string& name) {
  for (auto& joint : m.joints) {
    if (joint.name == name) return joint;
  }
  throw std::logic_error(name);
}

Change tilted(const std::string& name, double angle) {
  return {name, [angle](Mechanism& m) {
            joint(m, "B").at_child.rotation = turn(angle, Vector3d(0.6, 0.8, 0.0));
          }};
}

class Refused : public testing::TestWithParam<Change> {};

TEST_P(Refused, WhatCouldLeaveThePlaneOrBeFeltAcrossIt) {
  auto m = shipped("four_bar_spatial");
  ASSERT_TRUE(in_plane(Model(m)));
  GetParam().make(m);
  EXPECT_FALSE(in_plane(Model(m)));
}

INSTANTIATE_TEST_SUITE_P(
    InPlane, Refused,
    testing::Values(
        tilted("AnAxisTiltedBy1e-6", 1e-6), tilted("AnAxisTiltedBy1e-12", 1e-12),
        Change{"AFreeBase",
               [](Mechanism& m) {
                 joint(m, "A").type = JointType::kFree;
                 joint(m, "A").initial_q.reset();
               }},
        Change{"AUniversalJoint",
               [](Mechanism& m) {
                 joint(m, "B").type = JointType::kUniversal;
                 joint(m, "B").guess_q.reset();
                 joint(m, "B").initial_q = Eigen::VectorXd::Zero(2);
               }},
        Change{"ASliderAcrossThePlane",
               [](Mechanism& m) { joint(m, "B").type = JointType::kPrismatic; }},
        Change{"AFrameThatLeavesThePlane",
               [](Mechanism& m) {
                 joint(m, "A").parent_motion =
                     FrameMotion{{}, {}, Sine{0.0, 0.1, 1.0, 0.0}, {}, {}, {}};
               }},
        Change{"ASpringBetweenHeights",
               [](Mechanism& m) {
                 m.add(PointSpringDamper{"spring",
                                         {{kGround, {0.1, 0.2, 0.0}}, {"rocker", {0.1, 0.0, 1e-3}}},
                                         5.0,
                                         0.1,
                                         0.0,
                                         {},
                                         {}});
               }},
        Change{"ABushing",
               [](Mechanism& m) {
                 Bushing bushing;
                 bushing.name = "bushing";
                 bushing.body_a = kGround;
                 bushing.body_b = "rocker";
                 bushing.translational_stiffness = {1.0, 1.0, 1.0};
                 m.add(bushing);
               }},
        Change{"AWrench",
               [](Mechanism& m) {
                 AppliedWrench wrench;
                 wrench.name = "wrench";
                 wrench.body = "rocker";
                 wrench.force.x = Sine{1.0, 0.0, 1.0, 0.0};
                 m.add(wrench);
               }},
        Change{"ALoadOfTheUsers",
               [](Mechanism& m) {
                 m.add(LoadCallback{
                     "load", "rocker", [](double, const BodyState&) { return BodyLoad{}; }, {}});
               }}),
    [](const auto& info) {
      auto name = info.param.name;
      std::erase(name, '-');
      return name;
    });

class Taken : public testing::TestWithParam<Change> {};

TEST_P(Taken, WhatThePlaneDoesNotFeel) {
  auto m = shipped("four_bar_spatial");
  GetParam().make(m);
  const auto plane = in_plane(Model(m));
  ASSERT_TRUE(plane);
  EXPECT_EQ(tables<Flat>(plane->model).constraints, 2);
}

INSTANTIATE_TEST_SUITE_P(
    InPlane, Taken,
    testing::Values(tilted("RoundingOfAxes", 1e-15),
                    Change{"HeightsOverThePlane",
                           [](Mechanism& m) {
                             for (const char* name : {"B", "C"})
                               joint(m, name).at_parent.position.z() = 0.07;
                             joint(m, "D").at_child.position.z() = -0.14;
                             m.bodies[1].com.z() = 0.3;
                           }},
                    Change{"ALoopClosedByABall",
                           [](Mechanism& m) {
                             joint(m, "D").type = JointType::kSpherical;
                             joint(m, "D").guess_q.reset();
                           }},
                    Change{"ALoopClosedByASleeve",
                           [](Mechanism& m) {
                             joint(m, "D").type = JointType::kCylindrical;
                             joint(m, "D").guess_q.reset();
                           }},
                    Change{"ADrivenCrankAgainstTheOtherPins",
                           [](Mechanism& m) {
                             auto& b = joint(m, "B");
                             b.guess_q.reset();
                             b.drive = Polynomial{{0.5, 1.0}};
                             b.at_parent.rotation = b.at_child.rotation =
                                 turn(std::numbers::pi, Vector3d::UnitX());
                           }},
                    Change{"ASpringOnAPinAgainstTheNormalThatClosesALoop",
                           [](Mechanism& m) {
                             auto& d = joint(m, "D");
                             d.guess_q.reset();
                             d.at_parent.rotation = d.at_child.rotation =
                                 turn(std::numbers::pi, Vector3d::UnitX());
                             for (const char* name : {"A", "B", "C"}) {
                               joint(m, name).initial_q = Eigen::VectorXd::Zero(1);
                             }
                             m.add(JointSpringDamper{"D", 1.0, 0.0, 0.0, {}});
                           }},
                    Change{"ASpringInThePlane",
                           [](Mechanism& m) {
                             m.add(PointSpringDamper{
                                 "spring",
                                 {{kGround, {0.1, 0.2, 0.3}}, {"rocker", {0.1, 0.0, 0.3}}},
                                 5.0,
                                 0.1,
                                 0.0,
                                 {},
                                 {}});
                           }},
                    Change{"ForcesAlongJoints",
                           [](Mechanism& m) {
                             m.add(JointSpringDamper{"B", 1.0, 0.1, 0.2, {}});
                             m.add(JointFriction{"A", 1.0, 0.1, 0.2, {}});
                             m.add(Controller{"law", {"A"}, [](Controls&) {}, {}});
                           }}),
    [](const auto& info) { return info.param.name; });

TEST(InPlane, LeavesPlanarModelsAndArmsInSpaceAlone) {
  for (const char* name : {"four_bar", "spatial_arm", "bennett", "heavy_top"}) {
    EXPECT_FALSE(in_plane(Model(shipped(name)))) << name;
  }
}

}  // namespace
}  // namespace hamiltree
