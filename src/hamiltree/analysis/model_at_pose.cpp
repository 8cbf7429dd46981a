#include "hamiltree/analysis/model_at_pose.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/formulations/select.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/model/check_quaternions.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/simulation/notes.hpp"

namespace hamiltree::analysis {
namespace {

constexpr int kMostClosingSteps = 50;
constexpr double kClosed = 1e-13;      // of the length: what Newton is asked for
constexpr double kAcceptable = 1e-10;  // of the length: what rounding may leave
// Of the length: what rounded numbers may leave open of redundant rows, once others are closed to
// this, rad or m.
constexpr double kRoundedGap = 1e-5, kLastCorrection = 1e-10;
constexpr double kRankTolerance = 1e-8;
constexpr double kPreference = 1e-6;  // of columns that are to stay independent
constexpr double kHabit = 0.3;        // of columns that are independent so far
// Of joints, rad or lengths: their way in a step that follows drives, and how far its end may be
// from where their velocities lead.
constexpr double kMostWay = 0.1, kFurthestOff = 0.05;
constexpr double kShortestStep = 1e-12;  // of the time to follow

template <class Space>
Eigen::VectorXd units_of(const System<Space>& system) {
  Eigen::VectorXd units = Eigen::VectorXd::Ones(system.velocities);
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    for (int i = 0; i < joint.velocities; ++i) {
      if (joint.free[at(i)] < Space::kLinear) units(joint.v + i) = system.length;
    }
  }
  return units;
}

// Factors that turn the rows into metres.
template <class Space>
Eigen::VectorXd scales_of(const System<Space>& system) {
  return Eigen::Map<const Eigen::VectorXd>(system.row_scales.data(), system.constraints);
}

std::unique_ptr<Formulation> formulation_at(const Model& model, double t,
                                            const Eigen::VectorXd& q) {
  if (q.size() != model.coordinate_count()) {
    throw UsageError("q has " + std::to_string(q.size()) + " entries, " + model.name() + " has " +
                     std::to_string(model.coordinate_count()) + " coordinates");
  }
  if (!std::isfinite(t)) throw UsageError("the time of a pose must be finite");
  if (!q.allFinite()) throw UsageError("the coordinates of a pose must be finite");
  check_quaternions(model, q);
  return make_formulation(select_formulation(model, q).name, model);
}

Model without_callbacks(const Model& model) {
  return model.visit([&](auto system) {
    system.joint_callbacks.clear();
    system.body_callbacks.clear();
    system.control_laws.clear();
    return model.with_tables(std::move(system));
  });
}

}  // namespace

Eigen::VectorXd velocity_units(const Model& model) {
  return model.visit([](const auto& system) { return units_of(system); });
}

Eigen::MatrixXd velocities_of(const Model& model, const Eigen::VectorXd& q,
                              const Eigen::MatrixXd& q_dot) {
  Eigen::MatrixXd v(model.velocity_count(), q_dot.cols());
  model.visit([&]<class Space>(const System<Space>& system) {
    for (int b = 0; b < system.body_count(); ++b) {
      const auto& joint = system.joint(b);
      if (joint.velocities == 0) continue;
      Eigen::MatrixXd E(joint.coordinates, joint.velocities);
      visit_joint<Space>(joint, [&]<class J>(const J&) {
        for (int k = 0; k < joint.velocities; ++k) {
          const Eigen::VectorXd unit = Eigen::VectorXd::Unit(joint.velocities, k);
          J::coordinate_rates(q.data() + joint.q, unit.data(), E.col(k).data());
        }
      });
      v.middleRows(joint.v, joint.velocities) =
          pivoted_qr(E).solve(q_dot.middleRows(joint.q, joint.coordinates));
    }
  });
  return v;
}

Eigen::VectorXd displacement_between(const Model& model, const Eigen::VectorXd& from,
                                     const Eigen::VectorXd& to) {
  return velocities_of(model, 0.5 * (from + to), to - from);
}

ModelAtPose::ModelAtPose(const Model& model, double t, const Eigen::VectorXd& q,
                         std::vector<std::string> independent)
    : model_(model),
      t_(t),
      q_(q),
      wanted_(std::move(independent)),
      formulation_(formulation_at(model, t, q)),
      workspace_(formulation_->make_workspace()),
      inertia_(derivatives::make_tangents(without_callbacks(model))),
      gap_(model.constraint_count() + 1) {
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(model.velocity_count());
  const auto rows = formulation_->analyse({t_, q_.data(), at_rest.data()}, *workspace_);
  rank_ = rows.constraints - rows.redundant;
  if (!close_loops(q_)) {
    const double length = model.visit([](const auto& system) { return system.length; });
    const double open = gap(q_) * length;
    throw ModelError(model_.mechanism().where, model_.name(),
                     model_.name() + ": the loops do not close at this pose: " +
                         widest_gap(model_, gap_) + " stays open by " + to_text(open) + " m");
  }
  choose_rows();
  find_motions();
}

Derivatives& ModelAtPose::derivatives() {
  if (!derivatives_) derivatives_ = std::make_unique<Derivatives>(model_, *formulation_);
  return *derivatives_;
}

derivatives::Tangents& ModelAtPose::tangents() {
  derivatives::refuse_callbacks(model_);
  return *inertia_;
}

double ModelAtPose::gap(const Eigen::VectorXd& q) {
  return model_.visit([&]<class Space>(const System<Space>& system) {
    Kinematics<Space> kin(system);
    hamiltree::place(system, t_, q.data(), kin);
    position_residual(system, kin, q.data(), gap_.data());
    return largest_residual(system, gap_) / system.length;
  });
}

bool ModelAtPose::close_loops(Eigen::VectorXd& q) {
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(model_.velocity_count());
  const auto normalise = [&] {
    model_.visit([&](const auto& system) { normalise_coordinates(system, q.data()); });
  };
  normalise();
  double last = std::numeric_limits<double>::infinity();  // correction, rad or m
  for (int step = 0; step < kMostClosingSteps; ++step) {
    const double open = gap(q);
    if (open <= kClosed) return true;
    if (formulation_->velocities({t_, q.data(), at_rest.data()}, gap_.data(), *workspace_) !=
        Status::kOk) {
      return false;
    }
    const auto correction = Eigen::Map<const Eigen::VectorXd>(workspace_->q_dot.data(), q.size());
    q += correction;
    normalise();
    const double before = std::exchange(last, correction.lpNorm<Eigen::Infinity>());
    // Rounding is all that is left, or Newton has gone astray.
    if (!(gap(q) < open) && !(last < 0.5 * before)) break;
  }
  // Where numbers are rounded, redundant rows stay open when those in use are closed.
  return gap(q) <= (last <= kLastCorrection ? kRoundedGap : kAcceptable);
}

void ModelAtPose::choose_rows() {
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(model_.velocity_count());
  const StateView state{t_, q_.data(), at_rest.data()};
  formulation_->velocities(state, nullptr, *workspace_);
  formulation_->prepare(state, *workspace_);
}

void ModelAtPose::find_motions() {
  const int n = model_.velocity_count();
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(n);
  derivatives::Directions unit;
  unit.v.setIdentity(n, n);
  derivatives::Inverted all;
  inertia_->invert(derivatives::Sweep::kMomenta, {t_, q_.data(), at_rest.data()}, unit, n, 0.0,
                   all);
  M_ = all.d_generalized;
  opening_ = all.closing;
  split(all.d_closing);
  for (const int j : joints(wanted_)) {
    if (std::ranges::find(independent_, velocity_of(j)) != independent_.end()) continue;
    throw UsageError("joint \"" + model_.joint_name(j) +
                     "\" is not independent: the loops give its velocity");
  }
}

int ModelAtPose::velocity_of(int j) const {
  return model_.visit([&](const auto& system) { return system.joint(j).v; });
}

// Lengths of the mechanism, so that columns of the loops' rows can be compared; those that are to
// stay independent count for little, and those that are for less than others: by rounding alone
// they do not change.
Eigen::VectorXd ModelAtPose::column_units() const {
  auto units = velocity_units(model_);
  for (const int k : independent_) units(k) *= kHabit;
  for (const int j : joints(wanted_)) {
    if (velocity_of(j) == kNone) {
      throw UsageError("joint \"" + model_.joint_name(j) +
                       "\" closes a loop: its velocity is none of the state's, which it would be "
                       "with cut = false");
    }
    units(velocity_of(j)) *= kPreference;
  }
  return units;
}

// With S_r and S_c the units of rows and columns, and d and i the dependent and the independent
// ones,
//   S_r A S_c = Q [R_d R_i]
//   v_d = -S_d R_d^-1 (R_i S_i^-1 u + Q^T S_r gap)
void ModelAtPose::split(const Eigen::MatrixXd& A) {
  const Eigen::Index n = A.cols(), r = rank_;
  T_ = Eigen::MatrixXd::Identity(n, n);
  closing_ = Eigen::MatrixXd::Zero(n, A.rows());
  const Eigen::VectorXd S_c = column_units();
  independent_.resize(at(static_cast<int>(n)));
  std::iota(independent_.begin(), independent_.end(), 0);
  if (r == 0) return;
  const Eigen::VectorXd S_r = model_.visit([](const auto& system) { return scales_of(system); });
  const auto [all_of_Q, R, order] = pivoted_qr(S_r.asDiagonal() * A * S_c.asDiagonal());
  if (std::min(A.rows(), n) < r ||
      !(std::abs(R(r - 1, r - 1)) > kRankTolerance * std::abs(R(0, 0)))) {
    throw SimulationError(t_, "the pose is singular: the loops of " + model_.name() +
                                  " have fewer independent rows here than beside it");
  }
  const auto R_d = R.topLeftCorner(r, r).triangularView<Eigen::Upper>();
  const auto Q = all_of_Q.leftCols(r);
  const Eigen::MatrixXd of_u = -R_d.solve(R.topRightCorner(r, n - r));
  const Eigen::MatrixXd of_gap = -R_d.solve(Q.transpose() * S_r.asDiagonal());
  independent_.assign(order.begin() + r, order.end());
  T_ = Eigen::MatrixXd::Zero(n, n - r);
  for (Eigen::Index i = 0; i < r; ++i) {
    const int dependent = order[static_cast<std::size_t>(i)];
    closing_.row(dependent) = S_c(dependent) * of_gap.row(i);
    for (Eigen::Index k = 0; k < n - r; ++k) {
      T_(dependent, k) =
          S_c(dependent) * of_u(i, k) / S_c(independent_[static_cast<std::size_t>(k)]);
    }
  }
  for (int k = 0; k < freedom(); ++k) T_(independent_[at(k)], k) = 1.0;
}

Eigen::MatrixXd ModelAtPose::coordinate_rates(const Eigen::MatrixXd& v) const {
  Eigen::MatrixXd rates = Eigen::MatrixXd::Zero(q_.size(), v.cols());
  model_.visit([&](const auto& system) {
    for (Eigen::Index k = 0; k < v.cols(); ++k) {
      hamiltree::coordinate_rates(system, q_.data(), v.col(k).data(), rates.col(k).data());
    }
  });
  return rates;
}

Eigen::MatrixXd ModelAtPose::efforts_on(const std::vector<int>& joints) {
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(model_.velocity_count());
  const auto count = static_cast<Eigen::Index>(joints.size());
  derivatives::Directions unit;
  unit.efforts = Columns::Zero(model_.joint_count(), count);
  for (Eigen::Index k = 0; k < count; ++k) unit.efforts(joints[static_cast<std::size_t>(k)], k) = 1;
  derivatives::Inverted all;
  inertia_->invert(derivatives::Sweep::kForces, {t_, q_.data(), at_rest.data()}, unit,
                   static_cast<int>(count), 0.0, all);
  return -all.d_generalized;
}

Eigen::MatrixXd ModelAtPose::rates_of(const std::vector<int>& joints) const {
  return model_.visit([&]<class Space>(const System<Space>& system) {
    Kinematics<Space> kin(system);
    hamiltree::place(system, t_, q_.data(), kin);
    kin.frozen = true;
    Eigen::Index rows = 0;
    for (const int j : joints) rows += system.joint(j).velocities;
    Eigen::MatrixXd rates(rows, T_.cols());
    for (Eigen::Index k = 0; k < T_.cols(); ++k) {
      hamiltree::move(system, T_.col(k).data(), kin);
      Eigen::Index row = 0;
      for (const int j : joints) {
        const auto V = seen_motion(system, kin, j);
        const auto& joint = system.joint(j);
        for (int i = 0; i < joint.velocities; ++i) rates(row++, k) = V(joint.free[at(i)]);
      }
    }
    return rates;
  });
}

std::vector<int> ModelAtPose::moving_joints(const std::vector<std::string>& names) const {
  std::vector<int> indices;
  for (const auto& name : names) {
    const auto j = model_.find_joint(name);
    if (!j) throw UsageError("joint \"" + name + "\" is not a joint of " + model_.name());
    if (std::ranges::count(indices, *j) > 0)
      throw UsageError("joint \"" + name + "\" is named twice");
    model_.visit([&](const auto& system) {
      const auto& joint = system.joint(*j);
      if (joint.velocities > 0) return;
      throw UsageError(
          "joint \"" + name +
          (joint.drive == kNone ? "\" is fixed" : "\" is driven: its motion is given"));
    });
    indices.push_back(*j);
  }
  return indices;
}

std::vector<int> ModelAtPose::joints(const std::vector<std::string>& names) const {
  const auto indices = moving_joints(names);
  for (const int j : indices) {
    if (model_.visit([&](const auto& system) { return system.joint(j).along == kNone; }))
      throw UsageError("joint \"" + model_.joint_name(j) + "\" has not one degree of freedom");
  }
  return indices;
}

bool ModelAtPose::place(const Eigen::VectorXd& q) {
  Eigen::VectorXd closed = q;
  if (!close_loops(closed)) return false;
  q_ = closed;
  choose_rows();
  find_motions();
  return true;
}

bool ModelAtPose::move(const Eigen::VectorXd& displacement) {
  return place(q_ + coordinate_rates(T_ * displacement).col(0));
}

void ModelAtPose::follow_drives(double t, const std::function<void()>& on_step) {
  if (!std::isfinite(t)) throw UsageError("the time of a pose must be finite");
  const Eigen::VectorXd units = velocity_units(model_);
  const double from = t_;
  double step = t - from;
  while (t_ != t) {
    if (on_step) on_step();
    const double before = t_;
    const Eigen::VectorXd q = q_, v = driven();
    const double speed = v.cwiseQuotient(units).lpNorm<Eigen::Infinity>();
    if (std::abs(step) * speed > kMostWay) step = std::copysign(kMostWay / speed, step);
    if (std::abs(step) >= std::abs(t - before)) step = t - before;
    if (std::abs(step) <= kShortestStep * std::abs(t - from)) {
      throw SimulationError(before, "the loops of " + model_.name() +
                                        " cannot follow the drives from here to t = " + to_text(t) +
                                        " s");
    }
    const Eigen::VectorXd ahead = q + step * coordinate_rates(v).col(0);
    t_ = step == t - before ? t : before + step;
    const bool follows =
        place(ahead) &&
        displacement_between(model_, ahead, q_).cwiseQuotient(units).lpNorm<Eigen::Infinity>() <=
            kFurthestOff;
    if (!follows) {
      t_ = before;
      place(q);
    }
    step *= follows ? 2.0 : 0.5;
  }
}

}  // namespace hamiltree::analysis
