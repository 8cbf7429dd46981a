// LoopCloser: finds coordinates at which all loops close, by Gauss-Newton from where joints are,
// and where that ends with loops open by tries at random.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/listed.hpp"
#include "hamiltree/base/random.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/simulation/assembly/closing_steps.hpp"
#include "hamiltree/simulation/assembly/joint_stops.hpp"
#include "hamiltree/simulation/assembly/posed_mechanism.hpp"

namespace hamiltree::assembly {

template <class Space>
class LoopCloser {
 public:
  explicit LoopCloser(PosedMechanism<Space>& pose) : pose_(pose), steps_(pose), stops_(pose) {}

  // Multiplications of all tries, about half a second: a robot of a hundred joints whose loops
  // cannot close is refused after it.
  static constexpr double kMostWork = 1e9;
  double work() const { return steps_.work(); }  // multiplications so far

  void close_loops() {
    const Eigen::VectorXd start = pose_.q;
    const bool is_closed = closes_from(start);
    const Eigen::VectorXd found = pose_.q;
    if (is_closed ? has_gone_along_weak_rows(start) : is_open()) {
      // Beside a singular pose rows are weak, too, and lead to no other one.
      const auto is_nearer = [&] {
        return (pose_.q - start).norm() + kNear < (found - start).norm();
      };
      if (closes_but_for_rounding(start) && (!is_closed || is_nearer())) return;
      pose_.q = found;
    }
    if (is_closed) return;
    search();
    const Eigen::VectorXd phi = pose_.gaps();
    if (!(pose_.size_of(phi) <= kAcceptable * pose_.system.length)) refuse_open(phi);
  }

  // Gauss-Newton from where the coordinates are to the closest gap that it finds; whether that is
  // none. Turns are counted from where joints are at home.
  bool approach() {
    Eigen::VectorXd phi = pose_.gaps();
    Eigen::VectorXd best_q = pose_.q;
    double best = steps_.miss(phi);
    int stalled = 0;
    Eigen::VectorXd last = Eigen::VectorXd::Zero(pose_.q.size()), before_last = last;
    for (int i = 0; i < kMaxIterations && best > kClosed * pose_.system.length && stalled < 20;
         ++i) {
      if (pose_.free_q.empty()) break;
      const Eigen::VectorXd from = pose_.q;
      steps_.take(phi);
      before_last = std::exchange(last, pose_.q - from);
      phi = pose_.gaps();
      const double gap = steps_.miss(phi);
      stalled = gap < 0.9 * best ? 0 : stalled + 1;
      if (gap < best) {
        best = gap;
        best_q = pose_.q;
      }
      if (!std::isfinite(gap)) break;
    }
    pose_.q = best_q;
    if (best <= kClosed * pose_.system.length && halves(before_last, last)) go_on_by(last);
    unwind();
    return best <= kAcceptable * pose_.system.length;
  }

  // Whole turns of pins change nothing, but that stops and springs would count them.
  void unwind() { stops_.unwind(); }

  // Prescribed coordinates of joints that close loops: the pose must agree with them.
  void check_cuts() const {
    for (int c = pose_.system.body_count(); c < pose_.system.joint_count(); ++c) {
      const auto& said = pose_.described(c);
      if (!said.initial_q || !(steps_.miss_of(c).cwiseAbs().maxCoeff() > kConsistent)) continue;
      pose_.refuse(c, "initial.q is " + listed_numbers(*said.initial_q, ", ") +
                          " but the other joints of its loop make it " +
                          listed_numbers(pose_.coordinates_of(c), ", "));
    }
  }

 private:
  static constexpr int kMaxIterations = 200;
  static constexpr int kTriesPerLoop = 40;
  // Of the length: what Newton is asked for, and what rounded numbers may leave open of redundant
  // rows.
  static constexpr double kClosed = 1e-13, kRoundedGap = 1e-6;
  static constexpr double kHalving = 0.1;    // of a step: how far it is from half the one before
  static constexpr double kNear = 0.01;      // rad, or lengths
  static constexpr double kWandered = 0.05;  // the same

  bool closes_from(const Eigen::VectorXd& start) {
    if (has_guesses()) {
      come_close_to_guesses();
      if (approach() && offenders().empty()) return true;
      pose_.q = start;
    }
    if (approach() && offenders().empty()) return true;
    // Values that the loops contradict are named once these are closed.
    if (pose_.conditions.empty()) return false;
    pose_.conditions.clear();
    pose_.q = start;
    return approach() && offenders().empty();
  }

  // Towards a singular pose each step is half the one before, and ends when gaps, which are the
  // squares of what is left of the way, are rounding: what is left is as long as the last step.
  static bool halves(const Eigen::VectorXd& before, const Eigen::VectorXd& step) {
    return (step - 0.5 * before).norm() < kHalving * step.norm();
  }

  void go_on_by(const Eigen::VectorXd& step) {
    const Eigen::VectorXd here = pose_.q;
    pose_.q += step;
    normalise_coordinates(pose_.system, pose_.q.data());
    if (!(steps_.miss(pose_.gaps()) <= kClosed * pose_.system.length)) pose_.q = here;
  }

  bool is_open() { return pose_.size_of(pose_.gaps()) > kAcceptable * pose_.system.length; }

  // --- redundant rows that contradict others, as numbers of a file are rounded ---

  // Where rows differ from others by rounding alone, closing them leads far off, to the one pose at
  // which they agree.
  bool has_gone_along_weak_rows(const Eigen::VectorXd& start) {
    const Eigen::VectorXd moved = pose_.q - start;
    if (moved.lpNorm<Eigen::Infinity>() < kNear) return false;
    return steps_.has_weak_rows(steps_.matrix());
  }

  // Closes all rows but those that others imply, up to rounding, at any pose nearby. Whether these
  // are then open by no more than rounding explains.
  bool closes_but_for_rounding(const Eigen::VectorXd& start) {
    pose_.q = start;
    steps_.leave_rounding(true);
    if (has_guesses()) come_close_to_guesses();
    approach();
    const bool closes =
        is_open() && is_rounding() && !stops_.is_any_beyond() && keeps_rank_nearby();
    steps_.leave_rounding(false);
    return closes;
  }

  bool is_rounding() { return pose_.size_of(pose_.gaps()) <= kRoundedGap * pose_.system.length; }

  // A motion leads to another pose with as many independent rows, which a singular pose does not
  // have near it.
  bool keeps_rank_nearby() {
    const Eigen::VectorXd here = pose_.q;
    const SparseMatrix A = steps_.matrix();
    const double rounding = steps_.rounding_of(A);
    std::mt19937_64 random(1);
    Eigen::VectorXd d(A.cols());
    for (auto& part : d) part = about_zero(random);
    d -= least_norm_solution(Eigen::MatrixXd(A), A * d, rounding);
    const double largest = d.lpNorm<Eigen::Infinity>();
    if (!(largest > kRankTolerance)) return true;  // nothing moves
    steps_.advance(kWandered / largest * d);
    const double wandered = (pose_.q - here).norm();
    approach();
    const SparseMatrix nearby = steps_.matrix();
    const bool keeps = is_rounding() && (pose_.q - here).norm() > 0.5 * wandered &&
                       rank_of(Eigen::MatrixXd(nearby), steps_.rounding_of(nearby)) ==
                           rank_of(Eigen::MatrixXd(A), rounding);
    pose_.q = here;
    return keeps;
  }

  bool has_guesses() const {
    for (int b = 0; b < pose_.system.body_count(); ++b) {
      if (pose_.described(b).guess_q && !pose_.described(b).initial_q) return true;
    }
    return false;
  }

  // Moves the joints that nothing is said of to where loops are least open while joints with a
  // guess keep to it, so that the pose that is found then is one near these.
  void come_close_to_guesses() {
    const std::vector<int> all = pose_.free_q;
    std::erase_if(pose_.free_q, [&](int k) {
      return pose_.described(pose_.joint_of_velocity(k)).guess_q.has_value();
    });
    approach();
    pose_.free_q = all;
  }

  // Where Gauss-Newton ends with loops open or joints beyond their stops, joints of these loops are
  // turned at random, always by the same numbers, and it tries again from there. What leaves less
  // to be wished is kept, so that loops are closed one after the other.
  void search() {
    if (pose_.free_q.empty()) return;
    std::mt19937_64 random(1);
    Eigen::VectorXd best_q = pose_.q;
    auto open = offenders();
    double best = pose_.size_of(pose_.gaps());
    const int tries = kTriesPerLoop * static_cast<int>(open.size());
    const double enough = work() + kMostWork;
    for (int i = 0; i < tries && !open.empty() && work() < enough; ++i) {
      pose_.q = best_q;
      turn_at_random(pose_.loop_of(open[random() % open.size()]), random);
      const bool closed = approach();
      const auto still_open = offenders();
      const double gap = pose_.size_of(pose_.gaps());
      if (!closed && gap > 0.9 * best && still_open.size() >= open.size()) continue;
      if (still_open.size() > open.size()) continue;
      open = still_open;
      best = gap;
      best_q = pose_.q;
    }
    pose_.q = best_q;
  }

  // The cuts that are open, and those in whose loop a joint is beyond its stops.
  std::vector<int> offenders() {
    const Eigen::VectorXd phi = pose_.gaps();
    std::vector<int> cuts;
    for (int c = pose_.system.body_count(); c < pose_.system.joint_count(); ++c) {
      const bool open =
          pose_.gap_of(pose_.system.joint(c), phi) > kAcceptable * pose_.system.length;
      if (open ||
          std::ranges::any_of(pose_.loop_of(c), [&](int b) { return stops_.is_beyond(b); })) {
        cuts.push_back(c);
      }
    }
    return cuts;
  }

  // Half of the joints to anywhere between their stops, or by up to half a turn or as many lengths.
  void turn_at_random(const std::vector<int>& joints, std::mt19937_64& random) {
    Eigen::VectorXd delta = Eigen::VectorXd::Zero(pose_.system.velocities);
    for (const int b : joints) {
      const auto& joint = pose_.system.joint(b);
      if (pose_.described(b).initial_q || about_zero(random) < 0.0) continue;
      const auto [lower, upper] = stops_.of(b);
      for (int i = 0; i < joint.velocities; ++i) {
        const int v = joint.v + i;
        delta(v) =
            std::isfinite(upper - lower)
                ? stops_.home_of(b) + 0.5 * (upper - lower) * about_zero(random) - pose_.q(joint.q)
                : std::numbers::pi * about_zero(random) * pose_.unit_length(v);
      }
    }
    pose_.advance(delta);
  }

  // Names the widest gap first, then those of all other loops and couplings that stay open.
  [[noreturn]] void refuse_open(const Eigen::VectorXd& phi) const {
    struct Gap {
      SourceLocation where;
      std::string kind, name;
      double width = 0.0;  // m
    };
    std::vector<Gap> gaps;
    const auto& mechanism = pose_.model.mechanism();
    for (int c = pose_.system.body_count(); c < pose_.system.joint_count(); ++c) {
      const auto& joint = pose_.system.joint(c);
      gaps.push_back(
          {pose_.described(c).where, "joint", pose_.described(c).name, pose_.gap_of(joint, phi)});
    }
    for (std::size_t i = 0; i < pose_.system.couplings.size(); ++i) {
      const auto& said = mechanism.couplings[i];
      const int row = pose_.system.couplings[i].row;
      gaps.push_back(
          {said.where, "coupling", said.name, std::abs(phi(row)) * pose_.scale_of_row(row)});
    }
    const auto wider = [](const Gap& x, const Gap& y) { return x.width > y.width; };
    std::stable_sort(gaps.begin(), gaps.end(), wider);
    const auto& worst = gaps.front();
    constexpr std::size_t kNamed = 4;  // a long row may have hundreds
    std::string others;
    const auto is_closed = [&](const Gap& gap) {
      return !(gap.width > kAcceptable * pose_.system.length);
    };
    const auto open =
        static_cast<std::size_t>(std::ranges::find_if(gaps, is_closed) - gaps.begin());
    for (std::size_t i = 1; i < std::min(open, kNamed); ++i) {
      others += (others.empty() ? "; also open: " : ", ") + gaps[i].kind + " \"" + gaps[i].name +
                "\" by " + to_text(gaps[i].width) + " m";
    }
    if (open > kNamed) others += ", and " + std::to_string(open - kNamed) + " more";
    const std::string element = worst.kind + " \"" + worst.name + "\"";
    throw ModelError(worst.where, element,
                     element +
                         ": the loop that it closes cannot close from the given coordinates "
                         "and guesses; a gap of " +
                         to_text(worst.width) + " m remains" + others);
  }

  PosedMechanism<Space>& pose_;
  ClosingSteps<Space> steps_;
  JointStops<Space> stops_;
};

}  // namespace hamiltree::assembly
