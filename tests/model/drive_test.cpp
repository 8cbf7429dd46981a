// Drives: the velocity of a driven frame is the derivative of its pose, and the rate of that the
// derivative of the velocity; the pose is the one that the user asked for.
#include "hamiltree/model/drive.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/model/joints/joints.hpp"
#include "support/random_space.hpp"

namespace hamiltree {
namespace {

using test::derivatives_of;
using test::difference;
using test::rotation_rate;
using test::values_of;

constexpr double kRoundingOfDrives = 1e-13;  // measured: 9e-15 at most, rates of order 10

// Inside pieces of the functions, before the first and after the last.
constexpr double kTimes[] = {-0.7, 0.05, 0.3, 0.65, 0.9, 1.4, 2.2, 3.5};

// Every kind of function of time, all of them moving at all times but for the smooth step.
const PiecewiseSine kPolynomialDrive{Polynomial{{0.3, -0.8, 0.25, 0.1}}};
const PiecewiseSine kSineDrive{Sine{0.1, 0.7, 0.6, 0.4}};
const PiecewiseSine kStepDrive{SmoothStep{-0.4, 0.9, 0.1, 2.0}};
const PiecewiseSine kTableDrive{Table{{0.0, 0.5, 1.2, 2.0}, {0.2, -0.3, 0.6, 1.1}, 0.4, -0.5}};
const PiecewiseSine kFast{Sine{-0.2, 1.1, 0.9, -1.0}};
const PiecewiseSine kSlow{Polynomial{{-0.5, 0.6}}};

struct Case {
  std::string name;
  Drive drive;
};

// Frame motions, driven joints of every type with one degree of freedom, and both at once.
std::vector<Case> cases(SpaceKind space) {
  const std::array<PiecewiseSine, 6> motion{kPolynomialDrive, kSineDrive, kStepDrive,
                                            kTableDrive,      kFast,      kSlow};
  std::vector<Case> list{{"motion", {motion, std::nullopt}}};
  for (const auto& name : joint_type_names(space)) {
    const auto type = *joint_type_from_name(name);
    if (joint_size(type, space).velocities != 1) continue;
    for (const double pitch : {0.3, -0.2}) {
      if (type != JointType::kHelical && pitch < 0.0) continue;
      const double advance = type == JointType::kHelical ? pitch : 0.0;
      list.push_back({name, {std::nullopt, kTableDrive, type, advance}});
      list.push_back({"moving " + name, {motion, kSineDrive, type, advance}});
    }
  }
  return list;
}

template <class Space>
class DriveTest : public testing::Test {
 protected:
  static constexpr SpaceKind kSpace = Space::kIsPlanar ? SpaceKind::kPlanar : SpaceKind::kSpatial;

  // Calls check(drive, t) on all cases and times.
  template <class Check>
  static void on_cases(const Check& check) {
    const auto all = cases(kSpace);
    EXPECT_EQ(all.size(), Space::kIsPlanar ? 5U : 9U);
    for (const auto& [name, drive] : all) {
      for (const double t : kTimes) {
        SCOPED_TRACE(name + " at " + std::to_string(t));
        check(drive, t);
      }
    }
  }
};

using Spaces = testing::Types<Planar<double>, Spatial<double>>;
TYPED_TEST_SUITE(DriveTest, Spaces);

TYPED_TEST(DriveTest, VelocityIsTheDerivativeOfThePose) {
  using Space = TypeParam;
  using DualSpace = typename Space::template Rebind<Dual>;
  TestFixture::on_cases([](const Drive& drive, double t) {
    const auto frame = evaluate<Space>(drive, t);
    const auto moving = evaluate<DualSpace>(drive, Dual(t, 1.0));
    const auto& R = frame.X.R;
    EXPECT_LE(difference(values_of(moving.X.R), R), 0.0);
    EXPECT_LE(difference(values_of(moving.X.r), frame.X.r), 0.0);
    EXPECT_LE(difference(derivatives_of(moving.X.r), R * linear<Space>(frame.V)),
              kRoundingOfDrives);
    EXPECT_LE(
        difference(derivatives_of(moving.X.R), rotation_rate<Space>(R, angular<Space>(frame.V))),
        kRoundingOfDrives);
    EXPECT_GT(frame.V.norm(), 0.1);
  });
}

TYPED_TEST(DriveTest, RateOfTheVelocityIsItsDerivative) {
  using Space = TypeParam;
  using DualSpace = typename Space::template Rebind<Dual>;
  double largest = 0.0;
  TestFixture::on_cases([&](const Drive& drive, double t) {
    const auto frame = evaluate<Space>(drive, t);
    const auto moving = evaluate<DualSpace>(drive, Dual(t, 1.0));
    EXPECT_LE(difference(derivatives_of(moving.V), frame.V_dot), kRoundingOfDrives);
    largest = std::max(largest, frame.V_dot.norm());
  });
  EXPECT_GT(largest, 10.0);
}

TYPED_TEST(DriveTest, CoordinatesOfDrivenJointsAreTheirFunctions) {
  using DualSpace = typename TypeParam::template Rebind<Dual>;
  TestFixture::on_cases([](const Drive& drive, double t) {
    const auto x = evaluate<DualSpace>(drive, Dual(t, 1.0)).coordinate;
    const double expected = drive.coordinate ? (*drive.coordinate)(t).value : 0.0;
    EXPECT_EQ(x.value.value, expected);
    EXPECT_NEAR(x.value.derivative, x.rate.value, kRoundingOfDrives);
    EXPECT_NEAR(x.rate.derivative, x.acceleration.value, kRoundingOfDrives);
  });
}

// Shifts along the frame's axes, then R = Rz Ry Rx; on that frame the joint.
TYPED_TEST(DriveTest, PosesAreThoseThatWereAskedFor) {
  using Space = TypeParam;
  TestFixture::on_cases([](const Drive& drive, double t) {
    Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
    if (drive.motion) {
      std::array<double, 6> s{};
      for (std::size_t i = 0; i < 6; ++i) {
        const bool moves = !Space::kIsPlanar || i == 0 || i == 1 || i == 5;
        if (moves) s[i] = (*drive.motion)[i](t).value;
      }
      X = Eigen::Translation3d(s[0], s[1], s[2]) *
          Eigen::AngleAxisd(s[5], Eigen::Vector3d::UnitZ()) *
          Eigen::AngleAxisd(s[4], Eigen::Vector3d::UnitY()) *
          Eigen::AngleAxisd(s[3], Eigen::Vector3d::UnitX());
    }
    constexpr int n = Space::kLinear;
    Pose<Space> expected{X.linear().topLeftCorner<n, n>(), X.translation().head<n>()};
    if (drive.coordinate) {
      const double q = (*drive.coordinate)(t).value;
      expected = expected * visit_joint<Space>(drive.type, drive.pitch,
                                               [&]<class J>(const J& joint) -> Pose<Space> {
                                                 if constexpr (J::kCoordinates == 1)
                                                   return joint.pose(&q);
                                                 return {};
                                               });
    }
    const auto frame = evaluate<Space>(drive, t);
    EXPECT_LE(difference(frame.X.R, expected.R), kRoundingOfDrives);
    EXPECT_LE(difference(frame.X.r, expected.r), kRoundingOfDrives);
  });
}

}  // namespace
}  // namespace hamiltree
