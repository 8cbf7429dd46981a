#include "hamiltree/sensitivity/trajectory.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/model/canonical.hpp"
#include "hamiltree/simulation/diagnostics.hpp"
#include "hamiltree/simulation/mechanism_ode.hpp"

namespace hamiltree::sensitivity {
namespace {

// A pivot of the loops below this share of the largest so far tells of a singular pose: it falls
// with the square of the distance, so this is some thousandths of a radian.
constexpr double kSingularPivot = 1e-5;
constexpr double kSameTime = 1e-12;  // of the run's length
constexpr double kSameStep = 1e-6;   // of the largest entry: a step taken again leads there

double difference(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
  if (x.size() == 0) return 0.0;
  return (x - y).lpNorm<Eigen::Infinity>() / (1.0 + y.lpNorm<Eigen::Infinity>());
}

// The mechanism under efforts from outside; tells of every accepted step, and takes it again.
class UnderEfforts final : public OdeProblem {
 public:
  UnderEfforts(const Model& model, MechanismOde& ode, const Diagnostics& diagnostics,
               bool is_canonical, const TakeAgain& take_again, Trajectory& trajectory)
      : model_(model),
        ode_(ode),
        diagnostics_(diagnostics),
        is_canonical_(is_canonical),
        take_again_(take_again),
        trajectory_(trajectory),
        second_(ode.size() - ode.coordinates() - ode.integrals()) {}

  void hold(Eigen::Index part, const Eigen::VectorXd& efforts) {
    part_ = part;
    efforts_ = efforts;
  }
  void begin(const State& state) {
    check_pose(state.t);
    trajectory_.t.push_back(state.t);
    q_ = state.q;
    p_ = state.p;
  }

  int size() const override { return ode_.size(); }
  int coordinates() const override { return ode_.coordinates(); }
  int integrals() const override { return ode_.integrals(); }
  int constraints() const override { return ode_.constraints(); }
  std::string name_of(int entry) const override { return ode_.name_of(entry); }
  bool rate(double t, const double* y, double* y_dot) override {
    const bool finite = ode_.rate(t, y, y_dot);
    add_efforts(y, y_dot);
    return finite;
  }
  bool free_rate(double t, const double* y, double* y_dot) override {
    const bool finite = ode_.free_rate(t, y, y_dot);
    add_efforts(y, y_dot);
    return finite;
  }
  bool gaps(double t, const double* y, double* phi) override { return ode_.gaps(t, y, phi); }
  void add_impulses(double t, const double* y, const double* impulses, double* change) override {
    ode_.add_impulses(t, y, impulses, change);
  }
  bool closing_impulses(double t, const double* y, const double* phi, double* impulses) override {
    return ode_.closing_impulses(t, y, phi, impulses);
  }
  void weights(const Tolerances& tolerances, const double* y, double* weights) const override {
    ode_.weights(tolerances, y, weights);
  }
  bool accept(double t, double* y) override {
    if (!ode_.accept(t, y)) return false;
    check_pose(t);
    trajectory_.part.push_back(part_);
    trajectory_.t.push_back(t);
    take_again_(trajectory_, q_, p_);
    if (!(difference(q_, Eigen::Map<const Eigen::VectorXd>(y, coordinates())) < kSameStep)) {
      throw SimulationError(trajectory_.t[trajectory_.steps() - 1],
                            "a step taken again does not lead where the run went, which is as near "
                            "a singular pose: there is no gradient");
    }
    std::ranges::copy(q_, y);
    second_half(y, p_, y + coordinates());
    return true;
  }
  // A step that a method has left to another one, next to a singular pose.
  bool accept_substitute(double t, double*) override { refuse(t, ""); }

 private:
  // What p means there for the second half of y.
  void second_half(const double* y, const Eigen::VectorXd& p, double* to) const {
    if (is_canonical_) {
      model_.visit([&](const auto& system) { to_canonical(system, y, p.data(), to); });
    } else {
      std::ranges::copy(p, to);
    }
  }
  void add_efforts(const double* y, double* y_dot) {
    change_.resize(second_);
    second_half(y, efforts_, change_.data());
    Eigen::Map<Eigen::VectorXd>(y_dot + coordinates(), second_) += change_;
  }
  void check_pose(double t) {
    const auto& singular = diagnostics_.near_singular_joints;
    const double pivot = ode_.least_pivot();
    largest_pivot_ = std::max(largest_pivot_, pivot);
    if (singular.empty() && pivot > kSingularPivot * largest_pivot_) return;
    refuse(t, singular.empty() ? "" : " at joint \"" + singular.front().joint + "\"");
  }
  [[noreturn]] static void refuse(double t, const std::string& joint) {
    throw SimulationError(t, "the run passes near a singular pose" + joint +
                                 ", where it has no derivative to rely on");
  }

  const Model& model_;
  MechanismOde& ode_;
  const Diagnostics& diagnostics_;
  bool is_canonical_;
  const TakeAgain& take_again_;
  Trajectory& trajectory_;
  int second_;  // entries of y
  Eigen::Index part_ = 0;
  Eigen::VectorXd efforts_, change_;
  Eigen::VectorXd q_, p_;  // after the last step
  double largest_pivot_ = 0.0;
};

// A time at which steps end, and whether a sample is taken there.
struct Stop {
  double t = 0.0;
  bool sampled = false;
};

std::vector<Stop> stops_between(double from, double to, const RunOptions& options) {
  const double same = kSameTime * (options.until - options.from);
  std::vector<Stop> stops;
  for (const double t : options.samples) {
    if (t > from + same && t <= to + same) stops.push_back({std::min(t, to), true});
  }
  if (stops.empty() || stops.back().t < to - same) stops.push_back({to, false});
  return stops;
}

void check_times(const RunOptions& options) {
  if (!(options.until > options.from))
    throw UsageError("a run that is differentiated has a length");
  double before = options.from;
  for (const double t : options.samples) {
    if (!(t >= before) || !(t <= options.until)) {
      throw UsageError("samples are taken at ascending times between " + to_text(options.from) +
                       " and " + to_text(options.until) + " s, not at " + to_text(t) + " s");
    }
    before = t;
  }
}

}  // namespace

Trajectory record(const Model& model, const RunOptions& options, const State& start,
                  const Eigen::VectorXd& v, const Columns& generalized,
                  const TakeAgain& take_again) {
  check_times(options);
  SimulationOptions how;
  how.formulation = options.formulation;
  how.integrator = options.integrator;
  Diagnostics diagnostics;
  MechanismOde ode(model, how, diagnostics);
  Trajectory trajectory;
  UnderEfforts problem(model, ode, diagnostics, is_symplectic(options.integrator), take_again,
                       trajectory);
  Eigen::VectorXd y = ode.start(start, v, {});
  problem.begin(start);
  const auto sample = [&] { trajectory.sampled.push_back(trajectory.steps()); };
  const bool every_step = options.samples.empty();
  for (const double t : options.samples) {
    if (t <= start.t + kSameTime * (options.until - start.t)) sample();
  }
  double from = start.t;
  const auto parts = generalized.rows();
  for (Eigen::Index part = 0; part < parts; ++part) {
    const double share = static_cast<double>(part + 1) / static_cast<double>(parts);
    const double to =
        part + 1 == parts ? options.until : start.t + share * (options.until - start.t);
    problem.hold(part, generalized.row(part));
    const auto integrator = make_integrator(options.integrator, problem, from, y.data());
    for (const auto& [t, sampled] : stops_between(from, to, options)) {
      integrator->advance(t);
      if (sampled) sample();
    }
    y = Eigen::Map<const Eigen::VectorXd>(integrator->y(), ode.size());
    from = to;
  }
  for (std::size_t n = 0; every_step && n <= trajectory.steps(); ++n)
    trajectory.sampled.push_back(n);
  return trajectory;
}

}  // namespace hamiltree::sensitivity
