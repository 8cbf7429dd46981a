// LoopCloser: finds coordinates at which all loops close, by Gauss-Newton from where joints are,
// and where that ends with loops open by tries at random.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "hamiltree/base/listed.hpp"
#include "hamiltree/base/random.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/simulation/assembly/posed_mechanism.hpp"

namespace hamiltree::assembly {

template <class Space>
class LoopCloser {
 public:
  explicit LoopCloser(PosedMechanism<Space>& pose) : pose_(pose) {}

  // Multiplications of all tries, about half a second: a robot of a hundred joints whose loops
  // cannot close is refused after it.
  static constexpr double kMostWork = 1e9;
  double work() const { return work_; }  // multiplications so far

  void close_loops() {
    const Eigen::VectorXd start = pose_.q;
    const bool is_closed = closes_from(start);
    const Eigen::VectorXd found = pose_.q;
    if (is_closed ? has_gone_along_weak_rows(start) : is_open()) {
      const auto is_nearer = [&] { return (pose_.q - start).norm() < (found - start).norm(); };
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
    double best = miss(phi);
    int stalled = 0;
    for (int i = 0; i < kMaxIterations && best > kClosed * pose_.system.length && stalled < 20;
         ++i) {
      if (pose_.free_q.empty()) break;
      step(phi);
      phi = pose_.gaps();
      const double gap = miss(phi);
      stalled = gap < 0.9 * best ? 0 : stalled + 1;
      if (gap < best) {
        best = gap;
        best_q = pose_.q;
      }
      if (!std::isfinite(gap)) break;
    }
    pose_.q = best_q;
    unwind();
    return best <= kAcceptable * pose_.system.length;
  }

  // Whole turns of pins change nothing, but that stops and springs would count them.
  void unwind() {
    for (int b = 0; b < pose_.system.body_count(); ++b) {
      const auto& joint = pose_.system.joint(b);
      if (joint.type != JointType::kRevolute || joint.velocities != 1) continue;
      const bool coupled = std::ranges::any_of(
          pose_.system.couplings, [&](const auto& c) { return c.joint == b || c.to == b; });
      if (coupled || pose_.described(b).initial_q) continue;
      const double home = home_of(b);
      double& q = pose_.q(joint.q);
      if (std::abs(q - home) > std::numbers::pi)
        q = home + std::remainder(q - home, 2.0 * std::numbers::pi);
    }
  }

  // Prescribed coordinates of joints that close loops: the pose must agree with them.
  void check_cuts() const {
    for (int c = pose_.system.body_count(); c < pose_.system.joint_count(); ++c) {
      const auto& said = pose_.described(c);
      if (!said.initial_q || !(miss_of(c).cwiseAbs().maxCoeff() > kConsistent)) continue;
      pose_.refuse(c, "initial.q is " + listed_numbers(*said.initial_q, ", ") +
                          " but the other joints of its loop make it " +
                          listed_numbers(pose_.coordinates_of(c), ", "));
    }
  }

 private:
  static constexpr int kMaxIterations = 200;
  static constexpr int kTriesPerLoop = 40;
  static constexpr double kPerVelocity = 100.0;  // multiplications, to move a body
  static constexpr double kLargestStep = 0.5;    // rad, or lengths, in one iteration
  static constexpr double kClosed = 1e-13;       // of the length: what Newton is asked for

  // What rounded numbers may leave open of redundant rows, of the length, and the pivots of such
  // rows, of the largest, as formulations have it. A row that moves less than kFeeble has none.
  static constexpr double kRoundedGap = 1e-6, kRounded = 1e-4, kFeeble = 1e-3;
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

  bool is_open() { return pose_.size_of(pose_.gaps()) > kAcceptable * pose_.system.length; }

  // --- redundant rows that contradict others, as numbers of a file are rounded ---

  // Where rows differ from others by rounding alone, closing them leads far off, to the one pose at
  // which they agree.
  bool has_gone_along_weak_rows(const Eigen::VectorXd& start) {
    const Eigen::VectorXd moved = pose_.q - start;
    if (moved.lpNorm<Eigen::Infinity>() < kNear) return false;
    const Eigen::MatrixXd A = free_matrix();
    return rank_of(A, kRankTolerance) > rank_of(A, rounding_of(A));
  }

  // Closes all rows but those that others imply, up to rounding, at any pose nearby. Whether these
  // are then open by no more than rounding explains.
  bool closes_but_for_rounding(const Eigen::VectorXd& start) {
    pose_.q = start;
    leaves_rounding_ = true;
    if (has_guesses()) come_close_to_guesses();
    approach();
    const bool closes = is_open() && is_rounding() && !is_any_beyond_stops() && keeps_rank_nearby();
    leaves_rounding_ = false;
    return closes;
  }

  bool is_rounding() { return pose_.size_of(pose_.gaps()) <= kRoundedGap * pose_.system.length; }

  // A motion leads to another pose with as many independent rows, which a singular pose does not
  // have near it.
  bool keeps_rank_nearby() {
    const Eigen::VectorXd here = pose_.q;
    const Eigen::MatrixXd A = free_matrix();
    std::mt19937_64 random(1);
    Eigen::VectorXd d(A.cols());
    for (auto& part : d) part = about_zero(random);
    d -= least_norm_solution(A, A * d, rounding_of(A));
    const double largest = d.lpNorm<Eigen::Infinity>();
    if (!(largest > kRankTolerance)) return true;  // nothing moves
    advance_free(kWandered / largest * d);
    const double wandered = (pose_.q - here).norm();
    approach();
    const Eigen::MatrixXd nearby = free_matrix();
    const auto rank_nearby = rank_of(nearby, rounding_of(nearby));
    const bool keeps = is_rounding() && (pose_.q - here).norm() > 0.5 * wandered &&
                       rank_nearby == rank_of(A, rounding_of(A));
    pose_.q = here;
    return keeps;
  }

  // The tolerance below which pivots of A are rounding.
  double rounding_of(const Eigen::MatrixXd& A) const {
    if (A.size() == 0) return kRounded;
    const double largest = A.colwise().norm().maxCoeff();
    return kRounded * std::max(1.0, kFeeble * pose_.system.length / largest);
  }

  static Eigen::Index rank_of(const Eigen::MatrixXd& A, double tolerance) {
    if (A.size() == 0) return 0;
    const Eigen::VectorXd pivots = pivoted_qr(A).R.diagonal().cwiseAbs();
    return (pivots.array() > tolerance * pivots(0)).count();
  }

  bool is_any_beyond_stops() const {
    for (int b = 0; b < pose_.system.body_count(); ++b) {
      if (is_beyond_stops(b)) return true;
    }
    return false;
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
    const double enough = work_ + kMostWork;
    for (int i = 0; i < tries && !open.empty() && work_ < enough; ++i) {
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
          std::ranges::any_of(pose_.loop_of(c), [&](int b) { return is_beyond_stops(b); })) {
        cuts.push_back(c);
      }
    }
    return cuts;
  }

  // One Gauss-Newton step of least length in the free directions.
  void step(const Eigen::VectorXd& phi) {
    const Eigen::MatrixXd free = free_matrix();
    Eigen::VectorXd rhs = phi;
    for (int r = 0; r < rhs.size(); ++r) rhs(r) *= -pose_.scale_of_row(r);
    if (!pose_.conditions.empty()) {
      rhs.conservativeResize(free.rows());
      rhs.tail(free.rows() - phi.size()) = -condition_misses();
    }
    const double rows = static_cast<double>(free.rows()),
                 columns = static_cast<double>(free.cols());
    work_ += rows * columns * std::min(rows, columns) + kPerVelocity * columns * columns;
    Eigen::VectorXd d =
        least_norm_solution(free, rhs, leaves_rounding_ ? rounding_of(free) : kRankTolerance);
    const double largest = d.size() > 0 ? d.cwiseAbs().maxCoeff() : 0.0;
    if (largest > kLargestStep) d *= kLargestStep / largest;
    advance_free(d);
  }

  // Rows of loops, then of conditions; a column for each free direction.
  Eigen::MatrixXd free_matrix() {
    Eigen::MatrixXd A = pose_.closing_matrix();
    if (!pose_.conditions.empty()) {
      const Eigen::MatrixXd more = condition_matrix();
      A.conservativeResize(A.rows() + more.rows(), Eigen::NoChange);
      A.bottomRows(more.rows()) = more;
    }
    Eigen::MatrixXd free(A.rows(), static_cast<Eigen::Index>(pose_.free_q.size()));
    for (std::size_t k = 0; k < pose_.free_q.size(); ++k)
      free.col(static_cast<Eigen::Index>(k)) = A.col(pose_.free_q[k]);
    return free;
  }

  void advance_free(const Eigen::VectorXd& d) {
    Eigen::VectorXd delta = Eigen::VectorXd::Zero(pose_.system.velocities);
    for (std::size_t k = 0; k < pose_.free_q.size(); ++k) {
      delta(pose_.free_q[k]) = pose_.unit_length(pose_.free_q[k]) * d(static_cast<Eigen::Index>(k));
    }
    pose_.advance(delta);
  }

  // Half of the joints to anywhere between their stops, or by up to half a turn or as many lengths.
  void turn_at_random(const std::vector<int>& joints, std::mt19937_64& random) {
    Eigen::VectorXd delta = Eigen::VectorXd::Zero(pose_.system.velocities);
    for (const int b : joints) {
      const auto& joint = pose_.system.joint(b);
      if (pose_.described(b).initial_q || about_zero(random) < 0.0) continue;
      const auto [lower, upper] = stops_of(b);
      for (int i = 0; i < joint.velocities; ++i) {
        const int v = joint.v + i;
        delta(v) = std::isfinite(upper - lower)
                       ? home_of(b) + 0.5 * (upper - lower) * about_zero(random) - pose_.q(joint.q)
                       : std::numbers::pi * about_zero(random) * pose_.unit_length(v);
      }
    }
    pose_.advance(delta);
  }

  struct Stops {
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
  };
  Stops stops_of(int b) const {
    Stops stops;
    for (const auto& stop : pose_.system.joint_stops) {
      if (stop.joint == b) (stop.side > 0.0 ? stops.upper : stops.lower) = double(stop.at);
    }
    return stops;
  }

  bool is_beyond_stops(int b) const {
    const auto& joint = pose_.system.joint(b);
    if (joint.velocities != 1 || pose_.described(b).initial_q) return false;
    const auto [lower, upper] = stops_of(b);
    return pose_.q(joint.q) < lower || pose_.q(joint.q) > upper;
  }

  // The coordinate in the middle between a joint's stops, or from where it was guessed.
  double home_of(int b) const {
    const auto [lower, upper] = stops_of(b);
    if (std::isfinite(lower) && std::isfinite(upper)) return 0.5 * (lower + upper);
    return pose_.described(b).guess_q ? (*pose_.described(b).guess_q)(0) : 0.0;
  }

  // The same with the conditions.
  double miss(const Eigen::VectorXd& phi) const {
    return pose_.conditions.empty() ? pose_.size_of(phi)
                                    : std::hypot(pose_.size_of(phi), condition_misses().norm());
  }

  // --- cuts with `initial.q`: their coordinates are conditions like the rows of their loops ---

  // By how much the coordinates of a cut are off, m and rad; angles by the shorter way.
  Eigen::VectorXd miss_of(int c) const {
    const auto& joint = pose_.system.joint(c);
    const Eigen::VectorXd& wanted = *pose_.described(c).initial_q;
    Eigen::VectorXd miss = pose_.coordinates_of(c);
    if (joint.coordinates > joint.velocities && miss.tail<4>().dot(wanted.tail<4>()) < 0.0) {
      miss.tail<4>() = -miss.tail<4>();
    }
    miss -= wanted;
    for (int i = 0; i < joint.velocities && joint.coordinates == joint.velocities; ++i) {
      const bool is_angle = joint.free[at(i)] >= Space::kLinear;
      if (is_angle && joint.type != JointType::kHelical) {
        miss(i) = std::remainder(miss(i), 2.0 * std::numbers::pi);
      }
    }
    return miss;
  }

  int condition_rows() const {
    int rows = 0;
    for (const int c : pose_.conditions) rows += pose_.system.joint(c).coordinates;
    return rows;
  }

  // Rows of conditions, m, and how they change with each unit of velocity.
  Eigen::VectorXd condition_misses() const {
    Eigen::VectorXd misses(condition_rows());
    Eigen::Index row = 0;
    for (const int c : pose_.conditions) {
      const Eigen::VectorXd miss = miss_of(c);
      for (int i = 0; i < miss.size(); ++i)
        misses(row++) = miss(i) * pose_.unit_of(pose_.system.joint(c), i);
    }
    return misses;
  }

  Eigen::MatrixXd condition_matrix() {
    Eigen::MatrixXd A(condition_rows(), pose_.system.velocities);
    pose_.each_unit_motion([&](int k) {
      Eigen::Index row = 0;
      for (const int c : pose_.conditions) {
        const Eigen::VectorXd rates = pose_.coordinate_rates_of(c);
        for (int i = 0; i < rates.size(); ++i) {
          A(row++, k) = rates(i) * pose_.unit_of(pose_.system.joint(c), i);
        }
      }
    });
    return A;
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
    std::string others;
    for (std::size_t i = 1; i < gaps.size() && gaps[i].width > kAcceptable * pose_.system.length;
         ++i) {
      others += (others.empty() ? "; also open: " : ", ") + gaps[i].kind + " \"" + gaps[i].name +
                "\" by " + to_text(gaps[i].width) + " m";
    }
    const std::string element = worst.kind + " \"" + worst.name + "\"";
    throw ModelError(worst.where, element,
                     element +
                         ": the loop that it closes cannot close from the given coordinates "
                         "and guesses; a gap of " +
                         to_text(worst.width) + " m remains" + others);
  }

  PosedMechanism<Space>& pose_;
  bool leaves_rounding_ = false;  // redundant rows are let go
  double work_ = 0.0;             // of the steps so far, about the multiplications
};

}  // namespace hamiltree::assembly
