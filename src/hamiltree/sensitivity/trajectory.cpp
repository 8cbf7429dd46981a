#include "hamiltree/sensitivity/trajectory.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/integrators/fixed_step.hpp"
#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/model/canonical.hpp"
#include "hamiltree/sensitivity/pose_watch.hpp"
#include "hamiltree/simulation/diagnostics.hpp"
#include "hamiltree/simulation/mechanism_ode.hpp"
#include "hamiltree/simulation/step_ends.hpp"

namespace hamiltree::sensitivity {
namespace {

constexpr double kSameTime = 1e-12;  // of the run's length
constexpr double kSameStep = 1e-6;   // of the largest entry: a step taken again leads there

double difference(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
  if (x.size() == 0) return 0.0;
  return (x - y).lpNorm<Eigen::Infinity>() / (1.0 + y.lpNorm<Eigen::Infinity>());
}

// The steps of a run as they are accepted.
class Steps {
 public:
  // `every`: a sample is taken at the start and after every step.
  Steps(const TakeStep& take, const TakeSample& sample, bool every, const State& start,
        Trajectory& trajectory)
      : take_(take),
        sample_(sample),
        every_(every),
        trajectory_(trajectory),
        q_(start.q),
        p_(start.p) {
    trajectory_.t.push_back(start.t);
    if (every_) this->sample();
  }

  void hold(Eigen::Index part) { part_ = part; }
  void take_to(double t) {
    trajectory_.part.push_back(part_);
    trajectory_.t.push_back(t);
    take_(trajectory_, q_, p_);
    if (every_) sample();
  }
  void sample() {
    trajectory_.sampled.push_back(trajectory_.steps());
    sample_(trajectory_.t.back());
  }
  double began() const { return trajectory_.t[trajectory_.steps() - 1]; }  // the last one
  double ended() const { return trajectory_.t.back(); }
  const Eigen::VectorXd& q() const { return q_; }  // behind it
  const Eigen::VectorXd& p() const { return p_; }

 private:
  const TakeStep& take_;
  const TakeSample& sample_;
  bool every_;
  Trajectory& trajectory_;
  Eigen::Index part_ = 0;
  Eigen::VectorXd q_, p_;
};

// Explicit steps of one length, which need no more than being taken.
class ExplicitSteps final : public OdeProblem {
 public:
  ExplicitSteps(const Model& model, Steps& steps)
      : size_(model.coordinate_count() + model.velocity_count()), steps_(steps) {}

  int size() const override { return size_; }
  bool rate(double, const double*, double*) override { return false; }  // never asked for
  void weights(const Tolerances&, const double*, double*) const override {}
  bool accept(double t, double*) override {
    steps_.take_to(t);
    return true;
  }

 private:
  int size_;
  Steps& steps_;
};

// When these steps end.
class ExplicitTimes final : public FixedStep {
 public:
  ExplicitTimes(double step, ExplicitSteps& steps, double from)
      : FixedStep(step, steps, from,
                  std::vector<double>(static_cast<std::size_t>(steps.size())).data()) {}

 private:
  int order() const override { return 1; }
  void take(double, double, double*) override {}
};

// The mechanism under efforts from outside, of which the engine finds the steps: adaptive ones, and
// those with equations to solve. Each is taken again when it is accepted, and the run goes on from
// there.
class UnderEfforts final : public OdeProblem {
 public:
  UnderEfforts(const Model& model, MechanismOde& ode, bool is_canonical, Steps& steps)
      : model_(model),
        ode_(ode),
        is_canonical_(is_canonical),
        steps_(steps),
        second_(ode.size() - ode.coordinates() - ode.integrals()) {}

  void hold(const Eigen::VectorXd& efforts) { efforts_ = efforts; }

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
  bool is_open(double t, const double* y) override { return ode_.is_open(t, y); }
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
    steps_.take_to(t);
    const auto& q = steps_.q();
    if (!(difference(q, Eigen::Map<const Eigen::VectorXd>(y, coordinates())) < kSameStep)) {
      throw SimulationError(steps_.began(),
                            "a step taken again does not lead where the run went, which is as near "
                            "a singular pose: there is no gradient");
    }
    std::ranges::copy(q, y);
    second_half(y, steps_.p(), y + coordinates());
    return true;
  }
  // A step that a method has left to another one, next to a singular pose.
  bool accept_substitute(double, double*) override { refuse_stages(steps_.ended()); }

 private:
  // The second half of y from the momenta p.
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

  const Model& model_;
  MechanismOde& ode_;
  bool is_canonical_;
  Steps& steps_;
  int second_;  // entries of y
  Eigen::VectorXd efforts_, change_;
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

// `begin(part, from, before)`: the steps of a part of the run, after those before. One that would
// go on to t ends at `end(integrator, t)`.
template <class Begin, class End>
void go_through(const RunOptions& options, Eigen::Index parts, Steps& steps, const Begin& begin,
                const End& end) {
  const double length = options.until - options.from;
  for (const double t : options.samples)
    if (t <= options.from + kSameTime * length) steps.sample();
  double from = options.from;
  std::unique_ptr<Integrator> integrator;
  for (Eigen::Index part = 0; part < parts; ++part) {
    const double share = static_cast<double>(part + 1) / static_cast<double>(parts);
    const double to = part + 1 == parts ? options.until : options.from + share * length;
    steps.hold(part);
    integrator = begin(part, from, integrator.get());
    for (const auto& [t, sampled] : stops_between(from, to, options)) {
      while (integrator->time() < t) integrator->step(end(*integrator, t));
      if (sampled) steps.sample();
    }
    from = to;
  }
}

}  // namespace

Trajectory record(const Model& model, const RunOptions& options, const State& start,
                  const Eigen::VectorXd& v, const Columns& generalized, const TakeStep& take,
                  const TakeSample& sample) {
  check_times(options);
  Trajectory trajectory;
  Steps steps(take, sample, options.samples.empty(), start, trajectory);
  if (has_explicit_steps(options.integrator)) {
    ExplicitSteps problem(model, steps);
    go_through(
        options, generalized.rows(), steps,
        [&](Eigen::Index, double from, const Integrator*) {
          return std::make_unique<ExplicitTimes>(*step_of(options.integrator), problem, from);
        },
        [](const Integrator&, double t) { return t; });
    return trajectory;
  }
  SimulationOptions how;
  how.formulation = options.formulation;
  how.integrator = options.integrator;
  Diagnostics diagnostics;
  MechanismOde ode(model, how, diagnostics);
  UnderEfforts problem(model, ode, is_symplectic(options.integrator), steps);
  const Eigen::VectorXd y = ode.start(start, v, {});
  const StepEnds ends(model, options.integrator);
  go_through(
      options, generalized.rows(), steps,
      [&](Eigen::Index part, double from, const Integrator* before) {
        problem.hold(generalized.row(part));
        return make_integrator(options.integrator, problem, from,
                               before != nullptr ? before->y() : y.data());
      },
      [&](const Integrator& integrator, double t) { return ends.next(ode, integrator, t); });
  return trajectory;
}

}  // namespace hamiltree::sensitivity
