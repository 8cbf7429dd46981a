#include "hamiltree/sensitivity/trajectory.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/simulation/diagnostics.hpp"
#include "hamiltree/simulation/mechanism_ode.hpp"

namespace hamiltree::sensitivity {
namespace {

// A pivot of the loops below this share of the largest so far tells of a singular pose: it falls
// with the square of the distance, so this is some thousandths of a radian.
constexpr double kSingularPivot = 1e-5;
constexpr double kSameTime = 1e-12;  // of the run's length

// The mechanism under efforts from outside; tells of every accepted step.
class UnderEfforts final : public OdeProblem {
 public:
  UnderEfforts(MechanismOde& ode, Diagnostics& diagnostics, Trajectory& trajectory, int velocities)
      : ode_(ode), diagnostics_(diagnostics), trajectory_(trajectory), velocities_(velocities) {}

  void hold(Eigen::Index part, const Eigen::VectorXd& efforts) {
    part_ = part;
    efforts_ = efforts;
  }
  void begin(double t, const double* y) {
    check_pose(t);
    keep(t, y);
  }

  int size() const override { return ode_.size(); }
  int coordinates() const override { return ode_.coordinates(); }
  int integrals() const override { return ode_.integrals(); }
  std::string name_of(int entry) const override { return ode_.name_of(entry); }
  bool rate(double t, const double* y, double* y_dot) override {
    const bool finite = ode_.rate(t, y, y_dot);
    for (int i = 0; i < velocities_; ++i) y_dot[coordinates() + i] += efforts_(i);
    return finite;
  }
  void weights(const Tolerances& tolerances, const double* y, double* weights) const override {
    ode_.weights(tolerances, y, weights);
  }
  bool accept(double t, double* y) override {
    if (!ode_.accept(t, y)) return false;
    check_pose(t);
    trajectory_.part.push_back(part_);
    keep(t, y);
    return true;
  }

 private:
  void keep(double t, const double* y) {
    trajectory_.t.push_back(t);
    trajectory_.states.add(Eigen::Map<const Eigen::VectorXd>(y, coordinates()),
                           Eigen::Map<const Eigen::VectorXd>(y + coordinates(), velocities_));
  }
  void check_pose(double t) {
    const auto& singular = diagnostics_.near_singular_joints;
    const double pivot = ode_.least_pivot();
    largest_pivot_ = std::max(largest_pivot_, pivot);
    if (singular.empty() && pivot > kSingularPivot * largest_pivot_) return;
    const std::string joint =
        singular.empty() ? "" : " at joint \"" + singular.front().joint + "\"";
    throw SimulationError(t, "the run passes near a singular pose" + joint +
                                 ", where it has no derivative to rely on");
  }

  MechanismOde& ode_;
  Diagnostics& diagnostics_;
  Trajectory& trajectory_;
  int velocities_;
  Eigen::Index part_ = 0;
  Eigen::VectorXd efforts_;
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

void KeptStates::add(const Eigen::VectorXd& q, const Eigen::VectorXd& p) {
  if (has(count_++)) {
    q_.push_back(q);
    p_.push_back(p);
  }
  if (limit_ == 0 || q_.size() <= std::max(limit_, std::size_t{2})) return;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < q_.size(); k += 2, ++kept) {
    q_[kept].swap(q_[k]);
    p_[kept].swap(p_[k]);
  }
  q_.resize(kept);
  p_.resize(kept);
  stride_ *= 2;
}

std::size_t KeptStates::bytes() const {
  if (q_.empty()) return 0;
  return q_.size() * static_cast<std::size_t>(q_.front().size() + p_.front().size()) *
         sizeof(double);
}

Trajectory record(const Model& model, const RunOptions& options, const State& start,
                  const Eigen::VectorXd& v, const Columns& generalized) {
  check_times(options);
  SimulationOptions how;
  how.formulation = options.formulation;
  how.integrator = options.integrator;
  Diagnostics diagnostics;
  MechanismOde ode(model, how, diagnostics);
  Trajectory trajectory{{}, {}, KeptStates(options.checkpoints), {}};
  UnderEfforts problem(ode, diagnostics, trajectory, model.velocity_count());
  Eigen::VectorXd y = ode.start(start, v, {});
  problem.begin(start.t, y.data());
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
