// What every joint type must do, in both spaces: one suite, and a new joint is one line in the
// list.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

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
};

using AllJoints =
    testing::Types<JointIn<Revolute, Planar>, JointIn<Revolute, Spatial>,
                   JointIn<Prismatic, Planar>, JointIn<Prismatic, Spatial>, JointIn<Fixed, Planar>,
                   JointIn<Fixed, Spatial>, JointIn<Free, Planar>, JointIn<Free, Spatial>,
                   JointIn<Cylindrical, Spatial>, JointIn<Spherical, Spatial>,
                   JointIn<PlanarJoint, Spatial>, JointIn<Translational, Spatial>>;

constexpr int kSamples = 100;
constexpr double kRounding = 1e-14;  // measured: 9e-16 at most

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

  RandomSpace<Space> random{20031017};
};

TYPED_TEST_SUITE(JointTest, AllJoints);

TYPED_TEST(JointTest, PoseIsARigidMotion) {
  using Rotation = typename TestFixture::Space::Rotation;
  for (int i = 0; i < kSamples; ++i) {
    const auto q = this->coordinates();
    const Rotation R = TestFixture::Joint::pose(q.data()).R;
    EXPECT_LE(difference(R.transpose() * R, Rotation(Rotation::Identity())), kRounding);
    EXPECT_NEAR(R.determinant(), 1.0, kRounding);
  }
}

// d pose(q)/dt along coordinate_rates(q, v) is the motion H v in the child's axes.
TYPED_TEST(JointTest, RatesOfThePoseAreTheMotion) {
  using Space = typename TestFixture::Space;
  using Joint = typename TestFixture::Joint;
  for (int i = 0; i < kSamples; ++i) {
    const auto q = this->coordinates();
    const auto v = this->velocities();
    typename TestFixture::Coordinates q_dot{};
    Joint::coordinate_rates(q.data(), v.data(), q_dot.data());
    std::array<Dual, static_cast<std::size_t>(Joint::kCoordinates)> q_dual;
    for (std::size_t k = 0; k < q.size(); ++k) q_dual[k] = Dual(q[k], q_dot[k]);

    const auto X = Joint::pose(q.data());
    const auto X_dual = TypeParam::DualJoint::pose(q_dual.data());
    const auto V = motion<Joint, Space>(v.data());
    EXPECT_LE(difference(values_of(X_dual.R), X.R), kRounding);
    EXPECT_LE(difference(values_of(X_dual.r), X.r), kRounding);
    EXPECT_LE(difference(derivatives_of(X_dual.r), X.R * linear<Space>(V)), kRounding);
    EXPECT_LE(difference(derivatives_of(X_dual.R), rotation_rate<Space>(X.R, angular<Space>(V))),
              kRounding);
  }
}

TYPED_TEST(JointTest, CoordinatesInvertPose) {
  using Joint = typename TestFixture::Joint;
  for (int i = 0; i < kSamples; ++i) {
    const auto q = this->coordinates();
    const auto X = Joint::pose(q.data());
    typename TestFixture::Coordinates back{};
    Joint::coordinates(X, back.data());
    const auto X_back = Joint::pose(back.data());
    EXPECT_LE(difference(X_back.R, X.R), kRounding);
    EXPECT_LE(difference(X_back.r, X.r), kRounding);
    // Again from there: the principal values are a fixed point, angles in (-pi, pi].
    typename TestFixture::Coordinates again{};
    Joint::coordinates(X_back, again.data());
    for (std::size_t k = 0; k < back.size(); ++k) EXPECT_NEAR(again[k], back[k], kRounding);
    if constexpr (std::is_same_v<Joint, Revolute<typename TestFixture::Space>>) {
      EXPECT_LE(std::abs(back[0]), std::numbers::pi);
      EXPECT_NEAR(std::remainder(back[0] - q[0], 2.0 * std::numbers::pi), 0.0, kRounding);
    } else if constexpr (Joint::kCoordinates == 1) {
      EXPECT_EQ(back[0], q[0]);
    }
  }
}

TYPED_TEST(JointTest, ResidualVanishesOnTheJoint) {
  for (int i = 0; i < kSamples; ++i) {
    const auto q = this->coordinates();
    const auto phi = TestFixture::Joint::residual(TestFixture::Joint::pose(q.data()));
    EXPECT_LE(difference(phi, decltype(phi)(decltype(phi)::Zero())), kRounding);
  }
}

// On the constraint the residual's rate under any relative motion V is D^T V.
TYPED_TEST(JointTest, RateOfTheResidualIsTheConstrainedMotion) {
  const auto constrained = TestFixture::constrained();
  for (int i = 0; i < kSamples; ++i) {
    const auto q = this->coordinates();
    const auto V = this->random.motion();
    const auto phi = TypeParam::DualJoint::residual(moving(TestFixture::Joint::pose(q.data()), V));
    ASSERT_EQ(phi.size(), static_cast<Eigen::Index>(constrained.size()));
    for (std::size_t k = 0; k < constrained.size(); ++k) {
      EXPECT_NEAR(phi(static_cast<Eigen::Index>(k)).derivative, V(constrained[k]), 4.0 * kRounding)
          << "row " << k;
    }
  }
}

// Newton must not find a pose that is turned by pi about a constrained axis: there the residual is
// large or not finite, and along the way it grows.
TYPED_TEST(JointTest, ResidualKnowsTheWrongBranch) {
  using Space = typename TestFixture::Space;
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
      const auto phi = TestFixture::Joint::residual(TestFixture::Joint::pose(q.data()) * turned);
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
  EXPECT_LE(difference(project_motion<Joint, Space>(F), H.transpose() * F), 0.0);
  if constexpr (kV > 0) {
    const auto U = motion_columns<Joint, Space>(any);
    EXPECT_LE(difference(U, any * H), 0.0);
    EXPECT_LE(difference(motion_rows<Joint, Space>(U), H.transpose() * any * H), 0.0);
  }
}

TYPED_TEST(JointTest, NormaliseKeepsThePose) {
  using Joint = typename TestFixture::Joint;
  for (int i = 0; i < kSamples; ++i) {
    auto q = this->coordinates();
    if constexpr (Joint::kCoordinates != Joint::kVelocities) {
      const double length = this->random.uniform(0.5, 2.0);  // a quaternion that has drifted
      for (std::size_t k = q.size() - 4; k < q.size(); ++k) q[k] *= length;
    }
    const auto X = Joint::pose(q.data());
    auto normal = q;
    Joint::normalise(normal.data());
    const auto X_normal = Joint::pose(normal.data());
    EXPECT_LE(difference(X_normal.R, X.R), kRounding);
    EXPECT_LE(difference(X_normal.r, X.r), kRounding);
    if constexpr (Joint::kCoordinates != Joint::kVelocities) {
      EXPECT_NEAR((Eigen::Map<const Eigen::Vector4d>(normal.data() + normal.size() - 4).norm()),
                  1.0, kRounding);
    } else {
      EXPECT_EQ(normal, q);
    }
  }
}

// The one switch goes to the type of that name, and the names go both ways.
TEST(JointTypes, AreVisitedByName) {
  const auto motion_size = [](JointType type) { return joint_size<Spatial<double>>(type); };
  EXPECT_EQ(motion_size(JointType::kRevolute).constraints, 5);
  EXPECT_EQ(motion_size(JointType::kPrismatic).velocities, 1);
  EXPECT_EQ(motion_size(JointType::kFixed).velocities, 0);
  EXPECT_EQ(motion_size(JointType::kFree).coordinates, 7);
  EXPECT_EQ(joint_size<Planar<double>>(JointType::kFree).coordinates, 3);
  visit_joint<Spatial<double>>(JointType::kPrismatic, []<class J>(J) {
    EXPECT_TRUE((std::is_same_v<J, Prismatic<Spatial<double>>>));
  });
  visit_joint<Planar<double>>(JointType::kRevolute, []<class J>(J) {
    EXPECT_TRUE((std::is_same_v<J, Revolute<Planar<double>>>));
  });
  for (const auto type :
       {JointType::kRevolute, JointType::kPrismatic, JointType::kFixed, JointType::kFree}) {
    EXPECT_EQ(joint_type_from_name(to_name(type)), type);
  }
  EXPECT_FALSE(joint_type_from_name("spherical ").has_value());
}

}  // namespace
}  // namespace hamiltree
