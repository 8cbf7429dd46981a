#include "benchmarks/models.hpp"

#include <Eigen/Geometry>
#include <cmath>
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
    // Inertia of a cloud of points: the moments of inertia of a body never break the triangle
    // inequality.
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

  // Returns its name.
  std::string add_bar(const std::string& name, double length = 1.0) {
    const double inertia = length * length / 12;
    BodyDescription bar;
    bar.name = name;
    bar.mass = 1.0;
    bar.com = Eigen::Vector3d(0.5 * length, 0, 0);
    bar.inertia =
        Eigen::Vector3d(planar() ? 0.0 : 1e-3, planar() ? 0.0 : inertia, inertia).asDiagonal();
    mechanism_.add(bar);
    return name;
  }

 private:
  Mechanism mechanism_;
  std::mt19937_64 random_{kSeed};
};

Frame at_x(double x) {
  Frame frame;
  frame.position.x() = x;
  return frame;
}

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

// Rotors of 5 cm turn about the pins' own axes on the bodies that carry these.
Mechanism geared_humanoid() {
  constexpr double kRatio = 9.0;
  auto mechanism = humanoid();
  mechanism.name = "geared humanoid";
  const auto pins = mechanism.joints;
  for (const auto& pin : pins) {
    if (pin.type != JointType::kRevolute) continue;
    BodyDescription rotor;
    rotor.name = "rotor of " + pin.child;
    rotor.mass = 0.3;
    rotor.inertia = Eigen::Vector3d(2.5e-4, 2.5e-4, 4e-4).asDiagonal();
    mechanism.add(rotor);
    JointDescription bearing;
    bearing.name = "bearing of " + pin.child;
    bearing.parent = pin.parent;
    bearing.child = rotor.name;
    bearing.at_parent = pin.at_parent;
    bearing.initial_q = kRatio * *pin.initial_q;
    bearing.initial_v = kRatio * *pin.initial_v;
    mechanism.add(bearing);
    Coupling gear;
    gear.name = "gear of " + pin.child;
    gear.joint = bearing.name;
    gear.to = pin.name;
    gear.ratio = kRatio;
    mechanism.add(gear);
  }
  return mechanism;
}

Mechanism ladder(int loops, SpaceKind space) {
  constexpr double kAngle = kPi / 3, kRate = 0.5;
  Maker maker("ladder of " + std::to_string(loops), space);
  maker.pull(Eigen::Vector3d(0, -9.81, 0));
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

Mechanism grid(int n) {
  Maker maker("grid of " + std::to_string(n) + " x " + std::to_string(n), SpaceKind::kPlanar);
  const auto upright = [](int i, int row) {
    return "upright_" + std::to_string(i + 1) + "_" + std::to_string(row + 1);
  };
  double below = 0.0, rate_below = 0.0;
  for (int row = 0; row < n; ++row) {
    const double angle = maker.uniform(1.0, 2.0), rate = maker.uniform(-0.5, 0.5);
    for (int i = 0; i < n; ++i) {
      const auto name = maker.add_bar(upright(i, row));
      maker.add_pin(row == 0 ? kGround : upright(i, row - 1), name, at_x(row == 0 ? i : 1), {},
                    angle - below, rate - rate_below);
    }
    for (int i = 0; i + 1 < n; ++i) {
      const auto beam =
          maker.add_bar("beam_" + std::to_string(i + 1) + "_" + std::to_string(row + 1));
      maker.add_pin(upright(i, row), beam, at_x(1), {}, -angle, -rate);
      maker.add_pin(upright(i + 1, row), beam, at_x(1), at_x(1), -angle, -rate);
    }
    below = angle;
    rate_below = rate;
  }
  return maker.take();
}

namespace {

using Vector2 = Eigen::Vector2d;

struct Point {
  Vector2 at, rate = Vector2::Zero();
};

// At distances r and s from P and Q, on the left of the way from P to Q or on the right; it moves
// so that the distances stay.
Point meet(const Point& P, double r, const Point& Q, double s, bool left) {
  const Vector2 way = Q.at - P.at;
  const double d = way.norm(), along = (d * d + r * r - s * s) / (2 * d);
  const double across = std::sqrt(r * r - along * along) * (left ? 1.0 : -1.0);
  const Vector2 at = P.at + (along * way + across * Vector2(-way.y(), way.x())) / d;
  Eigen::Matrix2d bars;
  bars << (at - P.at).transpose(), (at - Q.at).transpose();
  const Vector2 rates((at - P.at).dot(P.rate), (at - Q.at).dot(Q.rate));
  return {at, bars.inverse() * rates};
}

struct Turn {
  double angle, rate;
};
Turn operator-(const Turn& a, const Turn& b) { return {a.angle - b.angle, a.rate - b.rate}; }

Turn direction(const Point& from, const Point& to) {
  const Vector2 way = to.at - from.at, rate = to.rate - from.rate;
  return {std::atan2(way.y(), way.x()),
          (way.x() * rate.y() - way.y() * rate.x()) / way.squaredNorm()};
}

}  // namespace

Mechanism legs(int count) {
  constexpr Turn kCrank{0.8, 0.5};  // rad, rad/s
  Maker maker("legs on a crank, " + std::to_string(count), SpaceKind::kPlanar);
  const auto pin = [&](const std::string& parent, const std::string& child, const Frame& at_parent,
                       const Frame& at_child, const Turn& turn) {
    maker.add_pin(parent, child, at_parent, at_child, turn.angle, turn.rate);
  };
  pin(kGround, maker.add_bar("crank", 0.15), {}, {}, kCrank);
  const Point B{{-0.38, -0.078}};  // on the ground
  for (int leg = 0; leg < count; ++leg) {
    const double phase = 2 * kPi * leg / count;
    const Vector2 arm =
        0.15 * Vector2(std::cos(kCrank.angle + phase), std::sin(kCrank.angle + phase));
    const Point A{arm, kCrank.rate * Vector2(-arm.y(), arm.x())};
    const Point C = meet(A, 0.5, B, 0.415, false), D = meet(B, 0.401, C, 0.558, true);
    const Point E = meet(A, 0.619, B, 0.393, true), F = meet(D, 0.394, E, 0.367, false);
    const auto bar = [&](const char* name, double length) {
      return maker.add_bar(name + ("_" + std::to_string(leg + 1)), length);
    };
    const auto upper_rod = bar("upper_rod", 0.5), lower_rod = bar("lower_rod", 0.619);
    const auto upper = bar("upper", 0.415), lower = bar("lower", 0.393);
    const auto shin = bar("shin", 0.394), foot = bar("foot", 0.367);
    const auto j = direction(A, C), k = direction(A, E), b = direction(B, C), c = direction(B, E);
    const auto f = direction(D, F), g = direction(E, F);
    const auto frame = [](const Vector2& position) {
      Frame at;
      at.position << position, 0.0;
      return at;
    };
    const auto at_A = frame(0.15 * Vector2(std::cos(phase), std::sin(phase)));
    pin("crank", upper_rod, at_A, {}, j - kCrank);
    pin("crank", lower_rod, at_A, {}, k - kCrank);
    pin(kGround, upper, frame(B.at), {}, b);
    pin(kGround, lower, frame(B.at), {}, c);
    pin(upper, shin, frame(Eigen::Rotation2Dd(-b.angle) * (D.at - B.at)), {}, f - b);
    pin(lower, foot, at_x(0.393), {}, g - c);
    pin(upper_rod, upper, at_x(0.5), at_x(0.415), b - j);
    pin(lower_rod, lower, at_x(0.619), at_x(0.393), c - k);
    pin(shin, foot, at_x(0.394), at_x(0.367), g - f);
  }
  return maker.take();
}

Mechanism biped() {
  constexpr double kHalf = 0.1;  // m, between the middle of a plate and its pins
  Maker maker("biped", SpaceKind::kPlanar);
  maker.add_floating("torso");
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
