#include "studies/precision/chain.hpp"

#include <Eigen/Geometry>
#include <numbers>
#include <random>
#include <string>

namespace hamiltree::studies::round_off {
namespace {

constexpr double kLength = 1.0;      // m
constexpr double kMass = 1.0;        // kg
constexpr double kThickness = 0.1;   // m, of the square section
constexpr double kSpread = 0.05;     // rad, of the angles about their mean
constexpr double kFoldAngle = 0.95;  // of pi

std::string body_name(int k) { return "rod " + std::to_string(k); }

BodyDescription rod(int k) {
  BodyDescription body;
  body.name = body_name(k);
  body.mass = kMass;
  body.com = {0.5 * kLength, 0.0, 0.0};
  const double across = kMass * (kLength * kLength + kThickness * kThickness) / 12.0;
  const double along = kMass * kThickness * kThickness / 6.0;
  body.inertia = Eigen::Vector3d(along, across, across).asDiagonal();
  return body;
}

JointDescription pin(SpaceKind space, int k) {
  JointDescription joint;
  joint.name = "pin " + std::to_string(k);
  joint.type = JointType::kRevolute;
  joint.parent = k == 0 ? kGround : body_name(k - 1);
  joint.child = body_name(k);
  if (k > 0) joint.at_parent.position = {kLength, 0.0, 0.0};
  if (space == SpaceKind::kSpatial) {
    const double quarter = (k % 2 == 0 ? 0.5 : -0.5) * std::numbers::pi;
    joint.at_parent.rotation =
        Eigen::AngleAxisd(quarter, Eigen::Vector3d::UnitX()).toRotationMatrix();
  }
  return joint;
}

JointDescription base(int k) {
  JointDescription joint;
  joint.name = "base " + std::to_string(k);
  joint.type = JointType::kFree;
  joint.parent = kGround;
  joint.child = body_name(k);
  return joint;
}

}  // namespace

std::string to_text(SpaceKind space, Shape shape) {
  return std::string(space == SpaceKind::kPlanar ? "planar" : "spatial") +
         (shape == Shape::kStraight ? " straight" : " folded");
}

RevoluteState random_pins(Shape shape, int bodies, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  RevoluteState pins{Eigen::VectorXd(bodies), Eigen::VectorXd(bodies)};
  for (int k = 0; k < bodies; ++k) {
    const double fold = (k % 2 == 0 ? kFoldAngle : -kFoldAngle) * std::numbers::pi;
    pins.angles(k) = (shape == Shape::kFolded ? fold : 0.0) + kSpread * uniform(random);
    pins.rates(k) = uniform(random);
  }
  return pins;
}

bool is_cut(const ChainOptions& options, int k) {
  return options.segment > 0 && k > 0 && k % options.segment == 0;
}

Mechanism chain(const ChainOptions& options) {
  Mechanism mechanism;
  mechanism.name = "chain";
  mechanism.space = options.space;
  mechanism.gravity = {0.0, -9.81, 0.0};
  for (int k = 0; k < options.bodies; ++k) {
    mechanism.add(rod(k));
    auto joint = pin(options.space, k);
    if (is_cut(options, k)) {
      mechanism.add(base(k));
      joint.cut = true;
    }
    mechanism.add(joint);
  }
  return mechanism;
}

}  // namespace hamiltree::studies::round_off
