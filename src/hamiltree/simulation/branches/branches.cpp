#include "hamiltree/simulation/branches/branches.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/math/dense_solvers.hpp"

namespace hamiltree::branches {
namespace {

constexpr double kAtPose = 1e-7;   // of the length: a displacement from the singular pose
constexpr double kOnChart = 1e-6;  // of the length
constexpr double kMoved = 0.02;    // of the length: a pose to be looked at anew
constexpr double kAtRest = 1e-9;   // of the length, 1/s
// Distances of velocities from branches, of the velocity in the mass metric, and gains.
constexpr double kOnBranch = 1e-3, kFarOff = 0.5, kClearlyNearer = 2.0;
constexpr double kNearlyAsGood = 0.98, kNoGain = 1e-12;
constexpr double kSlow = 8.0;  // v^2 of v_dot times the handover
constexpr double kMet = 1e-9;  // of the velocities given
constexpr double kSameRate = 1e-12;

Freedom freedom_at_home(const LoopBlock& block, const Eigen::MatrixXd& directions) {
  const auto n = static_cast<Eigen::Index>(block.velocities().size());
  const Eigen::VectorXd home = Eigen::VectorXd::Zero(n);
  Freedom freedom{&block, Eigen::MatrixXd(n, directions.cols()), home};
  for (Eigen::Index k = 0; k < directions.cols(); ++k)
    freedom.T.col(k) = block.velocities(home, directions.col(k));
  return freedom;
}

bool moves(const LoopBlock& block, const Eigen::VectorXd& v) {
  return block.displacement_rate(v).cwiseAbs().maxCoeff() > kAtRest * block.length();
}

}  // namespace

Branches::Branches(const Model& model) : model_(model) {
  // The motion with all loops open is needed, at a time that stands still.
  follows_ = model.visit(
      [](const auto& system) { return system.drives.empty() && system.ballasted.empty(); });
  if (model.constraint_count() == 0) return;
  for (auto& loops : loop_blocks(model)) {
    if (loops->rows().size() > kMostRows) continue;
    const int cut = model.visit([&](const auto& system) {
      for (int c = system.body_count(); c < system.joint_count(); ++c) {
        if (std::ranges::binary_search(loops->rows(), system.joint(c).row)) return c;
      }
      return loops->joints().front();
    });
    blocks_.push_back({std::move(loops), cut, {}, {}});
  }
}

BranchDynamics& Branches::dynamics() {
  if (!dynamics_) dynamics_ = std::make_unique<BranchDynamics>(model_);
  return *dynamics_;
}

void Branches::forget() {
  for (auto& block : blocks_) {
    block.poses.clear();
    block.regular.resize(0);
  }
}

// Leaves the block's home there.
const SingularPose* Branches::pose_near(Block& block, double t, const Eigen::VectorXd& q) {
  if (!follows_) return nullptr;
  const double length = block.loops->length();
  for (const auto& pose : block.poses) {
    block.loops->set_home(t, pose->q);
    const auto x = block.loops->displacement_to(q);
    if (x.allFinite() && x.norm() < kReach * length) return pose.get();
  }
  if (block.regular.size() > 0) {
    block.loops->set_home(t, block.regular);
    const auto x = block.loops->displacement_to(q);
    if (x.allFinite() && x.norm() < kMoved * length) return nullptr;
  }
  auto pose = singular_pose(*block.loops, t, q);
  if (!pose) {
    block.regular = q;
    return nullptr;
  }
  block.poses.push_back(std::make_unique<SingularPose>(std::move(*pose)));
  return block.poses.back().get();
}

// The branch on which q is; none if it is on none, or beyond the reach of all.
const BranchChart* Branches::chart_through(const Block& block, const SingularPose& pose,
                                           const Eigen::VectorXd& q) const {
  const double length = block.loops->length();
  const auto x = block.loops->displacement_to(q);
  for (const auto& chart : pose.branches) {
    const auto s = chart.parameters(x);
    if (!(s.norm() < kHandover * length)) continue;
    const auto here = chart.point(s, Eigen::VectorXd::Zero(s.size()));
    if ((x - here.displacement).norm() < kOnChart * length) return &chart;
  }
  return nullptr;
}

// Velocities of the joints along a branch, the largest 1.
std::string Branches::description(const Block& block, const BranchChart& chart) const {
  if (chart.dimension() > 1) return std::to_string(chart.dimension()) + " directions";
  Eigen::VectorXd v = freedom_at_home(*block.loops, chart.tangent()).T.col(0);
  Eigen::Index largest = 0;
  v.cwiseAbs().maxCoeff(&largest);
  v /= v(largest);
  std::string text;
  model_.visit([&](const auto& system) {
    Eigen::Index k = 0;
    for (const int j : block.loops->joints()) {
      for (int i = 0; i < system.joint(j).velocities; ++i, ++k) {
        if (std::abs(v(k)) < 1e-9) continue;
        text += (text.empty() ? "" : ", ") + model_.joint_name(j) + " " + to_short(v(k));
      }
    }
  });
  return text;
}

void Branches::refuse(const Block& block, const std::string& why) const {
  const auto& said = model_.mechanism().joints[at(model_.described_joint(block.cut))];
  const std::string element = "joint \"" + said.name + "\"";
  throw ModelError(said.where, element, element + ": " + why);
}

Branches::Start Branches::at_start(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                   bool given) {
  Start start{{}, v, {}};
  std::vector<AtPose> at_pose;
  for (auto& block : blocks_) {
    const auto* pose = pose_near(block, t, q);
    if (pose == nullptr) continue;
    const double distance = block.loops->displacement_to(q).norm();
    if (distance > kAtPose * block.loops->length()) {
      const auto* chart = chart_through(block, *pose, q);
      if (chart != nullptr) start.branches.push_back({block.loops.get(), chart});
    } else if (!pose->is_decided) {
      start.notes.push_back(subject(block) +
                            "the loop that it closes starts at a singular pose, and not all "
                            "motions through it could be found: its rows decide");
    } else if (pose->branches.empty()) {
      refuse(block,
             "the loop that it closes is rigid in this pose, though it may move to first order: "
             "start from another pose");
    } else {
      at_pose.push_back({&block, pose});
    }
  }
  for (const auto& here : at_pose) {
    const bool is_moving = moves(*here.block->loops, v);
    const auto choice =
        is_moving ? choose_by_velocity(here, t, q, v, given) : choose_at_rest(here, at_pose, t, q);
    if (!choice.is_clear) {
      refuse(*here.block, singular_start(here) + all_motions(here) +
                              ", and at rest the forces do not decide between them. Give its "
                              "joints velocities of one, however small");
    }
    if (!choice.note.empty()) start.notes.push_back(subject(*here.block) + choice.note);
    if (choice.branch == nullptr) continue;
    start.branches.push_back({here.block->loops.get(), choice.branch});
    if (!is_moving) continue;
    for (const int i : here.block->loops->velocities()) start.v(i) = choice.v(i);
  }
  return start;
}

std::string Branches::subject(const Block& block) const {
  return "joint \"" + model_.joint_name(block.cut) + "\": ";
}

std::string Branches::singular_start(const AtPose& here) {
  const auto count = here.pose->branches.size();
  return "the loop that it closes starts at a singular pose, where " +
         (count == 1 ? "one motion leads through" : std::to_string(count) + " motions meet");
}

std::string Branches::all_motions(const AtPose& here) const {
  const auto& branches = here.pose->branches;
  std::string names;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    names += (i == 0 ? " (velocities of joints in " : "; in ") + std::to_string(i + 1) + ": " +
             description(*here.block, branches[i]);
  }
  return names + ")";
}

// The branch whose velocities are nearest to those given, in the mass metric.
Branches::Choice Branches::choose_by_velocity(const AtPose& here, double t,
                                              const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                              bool given) {
  const auto& loops = *here.block->loops;
  const auto& branches = here.pose->branches;
  Eigen::VectorXd only = Eigen::VectorXd::Zero(v.size());
  for (const int i : loops.velocities()) only(i) = v(i);
  const auto size = [&](const Eigen::VectorXd& w) {
    return std::sqrt(std::max(0.0, w.dot(dynamics().momenta(t, q, w))));
  };
  std::vector<double> distances;
  std::vector<Eigen::VectorXd> nearest;
  for (const auto& chart : branches) {
    const std::vector<Freedom> freedoms{freedom_at_home(loops, chart.tangent())};
    nearest.push_back(dynamics().velocities(freedoms, dynamics().closest(t, q, v, freedoms)));
    distances.push_back(size(v - nearest.back()) / size(only));
  }
  const auto best =
      static_cast<std::size_t>(std::ranges::min_element(distances) - distances.begin());
  const double distance = distances[best];
  const auto as_near = std::ranges::count_if(
      distances, [&](double other) { return other < kClearlyNearer * distance; });
  const std::string off = to_short(100.0 * distance) + " %";
  if (distance > kFarOff || (distance > kOnBranch && as_near > 1)) {
    refuse(*here.block, singular_start(here) + all_motions(here) +
                            ", and the velocities given fit none of them: they miss the nearest "
                            "by " +
                            off + ". Give more joints of the loop velocities of one");
  }
  Choice choice{&branches[best], nearest[best], {}};
  if (given) meet_given_velocities(here, choice);
  if (branches.size() == 1 && distance <= kOnBranch) return choice;
  choice.note = singular_start(here) + "; the velocities given choose that of joint velocities " +
                description(*here.block, branches[best]);
  if (distance > kOnBranch) choice.note += ", which they miss by " + off;
  return choice;
}

// The velocities along the branch that joints of the block have in the model file, if it has them.
void Branches::meet_given_velocities(const AtPose& here, Choice& choice) const {
  const auto& loops = *here.block->loops;
  const auto freedom = freedom_at_home(loops, choice.branch->tangent());
  std::vector<int> rows;
  std::vector<double> values;
  model_.visit([&](const auto& system) {
    int row = 0;
    for (const int j : loops.joints()) {
      const auto& said = model_.mechanism().joints[at(model_.described_joint(j))];
      for (int i = 0; i < system.joint(j).velocities; ++i, ++row) {
        if (!said.initial_v) continue;
        rows.push_back(row);
        values.push_back((*said.initial_v)(i));
      }
    }
  });
  if (rows.empty()) return;
  Eigen::MatrixXd T(static_cast<Eigen::Index>(rows.size()), freedom.T.cols());
  for (Eigen::Index i = 0; i < T.rows(); ++i)
    T.row(i) = freedom.T.row(rows[static_cast<std::size_t>(i)]);
  const Eigen::Map<const Eigen::VectorXd> wanted(values.data(), T.rows());
  const Eigen::VectorXd s_rate = least_norm_solution(T, wanted, kSameRate);
  if ((T * s_rate - wanted).norm() > kMet * wanted.norm()) return;
  const Eigen::VectorXd v = freedom.T * s_rate;
  for (std::size_t i = 0; i < loops.velocities().size(); ++i)
    choice.v(loops.velocities()[i]) = v(static_cast<Eigen::Index>(i));
}

// Gauss's principle: the branch whose accelerations come closest to those of the mechanism without
// loops. Other blocks at a singular pose meanwhile move as J allows.
Branches::Choice Branches::choose_at_rest(const AtPose& here, const std::vector<AtPose>& at_pose,
                                          double t, const Eigen::VectorXd& q) {
  const auto& branches = here.pose->branches;
  const auto gain = [&](const Eigen::MatrixXd& directions) {
    std::vector<Freedom> freedoms{freedom_at_home(*here.block->loops, directions)};
    for (const auto& other : at_pose) {
      if (other.block != here.block)
        freedoms.push_back(freedom_at_home(*other.block->loops, other.pose->kernel));
    }
    const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(dynamics().size(freedoms));
    return dynamics().accelerations(t, q, at_rest, freedoms).gain;
  };
  const double held = gain(Eigen::MatrixXd(here.pose->kernel.rows(), 0));
  const double free = gain(here.pose->kernel) - held;
  std::vector<double> gains;
  for (const auto& chart : branches) gains.push_back(gain(chart.tangent()) - held);
  const auto best = static_cast<std::size_t>(std::ranges::max_element(gains) - gains.begin());
  Choice choice;
  if (!(gains[best] > kNoGain * (std::abs(held) + free))) {
    choice.note = singular_start(here) + "; no force moves it along any of them, and it rests";
    return choice;
  }
  choice.branch = &branches[best];
  if (branches.size() == 1) return choice;
  std::vector<double> shares;  // %
  for (const double own_gain : gains) shares.push_back(100.0 * own_gain / free);
  std::swap(shares.front(), shares[best]);
  const double next = *std::ranges::max_element(shares.begin() + 1, shares.end());
  choice.is_clear = next <= kNearlyAsGood * shares.front();
  choice.note = singular_start(here) + "; at rest the forces choose that of joint velocities " +
                description(*here.block, branches[best]) + " (" + to_short(shares.front()) +
                " % of the free acceleration, the next one " + to_short(next) + " %)";
  return choice;
}

double Branches::least_singular_value(double t, const Eigen::VectorXd& q) {
  double least = 1.0;
  for (auto& block : blocks_) {
    block.loops->set_home(t, q);
    const auto n = static_cast<Eigen::Index>(block.loops->velocities().size());
    for (const double value : singular_values(block.loops->gaps(Eigen::VectorXd::Zero(n)).J)) {
      if (value > kStructural) least = std::min(least, value);
    }
  }
  return least;
}

Eigen::VectorXd Branches::next_to(const Eigen::VectorXd& q, const std::vector<OnBranch>& branches) {
  Eigen::VectorXd there = q;
  for (const auto& [block, chart] : branches) {
    const int d = chart->dimension();
    const Eigen::VectorXd s =
        Eigen::VectorXd::Constant(d, kHandover * block->length() / std::sqrt(d));
    const auto x = chart->point(s, Eigen::VectorXd::Zero(d)).displacement;
    const auto displaced = block->displaced(x);
    for (const int i : block->coordinates()) there(i) = displaced(i);
  }
  return there;
}

std::vector<OnBranch> Branches::ahead(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                      const Eigen::VectorXd& v_dot) {
  std::vector<OnBranch> found;
  for (auto& block : blocks_) {
    // Faster motions pass the pose as its rows allow.
    const auto x_rate = block.loops->displacement_rate(v);
    const double gain = block.loops->displacement_rate(v_dot).norm();
    if (!(x_rate.squaredNorm() <= kSlow * kHandover * block.loops->length() * gain)) continue;
    const auto* pose = pose_near(block, t, q);
    if (pose == nullptr) continue;
    const auto x = block.loops->displacement_to(q);
    if (x.norm() < kAtPose * block.loops->length() && !moves(*block.loops, v)) {
      if (pose->branches.empty()) continue;
      const AtPose here{&block, pose};
      const auto choice = choose_at_rest(here, {here}, t, q);
      if (choice.branch != nullptr) found.push_back({block.loops.get(), choice.branch});
      continue;
    }
    const auto* chart = chart_through(block, *pose, q);
    if (chart == nullptr) continue;
    // Inwards, or not at all.
    if (chart->parameters(x).dot(chart->parameters(x_rate)) <= 0.0)
      found.push_back({block.loops.get(), chart});
  }
  return found;
}

}  // namespace hamiltree::branches
