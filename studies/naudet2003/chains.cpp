#include "studies/naudet2003/chains.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <random>
#include <string>

namespace hamiltree::naudet2003 {
namespace {

constexpr double kLength = 0.4;  // m, about that of a link

class Maker {
 public:
  Maker(Axes axes, Loads loads, unsigned seed) : axes_(axes), loads_(loads), random_(seed) {}

  Mechanism make(int bodies) {
    mechanism_.name = "chain of " + std::to_string(bodies) + " pins, " + to_text(axes_);
    if (loads_ == Loads::kGravity) mechanism_.gravity = Eigen::Vector3d(0.8, -1.3, -9.7);
    for (int b = 0; b < bodies; ++b) add_link(b);
    return mechanism_;
  }

 private:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Eigen::Vector3d vector(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }

  // On the body before, of which the frame is that of its own joint.
  Frame placement(int b) {
    Frame frame;
    if (b == 0) return frame;
    if (axes_ == Axes::kGeneral) {
      frame.position = vector(kLength);
      frame.rotation =
          Eigen::AngleAxisd(uniform(0.3, 2.8), vector(1.0).normalized()).toRotationMatrix();
    } else if (axes_ == Axes::kCommonNormal) {
      const double s = uniform(0.2, 0.9), c = std::sqrt(1.0 - s * s);
      frame.rotation << 1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c;  // zeros and ones exactly
      frame.position = frame.rotation * vector(kLength);
    } else {
      const double turn = b % 2 == 0 ? -1.0 : 1.0;
      frame.rotation << 1.0, 0.0, 0.0, 0.0, 0.0, -turn, 0.0, turn, 0.0;
      frame.position = Eigen::Vector3d(kLength, 0.0, 0.0);
    }
    return frame;
  }

  void add_link(int b) {
    BodyDescription body;
    body.name = "link_" + std::to_string(b + 1);
    body.mass = uniform(0.5, 1.5);
    body.com = vector(0.5 * kLength);
    const Eigen::Matrix3d A = Eigen::Matrix3d::NullaryExpr([&] { return uniform(-0.1, 0.1); });
    // The inertia of a cloud of points: the moments of inertia of a body never break the triangle
    // inequality.
    const Eigen::Matrix3d second = A * A.transpose() + 0.005 * Eigen::Matrix3d::Identity();
    body.inertia = second.trace() * Eigen::Matrix3d::Identity() - second;
    mechanism_.add(body);
    JointDescription joint;
    joint.name = "pin_" + std::to_string(b + 1);
    joint.parent = b == 0 ? kGround : "link_" + std::to_string(b);
    joint.child = body.name;
    joint.at_parent = placement(b);
    joint.initial_q = Eigen::VectorXd::Constant(1, uniform(-1.5, 1.5));
    joint.initial_v = Eigen::VectorXd::Constant(1, uniform(-1.0, 1.0));
    mechanism_.add(joint);
    if (loads_ == Loads::kWrench) add_wrench(body.name);
  }

  void add_wrench(const std::string& body) {
    AppliedWrench wrench;
    wrench.name = "wrench on " + body;
    wrench.body = body;
    wrench.axes = AppliedWrench::Axes::kBody;
    for (const auto& part : kTimeVectorParts) {
      wrench.force.*part.function = Polynomial{{uniform(0.5, 1.5)}};
      wrench.moment.*part.function = Polynomial{{uniform(0.5, 1.5)}};
    }
    mechanism_.add(ForceDescription(wrench));
  }

  Axes axes_;
  Loads loads_;
  std::mt19937_64 random_;
  Mechanism mechanism_;
};

}  // namespace

const char* to_text(Axes axes) {
  switch (axes) {
    case Axes::kGeneral:
      return "frames anywhere";
    case Axes::kCommonNormal:
      return "frames on common normals";
    default:
      return "axes at right angles";
  }
}
const char* to_text(Loads loads) {
  switch (loads) {
    case Loads::kNone:
      return "none";
    case Loads::kGravity:
      return "gravity";
    default:
      return "a wrench on every body";
  }
}

Mechanism pin_chain(int bodies, Axes axes, Loads loads, unsigned seed) {
  return Maker(axes, loads, seed).make(bodies);
}

}  // namespace hamiltree::naudet2003
