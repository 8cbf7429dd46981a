#include "benchmarks/models.hpp"

#include <Eigen/Geometry>
#include <numbers>
#include <random>

namespace hamiltree::benchmarks {
namespace {

constexpr unsigned kSeed = 2017;
constexpr double kLength = 0.3;  // m, about that of a link
constexpr double kPi = std::numbers::pi;

class Maker {
 public:
  Maker(std::string name, SpaceKind space) {
    mechanism_.name = std::move(name);
    mechanism_.space = space;
    pull(planar() ? Eigen::Vector3d(0, -9.81, 0) : Eigen::Vector3d(0, 0, -9.81));
  }

  Mechanism take() { return std::move(mechanism_); }
  void pull(const Eigen::Vector3d& gravity) { mechanism_.gravity = gravity; }
  bool planar() const { return mechanism_.space == SpaceKind::kPlanar; }

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Eigen::Vector3d vector(double size) {
    const double x = uniform(-size, size), y = uniform(-size, size);
    return {x, y, planar() ? 0.0 : uniform(-size, size)};
  }
  Eigen::Vector3d along_link() { return Eigen::Vector3d(kLength, 0, 0) + vector(0.2 * kLength); }
  Eigen::Matrix3d turn(double angle, const Eigen::Vector3d& axis) {
    return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
  }

  // A link with its centre of mass about half-way. Returns its name.
  std::string add_link(const std::string& name) {
    BodyDescription body;
    body.name = name;
    body.mass = uniform(0.7, 1.3);
    body.com = 0.5 * along_link();
    const Eigen::Matrix3d A = Eigen::Matrix3d::NullaryExpr([&] { return uniform(-0.05, 0.05); });
    // Of a cloud of points: the moments of inertia of a body never break the triangle inequality.
    const Eigen::Matrix3d second = A * A.transpose() + 0.005 * Eigen::Matrix3d::Identity();
    body.inertia = second.trace() * Eigen::Matrix3d::Identity() - second;
    if (planar()) body.inertia = Eigen::Vector3d(0, 0, body.inertia(2, 2)).asDiagonal();
    mechanism_.add(body);
    return name;
  }

  void add_pin(const std::string& parent, const std::string& child, const Frame& at_parent) {
    add_pin(parent, child, at_parent, {}, uniform(-1.5, 1.5), uniform(-1.0, 1.0));
  }
  void add_pin(const std::string& parent, const std::string& child, const Frame& at_parent,
               const Frame& at_child, double q, double v) {
    JointDescription joint;
    joint.name = parent + " to " + child;
    joint.parent = parent;
    joint.child = child;
    joint.at_parent = at_parent;
    joint.at_child = at_child;
    joint.initial_q = Eigen::VectorXd::Constant(1, q);
    joint.initial_v = Eigen::VectorXd::Constant(1, v);
    mechanism_.add(joint);
  }

  // A pin with its axis anywhere on a new link.
  void add_any(const std::string& parent, const std::string& child) {
    Frame frame;
    if (parent != kGround) frame.position = along_link();
    if (!planar()) frame.rotation = turn(uniform(0.3, 2.8), vector(1.0));
    add_pin(parent, add_link(child), frame);
  }

  // A pin about an axis of the parent.
  void add_about(const std::string& parent, const std::string& child,
                 const Eigen::Vector3d& position, const Eigen::Vector3d& axis) {
    const Eigen::Matrix3d R =
        Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), axis).toRotationMatrix();
    add_pin(parent, add_link(child), {position, R.array().round().matrix()});
  }

  void add_floating(const std::string& child) {
    JointDescription joint;
    joint.name = "floating";
    joint.type = JointType::kFree;
    joint.parent = kGround;
    joint.child = add_link(child);
    Eigen::VectorXd q(planar() ? 3 : 7), v(planar() ? 3 : 6);
    if (planar()) {
      q << vector(1.0).head<2>(), 0.7;
      v << vector(1.0).head<2>(), 0.4;
    } else {
      const Eigen::Quaterniond turned(Eigen::AngleAxisd(0.7, vector(1.0).normalized()));
      q << vector(1.0), turned.w(), turned.vec();
      v << vector(1.0), vector(1.0);
    }
    joint.initial_q = q;
    joint.initial_v = v;
    mechanism_.add(joint);
  }

  // Pins one after another from the parent, each about the given axis of the one before.
  std::string add_limb(const std::string& name, std::string parent, const Eigen::Vector3d& start,
                       const std::string& axes) {
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const std::string child = name + "_" + std::to_string(i + 1);
      const Eigen::Vector3d axis = Eigen::Vector3d::Unit(axes[i] - 'x');
      // Three axes meet at a hip or a shoulder; one that is parallel to the one before cannot.
      const bool further = i == 3 || axes[i] == 'z';
      add_about(parent, child, i == 0 ? start : Eigen::Vector3d(further ? kLength : 0.0, 0, 0),
                axis);
      parent = child;
    }
    return parent;
  }

  void add_bar(const std::string& name) {
    BodyDescription bar;
    bar.name = name;
    bar.mass = 1.0;
    bar.com = Eigen::Vector3d(0.5, 0, 0);
    bar.inertia =
        Eigen::Vector3d(planar() ? 0.0 : 1e-3, planar() ? 0.0 : 1.0 / 12, 1.0 / 12).asDiagonal();
    mechanism_.add(bar);
  }

 private:
  Mechanism mechanism_;
  std::mt19937_64 random_{kSeed};
};

std::string link(int i) { return "link_" + std::to_string(i + 1); }

Mechanism chain_in(SpaceKind space, int bodies) {
  Maker maker("chain of " + std::to_string(bodies), space);
  for (int b = 0; b < bodies; ++b) maker.add_any(b == 0 ? kGround : link(b - 1), link(b));
  return maker.take();
}

Mechanism tree_in(SpaceKind space, int bodies) {
  Maker maker("binary tree of " + std::to_string(bodies), space);
  for (int b = 0; b < bodies; ++b) maker.add_any(b == 0 ? kGround : link((b - 1) / 2), link(b));
  return maker.take();
}

}  // namespace

Mechanism chain(int bodies) { return chain_in(SpaceKind::kSpatial, bodies); }
Mechanism planar_chain(int bodies) { return chain_in(SpaceKind::kPlanar, bodies); }

Mechanism arm() {
  Maker maker("arm with seven axes", SpaceKind::kSpatial);
  for (int b = 0; b < 7; ++b) {
    const Eigen::Vector3d position(b == 3 || b == 6 ? 0.1 : 0.0, b % 2 == 0 ? 0.0 : kLength, 0.0);
    Frame frame;
    if (b > 0) {
      const double s = b % 2 == 0 ? 1.0 : -1.0;
      frame.position = position;
      frame.rotation << 1, 0, 0, 0, 0, -s, 0, s, 0;
    }
    maker.add_pin(b == 0 ? kGround : link(b - 1), maker.add_link(link(b)), frame);
  }
  return maker.take();
}

Mechanism binary_tree(int bodies) { return tree_in(SpaceKind::kSpatial, bodies); }
Mechanism planar_tree(int bodies) { return tree_in(SpaceKind::kPlanar, bodies); }

Mechanism humanoid() {
  Maker maker("humanoid", SpaceKind::kSpatial);
  maker.add_floating("pelvis");
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side < 0 ? "right" : "left";
    maker.add_limb(name + "_leg", "pelvis", {0, 0.1 * side, -0.1}, "zxyzzx");
  }
  maker.add_about("pelvis", "torso", {0, 0, 0.2}, Eigen::Vector3d::UnitZ());
  maker.add_limb("head", "torso", {0, 0, 0.4}, "zx");
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side < 0 ? "right" : "left";
    maker.add_limb(name + "_arm", "torso", {0, 0.2 * side, 0.3}, "yxyxxy");
  }
  return maker.take();
}

Mechanism ladder(int loops, SpaceKind space) {
  constexpr double kAngle = kPi / 3, kRate = 0.5;
  Maker maker("ladder of " + std::to_string(loops), space);
  maker.pull(Eigen::Vector3d(0, -9.81, 0));
  const auto at_x = [](double x) {
    Frame frame;
    frame.position.x() = x;
    return frame;
  };
  const auto crank = [](int i) { return "crank_" + std::to_string(i + 1); };
  for (int i = 0; i <= loops; ++i) {
    maker.add_bar(crank(i));
    maker.add_pin(kGround, crank(i), at_x(i), {}, kAngle, kRate);
  }
  for (int i = 0; i < loops; ++i) {
    const std::string coupler = "coupler_" + std::to_string(i + 1);
    maker.add_bar(coupler);
    maker.add_pin(crank(i), coupler, at_x(1), {}, -kAngle, -kRate);
    // The coupler's tip turns about the next crank as that turns about the coupler.
    maker.add_pin(crank(i + 1), coupler, at_x(1), at_x(1), -kAngle, -kRate);
  }
  return maker.take();
}

Mechanism biped() {
  constexpr double kHalf = 0.1;  // m, between the middle of a plate and its pins
  Maker maker("biped", SpaceKind::kPlanar);
  maker.add_floating("torso");
  const auto at_x = [](double x) {
    Frame frame;
    frame.position.x() = x;
    return frame;
  };
  for (const std::string leg : {"left", "right"}) {
    std::string above = "torso";
    for (const std::string part : {"thigh", "shank", "foot"}) {
      const auto name = [&](const char* body) { return leg + "_" + part + "_" + body; };
      const double angle = maker.uniform(-2.2, -1.0), rate = maker.uniform(-1.0, 1.0);
      // Both rods turn alike and the plates stay parallel, as all rods are as long.
      for (const double side : {-kHalf, kHalf}) {
        const auto rod = maker.add_link(name(side < 0.0 ? "front" : "back"));
        if (side < 0.0) maker.add_link(name("plate"));
        maker.add_pin(above, rod, at_x(side), {}, angle, rate);
        maker.add_pin(rod, name("plate"), at_x(kLength), at_x(side), -angle, -rate);
      }
      above = name("plate");
    }
  }
  return maker.take();
}

}  // namespace hamiltree::benchmarks
