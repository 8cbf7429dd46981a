#include "hamiltree/batch/lockstep.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <variant>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/batch/pack_lanes.hpp"
#include "hamiltree/formulations/select.hpp"
#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/simulation/recording_header.hpp"
#include "hamiltree/simulation/schedule.hpp"

namespace hamiltree {

bool fits_lockstep(const Model& model, const SimulationOptions& options) {
  const bool recursive =
      options.formulation == "recursive" || options.formulation == kAutoFormulation;
  const auto& mechanism = model.mechanism();
  const auto is_reaction = [](const auto& sensor) {
    return std::holds_alternative<ReactionSensor>(sensor);
  };
  // Spatial loops go there in their plane.
  const bool in_space = model.space() == SpaceKind::kSpatial && model.loop_count() > 0;
  return has_explicit_steps(options.integrator) && recursive && (options.plane || !in_space) &&
         !options.leak && !options.energy_scaling && options.baumgarte == 0.0 &&
         options.segments == 0 && mechanism.events.empty() && mechanism.forces.empty() &&
         std::ranges::none_of(mechanism.sensors, is_reaction);
}

// y holds the coordinates of all lanes, number by number, then their momenta.
class Lockstep::Problem final : public OdeProblem {
 public:
  explicit Problem(Lockstep& runs) : runs_(runs) {}

  int size() const override { return coordinates() + kLanes * static_cast<int>(runs_.velocities_); }
  int coordinates() const override { return kLanes * static_cast<int>(runs_.coordinates_); }
  // A lane that is not finite must not end the others.
  bool rate(double, const double* y, double* y_dot) override {
    load(y);
    runs_.lanes_.rate(runs_.q_.data(), runs_.p_.data(), runs_.v_.data(), runs_.q_dot_.data(),
                      runs_.p_dot_.data());
    store(runs_.q_dot_, runs_.p_dot_, y_dot);
    return true;
  }
  void weights(const Tolerances&, const double*, double*) const override {}
  bool accept(double t, double* y) override {
    load(y);
    normalise();
    if (runs_.options_.projection) runs_.lanes_.close_loops(runs_.q_.data());
    if (runs_.options_.reset) runs_.lanes_.reset_momenta(runs_.q_.data(), runs_.p_.data());
    store(runs_.q_, runs_.p_, y);
    runs_.follow_turns(t);
    return true;
  }

  void load(const double* y) {
    std::memcpy(static_cast<void*>(runs_.q_.data()), y, sizeof(Pack) * runs_.q_.size());
    std::memcpy(static_cast<void*>(runs_.p_.data()), y + coordinates(),
                sizeof(Pack) * runs_.p_.size());
  }
  void store(const std::vector<Pack>& q, const std::vector<Pack>& p, double* y) const {
    std::memcpy(y, q.data(), sizeof(Pack) * q.size());
    std::memcpy(y + coordinates(), p.data(), sizeof(Pack) * p.size());
  }

 private:
  // Quaternions of floating roots.
  void normalise() {
    if (runs_.coordinates_ == runs_.velocities_) return;
    std::vector<double> q(runs_.coordinates_);
    hamiltree::normalise(*runs_.probes_.front(), runs_.q_, q.data());
  }

  Lockstep& runs_;
};

namespace {

// In a plane an angle between two bodies changes by no more than those of all pins together, rad:
// far from half a turn, also after the next step.
constexpr double kTurned = 2.0;
constexpr double kNever = 1e300;  // rad, where nothing was followed yet

std::vector<RevoluteMechanism> pins_of(std::span<const LockstepRun> runs) {
  std::vector<RevoluteMechanism> revolutes;
  for (const auto& run : runs) {
    if (!are_alike(run.revolutes, runs.front().revolutes))
      throw UsageError("mechanisms in lockstep must be alike");
    revolutes.push_back(run.revolutes);
  }
  return revolutes;
}

}  // namespace

Lockstep::Lockstep(std::span<const LockstepRun> runs, const SimulationOptions& options)
    : runs_(runs),
      options_(options),
      lanes_(pins_of(runs)),
      coordinates_(at(runs.front().model.coordinate_count())),
      velocities_(at(runs.front().model.velocity_count())),
      q_(coordinates_),
      p_(velocities_),
      v_(velocities_),
      q_dot_(coordinates_),
      p_dot_(velocities_),
      followed_(coordinates_, Pack(kNever)),
      finite_(runs.size(), true) {
  for (const auto& run : runs) probes_.push_back(make_probe(run.model));
  counts_turns_ = probes_.front()->counts_turns();
}

std::vector<bool> Lockstep::run_until(double until, double every,
                                      std::span<Recorder* const> recorders,
                                      const std::function<void()>& between) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto& run = runs_[std::min(at(lane), runs_.size() - 1)];
    store_lane(run.q.data(), lane, q_);
    store_lane(run.p.data(), lane, p_);
  }
  for (std::size_t k = 0; k < runs_.size(); ++k) recorders[k]->begin(make_header(runs_[k].model));
  follow_turns(0.0);
  Problem problem(*this);
  std::vector<double> y(at(problem.size()));
  problem.store(q_, p_, y.data());
  const auto integrator = make_integrator(options_.integrator, problem, 0.0, y.data());
  auto schedule = outputs_until(0.0, until, every, step_of(options_.integrator));
  const auto step = [&](double output) {
    integrator->step(output);
    if (schedule.every_step && integrator->time() < output)
      record(integrator->time(), integrator->y(), recorders);
    return true;
  };
  const auto give = [&] {
    record(integrator->time(), integrator->y(), recorders);
    between();
  };
  schedule.run([&] { return integrator->time(); }, step, give);
  Summary summary;
  summary.until = summary.reached = until;
  summary.steps = integrator->counts().steps;
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    if (finite_[k]) recorders[k]->finish(summary);
  }
  return finite_;
}

void Lockstep::follow_turns(double t) {
  if (!counts_turns_) return;
  Pack turned(0.0);
  for (std::size_t i = 0; i < coordinates_; ++i) turned += abs(q_[i] - followed_[i]);
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    const int lane = static_cast<int>(k);
    if (!(turned[lane] > kTurned)) continue;
    std::vector<double> q(coordinates_);
    load_lane(q_, lane, q.data());
    store_lane(q.data(), lane, followed_);
    probes_[k]->place(t, q.data());
    probes_[k]->follow();
  }
}

void Lockstep::record(double t, const double* y, std::span<Recorder* const> recorders) {
  Problem(*this).load(y);
  lanes_.rate(q_.data(), p_.data(), v_.data(), q_dot_.data(), p_dot_.data());
  const auto lane_of = [](const std::vector<Pack>& packs, int lane, Eigen::VectorXd& values) {
    values.resize(static_cast<Eigen::Index>(packs.size()));
    load_lane(packs, lane, values.data());
  };
  Sample sample;
  sample.t = t;
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    const int lane = static_cast<int>(k);
    lane_of(q_, lane, sample.q);
    lane_of(p_, lane, sample.p);
    lane_of(v_, lane, sample.v);
    finite_[k] = finite_[k] && sample.q.allFinite() && sample.p.allFinite() && sample.v.allFinite();
    if (!finite_[k]) continue;
    auto& probe = *probes_[k];
    probe.set(t, sample.q.data(), sample.v.data());
    probe.numbers(sample);
    probe.sensors([](int) { return Reaction{}; }, sample.sensors);
    probe.outside(sample.outside_q, sample.outside_v);
    recorders[k]->sample(sample);
  }
}

}  // namespace hamiltree
