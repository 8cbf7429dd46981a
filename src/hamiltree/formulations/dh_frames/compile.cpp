#include "hamiltree/formulations/dh_frames/compile.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/dh_frames/connect.hpp"

namespace hamiltree::dh_frames {
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
// Half a turn about x: the z axis of a revolute may point either way.
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

// The plane lies in space at z = 0.
const Pose<Space>& in_space(const Pose<Space>& X) { return X; }
Pose<Space> in_space(const Pose<Planar<double>>& X) {
  Pose<Space> result;
  result.R.topLeftCorner<2, 2>() = X.R;
  result.r.head<2>() = X.r;
  return result;
}
const Vector3d& in_space(const Vector3d& x) { return x; }
Vector3d in_space(const Eigen::Vector2d& x) { return {x.x(), x.y(), 0.0}; }
const Matrix3d& in_space(const Matrix3d& J) { return J; }
Matrix3d in_space(const Eigen::Matrix<double, 1, 1>& J) {
  return Vector3d(0.0, 0.0, J(0)).asDiagonal();
}

// One body on its way to a revolute.
struct Part {
  std::vector<int> children;  // the one with most bodies behind it first
  int behind = 1;             // bodies, itself included
  double mass = 0.0;          // kg, of these
  bool flipped = false;
  double phi = 0.0, h = 0.0;   // its screw frame in its flipped one: Rz(phi) Tz(h)
  Pose<Space> constant;        // from the inboard screw frame, without the revolute's turn
  double beta = 0.0, b = 0.0;  // of a branch: where the normal to it leaves the axis inboard
};

template <class Of>
class Compiler {
 public:
  Compiler(const System<Of>& system, double far_foot)
      : system_(system), far_foot_(far_foot), parts_(system.bodies.size()) {}

  Tree compile() {
    find_children();
    flip_axes();
    revolutes_.resize(parts_.size());
    moments_.assign(parts_.size(), Vector3d::Zero());
    inertias_.assign(parts_.size(), Matrix3d::Zero());
    offset_.assign(parts_.size(), 0.0);
    for (int b = system_.body_count() - 1; b >= 0; --b) choose_frame(b);
    for (int b = 0; b < system_.body_count(); ++b) place(b);
    for (int b = system_.body_count() - 1; b >= 0; --b) regroup(b);
    const Vector3d gravity = in_space(system_.gravity);
    for (int k = 0; k < 3; ++k) tree_.gravity[at(k)] = gravity(k);
    tree_.is_planar = Of::kIsPlanar;
    for (int b = 0; b < system_.body_count(); ++b) {
      if (system_.inboard(b) == kNone) list(b);
    }
    tree_.branchings = dh_frames::connect(tree_.inboard, {}, tree_.revolutes);
    return std::move(tree_);
  }

 private:
  Part& part(int b) { return parts_[at(b)]; }

  void find_children() {
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
      const Vector3d z = (flip(part(inboard).flipped).R * in_space(system_.joint(b).X_PF).R).col(2);
      part(b).flipped = std::hypot(z.x(), z.y()) <= kParallel && z.z() < 0.0;
    }
  }

  // The flipped frame of a body's revolute in that of the body inboard.
  Pose<Space> revolute_frame(int b) {
    const int inboard = system_.inboard(b);
    const Pose<Space> X = in_space(system_.joint(b).X_PF) * flip(part(b).flipped);
    return inboard == kNone ? X : flip(part(inboard).flipped) * X;
  }

  // Radius of gyration of a body about its revolute's origin, m.
  double gyration(int b) const {
    const auto& body = system_.body(b);
    constexpr double kTimes = Of::kIsPlanar ? 1.0 : 2.0;  // of its mean in the trace
    return std::sqrt(body.J_com.trace() / (kTimes * body.mass) + body.com.squaredNorm());
  }

  bool floats(int b) const { return system_.joint(b).type == JointType::kFree; }

  bool is_far(const Normal& normal, int inboard, int b) const {
    return std::abs(normal.h) > far_foot_ * gyration(inboard) ||
           std::abs(normal.s) > far_foot_ * gyration(b);
  }

  // The screw frame of a body points at its first child, whose revolute is then known; that of one
  // that floats stays where its velocities are taken.
  void choose_frame(int b) {
    if (part(b).children.empty() || floats(b)) return;
    const int first = part(b).children.front();
    const auto G = revolute_frame(first);
    auto normal = common_normal(G, part(first).h);
    if (is_far(normal, b, first)) return;
    if (part(first).children.empty()) part(first).h = normal.s;  // free: d = 0
    part(b).phi = normal.phi;
    part(b).h = normal.h;
    set_way(normal, part(first).h - normal.s, revolutes_[at(first)]);
    offset_[at(first)] = normal.psi + part(first).phi;
  }

  // The way to a child that the frame of the body inboard does not point at.
  void branch_off(int b) {
    const int inboard = system_.inboard(b);
    const auto G = along_z(-part(inboard).h) * about_z(-part(inboard).phi) * revolute_frame(b);
    const auto normal = common_normal(G, part(b).h);
    auto& revolute = revolutes_[at(b)];
    if (is_far(normal, inboard, b)) {
      revolute.link_case = kAnyCase;
      part(b).constant = G * along_z(part(b).h);
      offset_[at(b)] = part(b).phi;
      return;
    }
    set_way(normal, part(b).h - normal.s, revolute);
    revolute.link_case = Of::kIsPlanar ? kPlaneBranchCase : kBranchCase;
    revolute.sin_beta = std::sin(normal.phi), revolute.cos_beta = std::cos(normal.phi);
    revolute.b = normal.h;
    part(b).constant = about_z(normal.phi) * along_z(normal.h) * screw(revolute);
    offset_[at(b)] = normal.psi + part(b).phi;
  }

  // Rx(alpha) Tx(a) Tz(d)
  static Pose<Space> screw(const Revolute<double>& revolute) {
    Pose<Space> X;
    X.R = Eigen::AngleAxisd(std::atan2(revolute.sin_alpha, revolute.cos_alpha), Vector3d::UnitX())
              .toRotationMatrix();
    X.r = Vector3d(revolute.a, 0.0, 0.0) + X.R.col(2) * revolute.d;
    return X;
  }

  static void set_way(const Normal& normal, double d, Revolute<double>& revolute) {
    double s = std::sin(normal.alpha), c = std::cos(normal.alpha);
    auto twist = Twist::kAny;
    if (normal.alpha == 0.0) twist = Twist::kNone;
    if (std::abs(c) <= kRightAngle) {
      twist = s > 0.0 ? Twist::kRight : Twist::kLeft;
      s = s > 0.0 ? 1.0 : -1.0;
      c = 0.0;
    }
    revolute.link_case =
        static_cast<int>(twist) + (normal.a != 0.0 ? kAlongX : 0) + (d != 0.0 ? kAlongZ : 0);
    revolute.sin_alpha = s, revolute.cos_alpha = c;
    revolute.a = normal.a, revolute.d = d;
    revolute.sin2 = s * s, revolute.cos2 = c * c;
    revolute.sin_cos = s * c, revolute.twice_sin_cos = 2.0 * s * c;
    revolute.cot = c / s;
  }

  // The placement of every revolute.
  void place(int b) {
    auto& revolute = revolutes_[at(b)];
    auto& own = part(b);
    if (system_.inboard(b) == kNone) {
      if (floats(b)) revolute.link_case = kFreeRoot;
      own.constant = revolute_frame(b) * along_z(own.h);
      offset_[at(b)] = own.phi;
    } else if (revolute.link_case == kRoot) {
      branch_off(b);
    } else {
      own.constant = screw(revolute);
    }
    for (int k = 0; k < 9; ++k) revolute.R[at(k)] = own.constant.R(k / 3, k % 3);
    for (int k = 0; k < 3; ++k) revolute.r[at(k)] = own.constant.r(k);
    for (int k = 0; k < 3; ++k) revolute.r_mass[at(k)] = own.constant.r(k) * own.mass;
    revolute.mass_behind = own.mass;
    revolute.d_mass = revolute.d * own.mass;
    revolute.a_mass = revolute.a * own.mass;
    revolute.b_mass = revolute.b * own.mass;
  }

  // The rigid body in its screw frame; m z and J_yy, which the revolute cannot feel, go to the
  // revolute inboard: {m z, diag(j, j, 0)} is the same at every angle.
  void regroup(int b) {
    const auto& own = part(b);
    const auto& body = system_.body(b);
    const auto Q = inverse(flip(own.flipped) * about_z(own.phi) * along_z(own.h));
    const Vector3d c = Q * in_space(body.com);
    const Vector3d moments = body.mass * c + moments_[at(b)];
    const Matrix3d J = Q.R * in_space(body.J_com) * Q.R.transpose() + inertias_[at(b)] +
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
    auto& revolute = revolutes_[at(b)];
    revolute.mass = body.mass;
    revolute.mx = moments.x(), revolute.my = moments.y();
    revolute.Jxx = J(0, 0) - J(1, 1), revolute.Jxy = J(0, 1), revolute.Jxz = J(0, 2);
    revolute.Jyz = J(1, 2), revolute.Jzz = J(2, 2);
    if (floats(b)) revolute.Jxx = J(0, 0), revolute.Jyy = J(1, 1), revolute.mz = moments.z();
  }

  // Depth first, the child with most bodies behind it first.
  void list(int root) {
    struct Next {
      int body, inboard;
    };
    std::vector<Next> waiting{{root, kNobody}};
    while (!waiting.empty()) {
      const auto [b, inboard] = waiting.back();
      waiting.pop_back();
      const int place = static_cast<int>(tree_.revolutes.size());
      tree_.revolutes.push_back(revolutes_[at(b)]);
      tree_.inboard.push_back(inboard);
      add_slots(b, tree_.revolutes.back());
      const auto& children = part(b).children;
      for (auto child = children.rbegin(); child != children.rend(); ++child)
        waiting.push_back({*child, place});
    }
  }

  void add_slots(int b, Revolute<double>& revolute) {
    const auto& joint = system_.joint(b);
    revolute.slot = static_cast<int>(tree_.sign.size());
    if (floats(b)) {
      // The angles of these slots are not used: any coordinate that stays small will do.
      constexpr int kQuaternion = 3;
      tree_.free_roots.push_back({revolute.slot, joint.q});
      for (int k = 0; k < 6; ++k) add_slot(joint.q + kQuaternion, joint.v + k, 1.0, 0.0);
    } else {
      add_slot(joint.q, joint.v, part(b).flipped ? -1.0 : 1.0, offset_[at(b)]);
    }
  }
  void add_slot(int coordinate, int velocity, double sign, double offset) {
    tree_.coordinate.push_back(coordinate);
    tree_.velocity.push_back(velocity);
    tree_.sign.push_back(sign);
    tree_.offset.push_back(offset);
  }

  const System<Of>& system_;
  double far_foot_;
  std::vector<Part> parts_;
  std::vector<Revolute<double>> revolutes_;  // by body
  std::vector<double> offset_;
  std::vector<Vector3d> moments_;  // that came from the revolutes outboard
  std::vector<Matrix3d> inertias_;
  Tree tree_;
};

template <class Of>
bool is_taken(const Joint<Of>& joint) {
  if (joint.reversed || joint.drive != kNone || joint.armature != 0.0 || joint.is_cut())
    return false;
  const bool floats = !Of::kIsPlanar && joint.type == JointType::kFree && joint.parent == kNone;
  return (joint.type == JointType::kRevolute && joint.velocities == 1) || floats;
}

}  // namespace

template <class Of>
std::optional<Tree> make_tree(const System<Of>& system, double far_foot) {
  if (system.constraints > 0 || !system.ballasted.empty() || !system.drives.empty())
    return std::nullopt;
  for (const auto& joint : system.joints) {
    if (!is_taken(joint)) return std::nullopt;
  }
  return Compiler(system, far_foot).compile();
}

template std::optional<Tree> make_tree(const System<Planar<double>>&, double);
template std::optional<Tree> make_tree(const System<Spatial<double>>&, double);

std::optional<Tree> tree_of(const Model& model) {
  return model.visit([](const auto& system) { return make_tree(system); });
}

}  // namespace hamiltree::dh_frames
