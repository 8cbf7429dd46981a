#include "hamiltree/simulation/branches/branches.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/simulation/branches/branch_names.hpp"

namespace hamiltree::branches {
namespace {

// Of the length: a pose to be looked at anew; the same where freedoms are several, or this part of
// the way to a pose, since another one may be nearer; two poses that are one.
constexpr double kMoved = 0.02, kMovedBeside = 0.005, kPartOfTheWay = 0.3, kSamePose = 1e-4;
// From a motion that was followed: in radii of its chart along it, and of these aside.
constexpr double kBesideChart = 3.0, kBent = 0.3;
constexpr double kInner = 0.5;  // of a chart's reach: the part taken on the way outwards too
constexpr double kSlow = 8.0;   // v^2 of v_dot times the handover
// Relative tolerance: following a large block costs more than its rows do, which in a quick passage
// lose 1e-12 of the energy.
constexpr double kMaskShows = 1e-10;

}  // namespace

Branches::Branches(const Model& model, const std::optional<Tolerances>& tolerances)
    : model_(model), follows_large_quick_(tolerances && tolerances->relative < kMaskShows) {
  if (model.constraint_count() == 0) return;
  for (auto& loops : loop_blocks(model)) {
    const auto rows = loops->rows().size();
    if (rows > kMostFollowedRows) continue;
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
      block.seen_from.reset();
    }
  }
}

// Leaves the block's home there.
SingularPose* Branches::pose_near(Block& block, double t, const Eigen::VectorXd& q) {
  const double length = block.loops->length();
  for (const auto& pose : block.poses) {
    block.loops->set_home(pose->home);
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
                          block.loops->set_home(other->home);
                          const auto x = block.loops->displacement_to(pose->home.t, pose->home.q);
                          return x.allFinite() && x.norm() < kSamePose * length;
                        });
  if (!pose || is_known) {
    block.regular = q;
    return nullptr;
  }
  block.loops->set_home(pose->home);
  put_in_order(model_, *block.loops, *pose);
  block.poses.push_back(std::make_unique<SingularPose>(std::move(*pose)));
  return block.poses.back().get();
}

// The charts of the branches on which the displacement x is, which are several next to the pose;
// none if it is on none, or beyond the reach of all, or if x_rate leads away from the pose. Where
// poses are many side by side it may lead away from one and towards others, so that it only counts
// beyond half the reach.
std::vector<const BranchChart*> Branches::charts_through(const Block& block, SingularPose& pose,
                                                         const Eigen::VectorXd& x,
                                                         const Eigen::VectorXd& x_rate) const {
  auto& loops = *block.loops;
  std::vector<const BranchChart*> charts;
  for (auto& branch : pose.branches) {
    const Eigen::VectorXd s = branch.tangent.transpose() * x;
    const bool leaves = s.dot(branch.tangent.transpose() * x_rate) > 0.0;
    const double share = leaves ? kInner : 1.0;
    if (!(s.norm() < share * kHandover * loops.length()) || !may_be_on(loops, pose, branch, x))
      continue;
    const auto* chart = chart_of(loops, pose, branch);
    if (chart == nullptr || !(s.norm() < share * chart->handover())) continue;
    const auto here = chart->point(s, Eigen::VectorXd::Zero(s.size()));
    if ((x - here.displacement).norm() < kOnChart * loops.length()) charts.push_back(chart);
  }
  return charts;
}

const BranchChart* Branches::chart_through(const Block& block, SingularPose& pose,
                                           const Eigen::VectorXd& x,
                                           const Eigen::VectorXd& x_rate) const {
  const auto charts = charts_through(block, pose, x, x_rate);
  return charts.empty() ? nullptr : charts.front();
}

// The chart of the motion that a block which may turn is on, or takes where it rests at a pose;
// null where there is none ahead. Leaves the block's home at the pose.
const BranchChart* Branches::chart_of_slow(Block& block, double t, const Eigen::VectorXd& q,
                                           const Eigen::VectorXd& v) {
  auto& loops = *block.loops;
  auto* pose = pose_near(block, t, q);
  if (pose == nullptr) return nullptr;
  const auto x = loops.displacement_to(t, q);
  if (!(x.norm() < kAtPose * loops.length()) || loops.moves(v))
    return chart_through(block, *pose, x, loops.displacement_rate(v));
  make_charts(loops, *pose);
  if (pose->branches.empty()) return nullptr;
  const AtPose here{&block, pose};
  return choose_at_rest(here, {here}, t, q).chart;
}

// The chart of the motion that a block of several freedoms is on, too quick to take another; null
// where there is none ahead. Leaves the block's home at the pose.
const BranchChart* Branches::chart_beside(Block& block, double t, const Eigen::VectorXd& q,
                                          const Eigen::VectorXd& v) {
  auto& loops = *block.loops;
  const auto from_home = [&](const LoopBlock::Home& home) {
    loops.set_home(home);
    return loops.displacement_to(t, q);
  };
  const auto is_near = [&](const Eigen::VectorXd& x) {
    return x.norm() < kHandover * loops.length();
  };
  // Such poses are many side by side: one that lies behind says nothing of those ahead.
  for (const auto& pose : block.poses_beside) {
    const auto x = from_home(pose->home);
    if (!is_near(x)) continue;
    const auto* chart = chart_through(block, *pose, x, loops.displacement_rate(v));
    if (chart != nullptr) return chart;
  }
  if (block.seen_from && from_home(*block.seen_from).norm() < block.clear * loops.length())
    return nullptr;
  loops.set_home(t, q, loops.speed(v));
  block.seen_from = loops.home();
  auto pose = singular_pose_beside(loops);
  block.clear = kMovedBeside;
  if (!pose) return nullptr;
  const bool is_known = std::ranges::any_of(block.poses_beside, [&](const auto& other) {
    loops.set_home(other->home);
    return loops.displacement_to(pose->home.t, pose->home.q).norm() < kSamePose * loops.length();
  });
  const auto x = from_home(pose->home);
  block.clear = std::max(block.clear, kPartOfTheWay * (x.norm() / loops.length() - kHandover));
  if (!is_near(x) || is_known || pose->branches.empty()) return nullptr;
  if (loops.has_drives()) block.poses_beside.clear();  // their time does not come back
  block.poses_beside.push_back(std::make_unique<SingularPose>(std::move(*pose)));
  return chart_through(block, *block.poses_beside.back(), x, loops.displacement_rate(v));
}

// The chart of the motion that a block of one freedom, or of drives alone, is on; null where that
// is not near enough yet or on its way from the pose; nothing where no pose is found by following
// it. Leaves the block's home at the pose.
std::optional<const BranchChart*> Branches::chart_ahead(Block& block, double t,
                                                        const Eigen::VectorXd& q,
                                                        const Eigen::VectorXd& v) {
  auto& loops = *block.loops;
  const auto is_near = [&](const auto& known) {
    loops.set_home(known->home);
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
    loops.set_home(t, q, loops.speed(v));
    const auto x_rate = loops.displacement_rate(v);
    if (!moves_one_way(loops, x_rate)) return {};
    auto followed = follow_through_pose(loops, x_rate);
    if (!followed) {
      block.regular_ahead = q;
      return {};
    }
    if (loops.has_drives()) block.followed.clear();  // their time does not come back
    block.followed.push_back(std::make_unique<FollowedMotion>(std::move(*followed)));
    known = std::prev(block.followed.end());
  }
  const auto& chart = (*known)->chart;
  const auto x = loops.displacement_to(t, q);
  const auto s = chart.parameters(x);
  const bool is_on = s.norm() < chart.handover() &&
                     (x - chart.point(s, Eigen::VectorXd::Zero(s.size())).displacement).norm() <
                         kOnChart * loops.length();
  return is_on && s.dot(chart.parameters(loops.displacement_rate(v))) <= 0.0 ? &chart : nullptr;
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
                                      const Eigen::VectorXd& v_dot,
                                      const std::vector<OnBranch>& on) {
  std::vector<OnBranch> found;
  const auto is_on = [&](const Block& block) {
    return std::ranges::find(on, block.loops.get(), &OnBranch::block) != on.end();
  };
  // Drives force their way through, whatever the masses would do.
  const auto may_turn = [&](const LoopBlock& block) {
    const double speed = block.speed(v);
    return !block.has_drives() &&
           speed * speed <= kSlow * kHandover * block.length() * block.speed(v_dot);
  };
  const auto follow = [&](Block& block) -> std::optional<const BranchChart*> {
    return block.loops->moves(v) ? chart_ahead(block, t, q, v) : std::nullopt;
  };
  for (auto& block : blocks_) {
    if (is_on(block)) continue;
    auto& loops = *block.loops;
    if (const auto followed = follow(block)) {
      if (*followed != nullptr) found.push_back({&loops, *followed});
      continue;
    }
    const auto* chart =
        may_turn(loops) ? chart_of_slow(block, t, q, v) : chart_beside(block, t, q, v);
    if (chart != nullptr) found.push_back({&loops, chart});
  }
  for (auto& block : large_blocks_) {
    if (is_on(block)) continue;
    const auto& loops = *block.loops;
    if (!follows_large_quick_ && !loops.has_drives() && !may_turn(loops)) continue;
    const auto* chart = follow(block).value_or(nullptr);
    if (chart != nullptr) found.push_back({block.loops.get(), chart});
  }
  return found;
}

}  // namespace hamiltree::branches
