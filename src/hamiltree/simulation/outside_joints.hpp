// Joints that are not in the state, driven ones and cuts: their coordinates and velocities as the
// bodies stand and move. Angles of cuts are known up to whole turns, and quaternions up to their
// sign: both go on from where they were last seen, quaternions by the shorter way, angles by the
// turn that their rates make in between, where these are known, so that a step may be many turns.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/turns.hpp"

namespace hamiltree {

template <class Space>
class OutsideJoints {
 public:
  // Angles start next to the `initial` or `guess` of their joint, or zero.
  OutsideJoints(const Model& model, const System<Space>& system)
      : system_(system), first_(at(system.joint_count()), kNone) {
    std::vector<double> home;
    for (int j = 0; j < system.joint_count(); ++j) {
      const auto& joint = system.joint(j);
      if (joint.has_velocity() || coordinates(j) == 0) continue;
      joints_.push_back(j);
      first_[at(j)] = static_cast<int>(home.size());
      if (joint.is_cut()) {
        counts_turns_ = true;
        turns_by_itself_ = turns_by_itself_ || joint.drive != kNone;
      }
      const auto& said = model.mechanism().joints[at(model.described_joint(j))];
      const auto& start = said.initial_q ? said.initial_q : said.guess_q;
      for (int i = 0; i < coordinates(j); ++i) home.push_back(start ? (*start)(i) : 0.0);
      velocity_count_ += velocities(j);
    }
    seen_ = Eigen::Map<Eigen::VectorXd>(home.data(), static_cast<Eigen::Index>(home.size()));
    seen_rates_ = before_ = Eigen::VectorXd::Zero(seen_.size());
  }

  bool counts_turns() const { return counts_turns_; }
  // A cut may turn while its bodies stand still: its frame on one of them is driven.
  bool turns_by_itself() const { return turns_by_itself_; }
  int coordinates(int j) const {
    const auto& joint = system_.joint(j);
    return joint.along != kNone ? 1 : joint.coordinates;
  }
  int velocities(int j) const {
    const auto& joint = system_.joint(j);
    return joint.along != kNone ? 1 : joint.velocities;
  }

  // The coordinates of all when they were last followed.
  const Eigen::VectorXd& seen() const { return seen_; }
  // From where no angle is further than half a turn.
  void see(const Eigen::VectorXd& seen) {
    seen_ = seen;
    knows_rates_ = false;
  }
  // Often enough for no angle to turn by half a turn in between, here and until the next call.
  void follow(const Kinematics<Space>& kin) {
    knows_rates_ = false;
    for (const int j : joints_) read_coordinates(0.0, kin, j, seen_.data() + first_[at(j)]);
  }
  // At time t (s), with velocities, however far they have turned. Returns a joint that has turned
  // by more than half a turn, and not as its rates tell; kNone: there is none.
  int follow_moving(double t, const Kinematics<Space>& kin) {
    int lost = kNone;
    before_ = seen_;
    for (const int j : joints_) {
      const auto& joint = system_.joint(j);
      const int first = first_[at(j)];
      read_coordinates(t, kin, j, seen_.data() + first);
      std::array<double, 6> rates{};
      read_velocities(kin, j, rates.data());
      for (int i = 0; i < joint.coordinates; ++i) {
        if (!is_counted(joint, i)) continue;
        const double told = turn_told(t, first + i, rates[at(i)]);
        if (std::abs(told) > std::numbers::pi &&
            std::abs(seen_[first + i] - before_[first + i] - told) > kTold)
          lost = j;
        seen_rates_[first + i] = rates[at(i)];
      }
    }
    seen_at_ = t;
    knows_rates_ = true;
    return lost;
  }

  void read(double t, const Kinematics<Space>& kin, Eigen::VectorXd& q, Eigen::VectorXd& v) const {
    q.resize(seen_.size());
    v.resize(velocity_count_);
    double* rate = v.data();
    for (const int j : joints_) {
      read_coordinates(t, kin, j, q.data() + first_[at(j)]);
      read_velocities(kin, j, rate);
      rate += velocities(j);
    }
  }

  // For joint j, which is one of these, at time t (s); where it was last followed with velocities
  // also with those of now.
  void read_coordinates(double t, const Kinematics<Space>& kin, int j, double* q) const {
    const auto& joint = system_.joint(j);
    if (joint.velocities == 0) {
      q[0] = kin.drives[at(joint.drive)].coordinate.value;
      return;
    }
    const double* seen = seen_.data() + first_[at(j)];
    std::array<double, 7> now{};  // it may be where it was seen that is read
    visit_joint<Space>(
        joint, [&]<class J>(const J& type) { type.coordinates(placed_pose(kin, j), now.data()); });
    if (joint.coordinates > joint.velocities) {
      const int quaternion = joint.coordinates - 4;
      turn_towards(seen + quaternion, now.data() + quaternion);
    } else {
      std::array<double, 6> rates{};
      if (knows_rates_) read_velocities(kin, j, rates.data());
      for (int i = 0; i < joint.coordinates; ++i) {
        if (!is_counted(joint, i)) continue;
        const double told = turn_told(t, first_[at(j)] + i, rates[at(i)]);
        now[at(i)] = counted(now[at(i)], seen[i] + told);
      }
    }
    for (int i = 0; i < joint.coordinates; ++i) q[i] = now[at(i)];
  }
  void read_velocities(const Kinematics<Space>& kin, int j, double* v) const {
    const auto& joint = system_.joint(j);
    if (joint.along != kNone) {
      v[0] = joint_rate(system_, kin, j);
      return;
    }
    const auto V = seen_motion(system_, kin, j);
    for (int i = 0; i < joint.velocities; ++i) v[i] = V(joint.free[at(i)]);
  }

 private:
  // X_FM; the frame M is J, which is placed, for most joints.
  Pose<Space> placed_pose(const Kinematics<Space>& kin, int j) const {
    const auto& joint = system_.joint(j);
    if (joint.own_frame || joint.at_parent) return relative_pose(system_, kin, j);
    const auto X_WF = parent_frame(system_, kin, j);
    const auto& X_WM = kin.joint(j).X_WJ;
    return {X_WF.R.transpose() * X_WM.R, X_WF.R.transpose() * (X_WM.r - X_WF.r)};
  }

  // An angle that is known up to whole turns; that of a screw follows from its advance.
  static bool is_counted(const Joint<Space>& joint, int i) {
    return joint.coordinates == joint.velocities && joint.type != JointType::kHelical &&
           joint.free[at(i)] >= Space::kLinear;
  }
  // The turn (rad) since this entry was seen, as its rates tell it.
  double turn_told(double t, int entry, double rate) const {
    return knows_rates_ ? turn_between(t - seen_at_, seen_rates_[entry], rate) : 0.0;
  }
  static void turn_towards(const double* seen, double* quat_wxyz) {
    double cosine = 0.0;
    for (int i = 0; i < 4; ++i) cosine += seen[i] * quat_wxyz[i];
    if (cosine >= 0.0) return;
    for (int i = 0; i < 4; ++i) quat_wxyz[i] = -quat_wxyz[i];
  }

  static constexpr double kTold = 1.0;  // rad: far from the half turn that would be told wrongly

  const System<Space>& system_;
  std::vector<int> joints_;
  std::vector<int> first_;  // by joint: its first entry of seen_
  Eigen::VectorXd seen_, seen_rates_, before_;
  double seen_at_ = 0.0;      // s, if rates are known
  bool knows_rates_ = false;  // where it was seen
  int velocity_count_ = 0;
  bool counts_turns_ = false, turns_by_itself_ = false;
};

}  // namespace hamiltree
