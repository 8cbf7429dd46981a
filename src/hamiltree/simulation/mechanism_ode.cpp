// The state y: how it is laid out, and how it starts.
#include "hamiltree/simulation/mechanism_ode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/canonical.hpp"
#include "hamiltree/simulation/check_options.hpp"
#include "hamiltree/simulation/recording_header.hpp"

namespace hamiltree {
namespace {

constexpr double kLeakShare = 0.5;  // of the mechanism's own rate

}  // namespace

MechanismOde::MechanismOde(const Model& model, const SimulationOptions& options,
                           Diagnostics& diagnostics)
    : whole_(make_whole_motion(model, options.segments)),
      model_(whole_ ? whole_->segments().cut() : model),
      options_(options),
      diagnostics_(diagnostics),
      formulation_(
          make_formulation(options_.formulation, model_,
                           {options_.baumgarte, options_.lanes, options_.plane, options_.threads})),
      workspace_(formulation_->make_workspace()),
      probe_(make_probe(model_)),
      canonical_(is_symplectic(options_.integrator)),
      multistep_(is_multistep(options_.integrator)),
      constrained_(model_.constraint_count() > 0),
      nq_(model_.coordinate_count()),
      nv_(model_.velocity_count()),
      nm_(canonical_ ? nq_ : nv_),
      nw_(probe_->conservative() ? 0 : 3),
      length_(model_.visit([](const auto& system) { return system.length; })),
      u_(Eigen::VectorXd::Zero(nv_)),
      v_(Eigen::VectorXd::Zero(nv_)),
      at_rest_(Eigen::VectorXd::Zero(nv_)),
      step_impulses_(Eigen::VectorXd::Zero(model_.constraint_count())),
      impulses_(nv_),
      moved_(nq_ + nm_),
      weights_(model_, options_.weights == Weights::kInertia &&
                           formulation_->form() == StateForm::kMomenta),
      guard_(model, options) {
  check_options(options_, model_, formulation_->form());
  if (canonical_) {
    free_formulation_ =
        make_formulation(options_.formulation, model_.opened(), {.plane = options_.plane});
    free_workspace_ = free_formulation_->make_workspace();
  }
}

Eigen::VectorXd MechanismOde::y_of(const State& state, const Eigen::VectorXd& v,
                                   const Power& work) {
  stores_work_ = false;
  return vector_of(state, v, work);
}

Eigen::VectorXd MechanismOde::vector_of(const State& state, const Eigen::VectorXd& v,
                                        const Power& work) {
  Eigen::VectorXd y(size());
  if (whole_) {
    whole_->part(state, v, y.data(), v_.data());
    probe_->set(state.t, y.data(), v_.data());
    probe_->momenta(y.data() + nq_);
  } else {
    y.head(nq_) = state.q;
    store(formulation_->form() == StateForm::kMomenta ? state.p.data() : v.data(), y.data());
    v_ = v;
  }
  if (nw_ > 0) y.tail(nw_) << work.driven, work.applied, work.dissipated;
  return y;
}

Eigen::VectorXd MechanismOde::start(const State& state, const Eigen::VectorXd& v, const Power& work,
                                    std::optional<std::pair<double, Eigen::VectorXd>> next_to) {
  workspace_ = formulation_->make_workspace();
  if (free_formulation_) free_workspace_ = free_formulation_->make_workspace();
  auto y = vector_of(state, v, work);
  auto analysed = view(state.t, y.data());
  next_to_ = std::move(next_to);
  if (next_to_) analysed = {next_to_->first, next_to_->second.data(), analysed.u};
  redundancy_ = formulation_->analyse(analysed, *workspace_);
  if (free_formulation_) free_formulation_->analyse(view(state.t, y.data()), *free_workspace_);
  probe_->set(state.t, y.data(), v_.data());
  find_sizes();
  diagnostics_.kinetic = probe_->kinetic_energy();
  diagnostics_.potential = probe_->potential_energy();
  kept_at_.forget();
  evaluated_at_.forget();
  if (watches_energies_only() || takes_energies()) {
    formulation_->velocities(view(state.t, y.data()), nullptr, *workspace_);
    if (const auto own = formulation_->energies(view(state.t, y.data()), *workspace_)) {
      // With impulses of loops in the momenta, u . v / 2 is not the kinetic energy.
      if (!constrained_) diagnostics_.kinetic = own->kinetic;
      left_out_ = diagnostics_.potential - own->potential;
    }
  }
  const auto residuals = probe_->residuals();
  diagnostics_.position_residual = left_open_ = residuals.position;
  diagnostics_.velocity_residual = residuals.velocity;
  noted_ = {diagnostics_.kinetic, diagnostics_.potential, total(work)};
  noted_at_ = state.t;
  if (whole_) whole_->see(state.t, y.data(), v_.data());
  shown().follow_moving();
  turned_ = std::numeric_limits<double>::infinity();
  refusal_.clear();
  multistep_ = is_multistep(options_.integrator);
  set_leak(state.t, y.data());
  stored_at_.forget();
  stores_work_ = false;
  if (!may_store_work()) return y;
  const auto at_start = view(state.t, y.data());
  ++diagnostics_.rate_evaluations;
  formulation_->rate(at_start, *workspace_);
  const auto stored = formulation_->work_rate(at_start, *workspace_).stored;
  stores_work_ = stored.has_value();
  y(nq_ + nm_) -= stored.value_or(0.0);
  return y;
}

// Symplectic methods give loops their impulses beside the rates. Rows that are chosen anew share
// out impulses anew: what is stored then changes, unless impulses were taken out of the momenta
// before.
bool MechanismOde::may_store_work() const {
  const bool drives = model_.visit([](const auto& system) { return !system.drives.empty(); });
  const bool has_impulses = !options_.reset || is_multistep(options_.integrator) ||
                            std::holds_alternative<Auto>(options_.integrator);
  return nw_ > 0 && !canonical_ && drives && !(has_impulses && redundancy_.redundant > 0);
}

// At y, where the probe stands.
void MechanismOde::set_leak(double t, const double* y) {
  workspace_->leak = 0.0;
  const bool leaks = constrained_ && formulation_->form() == StateForm::kMomenta && !canonical_;
  if (leaks && (options_.leak || (multistep_ && options_.reset)))
    workspace_->leak = options_.leak ? *options_.leak : kLeakShare * own_rate(t, y);
}

// How fast the mechanism moves and how fast that changes, as a rate: of a pendulum of length L it
// is between sqrt(g / L) and its angular velocity. In the mass metric, with L the mechanism's
// length:
//   rate^2 = |v|^2 / (m L^2) + |vdot| / (sqrt(m) L)
double MechanismOde::own_rate(double t, const double* y) {
  const double kinetic = probe_->kinetic_energy();
  double rate = 0.0;
  if (formulation_->accelerations(view(t, y), *workspace_) != Status::kNotFinite) {
    probe_->set(t, y, workspace_->v_dot.data());
    const double mass = model_.visit([](const auto& system) {
      double sum = 0.0;
      for (const auto& body : system.bodies) sum += body.mass;
      return sum;
    });
    rate = std::sqrt(2.0 * kinetic / (mass * length_ * length_) +
                     std::sqrt(2.0 * probe_->kinetic_energy() / mass) / length_);
    probe_->set(t, y, v_.data());
  }
  return rate > 0.0 && std::isfinite(rate) ? rate : 1.0;
}

void MechanismOde::change_method(const Method& method, double t, const double* y) {
  if (is_multistep(method) == multistep_) return;
  multistep_ = is_multistep(method);
  kept_at_.forget();
  solve(t, y);
  set_leak(t, y);
}

void MechanismOde::find_sizes() {
  Eigen::VectorXd inertias = probe_->joint_inertias();
  if (canonical_) {
    const Eigen::VectorXd of_joints = inertias;
    inertias.resize(nm_);
    model_.visit(
        [&](const auto& system) { canonical_sizes(system, of_joints.data(), inertias.data()); });
  }
  weights_.set_inertias(inertias);
}

StateView MechanismOde::canonical_view(double t, const double* y) {
  model_.visit([&](const auto& system) { from_canonical(system, y, y + nq_, u_.data()); });
  return {t, y, u_.data()};
}

// The second half of y from momenta or velocities.
void MechanismOde::store(const double* u, double* y) const {
  if (!canonical_) {
    std::copy(u, u + nv_, y + nq_);
    return;
  }
  model_.visit([&](const auto& system) { to_canonical(system, y, u, y + nq_); });
}

// The tree joint whose coordinate or momentum it is.
int MechanismOde::joint_of_entry(int entry) const {
  return model_.visit([&](const auto& system) {
    int b = system.body_count() - 1;
    const auto follows = [&](const auto& joint) {
      return !joint.has_velocity() || (entry < nq_ ? joint.q > entry : joint.v > entry - nq_);
    };
    while (b > 0 && follows(system.joint(b))) --b;
    return b;
  });
}

std::string MechanismOde::name_of(int entry) const {
  if (entry >= nq_ + nm_) return "the work done";
  if (whole_) {
    const int b = joint_of_entry(entry);
    const bool is_base = std::ranges::binary_search(whole_->segments().description().bases, b);
    return (entry < nq_ ? "a coordinate of " : "a momentum of ") +
           (is_base ? "the segment that begins with body \"" + model_.body_name(b)
                    : "joint \"" + model_.joint_name(b)) +
           "\"";
  }
  const auto header = make_header(model_);
  if (entry < nq_) return header.q[at(entry)].name;
  const bool velocities = formulation_->form() == StateForm::kVelocities;
  if (canonical_) return "the momentum of entry " + std::to_string(entry - nq_);
  return (velocities ? header.v : header.p)[at(entry - nq_)].name;
}

void MechanismOde::weights(const Tolerances& tolerances, const double* y, double* weights) const {
  weights_.find(tolerances, diagnostics_.kinetic, y, size(), weights);
}

int MechanismOde::degrees_of_freedom() const {
  return nv_ - (redundancy_.constraints - redundancy_.redundant);
}

}  // namespace hamiltree
