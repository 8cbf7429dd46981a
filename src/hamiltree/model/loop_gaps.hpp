// LoopGaps: Phi to the last digit of the loops' own arms. As the difference of two places a gap is
// no better known than these, far from the world's origin worse than the loop is closed, and next
// to a singular pose, at an angle delta from it, a gap turns bars by itself / delta and changes
// their speeds by itself / delta^2. So places are sums of arms with what each addition has lost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree {

template <class Space>
class LoopGaps {
  using Position = typename Space::Position;

 public:
  explicit LoopGaps(const System<Space>& system)
      : system_(system), lost_(system.bodies.size(), Position::Zero()) {
    for (int b = 0; b < system.body_count(); ++b) {
      if (system.inboard(b) == kNone && !is_pin(system.joint(b))) movable_roots_.push_back(b);
    }
  }

  // Phi of all cuts and couplings, m and rad, as position_residual() has it.
  void find(const Kinematics<Space>& kin, const double* q, double* phi) {
    for (const int b : movable_roots_) lost_[at(b)] = lost_at_root(kin, q, b);
    for (int b = 0; b < system_.body_count(); ++b) {
      const int inboard = system_.inboard(b);
      if (inboard == kNone) continue;
      lost_[at(b)] =
          lost_[at(inboard)] + lost_in(kin.pose(inboard).r, kin.arm[at(b)], kin.pose(b).r);
    }
    for (int c = system_.body_count(); c < system_.joint_count(); ++c) find_cut(c, kin, phi);
    for (std::size_t i = 0; i < system_.couplings.size(); ++i)
      phi[system_.couplings[i].row] = coupling_residual(system_, kin, q, i);
  }

 private:
  // A joint that leaves the body's origin where its frame is.
  static bool is_pin(const Joint<Space>& joint) {
    if (joint.drive != kNone || joint.pitch != 0.0) return false;
    for (int i = 0; i < joint.velocities; ++i) {
      if (joint.free[at(i)] < Space::kLinear) return false;
    }
    return true;
  }

  // What `sum` lacks of a + b, to twice the digits [Knuth1997, sect. 4.2.2].
  static Position lost_in(const Position& a, const Position& b, const Position& sum) {
    const Position added = sum - a;
    return (a - (sum - added)) + (b - added);
  }

  // The arm of a body on the ground is a sum itself.
  Position lost_at_root(const Kinematics<Space>& kin, const double* q, int b) const {
    const auto& joint = system_.joint(b);
    auto X_FM = joint_pose(joint, q);
    if (joint.drive != kNone) X_FM = kin.drives[at(joint.drive)].X * X_FM;
    const auto& on_ground = joint.reversed ? joint.X_CM : joint.X_PF;
    const Position moved = on_ground.R * (joint.reversed ? inverse(X_FM) : X_FM).r;
    return lost_in(on_ground.r, moved, kin.arm[at(b)]);
  }

  struct Place {
    Position r, lost;  // m, world
  };
  static Place sum_of(const Place& place, const Position& arm) {
    const Position r = place.r + arm;
    return {r, place.lost + lost_in(place.r, arm, r)};
  }
  Place place_of(const Kinematics<Space>& kin, int body) const {
    if (body == kNone) return {Position::Zero(), Position::Zero()};
    return {kin.pose(body).r, lost_[at(body)]};
  }

  // X_FM of a cut.
  Pose<Space> relative_pose_of(const Kinematics<Space>& kin, int c) const {
    using Rotation = typename Space::Rotation;
    const auto& joint = system_.joint(c);
    const Rotation R_WP = kin.pose(joint.parent).R, R_WC = kin.pose(joint.child).R;
    Rotation R_WF = R_WP * joint.X_PF.R;
    auto F = sum_of(place_of(kin, joint.parent), R_WP * joint.X_PF.r);
    if (joint.drive != kNone) {
      const auto& driven = kin.drives[at(joint.drive)].X;
      F = sum_of(F, R_WF * driven.r);
      R_WF = R_WF * driven.R;
    }
    const auto M = sum_of(place_of(kin, joint.child), R_WC * joint.X_CM.r);
    return {R_WF.transpose() * R_WC * joint.X_CM.R,
            R_WF.transpose() * ((M.r - F.r) + (M.lost - F.lost))};
  }

  void find_cut(int c, const Kinematics<Space>& kin, double* phi) const {
    const auto& joint = system_.joint(c);
    const auto X_FM = relative_pose_of(kin, c);
    if (joint.constraints + joint.velocities == Space::kDimension)
      return cut_residual(system_, c, X_FM, phi);
    // Of a lifted() joint the rows in the plane.
    visit_joint<Space>(joint, [&]<class J>(const J& type) {
      constexpr auto rest = complement<Space::kDimension>(J::kMotion);
      const auto residual = type.residual(X_FM);
      for (int i = 0; i < joint.constraints; ++i) {
        const auto found = std::ranges::find(rest, joint.constrained[at(i)]);
        phi[joint.row + i] = residual(found - rest.begin());
      }
    });
  }

  const System<Space>& system_;
  std::vector<Position> lost_;      // by the additions that placed each body, m, world
  std::vector<int> movable_roots_;  // bodies on the ground, but on pins and balls
};

}  // namespace hamiltree
