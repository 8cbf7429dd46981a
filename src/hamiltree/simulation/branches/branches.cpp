#include "hamiltree/simulation/branches/branches.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/simulation/branches/branch_names.hpp"

namespace hamiltree::branches {
namespace {

constexpr double kMoved = 0.02;     // of the length: a pose to be looked at anew
constexpr double kSamePose = 1e-4;  // of the length: two that are found are one
// From a motion that was followed: in radii of its chart along it, and of these aside.
constexpr double kBesideChart = 3.0, kBent = 0.3;
constexpr double kSlow = 8.0;  // v^2 of v_dot times the handover
// Relative tolerance: following a large block costs more than its rows do, which in a quick passage
// lose 1e-12 of the energy.
constexpr double kMaskShows = 1e-10;

}  // namespace

Branches::Branches(const Model& model, const std::optional<Tolerances>& tolerances)
    : model_(model),
      follows_quick_(tolerances.has_value()),
      follows_large_quick_(tolerances && tolerances->relative < kMaskShows) {
  if (model.constraint_count() == 0) return;
  for (auto& loops : loop_blocks(model)) {
    const auto rows = loops->rows().size();
    if (rows > kMostFollowedRows || (rows > kMostSearchedRows && loops->has_drives())) continue;
    const auto& cuts = loops->cuts();
    const int cut = cuts.empty() ? loops->joints().front() : cuts.front();
    auto& block = (rows > kMostSearchedRows ? large_blocks_ : blocks_).emplace_back();
    block.loops = std::move(loops);
    block.cut = cut;
  }
}

BranchDynamics& Branches::dynamics() {
  if (!dynamics_) dynamics_ = std::make_unique<BranchDynamics>(model_);
  return *dynamics_;
}

void Branches::forget() {
  for (auto* blocks : {&blocks_, &large_blocks_}) {
    for (auto& block : *blocks) {
      block.poses.clear();
      block.followed.clear();
      block.regular.resize(0);
      block.regular_ahead.resize(0);
      block.poses_beside.clear();
      block.seen_from.resize(0);
    }
  }
}

// Leaves the block's home there.
SingularPose* Branches::pose_near(Block& block, double t, const Eigen::VectorXd& q) {
  const double length = block.loops->length();
  for (const auto& pose : block.poses) {
    block.loops->set_home(pose->t, pose->q);
    const auto x = block.loops->displacement_to(t, q);
    if (x.allFinite() && x.norm() < kHandover * length) return pose.get();
  }
  if (block.regular.size() > 0) {
    block.loops->set_home(t, block.regular);
    const auto x = block.loops->displacement_to(t, q);
    if (x.allFinite() && x.norm() < kMoved * length) return nullptr;
  }
  auto pose = singular_pose(*block.loops, t, q);
  const bool is_known = pose && std::ranges::any_of(block.poses, [&](const auto& other) {
                          block.loops->set_home(other->t, other->q);
                          const auto x = block.loops->displacement_to(pose->t, pose->q);
                          return x.allFinite() && x.norm() < kSamePose * length;
                        });
  if (!pose || is_known) {
    block.regular = q;
    return nullptr;
  }
  block.loops->set_home(pose->t, pose->q);
  put_in_order(model_, *block.loops, *pose);
  block.poses.push_back(std::make_unique<SingularPose>(std::move(*pose)));
  return block.poses.back().get();
}

// With the one branch that a motion of several freedoms passes it on, too quickly to take another.
// Leaves the block's home at the pose.
SingularPose* Branches::pose_beside(Block& block, double t, const Eigen::VectorXd& q) {
  auto& loops = *block.loops;
  const auto distance = [&](double home_t, const Eigen::VectorXd& home) {
    loops.set_home(home_t, home);
    return loops.displacement_to(t, q).norm() / loops.length();
  };
  for (const auto& pose : block.poses_beside) {
    if (distance(pose->t, pose->q) < kHandover) return pose.get();
  }
  if (block.seen_from.size() > 0 && distance(t, block.seen_from) < block.clear) return nullptr;
  auto pose = singular_pose_beside(loops, t, q);
  block.seen_from = q;
  block.clear = kMoved;
  if (!pose) return nullptr;
  const double away = distance(pose->t, pose->q);
  block.clear = std::max(block.clear, away - kHandover);
  if (!(away < kHandover) || pose->branches.empty()) return nullptr;
  block.poses_beside.push_back(std::make_unique<SingularPose>(std::move(*pose)));
  return block.poses_beside.back().get();
}

// The chart of the branch on which the displacement x is; none if it is on none, or beyond the
// reach of all, or if x_rate leads away from the pose.
const BranchChart* Branches::chart_through(const Block& block, SingularPose& pose,
                                           const Eigen::VectorXd& x,
                                           const Eigen::VectorXd& x_rate) const {
  auto& loops = *block.loops;
  for (auto& branch : pose.branches) {
    const Eigen::VectorXd s = branch.tangent.transpose() * x;
    if (!(s.norm() < kHandover * loops.length()) || !may_be_on(loops, pose, branch, x)) continue;
    if (s.dot(branch.tangent.transpose() * x_rate) > 0.0) return nullptr;
    const auto* chart = chart_of(loops, pose, branch);
    if (chart == nullptr || !(s.norm() < chart->handover())) continue;
    const auto here = chart->point(s, Eigen::VectorXd::Zero(s.size()));
    if ((x - here.displacement).norm() < kOnChart * loops.length()) return chart;
  }
  return nullptr;
}

// The chart of the motion that a block of one freedom is on; null where that is not near enough yet
// or on its way from the pose; nothing where no pose is found by following it. Leaves the block's
// home at the pose.
std::optional<const BranchChart*> Branches::chart_ahead(Block& block, const Eigen::VectorXd& q,
                                                        const Eigen::VectorXd& x_rate) {
  auto& loops = *block.loops;
  const double t = loops.time();
  const auto is_near = [&](const auto& known) {
    loops.set_home(t, known->q);
    const auto& chart = known->chart;
    const auto x = loops.displacement_to(t, q);
    const auto s = chart.parameters(x);
    const double aside = (x - chart.tangent() * s).norm();
    return s.norm() < kBesideChart * chart.radius() &&
           aside < kBent * s.norm() + kAtPose * loops.length();
  };
  auto known = std::ranges::find_if(block.followed, is_near);
  if (known == block.followed.end()) {
    if (block.regular_ahead.size() > 0) {
      loops.set_home(t, block.regular_ahead);
      const auto x = loops.displacement_to(t, q);
      if (x.allFinite() && x.cwiseAbs().maxCoeff() < kMoved * loops.length()) return {};
    }
    loops.set_home(t, q);
    if (!moves_one_way(loops, x_rate)) return {};
    auto followed = follow_through_pose(loops, x_rate);
    if (!followed) {
      block.regular_ahead = q;
      return {};
    }
    block.followed.push_back(std::make_unique<FollowedMotion>(std::move(*followed)));
    known = std::prev(block.followed.end());
  }
  const auto& chart = (*known)->chart;
  const auto x = loops.displacement_to(t, q);
  const auto s = chart.parameters(x);
  const bool is_on = s.norm() < chart.handover() &&
                     (x - chart.point(s, Eigen::VectorXd::Zero(s.size())).displacement).norm() <
                         kOnChart * loops.length();
  return is_on && s.dot(chart.parameters(x_rate)) <= 0.0 ? &chart : nullptr;
}

Branches::Pose Branches::next_to(double t, const Eigen::VectorXd& q,
                                 const std::vector<OnBranch>& branches) {
  Pose there{t, q};
  for (const auto& [block, chart] : branches) {
    const int d = chart->dimension();
    const Eigen::VectorXd s = Eigen::VectorXd::Constant(d, chart->handover() / std::sqrt(d));
    const auto x = chart->point(s, Eigen::VectorXd::Zero(d)).displacement;
    const auto displaced = block->displaced(x);
    for (const int i : block->coordinates()) there.q(i) = displaced(i);
    if (block->has_drives()) there.t = block->time_at(x);
  }
  return there;
}

std::vector<OnBranch> Branches::ahead(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                      const Eigen::VectorXd& v_dot) {
  std::vector<OnBranch> found;
  const auto may_turn = [](const LoopBlock& block, double speed, double gain) {
    return speed * speed <= kSlow * kHandover * block.length() * gain;
  };
  // Motions that are not followed, and those of drives, pass the pose as its rows allow.
  const auto follow = [&](Block& block, bool quick) -> std::optional<const BranchChart*> {
    auto& loops = *block.loops;
    if (!loops.moves(v)) return {};
    const auto x_rate = loops.displacement_rate(v);
    const auto gain = loops.displacement_rate(v_dot);
    if (!quick && !may_turn(loops, x_rate.cwiseAbs().maxCoeff(), gain.cwiseAbs().maxCoeff()))
      return {};
    return chart_ahead(block, q, x_rate);
  };
  for (auto& block : blocks_) {
    auto& loops = *block.loops;
    if (loops.has_drives()) continue;
    if (const auto followed = follow(block, follows_quick_)) {
      if (*followed != nullptr) found.push_back({&loops, *followed});
      continue;
    }
    const auto x_rate = loops.displacement_rate(v);
    const bool quick = !may_turn(loops, x_rate.norm(), loops.displacement_rate(v_dot).norm());
    if (quick && !follows_quick_) continue;
    auto* pose = quick ? pose_beside(block, t, q) : pose_near(block, t, q);
    if (pose == nullptr) continue;
    const auto x = loops.displacement_to(t, q);
    if (x.norm() < kAtPose * loops.length() && !loops.moves(v)) {
      make_charts(loops, *pose);
      if (pose->branches.empty()) continue;
      const AtPose here{&block, pose};
      const auto choice = choose_at_rest(here, {here}, t, q);
      if (choice.chart != nullptr) found.push_back({&loops, choice.chart});
      continue;
    }
    // Inwards, or not at all.
    const auto* chart = chart_through(block, *pose, x, x_rate);
    if (chart != nullptr) found.push_back({&loops, chart});
  }
  for (auto& block : large_blocks_) {
    const auto* chart = follow(block, follows_large_quick_).value_or(nullptr);
    if (chart != nullptr) found.push_back({block.loops.get(), chart});
  }
  return found;
}

}  // namespace hamiltree::branches
