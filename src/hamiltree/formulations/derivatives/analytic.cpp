#include "hamiltree/formulations/derivatives/analytic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/formulations/derivatives/effort_slopes.hpp"
#include "hamiltree/formulations/derivatives/elimination.hpp"
#include "hamiltree/formulations/derivatives/joint_space_tables.hpp"
#include "hamiltree/formulations/derivatives/kernel_sets.hpp"
#include "hamiltree/formulations/derivatives/load_slopes.hpp"
#include "hamiltree/formulations/derivatives/placed_bodies.hpp"
#include "hamiltree/formulations/derivatives/quasi_maps.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::derivatives {

const Kernels& kernels() { return *kKernelSets[static_cast<std::size_t>(instruction_set())]; }

namespace {

// Pivots of rows above this part of the largest say that none is masked in this pose.
constexpr double kStrongPivot = 1e-3;

// Largest difference from the formulation's velocities and impulses at the test momenta, relative:
// of other rows, and of the digits that bodies without inertia cost.
constexpr double kSameRows = 1e-6, kSameDigits = 1e-10;

// Momenta whose ratios are no simple fractions: what impulses can be, they all are.
std::vector<double> testing_momenta(int count) {
  constexpr double kGoldenRatio = 0.6180339887498949;
  std::vector<double> p;
  for (int k = 1; k <= count; ++k) {
    const double x = kGoldenRatio * k;
    p.push_back(0.5 + x - std::floor(x));
  }
  return p;
}

void resize(Columns& columns, int rows, int count) {
  if (columns.rows() != rows || columns.cols() != count) columns.resize(rows, count);
}

template <class Space>
class AnalyticOf final : public Analytic {
 public:
  AnalyticOf(const Model& model, const Formulation& formulation, const System<Space>& system,
             Tables tables)
      : model_(model),
        formulation_(formulation),
        system_(system),
        tables_(std::move(tables)),
        bodies_(system),
        slopes_(system),
        load_slopes_(system),
        work_(tables_),
        test_(testing_momenta(tables_.velocities)),
        v_(at(tables_.velocities)),
        sigma_(at(tables_.constraints)),
        moved_(at(tables_.velocities)),
        opening_(at(tables_.constraints)),
        in_use_(at(tables_.constraints), false),
        weights_(at(tables_.constraints), 1.0) {
    for (const auto& cut : tables_.cuts)
      for (const auto& row : cut.rows)
        if (row.component >= 3) weights_[at(row.row)] = system.length * system.length;
    plan_elimination();
  }

  bool is_finite() const override { return is_finite_; }

  bool find(const StateView& state, Workspace& workspace, Jacobians& result) override {
    bodies_.place(state.t, state.q);
    const auto& placed = bodies_.work();
    std::copy_n(placed.bodies.front().r.lane, 3, work_.reference);
    for (std::size_t i = 0; i < tables_.quasi.size(); ++i)
      find_maps(tables_.quasi[i], state.q, work_.quasi[i]);
    if (!solve_state(state, workspace)) return false;
    kernels_.move(tables_, placed, v_.data(), work_);
    for (std::size_t i = 0; i < tables_.quasi.size(); ++i)
      turn_rates(tables_.quasi[i], state.q, v_.data(), work_.quasi[i]);
    if (!tables_.loads.empty())
      load_slopes_.find(state.t, work_.reference, bodies_.kinematics().X_WB, work_.body_motion,
                        work_.load_slopes);
    find_drive_rates();
    kernels_.differentiate(tables_, placed, {state.q, v_.data(), sigma_.data(), workspace.leak},
                           work_);
    rest(result.by_time);
    add_efforts(state, result.by_time);
    kernels_.solve(plan_, work_);
    is_finite_ = kernels_.finish(plan_, tables_, work_);
    add_damping();
    if (!tables_.q_dot_is_v()) kernels_.find_coordinate_rates(tables_, work_);
    add_turned();
    clear_unused();
    add_drives(result.by_time);
    give(result);
    return true;
  }

 private:
  void plan_elimination() {
    plan_ = eliminate(tables_, in_use_);
    work_.primal.clear();  // rows that are not in use stay without impulses
  }

  // Factors, and velocities with the rows that the formulation has in use. These are asked for
  // where they may have changed, and where a pivot is weak: it may be masked.
  bool solve_state(const StateView& state, Workspace& workspace) {
    const auto choice = formulation_.choice(workspace);
    pose(state);
    if (choice != 0 && choice == choice_) {
      if (kernels_.factor(plan_, work_) && has_strong_pivots()) {
        find_velocities();
        return true;
      }
      pose(state);
    }
    choice_ = 0;
    if (!find_rows(state, workspace)) return false;
    if (tables_.constraints > 0) set_right_sides(state);  // of the rows in use
    if (!kernels_.factor(plan_, work_)) return false;
    find_velocities();
    if (tables_.constraints > 0 && !is_same_solution(workspace)) return false;
    // Bodies without inertia have no pivots in some poses: with them each state is tested.
    if (system_.ballasted.empty()) choice_ = formulation_.choice(workspace);
    return true;
  }
  void pose(const StateView& state) {
    kernels_.pose(tables_, bodies_.work(), work_);
    if (!system_.drives.empty()) {
      kernels_.move(tables_, bodies_.work(), nullptr, work_);
      kernels_.project(tables_, work_, moved_.data(), opening_.data());
    }
    set_right_sides(state);
  }
  bool has_strong_pivots() const {
    double most = 0.0, least = std::numeric_limits<double>::infinity();
    for (int r = 0; r < tables_.constraints; ++r) {
      if (!in_use_[at(r)]) continue;
      const double size = std::abs(work_.inverse[at(tables_.unknown_of_row(r))]) / weights_[at(r)];
      most = std::max(most, size);
      least = std::min(least, size);
    }
    return kStrongPivot * most <= least;
  }

  // Impulses of rows that the formulation does not use are zero for any momenta.
  bool find_rows(const StateView& state, Workspace& workspace) {
    if (tables_.constraints == 0) return true;
    const StateView testing{state.t, state.q, test_.data()};
    if (formulation_.velocities(testing, nullptr, workspace) != Status::kOk) return false;
    const auto is_used = [&](std::size_t row) { return workspace.sigma[row] != 0.0; };
    bool same = true;
    for (std::size_t row = 0; row < in_use_.size(); ++row)
      same = same && in_use_[row] == is_used(row);
    if (same) return true;
    for (std::size_t row = 0; row < in_use_.size(); ++row) in_use_[row] = is_used(row);
    plan_elimination();
    return true;
  }

  // Those of the state, beside the momenta that test.
  void set_right_sides(const StateView& state) {
    const auto right = [&](int unknown) {
      return work_.K.entries(unknown) + kLaneCount * tables_.right_pack();
    };
    for (int k = 0; k < tables_.velocities; ++k) {
      right(k)[0] = state.u[k] - moved_[at(k)];
      right(k)[1] = test_[at(k)] - moved_[at(k)];
    }
    for (int r = 0; r < tables_.constraints; ++r) {
      double* row = right(tables_.unknown_of_row(r));
      row[0] = row[1] = in_use_[at(r)] ? opening_[at(r)] : 0.0;
    }
  }
  void find_velocities() {
    kernels_.solve_one(plan_, tables_, work_);
    const auto& x = work_.primal;
    for (int k = 0; k < tables_.velocities; ++k) v_[at(k)] = x.entries(k)[0];
    for (int r = 0; r < tables_.constraints; ++r)
      sigma_[at(r)] = x.entries(tables_.unknown_of_row(r))[0];
  }
  // Whether the momenta that test give the formulation's.
  bool is_same_solution(const Workspace& workspace) const {
    const double bound = system_.ballasted.empty() ? kSameRows : kSameDigits;
    const auto same = [&](std::span<const double> known, int first) {
      double largest = 0.0, off = 0.0;
      for (std::size_t i = 0; i < known.size(); ++i) {
        const double found = work_.primal.entries(first + static_cast<int>(i))[1];
        largest = std::max(largest, std::abs(known[i]));
        off = std::max(off, std::abs(found - known[i]));
      }
      return off <= bound * largest;
    };
    return same(workspace.v, 0) && same(workspace.sigma, tables_.unknown_of_row(0));
  }

  void find_drive_rates() {
    if (tables_.driven.empty()) return;
    const auto& kin = bodies_.kinematics();
    for (std::size_t i = 0; i < tables_.driven.size(); ++i) {
      const typename Space::Motion rate = prescribed_rate(system_, kin, tables_.driven[i]);
      auto& to = work_.drive_rates[i];
      std::copy_n(rate.data(), Space::kLinear, to.l.lane);
      std::copy_n(rate.data() + Space::kLinear, Space::kAngular, to.a.lane + 3 - Space::kAngular);
    }
  }

  void rest(RateDerivatives& by_time) const {
    resize(by_time.v, tables_.velocities, 1);
    resize(by_time.q_dot, tables_.coordinates, 1);
    resize(by_time.p_dot, tables_.velocities, 1);
    resize(by_time.sigma, tables_.constraints, 1);
    by_time.v.setZero();
    by_time.q_dot.setZero();
    by_time.p_dot.setZero();
    by_time.sigma.setZero();
  }

  void add_efforts(const StateView& state, RateDerivatives& by_time) {
    for (std::size_t i = 0; i < tables_.loads.size(); ++i)
      for (const auto& axis : tables_.loads[i].axes)
        for (int k = 0; k < tables_.dimension; ++k)
          by_time.p_dot(axis.axis, 0) += axis.side * work_.v_S.columns().of(axis.axis)[k] *
                                         work_.load_slopes[i].by_time.lane[k];
    for (const auto& [row, by, column, slope] : slopes_.at_state(state.t, state.q, v_.data())) {
      switch (by) {
        case EffortSlope::By::kCoordinate:
          work_.P_dot.entries(row)[column] += slope;
          break;
        case EffortSlope::By::kVelocity:
          break;
        case EffortSlope::By::kTime:
          by_time.p_dot(row, 0) += slope;
          break;
      }
    }
  }

  void add_damping() {
    const int columns = kLaneCount * tables_.column_packs();
    for (const auto& [row, by, column, slope] : slopes_.last()) {
      if (by != EffortSlope::By::kVelocity) continue;
      double* to = work_.P_dot.entries(row);
      const double* v = work_.X.entries(column);
      for (int c = 0; c < columns; ++c) to[c] += slope * v[c];
    }
  }

  // Impulses of rows that are not in use.
  void clear_unused() {
    for (int r = 0; r < tables_.constraints; ++r)
      if (!in_use_[at(r)])
        std::fill_n(work_.X.row(tables_.unknown_of_row(r)), work_.X.packs, Lanes{});
  }

  // The matrices themselves, for those of the result, which were another's before.
  void give(Jacobians& result) {
    const auto swap = [](PackMatrix& here, PackMatrix& there) {
      if (there.packs != here.packs || there.data.size() != here.data.size()) there = here;
      std::swap(here, there);
    };
    auto& packs = result.packs;
    swap(work_.X, packs.unknowns);
    swap(work_.P_dot, packs.p_dot);
    swap(work_.Q_dot, packs.q_dot);
    packs.first_of_sigma = tables_.constraints > 0 ? tables_.unknown_of_row(0) : 0;
    packs.first_of_p = kLaneCount * tables_.q_packs;
    result.show_packs();
  }

  // All drives move at once.
  void add_drives(RateDerivatives& by_time) {
    if (tables_.driven.empty()) return;
    const auto moved = [&](PackMatrix& from, int row) {
      const double* columns = from.entries(row) + tables_.coordinates;
      return std::accumulate(columns, columns + tables_.driven.size(), 0.0);
    };
    for (int k = 0; k < tables_.velocities; ++k) {
      by_time.v(k, 0) = moved(work_.X, k);
      by_time.p_dot(k, 0) += moved(work_.P_dot, k);
    }
    if (tables_.q_dot_is_v()) {
      by_time.q_dot = by_time.v;
    } else {
      for (int c = 0; c < tables_.coordinates; ++c) by_time.q_dot(c, 0) = moved(work_.Q_dot, c);
    }
    for (int r = 0; r < tables_.constraints; ++r)
      if (in_use_[at(r)]) by_time.sigma(r, 0) = moved(work_.X, tables_.unknown_of_row(r));
  }

  // How the rates of quasi-coordinates change with these alone.
  void add_turned() {
    for (std::size_t i = 0; i < tables_.quasi.size(); ++i) {
      const auto& joint = tables_.quasi[i];
      for (int row = 0; row < joint.coordinates; ++row)
        for (int c = 0; c < joint.coordinates; ++c)
          work_.Q_dot.entries(joint.q + row)[joint.q + c] += work_.quasi[i].turned[row][c];
    }
  }

  Model model_;  // keeps system_ alive
  const Formulation& formulation_;
  const System<Space>& system_;
  Tables tables_;
  PlacedBodies<Space> bodies_;
  EffortSlopes<Space> slopes_;
  LoadSlopes<Space> load_slopes_;
  Elimination plan_;
  Work work_;
  std::vector<double> test_, v_, sigma_, moved_, opening_;
  std::vector<bool> in_use_;
  std::vector<double>
      weights_;               // m^2 of rows that hold angles: their pivots become 1/kg, as others
  std::uint64_t choice_ = 0;  // of the rows in use, where known
  bool is_finite_ = true;
  const Kernels& kernels_ = kernels();
};

}  // namespace

std::unique_ptr<Analytic> make_analytic(const Model& model, const Formulation& formulation) {
  return model.visit([&]<class Space>(const System<Space>& system) -> std::unique_ptr<Analytic> {
    auto tables = tables_of(system);
    if (!tables) return nullptr;
    return std::make_unique<AnalyticOf<Space>>(model, formulation, system, std::move(*tables));
  });
}

}  // namespace hamiltree::derivatives
