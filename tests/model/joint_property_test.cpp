// Properties of every joint type, in both spaces: one suite, and a new joint is one line in the
// list.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <ratio>
#include <string>

#include "hamiltree/model/joint_frame.hpp"
#include "hamiltree/model/joints/joints.hpp"
#include "support/random_space.hpp"

namespace hamiltree {
namespace {

using test::derivatives_of;
using test::difference;
using test::moving;
using test::RandomSpace;
using test::rotation_rate;
using test::values_of;

template <template <class> class JointType, template <class> class SpaceOf>
struct JointIn {
  using Space = SpaceOf<double>;
  using DualSpace = SpaceOf<Dual>;
  using Joint = JointType<Space>;
  using DualJoint = JointType<DualSpace>;
  static constexpr double kPitch = 0.0;  // m/rad
  static Joint joint() { return {}; }
  static DualJoint dual_joint() { return {}; }
};

// A screw advances by its pitch, a ratio in m/rad.
template <class Pitch>
struct Screw {
  using Space = Spatial<double>;
  using DualSpace = Spatial<Dual>;
  using Joint = Helical<Space>;
  using DualJoint = Helical<DualSpace>;
  static constexpr double kPitch = static_cast<double>(Pitch::num) / Pitch::den;
  static Joint joint() { return Joint(kPitch); }
  static DualJoint dual_joint() { return DualJoint(kPitch); }
};

using AllJoints = testing::Types<
    JointIn<Revolute, Planar>, JointIn<Revolute, Spatial>, JointIn<Prismatic, Planar>,
    JointIn<Prismatic, Spatial>, JointIn<Fixed, Planar>, JointIn<Fixed, Spatial>,
    JointIn<Free, Planar>, JointIn<Free, Spatial>, JointIn<Cylindrical, Spatial>,
    JointIn<Spherical, Spatial>, JointIn<PlanarJoint, Spatial>, JointIn<Translational, Spatial>,
    JointIn<Universal, Spatial>, JointIn<PinInSlot, Planar>, JointIn<PinInSlot, Spatial>,
    Screw<std::ratio<1, 4>>, Screw<std::ratio<-3, 100>>>;

constexpr int kJointSamples = 100;
constexpr double kRoundingOfJoints = 1e-14;  // measured: 9e-16 at most

template <class T>
class JointTest : public testing::Test {
 protected:
  using Space = typename T::Space;
  using Joint = typename T::Joint;
  using Coordinates = std::array<double, static_cast<std::size_t>(Joint::kCoordinates)>;
  using Velocities = std::array<double, static_cast<std::size_t>(Joint::kVelocities)>;

  // Angles of several turns; quaternions of length 1.
  Coordinates coordinates() {
    Coordinates q{};
    for (double& x : q) x = random.uniform(-7.0, 7.0);
    Joint::normalise(q.data());
    return q;
  }
  Velocities velocities() {
    Velocities v{};
    for (double& x : v) x = random.uniform(-1.0, 1.0);
    return v;
  }
  static std::array<int, static_cast<std::size_t>(Joint::kConstraints)> constrained() {
    return complement<Space::kDimension>(Joint::kMotion);
  }
  // The joint's frame J seen from F.
  static JointFrame<Space> frame(const Pose<Space>& X_FM) {
    if constexpr (Joint::kOwnFrame) return {Joint::frame(X_FM), T::kPitch};
    return {X_FM, T::kPitch};
  }

  RandomSpace<Space> random{20031017};
};

TYPED_TEST_SUITE(JointTest, AllJoints);

TYPED_TEST(JointTest, PoseIsARigidMotion) {
  using Rotation = typename TestFixture::Space::Rotation;
  for (int i = 0; i < kJointSamples; ++i) {
    const auto q = this->coordinates();
    const Rotation R = TypeParam::joint().pose(q.data()).R;
    EXPECT_LE(difference(R.transpose() * R, Rotation(Rotation::Identity())), kRoundingOfJoints);
    EXPECT_NEAR(R.determinant(), 1.0, kRoundingOfJoints);
  }
}

// d pose(q)/dt along coordinate_rates(q, v) is the motion H v in the joint's coordinates.
TYPED_TEST(JointTest, RatesOfThePoseAreTheMotion) {
  using Space = typename TestFixture::Space;
  using Joint = typename TestFixture::Joint;
  for (int i = 0; i < kJointSamples; ++i) {
    const auto q = this->coordinates();
    const auto v = this->velocities();
    typename TestFixture::Coordinates q_dot{};
    Joint::coordinate_rates(q.data(), v.data(), q_dot.data());
    std::array<Dual, static_cast<std::size_t>(Joint::kCoordinates)> q_dual;
    for (std::size_t k = 0; k < q.size(); ++k) q_dual[k] = Dual(q[k], q_dot[k]);

    const auto X = TypeParam::joint().pose(q.data());
    const auto X_dual = TypeParam::dual_joint().pose(q_dual.data());
    const auto V = TestFixture::frame(X).to_world_motion(motion<Joint, Space>(v.data()));  // in F
    const auto omega = Space::unrotate_angular(X.R, angular<Space>(V));
    EXPECT_LE(difference(values_of(X_dual.R), X.R), kRoundingOfJoints);
    EXPECT_LE(difference(values_of(X_dual.r), X.r), kRoundingOfJoints);
    EXPECT_LE(difference(derivatives_of(X_dual.r), linear<Space>(V)), kRoundingOfJoints);
    EXPECT_LE(difference(derivatives_of(X_dual.R), rotation_rate<Space>(X.R, omega)),
              kRoundingOfJoints);
  }
}

// To first order, quaternions stay on their manifold.
TYPED_TEST(JointTest, RatesKeepQuaternionsUnit) {
  using Joint = typename TestFixture::Joint;
  if constexpr (Joint::kCoordinates != Joint::kVelocities) {
    for (int i = 0; i < kJointSamples; ++i) {
      const auto q = this->coordinates();
      const auto v = this->velocities();
      typename TestFixture::Coordinates q_dot{};
      Joint::coordinate_rates(q.data(), v.data(), q_dot.data());
      double length_rate = 0.0;
      for (std::size_t k = q.size() - 4; k < q.size(); ++k) length_rate += q[k] * q_dot[k];
      EXPECT_NEAR(length_rate, 0.0, kRoundingOfJoints);
    }
  }
}

// The frame J stands at the child's origin; without one of its own it is the child's.
TYPED_TEST(JointTest, FrameStandsAtTheChildsOrigin) {
  using Rotation = typename TestFixture::Space::Rotation;
  for (int i = 0; i < kJointSamples; ++i) {
    const auto q = this->coordinates();
    const auto X = TypeParam::joint().pose(q.data());
    const auto X_FJ = TestFixture::frame(X).X_WJ;
    EXPECT_EQ(X_FJ.r, X.r);
    EXPECT_LE(difference(X_FJ.R.transpose() * X_FJ.R, Rotation(Rotation::Identity())),
              kRoundingOfJoints);
    EXPECT_NEAR(X_FJ.R.determinant(), 1.0, kRoundingOfJoints);
  }
}

TYPED_TEST(JointTest, CoordinatesInvertPose) {
  using Joint = typename TestFixture::Joint;
  for (int i = 0; i < kJointSamples; ++i) {
    const auto q = this->coordinates();
    const auto X = TypeParam::joint().pose(q.data());
    typename TestFixture::Coordinates back{};
    TypeParam::joint().coordinates(X, back.data());
    const auto X_back = TypeParam::joint().pose(back.data());
    EXPECT_LE(difference(X_back.R, X.R), kRoundingOfJoints);
    EXPECT_LE(difference(X_back.r, X.r), kRoundingOfJoints);
    // Again from there: the principal values are a fixed point, angles in (-pi, pi].
    typename TestFixture::Coordinates again{};
    TypeParam::joint().coordinates(X_back, again.data());
    for (std::size_t k = 0; k < back.size(); ++k) EXPECT_NEAR(again[k], back[k], kRoundingOfJoints);
    if constexpr (std::is_same_v<Joint, Revolute<typename TestFixture::Space>>) {
      EXPECT_LE(std::abs(back[0]), std::numbers::pi);
      EXPECT_NEAR(std::remainder(back[0] - q[0], 2.0 * std::numbers::pi), 0.0, kRoundingOfJoints);
    } else if constexpr (Joint::kCoordinates == 1) {
      EXPECT_NEAR(back[0], q[0], kRoundingOfJoints);  // a screw knows how often it has turned
    }
  }
}

TYPED_TEST(JointTest, ResidualVanishesOnTheJoint) {
  for (int i = 0; i < kJointSamples; ++i) {
    const auto q = this->coordinates();
    const auto phi = TypeParam::joint().residual(TypeParam::joint().pose(q.data()));
    EXPECT_LE(difference(phi, decltype(phi)(decltype(phi)::Zero())), kRoundingOfJoints);
  }
}

// On the constraint the residual's rate under any relative motion V is D^T V.
TYPED_TEST(JointTest, RateOfTheResidualIsTheConstrainedMotion) {
  using Space = typename TestFixture::Space;
  const auto constrained = TestFixture::constrained();
  for (int i = 0; i < kJointSamples; ++i) {
    const auto q = this->coordinates();
    const auto X = TypeParam::joint().pose(q.data());
    const auto V_M = this->random.motion();  // in the child's axes
    const auto V = TestFixture::frame(X).to_joint_motion(rotate<Space>(X.R, V_M));
    const auto phi = TypeParam::dual_joint().residual(moving(X, V_M));
    ASSERT_EQ(phi.size(), static_cast<Eigen::Index>(constrained.size()));
    for (std::size_t k = 0; k < constrained.size(); ++k) {
      EXPECT_NEAR(phi(static_cast<Eigen::Index>(k)).derivative, V(constrained[k]),
                  4.0 * kRoundingOfJoints)
          << "row " << k;
    }
  }
}

// The other way round: a pose off the joint has a residual. Half a turn of the child about z of the
// cross leaves a universal joint on its manifold, so it has no wrong branch.
TYPED_TEST(JointTest, ResidualIsZeroOnTheJointOnly) {
  using Space = typename TestFixture::Space;
  for (int i = 0; i < kJointSamples; ++i) {
    const auto q = this->coordinates();
    const auto X = TypeParam::joint().pose(q.data()) * this->random.pose();
    typename TestFixture::Coordinates near{};
    TypeParam::joint().coordinates(X, near.data());
    const auto X_near = TypeParam::joint().pose(near.data());
    const double off = difference(X.R, X_near.R) + difference(X.r, X_near.r);
    const double phi = TypeParam::joint().residual(X).norm();
    if (TestFixture::Joint::kVelocities == Space::kDimension) {
      EXPECT_LE(off + phi, 4.0 * kRoundingOfJoints);
    } else {
      EXPECT_GT(off, 1e-6);
      EXPECT_GT(phi, 1e-6);
    }
  }
}

// Newton must not find a pose that is turned by pi about a constrained axis: there the residual is
// large or not finite, and along the way it grows.
TYPED_TEST(JointTest, ResidualKnowsTheWrongBranch) {
  using Space = typename TestFixture::Space;
  if (std::is_same_v<typename TestFixture::Joint, Universal<Spatial<double>>>) return;
  for (const int component : TestFixture::constrained()) {
    if (component < Space::kLinear) continue;
    const auto q = this->coordinates();
    double last = 0.0;
    for (const double angle : {0.1, 1.0, 2.0, 3.0, 3.1, std::numbers::pi}) {
      Pose<Space> turned;
      if constexpr (Space::kIsPlanar) {
        turned.R = Eigen::Rotation2Dd(angle).toRotationMatrix();
      } else {
        turned.R = Eigen::AngleAxisd(angle, Eigen::Vector3d::Unit(component - Space::kLinear))
                       .toRotationMatrix();
      }
      const auto phi = TypeParam::joint().residual(TypeParam::joint().pose(q.data()) * turned);
      EXPECT_FALSE(phi.norm() <= std::max(last, 0.9 * angle)) << angle << " about " << component;
      last = phi.norm();
    }
  }
}

TYPED_TEST(JointTest, FreeAndConstrainedDirectionsPartitionTheMotions) {
  using Joint = typename TestFixture::Joint;
  using Space = typename TestFixture::Space;
  static_assert(Joint::kVelocities + Joint::kConstraints == Space::kDimension);
  static_assert(Joint::kMotion.size() == static_cast<std::size_t>(Joint::kVelocities));
  std::array<int, Space::kDimension> seen{};
  for (const int m : Joint::kMotion) ++seen.at(static_cast<std::size_t>(m));
  for (const int c : TestFixture::constrained()) ++seen.at(static_cast<std::size_t>(c));
  for (const int times : seen) EXPECT_EQ(times, 1);
  const auto constrained = TestFixture::constrained();
  EXPECT_TRUE(std::is_sorted(constrained.begin(), constrained.end()));
}

TYPED_TEST(JointTest, ProductsWithHAreThoseOfTheMatrix) {
  using Joint = typename TestFixture::Joint;
  using Space = typename TestFixture::Space;
  constexpr int kV = Joint::kVelocities;
  Eigen::MatrixXd H(Space::kDimension, kV);  // by its columns, motions of unit velocities
  for (int k = 0; k < kV; ++k) {
    typename TestFixture::Velocities unit{};
    unit[static_cast<std::size_t>(k)] = 1.0;
    H.col(k) = motion<Joint, Space>(unit.data());
  }
  const auto F = this->random.force();
  const auto any = this->random.template vector<typename Space::Inertia>();
  const Eigen::MatrixXd column = F, square = any;
  EXPECT_LE(difference(project_motion<Joint, Space>(F), H.transpose() * column), 0.0);
  if constexpr (kV > 0) {
    const auto U = motion_columns<Joint, Space>(any);
    EXPECT_LE(difference(U, square * H), 0.0);
    EXPECT_LE(difference(motion_rows<Joint, Space>(U), H.transpose() * square * H), 0.0);
  }
}

TYPED_TEST(JointTest, NormaliseKeepsThePose) {
  using Joint = typename TestFixture::Joint;
  for (int i = 0; i < kJointSamples; ++i) {
    auto q = this->coordinates();
    if constexpr (Joint::kCoordinates != Joint::kVelocities) {
      const double length = this->random.uniform(0.5, 2.0);  // a quaternion that has drifted
      for (std::size_t k = q.size() - 4; k < q.size(); ++k) q[k] *= length;
    }
    const auto X = TypeParam::joint().pose(q.data());
    auto normal = q;
    Joint::normalise(normal.data());
    const auto X_normal = TypeParam::joint().pose(normal.data());
    EXPECT_LE(difference(X_normal.R, X.R), kRoundingOfJoints);
    EXPECT_LE(difference(X_normal.r, X.r), kRoundingOfJoints);
    if constexpr (Joint::kCoordinates != Joint::kVelocities) {
      EXPECT_NEAR((Eigen::Map<const Eigen::Vector4d>(normal.data() + normal.size() - 4).norm()),
                  1.0, kRoundingOfJoints);
    } else {
      EXPECT_EQ(normal, q);
    }
  }
}

template <template <class> class SpaceOf, template <class> class Expected>
void expect_visited(JointType type) {
  using Space = SpaceOf<double>;
  visit_joint<Space>(type, 0.5, [&]<class J>(const J&) {
    EXPECT_TRUE((std::is_same_v<J, Expected<Space>>)) << to_name(type);
  });
}

// The one switch goes to the type of that name, and the names go both ways.
TEST(JointTypes, AreVisitedByName) {
  const auto motion_size = [](JointType type) { return joint_size(type, SpaceKind::kSpatial); };
  EXPECT_EQ(motion_size(JointType::kRevolute).constraints, 5);
  EXPECT_EQ(motion_size(JointType::kPrismatic).velocities, 1);
  EXPECT_EQ(motion_size(JointType::kFixed).velocities, 0);
  EXPECT_EQ(motion_size(JointType::kFree).coordinates, 7);
  EXPECT_EQ(joint_size(JointType::kFree, SpaceKind::kPlanar).coordinates, 3);
  expect_visited<Planar, Revolute>(JointType::kRevolute);
  expect_visited<Planar, Prismatic>(JointType::kPrismatic);
  expect_visited<Planar, PinInSlot>(JointType::kPinInSlot);
  expect_visited<Planar, Fixed>(JointType::kFixed);
  expect_visited<Planar, Free>(JointType::kFree);
  expect_visited<Spatial, Revolute>(JointType::kRevolute);
  expect_visited<Spatial, Prismatic>(JointType::kPrismatic);
  expect_visited<Spatial, Helical>(JointType::kHelical);
  expect_visited<Spatial, Cylindrical>(JointType::kCylindrical);
  expect_visited<Spatial, Universal>(JointType::kUniversal);
  expect_visited<Spatial, Spherical>(JointType::kSpherical);
  expect_visited<Spatial, PlanarJoint>(JointType::kPlanar);
  expect_visited<Spatial, Translational>(JointType::kTranslational);
  expect_visited<Spatial, PinInSlot>(JointType::kPinInSlot);
  expect_visited<Spatial, Fixed>(JointType::kFixed);
  expect_visited<Spatial, Free>(JointType::kFree);
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    for (const auto& name : joint_type_names(space)) {
      const auto type = joint_type_from_name(name);
      ASSERT_TRUE(type.has_value()) << name;
      EXPECT_EQ(to_name(*type), name);
    }
  }
  EXPECT_FALSE(joint_type_from_name("spherical ").has_value());
}

TEST(JointTypes, ScrewsKeepTheirPitch) {
  const double pitch =
      visit_joint<Spatial<double>>(JointType::kHelical, -0.7, []<class J>(const J& joint) {
        if constexpr (std::is_same_v<J, Helical<Spatial<double>>>) return joint.pitch;
        return 0.0;
      });
  EXPECT_EQ(pitch, -0.7);
}

}  // namespace
}  // namespace hamiltree
