#include "hamiltree/formulations/screws/compile.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "hamiltree/base/index.hpp"

namespace hamiltree::screws {
namespace {

using Space = Spatial<double>;
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kParallel = 1e-14;    // sine of the angle between axes: they are parallel
constexpr double kRightAngle = 1e-14;  // cosine: a right angle

Pose<Space> along_z(double h) { return {Matrix3d::Identity(), {0.0, 0.0, h}}; }
Pose<Space> about_z(double phi) {
  return {Eigen::AngleAxisd(phi, Vector3d::UnitZ()).toRotationMatrix(), Vector3d::Zero()};
}
// Half a turn about x: the z axis of a pin may point either way.
Pose<Space> flip(bool flipped) {
  Pose<Space> X;
  if (flipped) X.R.diagonal() << 1.0, -1.0, -1.0;
  return X;
}

// The common normal of the z axes of two frames, seen in the first.
struct Normal {
  double phi = 0.0;    // of the normal about the first axis
  double h = 0.0;      // of its foot on the first axis
  double alpha = 0.0;  // from the first axis to the second, about the normal
  double a = 0.0;      // its length
  double s = 0.0;      // of its foot on the second axis, from the second origin
  double psi = 0.0;    // of the second x axis about the second axis, from the normal
};

// G: the second frame in the first. Axes that are parallel have many normals: the one is taken
// whose foot on the second axis is at s.
Normal common_normal(const Pose<Space>& G, double s) {
  const Vector3d z = G.R.col(2), x = G.R.col(0);
  const double sine = std::hypot(z.x(), z.y());
  Normal normal;
  if (sine <= kParallel) {
    normal.a = std::hypot(G.r.x(), G.r.y());
    normal.phi = normal.a > 0.0 ? std::atan2(G.r.y(), G.r.x()) : 0.0;
    normal.s = s;
    normal.h = G.r.z() + s;
    normal.psi = std::atan2(x.y(), x.x()) - normal.phi;
    return normal;
  }
  const Vector3d n(-z.y() / sine, z.x() / sine, 0.0);
  const Vector3d across = Vector3d::UnitZ().cross(n);
  normal.phi = std::atan2(n.y(), n.x());
  normal.alpha = std::atan2(sine, z.z());
  normal.a = G.r.dot(n);
  normal.s = G.r.dot(across) / sine;
  normal.h = G.r.z() + normal.s * z.z();
  normal.psi = std::atan2(x.dot(z.cross(n)), x.dot(n));
  return normal;
}

// One body on its way to a pin.
struct Part {
  std::vector<int> children;  // the one with most bodies behind it first
  int behind = 1;             // bodies, itself included
  double mass = 0.0;          // kg, of these
  bool flipped = false;
  double phi = 0.0, h = 0.0;  // its screw frame in its flipped one: Rz(phi) Tz(h)
  Pose<Space> constant;       // from the inboard screw frame, without the pin's turn
};

class Compiler {
 public:
  Compiler(const System<Space>& system, double far_foot)
      : system_(system), far_foot_(far_foot), parts_(system.bodies.size()) {}

  Tree compile() {
    connect();
    flip_axes();
    pins_.resize(parts_.size());
    moments_.assign(parts_.size(), Vector3d::Zero());
    inertias_.assign(parts_.size(), Matrix3d::Zero());
    offset_.assign(parts_.size(), 0.0);
    for (int b = system_.body_count() - 1; b >= 0; --b) choose_frame(b);
    for (int b = 0; b < system_.body_count(); ++b) place(b);
    for (int b = system_.body_count() - 1; b >= 0; --b) regroup(b);
    for (int k = 0; k < 3; ++k) tree_.gravity[at(k)] = system_.gravity(k);
    for (int b = 0; b < system_.body_count(); ++b) {
      if (system_.inboard(b) == kNone) list(b);
    }
    return std::move(tree_);
  }

 private:
  Part& part(int b) { return parts_[at(b)]; }

  void connect() {
    for (int b = system_.body_count() - 1; b >= 0; --b) {
      part(b).mass += system_.body(b).mass;
      auto& siblings = part(b).children;
      std::ranges::stable_sort(siblings,
                               [&](int x, int y) { return part(x).behind > part(y).behind; });
      const int inboard = system_.inboard(b);
      if (inboard == kNone) continue;
      part(inboard).children.push_back(b);
      part(inboard).behind += part(b).behind;
      part(inboard).mass += part(b).mass;
    }
  }

  // Axes that run against the one before are turned round, so that parallel means alpha = 0.
  void flip_axes() {
    for (int b = 0; b < system_.body_count(); ++b) {
      const int inboard = system_.inboard(b);
      if (inboard == kNone) continue;
      const Vector3d z = (flip(part(inboard).flipped).R * system_.joint(b).X_PF.R).col(2);
      part(b).flipped = std::hypot(z.x(), z.y()) <= kParallel && z.z() < 0.0;
    }
  }

  // The flipped frame of a body's pin in that of the body inboard.
  Pose<Space> pin_frame(int b) {
    const int inboard = system_.inboard(b);
    const Pose<Space> X = system_.joint(b).X_PF * flip(part(b).flipped);
    return inboard == kNone ? X : flip(part(inboard).flipped) * X;
  }

  // Radius of gyration of a body about its pin's origin, m.
  double gyration(int b) const {
    const auto& body = system_.body(b);
    return std::sqrt(body.J_com.trace() / (2.0 * body.mass) + body.com.squaredNorm());
  }

  // The screw frame of a body points at its first child, whose pin is then known.
  void choose_frame(int b) {
    if (part(b).children.empty()) return;
    const int first = part(b).children.front();
    const auto G = pin_frame(first);
    auto normal = common_normal(G, part(first).h);
    if (std::abs(normal.h) > far_foot_ * gyration(b) ||
        std::abs(normal.s) > far_foot_ * gyration(first))
      return;
    if (part(first).children.empty()) part(first).h = normal.s;  // free: d = 0
    part(b).phi = normal.phi;
    part(b).h = normal.h;
    set_way(normal, part(first).h - normal.s, pins_[at(first)]);
    offset_[at(first)] = normal.psi + part(first).phi;
  }

  static void set_way(const Normal& normal, double d, Pin<double>& pin) {
    const double s = std::sin(normal.alpha), c = std::cos(normal.alpha);
    auto turn = Turn::kAny;
    if (normal.alpha == 0.0) turn = Turn::kNone;
    if (std::abs(c) <= kRightAngle) turn = s > 0.0 ? Turn::kRight : Turn::kLeft;
    pin.way = static_cast<int>(turn) + (normal.a != 0.0 ? kAlongX : 0) + (d != 0.0 ? kAlongZ : 0);
    pin.sin_alpha = s, pin.cos_alpha = c;
    pin.a = normal.a, pin.d = d;
    pin.sin2 = s * s, pin.cos2 = c * c;
    pin.sin_cos = s * c, pin.twice_sin_cos = 2.0 * s * c;
    pin.cot = c / s;
  }

  // The placement of every pin, its inertia, and the pins that no common normal leads to.
  void place(int b) {
    auto& pin = pins_[at(b)];
    auto& own = part(b);
    const int inboard = system_.inboard(b);
    if (inboard == kNone || pin.way == kRoot) {
      auto X = pin_frame(b);
      if (inboard != kNone) {
        pin.way = kAnyWay;
        X = along_z(-part(inboard).h) * about_z(-part(inboard).phi) * X;
      }
      own.constant = X * along_z(own.h);
      offset_[at(b)] = own.phi;
      for (int k = 0; k < 9; ++k) pin.R[at(k)] = own.constant.R(k / 3, k % 3);
      for (int k = 0; k < 3; ++k) pin.r[at(k)] = own.constant.r(k);
    } else {
      own.constant.R =
          Eigen::AngleAxisd(std::atan2(pin.sin_alpha, pin.cos_alpha), Vector3d::UnitX())
              .toRotationMatrix();
      own.constant.r = Vector3d(pin.a, 0.0, 0.0) + own.constant.R.col(2) * pin.d;
    }
    pin.d_mass = pin.d * own.mass;
    pin.a_mass = pin.a * own.mass;
    for (int k = 0; k < 3; ++k) pin.r_mass[at(k)] = own.constant.r(k) * own.mass;
  }

  // The rigid body in its screw frame; m z and J_yy, which the pin cannot feel, go to the pin
  // inboard: {m z, diag(j, j, 0)} is the same at every angle.
  void regroup(int b) {
    const auto& own = part(b);
    const auto& body = system_.body(b);
    const auto Q = inverse(flip(own.flipped) * about_z(own.phi) * along_z(own.h));
    const Vector3d c = Q * body.com;
    const Vector3d moments = body.mass * c + moments_[at(b)];
    const Matrix3d J = Q.R * body.J_com * Q.R.transpose() + inertias_[at(b)] +
                       body.mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
    const Vector3d m = own.constant.R.col(2) * moments.z();
    const Vector3d& r = own.constant.r;
    const Vector3d j(J(1, 1), J(1, 1), 0.0);
    const Matrix3d moved = own.constant.R * j.asDiagonal() * own.constant.R.transpose() +
                           2.0 * r.dot(m) * Matrix3d::Identity() -
                           (r * m.transpose() + m * r.transpose());
    if (const int inboard = system_.inboard(b); inboard != kNone) {
      moments_[at(inboard)] += m;
      inertias_[at(inboard)] += moved;
    }
    auto& pin = pins_[at(b)];
    pin.mass = body.mass;
    pin.mx = moments.x(), pin.my = moments.y();
    pin.Jxx = J(0, 0) - J(1, 1), pin.Jxy = J(0, 1), pin.Jxz = J(0, 2);
    pin.Jyz = J(1, 2), pin.Jzz = J(2, 2);
  }

  // Depth first, the child with most bodies behind it first.
  void list(int root) {
    struct Next {
      int body, joins;
      bool continues;
    };
    std::vector<Next> waiting{{root, 0, false}};
    while (!waiting.empty()) {
      const auto [b, joins, continues] = waiting.back();
      waiting.pop_back();
      auto pin = pins_[at(b)];
      const auto& children = part(b).children;
      pin.joins = joins;
      pin.continues = continues;
      pin.is_leaf = children.empty();
      if (children.size() > 1) pin.branches = tree_.branchings++;
      tree_.pins.push_back(pin);
      tree_.body.push_back(b);
      tree_.sign.push_back(part(b).flipped ? -1.0 : 1.0);
      tree_.offset.push_back(offset_[at(b)]);
      for (auto child = children.rbegin(); child != children.rend(); ++child)
        waiting.push_back({*child, pin.branches, children.size() == 1});
    }
  }

  const System<Space>& system_;
  double far_foot_;
  std::vector<Part> parts_;
  std::vector<Pin<double>> pins_;  // by body
  std::vector<double> offset_;
  std::vector<Vector3d> moments_;  // that came from the pins outboard
  std::vector<Matrix3d> inertias_;
  Tree tree_;
};

bool is_plain_pin(const Joint<Space>& joint) {
  return joint.type == JointType::kRevolute && !joint.reversed && joint.drive == kNone &&
         joint.armature == 0.0 && !joint.is_cut() && joint.velocities == 1;
}

}  // namespace

std::optional<Tree> make_tree(const System<Space>& system, double far_foot) {
  if (system.constraints > 0 || !system.ballasted.empty() || !system.drives.empty())
    return std::nullopt;
  for (const auto& joint : system.joints) {
    if (!is_plain_pin(joint)) return std::nullopt;
  }
  return Compiler(system, far_foot).compile();
}

std::optional<Tree> tree_under_gravity(const Model& model) {
  return model.visit([]<class Any>(const System<Any>& system) -> std::optional<Tree> {
    bool free = true;
    system.for_each_force([&](const auto&) { free = false; });
    if constexpr (!Any::kIsPlanar) {
      if (free) return make_tree(system);
    }
    return std::nullopt;
  });
}

}  // namespace hamiltree::screws
