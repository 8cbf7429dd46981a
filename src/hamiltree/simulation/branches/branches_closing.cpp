// Branches: loops closed by the shortest way, whatever the rank of their rows, and rows that
// rounding makes contradict each other.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "hamiltree/base/listed.hpp"
#include "hamiltree/base/random.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/simulation/branches/branches.hpp"
#include "hamiltree/simulation/branches/reduced_loops.hpp"

namespace hamiltree::branches {
namespace {

// Singular values of redundant rows, where numbers with six digits make them contradict the others;
// what formulations take for redundant.
constexpr double kRounded = 1e-4;
constexpr double kClosed = 1e-15;  // of the length
constexpr int kClosingSteps = 20;

// Where poses beyond the last one of a driven block are looked for, of the length: how far the
// drives open its loops, and how far joints are displaced at random, each time so often.
constexpr double kBeyond[] = {2e-3, 5e-3, 1e-2};
constexpr double kScattered = 0.1, kReached = 1e-9;
constexpr int kTriesBeyond = 10;

// Moves x by the shortest way to where the loops are open least, in frozen time; returns that, m.
// Rows with smaller singular values than `in_use`, of the largest, are left.
double close_by_shortest_way(LoopBlock& loops, double in_use, Eigen::VectorXd& x) {
  const auto columns = static_cast<Eigen::Index>(loops.velocities().size());
  Eigen::VectorXd next = x;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kClosingSteps; ++i) {
    const auto here = loops.gaps(next);
    const double open = here.phi.cwiseAbs().maxCoeff();
    if (!(open < least)) break;
    x = next;
    least = open;
    if (open < kClosed * loops.length()) break;
    next.head(columns) -= least_norm_solution(here.J.leftCols(columns), here.phi, in_use);
  }
  return least;
}

// A pose is found near home later than t.
bool reaches_further(LoopBlock& loops, double t) {
  std::mt19937_64 random(1);
  for (const double beyond : kBeyond) {
    for (int i = 0; i < kTriesBeyond; ++i) {
      Eigen::VectorXd x(loops.size());
      for (auto& part : x) part = i == 0 ? 0.0 : kScattered * loops.length() * about_zero(random);
      x(x.size() - 1) = loops.home().clock_rate * (t - loops.home().t) + beyond * loops.length();
      if (close_by_shortest_way(loops, kStructural, x) < kReached * loops.length()) return true;
    }
  }
  return false;
}

}  // namespace

void Branches::close(double t, Eigen::VectorXd& q, const Redundancy& redundancy) {
  const double in_use = least_of_rows_in_use(t, q, redundancy);
  for (auto& block : blocks_) {
    auto& loops = *block.loops;
    loops.set_home(t, q);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(loops.size());
    close_by_shortest_way(loops, in_use, x);
    q = loops.displaced(x);
  }
}

std::string Branches::out_of_reach(double ends, double t, const Eigen::VectorXd& q) {
  for (auto& block : blocks_) {
    auto& loops = *block.loops;
    if (!loops.has_drives()) continue;
    const auto home = loops.home();  // of a branch that a motion may follow
    loops.set_home(t, q);
    const bool reaches = reaches_further(loops, ends);
    loops.set_home(home);
    if (reaches) continue;
    std::vector<std::string> driven;
    model_.visit([&](const auto& system) {
      for (const auto* joints : {&loops.joints(), &loops.cuts()})
        for (const int j : *joints)
          if (system.joint(j).drive != kNone) driven.push_back("\"" + model_.joint_name(j) + "\"");
    });
    return "the loop that joint \"" + model_.joint_name(block.cut) +
           "\" closes cannot follow the drive of joint " + listed(driven) + " any further";
  }
  return {};
}

std::vector<std::string> Branches::contradictions(double t, const Eigen::VectorXd& q,
                                                  const Redundancy& redundancy) {
  struct Weak {
    double value;
    std::size_t of;  // the block that is told of
  };
  std::vector<Weak> weak;
  std::vector<std::string> notes;
  int in_use = redundancy.constraints - redundancy.redundant;
  for (auto& block : blocks_) {
    auto& loops = *block.loops;
    const auto home = loops.home();  // of a branch that a motion may follow
    loops.set_home(t, q);
    const auto rounded = rounded_rows(loops);
    loops.set_home(home);
    in_use -= rounded.firm;
    if (rounded.gap == 0.0) continue;
    for (const double value : rounded.weak) weak.push_back({value, notes.size()});
    notes.push_back(subject(block) + "rows of its loop contradict each other by up to " +
                    to_short(rounded.gap) + " m within " + to_short(kHandover * loops.length()) +
                    " m of the start, as where numbers are rounded");
  }
  std::ranges::sort(weak, std::ranges::greater{}, &Weak::value);
  std::vector<bool> holds(notes.size(), false);
  for (std::size_t i = 0; i < weak.size() && static_cast<int>(i) < in_use; ++i)
    holds[weak[i].of] = true;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    notes[i] += holds[i] ? ": they hold a motion that would be free with more digits"
                         : ": the redundant ones are left open";
  }
  return notes;
}

double Branches::least_singular_value(double t, const Eigen::VectorXd& q,
                                      const Redundancy& redundancy) {
  const double in_use = least_of_rows_in_use(t, q, redundancy);
  double least = 1.0;
  for (const double value : singular_values_at(t, q)) {
    if (value > in_use) least = std::min(least, value);
  }
  return least;
}

std::vector<double> Branches::singular_values_at(double t, const Eigen::VectorXd& q) {
  std::vector<double> values;
  for (auto& block : blocks_) {
    auto& loops = *block.loops;
    loops.set_home(t, q);
    const auto columns = static_cast<Eigen::Index>(loops.velocities().size());
    const Eigen::MatrixXd J = loops.gaps(Eigen::VectorXd::Zero(loops.size())).J.leftCols(columns);
    for (const double value : singular_values(J)) values.push_back(value);
  }
  std::ranges::sort(values);
  return values;
}

// Between those of the redundant rows and the next one. Where blocks lack rows these may be fewer:
// they are no larger than kRounded then.
double Branches::least_of_rows_in_use(double t, const Eigen::VectorXd& q,
                                      const Redundancy& redundancy) {
  if (redundancy.redundant == 0) return kStructural;
  const auto values = singular_values_at(t, q);
  const auto count = std::min(values.size(), static_cast<std::size_t>(redundancy.redundant));
  const bool has_all = values.size() == static_cast<std::size_t>(redundancy.constraints);
  double below = kStructural;
  for (std::size_t i = 0; i < count && (has_all || values[i] < kRounded); ++i) {
    const double next = i + 1 < values.size() ? values[i + 1] : 1.0;
    below = std::max(below, std::sqrt(values[i] * next));
  }
  return below;
}

}  // namespace hamiltree::branches
