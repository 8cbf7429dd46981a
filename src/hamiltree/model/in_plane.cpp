#include "hamiltree/model/in_plane.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/add_ballast.hpp"
#include "hamiltree/model/force_ends.hpp"
#include "hamiltree/model/joint_tables.hpp"

namespace hamiltree {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using InSpace = Spatial<double>;
using Flat = Planar<double>;

// Points of a force whose heights over the plane differ by less count as one height: what it pulls
// in the plane changes with the square.
constexpr double kSameHeight = 1e-10;  // of the mechanism's length

// Axes with this normal as the third.
Matrix3d axes_of(const Vector3d& normal) {
  Eigen::Index least = 0;
  normal.cwiseAbs().minCoeff(&least);
  const Vector3d x = (Vector3d::Unit(least) - normal(least) * normal).normalized();
  Matrix3d axes;
  axes << x, normal.cross(x), normal;
  return axes;
}

// About x by half a turn: of a pin that stands against the normal.
Matrix3d half_turn() { return Vector3d(1.0, -1.0, -1.0).asDiagonal(); }

bool is_along_z(const Vector3d& n) { return std::hypot(n.x(), n.y()) <= kInPlane; }
bool is_across_z(const Vector3d& n) { return std::abs(n.z()) <= kInPlane; }

// A pose between frames whose axes, seen from the plane, are `from` and `to`.
Pose<Flat> flat_pose(const Matrix3d& from, const Pose<InSpace>& X, const Matrix3d& to) {
  return {(from.transpose() * X.R * to).topLeftCorner<2, 2>(), (from.transpose() * X.r).head<2>()};
}

// The frame of a tree joint on its inboard body; that on its own body is the body's.
const Pose<InSpace>& inboard_frame(const Joint<InSpace>& joint) {
  return joint.reversed ? joint.X_CM : joint.X_PF;
}

// The axis of the first joint that turns in a plane, world; cuts come last.
std::optional<Vector3d> first_axis(const System<InSpace>& system) {
  const auto turns = [&](int j) {
    const auto type = written_type(system, system.joint(j));
    return type == JointType::kRevolute || type == JointType::kPlanar;
  };
  std::vector<Matrix3d> R_WB;
  const auto seen_from = [&](int body, const Matrix3d& R) {
    return body == kNone ? R : Matrix3d(R_WB[at(body)] * R);
  };
  for (int b = 0; b < system.body_count(); ++b) {
    R_WB.push_back(seen_from(system.inboard(b), inboard_frame(system.joint(b)).R));
    if (turns(b)) return R_WB.back().col(2).normalized();
  }
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto& cut = system.joint(c);
    if (turns(c)) return seen_from(cut.parent, cut.X_PF.R).col(2).normalized();
  }
  return std::nullopt;
}

// Bushings, wrenches and callbacks, with frames on bodies that may stand anywhere in space.
template <class Element>
constexpr bool kActsOnBodies = requires(const Element& element) {
  element.body;
}
|| requires(const Element& element) { element.body_a; };

// Builds the planar tables over one normal.
class Flattening {
 public:
  Flattening(const System<InSpace>& system, const Vector3d& normal)
      : space_(system), ground_(axes_of(normal)), same_(system.joints.size(), true) {}

  bool run() {
    plane_.gravity = (ground_.transpose() * space_.gravity).head<2>();
    plane_.drives = space_.drives;
    plane_.length = space_.length;
    for (int b = 0; b < space_.body_count(); ++b) {
      if (!add_tree_joint(b)) return false;
      add_body(space_.body(b));
    }
    for (int c = space_.body_count(); c < space_.joint_count(); ++c) {
      if (!add_cut(c)) return false;
    }
    if (!add_couplings() || !add_forces()) return false;
    add_row_scales(plane_);
    add_ballast(plane_);
    return true;
  }

  System<Flat> take_tables() { return std::move(plane_); }
  std::vector<RowPart> take_rows() { return std::move(rows_); }

 private:
  // For a body, or the ground: x, y and the normal in its own axes.
  const Matrix3d& axes(int body) const { return body == kNone ? ground_ : axes_[at(body)]; }
  double height(int body) const { return body == kNone ? 0.0 : height_[at(body)]; }

  // Axes of a joint's frame in which the planar joint is what the spatial one is, from the normal
  // as that frame sees it; nothing if the joint could leave the plane.
  std::optional<Matrix3d> joint_axes(const Joint<InSpace>& joint, const Vector3d& n) const {
    switch (written_type(space_, joint)) {
      case JointType::kRevolute:
      case JointType::kCylindrical:
        if (!is_along_z(n)) return std::nullopt;
        return n.z() > 0.0 ? Matrix3d(Matrix3d::Identity()) : half_turn();
      case JointType::kPlanar:
      case JointType::kPinInSlot:
        if (!is_along_z(n) || n.z() < 0.0) return std::nullopt;
        return Matrix3d(Matrix3d::Identity());
      case JointType::kPrismatic: {
        if (!is_across_z(n)) return std::nullopt;
        const Vector3d across = Vector3d(n.x(), n.y(), 0.0).normalized();
        Matrix3d slide;
        slide << Vector3d::UnitZ(), across.cross(Vector3d::UnitZ()), across;
        return slide;
      }
      case JointType::kFixed:
      case JointType::kSpherical:
        return axes_of(n);
      default:
        return std::nullopt;
    }
  }

  static JointType flat_type(JointType type) {
    switch (type) {
      case JointType::kPlanar:
        return JointType::kFree;
      case JointType::kCylindrical:
      case JointType::kSpherical:
        return JointType::kRevolute;
      default:
        return type;
    }
  }

  // Whether what moves the joint's frame moves it in the plane and along the axes it has there.
  bool drive_fits(const Joint<InSpace>& joint, const Matrix3d& axes) const {
    if (joint.drive == kNone) return true;
    const auto& drive = space_.drives[at(joint.drive)];
    const bool turned = !axes.isIdentity(0.0);
    if (drive.motion) {
      for (const int across : {2, 3, 4}) {
        if (!(*drive.motion)[at(across)].is_zero()) return false;
      }
      return !turned;
    }
    return !turned || drive.type == JointType::kPrismatic;
  }

  Joint<Flat> flat_joint(const Joint<InSpace>& joint) const {
    Joint<Flat> flat;
    flat.type = flat_type(joint.type);
    flat.parent = joint.parent;
    flat.child = joint.child;
    flat.reversed = joint.reversed;
    flat.drive = joint.drive;
    flat.armature = joint.armature;
    set_type(flat_type(written_type(space_, joint)), 0.0, flat);
    return flat;
  }

  // A pin against the normal is one along it from the child to the parent, with the same angle.
  bool add_tree_joint(int b) {
    const auto& joint = space_.joint(b);
    const int inboard = space_.inboard(b);
    const auto type = written_type(space_, joint);
    if (type == JointType::kCylindrical || type == JointType::kSpherical) return false;
    const auto& X = inboard_frame(joint);
    // A fixed body has the axes of its inboard body, so that chains of them do not turn.
    const Vector3d n = X.R.transpose() * axes(inboard).col(2);
    auto found = joint_axes(joint, n);
    if (type == JointType::kFixed) found = X.R.transpose() * axes(inboard);
    if (!found || !drive_fits(joint, *found)) return false;

    auto flat = flat_joint(joint);
    if (type == JointType::kRevolute && n.z() < 0.0) {
      std::swap(flat.parent, flat.child);
      flat.reversed = !flat.reversed;
    }
    (flat.reversed ? flat.X_CM : flat.X_PF) = flat_pose(axes(inboard), X, *found);
    flat.q = joint.q;
    flat.v = joint.v;
    plane_.coordinates += flat.coordinates;
    plane_.velocities += flat.velocities;
    plane_.joints.push_back(flat);
    height_.push_back(height(inboard) + axes(inboard).col(2).dot(X.r));
    axes_.push_back(*found);
    return true;
  }

  void add_body(const RigidInertia<InSpace>& body) {
    const Matrix3d& E = axes_.back();
    RigidInertia<Flat> flat;
    flat.mass = body.mass;
    flat.com = (E.transpose() * body.com).head<2>();
    flat.J_com(0) = E.col(2).dot(body.J_com * E.col(2));
    flat.J_com_inverse = flat.J_com.inverse();
    plane_.bodies.push_back(flat);
  }

  // A joint that closes a loop says nothing about the height, so that it may also leave it free.
  bool add_cut(int c) {
    const auto& joint = space_.joint(c);
    const auto type = written_type(space_, joint);
    const Vector3d n_F = joint.X_PF.R.transpose() * axes(joint.parent).col(2);
    const Vector3d n = joint.X_CM.R.transpose() * axes(joint.child).col(2);
    const auto at_child = joint_axes(joint, n);
    if (!at_child || !drive_fits(joint, *at_child)) return false;
    auto at_parent = *at_child;
    if (type == JointType::kSpherical) {
      at_parent = axes_of(n_F);
    } else if (!((n_F - n).norm() <= 2.0 * kInPlane)) {
      return false;
    }
    auto flat = flat_joint(joint);
    flat.X_PF = flat_pose(axes(joint.parent), joint.X_PF, at_parent);
    flat.X_CM = flat_pose(axes(joint.child), joint.X_CM, *at_child);
    if (joint.constraints == 0) flat.constraints = 0;  // open
    flat.row = plane_.constraints;
    plane_.constraints += flat.constraints;
    const bool along = type != JointType::kRevolute || n.z() > 0.0;
    same_[at(c)] = along && flat_type(type) == type;
    add_rows(joint, flat, *at_child);
    plane_.joints.push_back(flat);
    return true;
  }

  void add_rows(const Joint<InSpace>& joint, const Joint<Flat>& flat, const Matrix3d& axes) {
    for (int i = 0; i < flat.constraints; ++i) {
      const int component = flat.constrained[at(i)];
      Eigen::Matrix<double, 6, 1> direction = Eigen::Matrix<double, 6, 1>::Zero();
      if (component < Flat::kLinear) {
        direction.head<3>() = axes.col(component);
      } else {
        direction.tail<3>() = axes.col(2);
      }
      for (int k = 0; k < joint.constraints; ++k) {
        const double part = direction(joint.constrained[at(k)]);
        if (part != 0.0) rows_.push_back({joint.row + k, flat.row + i, part});
      }
    }
  }

  bool add_couplings() {
    for (auto coupling : space_.couplings) {
      if (!same_[at(coupling.joint)] || !same_[at(coupling.to)]) return false;
      rows_.push_back({coupling.row, plane_.constraints, 1.0});
      coupling.row = plane_.constraints++;
      plane_.couplings.push_back(coupling);
    }
    return true;
  }

  // Forces along joints whose coordinates are the same, and ropes in the plane. A controller may
  // look at any joint.
  bool add_forces() {
    bool fit =
        space_.control_laws.empty() || std::ranges::all_of(same_, [](bool same) { return same; });
    const auto take_all = [&](const auto& from, auto& to) {
      for (const auto& element : from) {
        if constexpr (kActsOnBodies<decltype(element)>) {
          fit = false;
        } else {
          fit = fit && lies_in_plane(element);
          to.push_back(flat_element(element));
        }
      }
    };
    ForceElements<InSpace>::for_each_list(take_all, space_, plane_);
    return fit;
  }

  template <class Element>
  bool lies_in_plane(const Element& element) const {
    bool lies = true;
    for_each_end(
        element, [](int) {}, [&](int joint, Uses) { lies = lies && same_[at(joint)]; });
    if constexpr (requires { element.path; }) lies = lies && is_flat(element.path);
    return lies;
  }
  template <class Element>
  auto flat_element(const Element& element) const {
    auto result = element.template cast<Flat>();
    if constexpr (requires { element.path; }) result.path = flat(element.path);
    return result;
  }

  bool is_flat(const Path<InSpace>& path) const {
    const auto height_of = [&](const PathPoint<InSpace>& point) {
      return height(point.body) + axes(point.body).col(2).dot(point.x);
    };
    return std::ranges::all_of(path, [&](const PathPoint<InSpace>& point) {
      const double rise = height_of(point) - height_of(path.front());
      return std::abs(rise) <= kSameHeight * space_.length;
    });
  }

  Path<Flat> flat(const Path<InSpace>& path) const {
    Path<Flat> result;
    for (const auto& point : path) {
      result.push_back(
          {point.body, (axes(point.body).transpose() * point.x).head<2>(), point.ratio});
    }
    return result;
  }

  const System<InSpace>& space_;
  System<Flat> plane_;
  std::vector<RowPart> rows_;
  Matrix3d ground_;
  std::vector<Matrix3d> axes_;  // by body
  std::vector<double> height_;  // of the bodies' origins along the normal, m
  std::vector<bool> same_;      // whether the coordinate of a joint is the same in the plane
};

}  // namespace

std::optional<InPlane> in_plane(const Model& model) {
  return model.visit([&]<class Space>(const System<Space>& system) -> std::optional<InPlane> {
    if constexpr (!Space::kIsPlanar) {
      const auto axis = first_axis(system);
      if (!axis) return std::nullopt;
      // Which way the normal points matters where joints are driven.
      for (const Vector3d& normal : {*axis, Vector3d(-*axis)}) {
        Flattening flattening(system, normal);
        if (!flattening.run()) continue;
        return InPlane{normal, model.with_tables(flattening.take_tables()), flattening.take_rows()};
      }
    }
    return std::nullopt;
  });
}

}  // namespace hamiltree
