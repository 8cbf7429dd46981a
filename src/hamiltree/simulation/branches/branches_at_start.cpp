// Branches: which motion a start at a singular pose takes, or why it is refused.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/listed.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/simulation/branches/branch_names.hpp"
#include "hamiltree/simulation/branches/branches.hpp"
#include "hamiltree/simulation/branches/reduced_loops.hpp"

namespace hamiltree::branches {
namespace {

// Distances of velocities from branches, of the velocity in the mass metric, and gains.
constexpr double kOnBranch = 1e-3, kFarOff = 0.5, kClearlyNearer = 2.0;
constexpr double kNearlyAsGood = 0.98, kNoGain = 1e-12;

constexpr std::size_t kToldInFull = 4;  // loops that start at singular poses

}  // namespace

void Branches::refuse(const Block& block, const std::string& why) const {
  refuse_joint(model_.described_joint(block.cut), why);
}
void Branches::refuse_joint(int described, const std::string& why) const {
  const auto& said = model_.mechanism().joints[at(described)];
  const std::string element = "joint \"" + said.name + "\"";
  throw ModelError(said.where, element, element + ": " + why);
}

Branches::Start Branches::at_start(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                   bool given) {
  Start start{{}, v, {}};
  std::vector<std::string> more;  // joints of notes that are not told in full
  const auto take = [&](const Block& block, const Choice& choice) {
    if (!choice.note.empty()) {
      if (start.notes.size() < kToldInFull) {
        start.notes.push_back(subject(block) + choice.note);
      } else {
        more.push_back("\"" + model_.joint_name(block.cut) + "\"");
      }
    }
    if (choice.chart == nullptr) return;
    start.branches.push_back({block.loops.get(), choice.chart});
    if (!block.loops->moves(v)) return;
    for (const int i : block.loops->velocities()) start.v(i) = choice.v(i);
  };
  const auto told = [&] {
    if (more.empty()) return start;
    const bool one = more.size() == 1;
    start.notes.push_back((one ? "joint " : "joints ") + listed(more) +
                          (one ? ": the loop that it closes starts at a singular pose, too"
                               : ": the loops that they close start at singular poses, too"));
    return start;
  };
  std::vector<AtPose> at_pose;
  for (auto& block : blocks_) {
    auto* pose = pose_near(block, t, q);
    if (pose == nullptr) continue;
    const bool is_driven = block.loops->has_drives();
    const auto x = block.loops->displacement_to(t, q);
    if (x.norm() > kAtPose * block.loops->length()) {
      const auto charts = charts_through(block, *pose, x, Eigen::VectorXd::Zero(x.size()));
      if (charts.size() == 1) take(block, choose_beside(block, *charts.front(), t, q, v, given));
      // Where several lead through, the pose is as near as rounding of the file tells.
      if (charts.size() <= 1) continue;
    }
    make_charts(*block.loops, *pose);
    if (!pose->is_searched) {
      take(block, choose_unsearched(block, *pose, t, q, v, given));
    } else if (!pose->is_decided) {
      const std::string start = "the loop that it closes starts at a singular pose";
      const auto refuse_undecided = [&](const std::string& instead) {
        refuse(block, start + how_undecided({&block, pose}) + instead);
      };
      if (!block.loops->moves(v)) {
        refuse_undecided(": start from another pose" +
                         std::string(is_driven ? ", or with drives that move there"
                                               : ", or give its joints velocities of one motion"));
      }
      const auto followed = choose_followed(
          block, *pose, start + ", not all of whose motions are known", t, q, v, given);
      if (!followed) {
        refuse_undecided(
            ". The velocities given are not those of one that can be followed: start from another "
            "pose");
      }
      take(block, *followed);
    } else if (pose->branches.empty()) {
      refuse(block, is_driven ? "the loop that it closes cannot follow its drives through this "
                                "singular pose: start from another pose"
                              : "the loop that it closes is rigid in this pose, though it may move "
                                "to first order: start from another pose");
    } else {
      at_pose.push_back({&block, pose});
    }
  }
  if (given) check_asked(at_pose);
  for (const auto& here : at_pose) {
    const auto by_key = asked(*here.block);
    const auto choice = by_key ? choose_as_asked(here, *by_key, t, q, v, given)
                        : here.block->loops->moves(v) ? choose_by_velocity(here, t, q, v, given)
                                                      : choose_at_rest(here, at_pose, t, q);
    if (!choice.unclear.empty()) {
      refuse(*here.block, with_all_motions(here) + ", and " + choice.unclear +
                              " do not decide between them. " + how_to_choose(*here.block));
    }
    take(*here.block, choice);
  }
  // On its way a motion leaves poses whose motions are many.
  if (!given) return told();
  for (auto& block : large_blocks_) {
    auto& loops = *block.loops;
    loops.set_home(t, q);
    const auto rank = doubtful_rank(loops);
    if (!rank) continue;
    SingularPose pose{loops.home(), ReducedLoops(loops, *rank).kernel(), {}, false, false, {}};
    const Eigen::VectorXd ahead =
        loops.moves(v) ? loops.displacement_rate(v) : free_accelerations({&block, &pose}, t, q);
    if (!(ahead.norm() > 0.0) || !gains_rank(loops, *rank, ahead)) {
      auto found = singular_pose(loops, t, q);
      if (!found || loops.displacement_to(t, q).norm() > kAtPose * loops.length()) continue;
      pose = std::move(*found);
    }
    take(block, choose_unsearched(block, pose, t, q, v, given));
  }
  return told();
}

// The motion on which a start beside the pose is. Coordinates that close loops by rounding leave
// velocities of others in part, the more so the nearer the pose.
Branches::Choice Branches::choose_beside(const Block& block, const BranchChart& chart, double t,
                                         const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                         bool given) {
  const auto& loops = *block.loops;
  const Eigen::VectorXd s = chart.parameters(loops.displacement_to(t, q));
  const auto here = chart.point(s, Eigen::VectorXd::Zero(s.size()));
  const auto freedom = freedom_at(loops, here.displacement, here.rates,
                                  Eigen::VectorXd::Zero(here.displacement.size()), here.curvature);
  Choice choice{
      &chart, dynamics().velocities({freedom}, dynamics().closest(t, q, v, {freedom})), {}, {}};
  if (!given) return choice;
  meet_given_velocities(block, freedom, choice);
  const double missed = missed_of_given(block, t, q, v, choice.v);
  if (missed > kOnBranch) {
    refuse(block,
           "the loop that it closes starts beside a singular pose, on a motion that the "
           "velocities given miss by " +
               to_short(100.0 * missed) +
               " %: start at the pose itself, with coordinates of all digits, or give joints "
               "of the loop other velocities");
  }
  return choice;
}

// A motion whose velocities are given is followed, whatever others there are. Where it cannot be,
// its rows lead it through the pose.
Branches::Choice Branches::choose_unsearched(Block& block, const SingularPose& pose, double t,
                                             const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                             bool given) {
  auto& loops = *block.loops;
  const AtPose here{&block, &pose};
  const auto rows = loops.rows().size();
  const std::string start =
      "the loop that it closes starts at a singular pose with " +
      std::to_string(pose.kernel.cols()) + " free directions" +
      (rows > kMostSearchedRows ? " and " + std::to_string(rows) + " constraint rows" : "") +
      ", too many to look for the motions through it";
  if (loops.moves(v)) {
    if (auto followed = choose_followed(block, pose, start, t, q, v, given)) return *followed;
    check_missed(block, start, off_motions(loops, pose, loops.displacement_rate(v)));
    return {nullptr, {}, start + ": its rows follow the velocities given", {}};
  }
  const double held = gain(here, {here}, t, q, Eigen::MatrixXd(pose.kernel.rows(), 0));
  const double free = gain(here, {here}, t, q, pose.kernel) - held;
  if (free > kNoGain * (std::abs(held) + free)) {
    refuse(block, start +
                      ", and at rest nothing chooses between them: start from another pose, or "
                      "give its joints velocities of one");
  }
  return {nullptr, {}, start + "; no force moves it, and it rests", {}};
}

// That of the velocities given, `start` tells where.
std::optional<Branches::Choice> Branches::choose_followed(Block& block, const SingularPose& pose,
                                                          const std::string& start, double t,
                                                          const Eigen::VectorXd& q,
                                                          const Eigen::VectorXd& v, bool given) {
  auto& loops = *block.loops;
  auto followed = follow_from_pose(loops, loops.displacement_rate(v));
  if (!followed) return std::nullopt;
  const Eigen::VectorXd origin = Eigen::VectorXd::Zero(1);
  const Eigen::MatrixXd tangent = followed->chart.point(origin, origin).rates;
  const std::vector<Freedom> freedoms{freedom_at_home(loops, tangent)};
  Choice choice{nullptr,
                dynamics().velocities(freedoms, dynamics().closest(t, q, v, freedoms)),
                start + ": that of the velocities given is followed",
                {}};
  check_missed(block, start, distance({&block, &pose}, t, q, v, choice.v));
  if (given) meet_given_velocities(block, freedoms.front(), choice);
  block.followed.push_back(std::make_unique<FollowedMotion>(std::move(*followed)));
  choice.chart = &block.followed.back()->chart;
  return choice;
}

void Branches::check_missed(const Block& block, const std::string& start, double missed) const {
  if (!(missed > kOnBranch)) return;
  refuse(block, start + ", and the velocities given miss all of them by about " +
                    to_short(100.0 * missed) +
                    " %: start from another pose, or give velocities of one");
}

// With the motions that are known, which do not tell where the others lead.
std::string Branches::how_undecided(const AtPose& here) const {
  const auto count = here.pose->branches.size();
  std::string why = count == 0 ? ", and the motions through it are no smooth branches"
                               : ", where smooth motions meet" +
                                     descriptions(model_, *here.block->loops, *here.pose) +
                                     " and others that are not";
  const auto lacks_chart = [&](ChartFault fault) {
    return std::ranges::find(here.pose->faults, fault) != here.pose->faults.end();
  };
  if (lacks_chart(ChartFault::kOpen)) why += "; along one of them the loops do not stay closed";
  if (lacks_chart(ChartFault::kBends)) why += "; one of them bends too sharply to be followed";
  return why;
}

std::string Branches::subject(const Block& block) const {
  return "joint \"" + model_.joint_name(block.cut) + "\": ";
}

std::string Branches::singular_start(const AtPose& here) const {
  const auto count = here.pose->branches.size();
  return "the loop that it closes starts at a singular pose, where " +
         (count == 1 ? "one motion leads through" : std::to_string(count) + " motions meet");
}

std::string Branches::with_all_motions(const AtPose& here) const {
  return singular_start(here) + descriptions(model_, *here.block->loops, *here.pose);
}

std::string Branches::how_to_choose(const Block& block) const {
  return "Give joint \"" + model_.joint_name(block.cut) +
         "\" the number of one as its `branch`, or joints of the loop velocities of one";
}

// Those that the block moves and those that close its loops.
std::vector<int> Branches::described_joints(const Block& block) const {
  std::vector<int> joints;
  for (const int j : block.loops->joints()) joints.push_back(model_.described_joint(j));
  for (const int c : block.loops->cuts()) joints.push_back(model_.described_joint(c));
  return joints;
}

bool Branches::has_velocities(const Block& block) const {
  return std::ranges::any_of(described_joints(block), [&](int j) {
    return model_.mechanism().joints[at(j)].initial_v.has_value();
  });
}

std::optional<Branches::Asked> Branches::asked(const Block& block) const {
  std::optional<Asked> found;
  const auto& joints = model_.mechanism().joints;
  for (const int j : described_joints(block)) {
    const auto& branch = joints[at(j)].branch;
    if (!branch) continue;
    if (found && found->branch != *branch) {
      refuse_joint(j, "branch is " + std::to_string(*branch) + ", but joint \"" +
                          joints[at(found->joint)].name + "\" of the same loops has " +
                          std::to_string(found->branch));
    }
    found = {j, *branch};
  }
  return found;
}

// A key that chooses nothing says something else than its writer meant.
void Branches::check_asked(const std::vector<AtPose>& at_pose) const {
  const auto& joints = model_.mechanism().joints;
  std::vector<bool> heard(joints.size(), false);
  for (const auto& here : at_pose) {
    for (const int j : described_joints(*here.block)) heard[at(j)] = true;
  }
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!joints[j].branch || heard[j]) continue;
    refuse_joint(static_cast<int>(j),
                 "branch is " + std::to_string(*joints[j].branch) +
                     ", but none of its loops starts at a singular pose whose motions are known");
  }
}

Branches::Choice Branches::choose_as_asked(const AtPose& here, const Asked& asked, double t,
                                           const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                           bool given) {
  const auto& loops = *here.block->loops;
  const auto& branches = here.pose->branches;
  if (asked.branch > static_cast<int>(branches.size())) {
    refuse_joint(asked.joint,
                 "branch is " + std::to_string(asked.branch) + ", but " + with_all_motions(here));
  }
  const auto& branch = branches[at(asked.branch - 1)];
  const std::vector<Freedom> freedoms{freedom_at_home(loops, branch.tangent)};
  Choice choice{branch.chart.get(),
                dynamics().velocities(freedoms, dynamics().closest(t, q, v, freedoms)),
                {},
                {}};
  if (given) meet_given_velocities(*here.block, freedoms.front(), choice);
  const double missed = missed_of_given(*here.block, t, q, v, choice.v);
  if (given && missed > kOnBranch) {
    refuse_joint(asked.joint, "branch is " + std::to_string(asked.branch) +
                                  ", but the velocities given miss that motion by " +
                                  to_short(100.0 * missed) + " %: " + with_all_motions(here));
  }
  choice.note = singular_start(here) + "; `branch` chooses that of joint velocities " +
                description(model_, loops, branch);
  return choice;
}

// Distance of velocities from others in the mass metric, those outside the block left out.
double Branches::distance(const AtPose& here, double t, const Eigen::VectorXd& q,
                          const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
  Eigen::VectorXd only = Eigen::VectorXd::Zero(from.size());
  for (const int i : here.block->loops->velocities()) only(i) = from(i);
  const auto size = [&](const Eigen::VectorXd& w) {
    return std::sqrt(std::max(0.0, dynamics().square(t, q, w)));
  };
  const double whole = size(only), off = size(from - to);
  return whole > 0.0 ? off / whole : (off > 0.0 ? 1.0 : 0.0);
}

// The branch whose velocities are nearest to those given, in the mass metric.
Branches::Choice Branches::choose_by_velocity(const AtPose& here, double t,
                                              const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                              bool given) {
  const auto& loops = *here.block->loops;
  const auto& branches = here.pose->branches;
  std::vector<double> distances;
  std::vector<Eigen::VectorXd> nearest;
  for (const auto& branch : branches) {
    const std::vector<Freedom> freedoms{freedom_at_home(loops, branch.tangent)};
    nearest.push_back(dynamics().velocities(freedoms, dynamics().closest(t, q, v, freedoms)));
    distances.push_back(distance(here, t, q, v, nearest.back()));
  }
  // Drives move it, and the file says nothing of how.
  if (given && !has_velocities(*here.block)) {
    if (branches.size() == 1) return {branches.front().chart.get(), nearest.front(), {}, {}};
    return {nullptr, {}, {}, "its drives"};
  }
  const auto best =
      static_cast<std::size_t>(std::ranges::min_element(distances) - distances.begin());
  const double least = distances[best];
  const auto as_near = std::ranges::count_if(
      distances, [&](double other) { return other < kClearlyNearer * least; });
  const std::string off = to_short(100.0 * least) + " %";
  if (least > kFarOff || (least > kOnBranch && as_near > 1)) {
    refuse(*here.block, with_all_motions(here) +
                            ", and the velocities given fit none of them: they miss the nearest "
                            "by " +
                            off + ". " + how_to_choose(*here.block));
  }
  Choice choice{branches[best].chart.get(), nearest[best], {}, {}};
  if (given) {
    meet_given_velocities(*here.block, freedom_at_home(loops, branches[best].tangent), choice);
  }
  if (branches.size() == 1 && least <= kOnBranch) return choice;
  choice.note = singular_start(here) + "; the velocities given choose that of joint velocities " +
                description(model_, *here.block->loops, branches[best]);
  if (least > kOnBranch) choice.note += ", which they miss by " + off;
  return choice;
}

// Displacements' accelerations from rest that J allows.
Eigen::VectorXd Branches::free_accelerations(const AtPose& here, double t,
                                             const Eigen::VectorXd& q) {
  const auto& kernel = here.pose->kernel;
  const std::vector<Freedom> freedoms{freedom_at_home(*here.block->loops, kernel)};
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(dynamics().size(freedoms));
  return kernel * dynamics().accelerations(t, q, at_rest, freedoms).u_rate.tail(kernel.cols());
}

// The gain of accelerations from rest along these directions. Other blocks at a singular pose
// meanwhile move as J allows.
double Branches::gain(const AtPose& here, const std::vector<AtPose>& at_pose, double t,
                      const Eigen::VectorXd& q, const Eigen::MatrixXd& directions) {
  std::vector<Freedom> freedoms{freedom_at_home(*here.block->loops, directions)};
  for (const auto& other : at_pose) {
    if (other.block != here.block)
      freedoms.push_back(freedom_at_home(*other.block->loops, other.pose->kernel));
  }
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(dynamics().size(freedoms));
  return dynamics().accelerations(t, q, at_rest, freedoms).gain;
}

// Gauss's principle: the branch whose accelerations come closest to those of the mechanism without
// loops.
Branches::Choice Branches::choose_at_rest(const AtPose& here, const std::vector<AtPose>& at_pose,
                                          double t, const Eigen::VectorXd& q) {
  const auto& branches = here.pose->branches;
  const auto gain_of = [&](const Eigen::MatrixXd& directions) {
    return gain(here, at_pose, t, q, directions);
  };
  const double held = gain_of(Eigen::MatrixXd(here.pose->kernel.rows(), 0));
  const double free = gain_of(here.pose->kernel) - held;
  std::vector<double> gains;
  for (const auto& branch : branches) gains.push_back(gain_of(branch.tangent) - held);
  const auto best = static_cast<std::size_t>(std::ranges::max_element(gains) - gains.begin());
  Choice choice;
  if (!(gains[best] > kNoGain * (std::abs(held) + free))) {
    choice.note = singular_start(here) + "; no force moves it along any of them, and it rests";
    return choice;
  }
  choice.chart = branches[best].chart.get();
  if (branches.size() == 1) return choice;
  std::vector<double> shares;  // %
  for (const double own_gain : gains) shares.push_back(100.0 * own_gain / free);
  std::swap(shares.front(), shares[best]);
  const double next = *std::ranges::max_element(shares.begin() + 1, shares.end());
  if (next > kNearlyAsGood * shares.front()) choice.unclear = "at rest the forces";
  choice.note = singular_start(here) + "; at rest the forces choose that of joint velocities " +
                description(model_, *here.block->loops, branches[best]) + " (" +
                to_short(shares.front()) + " % of the free acceleration, the next one " +
                to_short(next) + " %)";
  return choice;
}

}  // namespace hamiltree::branches
