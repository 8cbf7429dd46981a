// MechanismOde: a Model as the differential equation that an integrator solves. Keeps loops
// closed and momenta in a clean gauge, and tells Diagnostics what it sees at every accepted step.
//
// Where options ask for floating segments, y, its loops and its constraints are those of the model
// in segments; everything that others are shown is of the model as it was given.
//
// y holds the coordinates q; the momenta p, or the velocities of formulations in velocity form, or
// the canonical momenta for symplectic methods; and, unless the model is conservative, the work
// done so far by drives, by applied forces and by dissipation.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/integrators/ode_problem.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/curve_bends.hpp"
#include "hamiltree/simulation/diagnostics.hpp"
#include "hamiltree/simulation/error_weights.hpp"
#include "hamiltree/simulation/known_motion.hpp"
#include "hamiltree/simulation/known_state.hpp"
#include "hamiltree/simulation/options.hpp"
#include "hamiltree/simulation/probe.hpp"
#include "hamiltree/simulation/state.hpp"
#include "hamiltree/simulation/state_jacobian.hpp"
#include "hamiltree/simulation/step_guard.hpp"
#include "hamiltree/simulation/whole_motion.hpp"

namespace hamiltree {

class MechanismOde final : public OdeProblem {
 public:
  // Throws UsageError for options that do not fit the model or each other.
  MechanismOde(const Model& model, const SimulationOptions& options, Diagnostics& diagnostics);

  // Makes y at (q, p), with velocities v and the work done so far, and forgets whatever an earlier
  // evaluation decided: the same state always goes on in the same way.
  // `next_to`: time and coordinates near a singular pose, where the rank of the loops is looked at
  // instead.
  Eigen::VectorXd start(const State& state, const Eigen::VectorXd& v, const Power& work,
                        std::optional<std::pair<double, Eigen::VectorXd>> next_to = std::nullopt);

  // Closes loops where projection does not, next to a singular pose: moves q at the time t.
  using Closer = std::function<void(double t, Eigen::VectorXd& q)>;
  void close_by(Closer closer) { closer_ = std::move(closer); }
  // Next to singular poses: null elsewhere.
  void take_known(KnownMotion* known) { known_ = known; }
  // `unit`: by how much light bodies, not the pose, make all pivots smaller; 1 until then.
  void judge_pivots_by(double unit) { pivot_unit_ = unit; }

  int size() const override { return nq_ + nm_ + nw_; }
  int coordinates() const override { return nq_; }
  int integrals() const override { return nw_; }
  std::string name_of(int entry) const override;
  std::string place() const override { return singular_pose(); }
  bool rate(double t, const double* y, double* y_dot) override;
  bool jacobian(double t, const double* y, double* J) override;
  void weights(const Tolerances& tolerances, const double* y, double* weights) const override;
  bool accept(double t, double* y) override {
    return finish_step(t, y, options_.projection && !canonical_);
  }
  bool accept_or_refuse(double t, double* y) override {
    return finish_step(t, y, options_.projection && !canonical_, true);
  }
  std::string refusal() const override { return refusal_; }
  bool accept_substitute(double t, double* y) override {
    return finish_step(t, y, options_.projection);
  }
  Verdict watch(double t, const double* y) override;
  void change_method(const Method& method, double t, const double* y) override;
  bool has_manifold() const override { return constrained_ && options_.projection; }
  bool correct(double t, const double* y, double* correction) override;
  int constraints() const override { return model_.constraint_count(); }
  bool free_rate(double t, const double* y, double* y_dot) override;
  bool gaps(double t, const double* y, double* phi) override;
  bool is_open(double t, const double* y) override;
  void add_impulses(double t, const double* y, const double* impulses, double* change) override;
  bool closing_impulses(double t, const double* y, const double* phi, double* impulses) override;

  // y at (q, p) on branches, with velocities v and the work done so far.
  Eigen::VectorXd y_of(const State& state, const Eigen::VectorXd& v, const Power& work);
  // Brings y, interpolated within a step, to where a step may end: onto the loops, momenta without
  // impulses, the energy where it is scaled. False if it is not finite.
  bool settle(double t, double* y);
  // Tells Diagnostics of a step that someone else took, to y with velocities v.
  void look(double t, const double* y, const Eigen::VectorXd& v);

  // The state in y, and the velocities v() with it.
  State state(double t, const double* y);
  Power work(double t, const double* y);  // done since the start
  // Non-conservative power at the state; zero if the model is conservative.
  Power power(double t, const double* y);
  // All sensors, after state() of the same; throws SimulationError where a reaction is not finite.
  void sensors(double t, const double* y, Eigen::VectorXd& values);
  // All that is recorded of y.
  Sample sample(double t, const double* y);

  const Model& model() const { return whole_ ? whole_->segments().whole() : model_; }
  const Formulation& formulation() const { return *formulation_; }
  // Coordinates of the joints that are not in the state, as they were followed last; their angles
  // are counted on from there.
  const Eigen::VectorXd& outside_q() const;
  void follow() { shown().follow_moving(); }  // after state()
  void follow_from(const Eigen::VectorXd& outside_q);
  double time_to(const CurveBends& curves, double t, const double* y);  // s, from there
  const Eigen::VectorXd& v() const { return whole_ ? whole_->v() : v_; }
  const Eigen::VectorXd& step_impulses() const {
    return whole_ ? whole_->impulses() : step_impulses_;
  }
  const Redundancy& redundancy() const { return redundancy_; }
  const StepGuard& guard() const { return guard_; }
  int degrees_of_freedom() const;
  double leak() const { return workspace_->leak; }
  // See Formulation, after the last step.
  double least_pivot() const { return formulation_->least_pivot(*workspace_); }
  // Accelerations of the joints at y; as large as the rows allow near a singular pose.
  Eigen::VectorXd accelerations(double t, const double* y);
  void lower_mask(double share) { formulation_->lower_mask(share, *workspace_); }
  // The body at which rates were not finite when they last were not, if there is one.
  std::optional<int> where_not_finite() const;
  // The loop, or coupling, that was open the most after the last step, as the subject of a
  // sentence.
  std::string widest_gap();
  // Whether redundant rows leave loops open at y. The probe stands elsewhere then.
  bool contradicts(double t, const double* y);
  // The end of a sentence on what failed: whether the last evaluation was near a singular pose, and
  // at which joint, as far as that is known. Empty away from such poses.
  std::string singular_pose() const;
  // Notes on the model as it is computed from y on: which components of recorded
  // reactions redundant constraints leave open, and where no segments could be cut off.
  std::vector<std::string> notes(double t, const double* y);

 private:
  // The state: mechanism_ode.cpp.
  Eigen::VectorXd vector_of(const State& state, const Eigen::VectorXd& v, const Power& work);
  StateView view(double t, const double* y) {
    return canonical_ ? canonical_view(t, y) : StateView{t, y, y + nq_};
  }
  StateView canonical_view(double t, const double* y);
  void store(const double* u, double* y) const;
  bool may_store_work() const;
  void find_sizes();
  void set_leak(double t, const double* y);
  double own_rate(double t, const double* y);
  int joint_of_entry(int entry) const;

  // Evaluations: mechanism_ode_evaluations.cpp.
  bool evaluate(double t, const double* y, double* y_dot);
  void give_rate(double t, const double* y, double* y_dot);
  void write_rates(const Workspace& workspace, const double* y, double* y_dot) const;
  void keep_rate(double t, const double* y);
  double stored_work(double t, const double* y);
  void keep_work(double t, double* y, double stored);
  bool is_finite(double t, Status status, const Workspace& workspace);
  void forget_passed(double t);
  const Eigen::VectorXd* known_velocities(double t, const double* y) const;
  bool solve(double t, const double* y);
  bool find_velocities(double t, const double* y);
  void take_velocities();
  void see(double t, const double* y);
  bool take_motion(double t, const double* y);
  void place(double t, const double* y);
  std::vector<Reaction> reactions(double t, const double* y);
  void look_at_velocities(double t, const double* y);

  // Loops: mechanism_ode_loops.cpp.
  // Gaps of the loops before they were closed, and after.
  struct Closing {
    Residuals before, after;
    bool contradicts = false;  // redundant rows leave loops open: projection does not close them
    bool on_branch = false;    // through a singular pose
  };
  // `solved`: velocities at y are known.
  bool restore(double t, double* y, bool projects, bool cleans, bool is_step, bool solved,
               Closing& closing);
  double least_gap() const;
  bool project(double t, double* y);
  bool stays_open(double before, double after) const;
  bool step_by(double t, const double* y, const Eigen::Ref<const Eigen::VectorXd>& phi);
  bool clean(double t, double* y, bool keeps_rate);
  void keep_impulses();

  // Steps: mechanism_ode_steps.cpp.
  bool finish_step(double t, double* y, bool projects, bool may_refuse = false);
  bool refuses_gap(const Closing& closing);
  bool refuses_energies(double t, const Energies& energies, const double* y);
  void refuse();
  bool watches_energies_only() const { return !constrained_ && !options_.energy_scaling; }
  // After steps whose momenta are clean.
  bool takes_energies() const {
    return formulation_->sees_motion() && options_.reset && !canonical_ && !options_.energy_scaling;
  }
  bool watch_energies(double t, const double* y, bool keeps_rate, bool may_refuse);
  std::optional<Energies> own_energies(double t, const double* y);
  Energies seen_energies() const;
  bool scale_momenta(double t, double* y);
  void observe(double t, const double* y, const Closing& closing,
               const std::vector<int>& singular_joints, const Energies& energies);
  void note(double t, const Energies& energies, const double* y);
  void follow_turns(double t, const double* y, double speed);

  Probe& shown() const { return whole_ ? whole_->probe() : *probe_; }

  std::unique_ptr<WholeMotion> whole_;  // none: the model is computed as it was given
  Model model_;
  SimulationOptions options_;
  Diagnostics& diagnostics_;
  std::unique_ptr<Formulation> formulation_, free_formulation_;
  std::unique_ptr<Workspace> workspace_, free_workspace_;
  std::optional<StateJacobian> jacobian_;  // made when first asked for: it is large
  std::unique_ptr<Probe> probe_;
  bool canonical_, multistep_, constrained_;
  int nq_, nv_, nm_, nw_;
  double length_;      // m, the mechanism's
  Eigen::VectorXd u_;  // momenta or velocities of the last view
  Eigen::VectorXd v_, at_rest_, step_impulses_, impulses_, moved_;
  ErrorWeights weights_;
  // The rate at the last accepted step is that of the next one's first stage, where nothing but
  // the state decides on it.
  KnownState kept_at_;
  Eigen::VectorXd kept_rate_;
  // Work of the drives in momenta, J; y has the rest, but on branches, where it has all.
  bool stores_work_ = false;
  KnownState stored_at_;
  double stored_ = 0.0;
  Eigen::VectorXd unused_rate_;
  // The state of the last rate, while the workspace stands there: in some methods that of the last
  // stage is the end of the step.
  KnownState evaluated_at_;
  StepGuard guard_;
  Balance noted_{};                                          // after the last step
  double noted_at_ = 0.0;                                    // s
  double speed_ = 0.0;                                       // m/s, the greatest there
  double turned_ = std::numeric_limits<double>::infinity();  // rad, since turns were followed
  std::string refusal_;
  double left_open_ = 0.0;  // m, by the start or by the last projection
  double left_out_ = 0.0;   // J, of the potential energy by the formulation
  Closer closer_;           // may be none
  KnownMotion* known_ = nullptr;
  // Time and coordinates where the rank was looked at, if not at the start.
  std::optional<std::pair<double, Eigen::VectorXd>> next_to_;
  double pivot_unit_ = 1.0;
  Redundancy redundancy_;
  std::optional<int> not_finite_at_;
  double not_finite_time_ = 0.0;  // s
};

}  // namespace hamiltree
