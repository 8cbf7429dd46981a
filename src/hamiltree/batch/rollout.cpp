#include "hamiltree/batch/rollout.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <variant>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/batch/pack_lanes.hpp"
#include "hamiltree/formulations/choice/check_options.hpp"
#include "hamiltree/integrators/require_positive.hpp"
#include "hamiltree/integrators/runge_kutta.hpp"
#include "hamiltree/simulation/step_guard.hpp"

namespace hamiltree {
namespace {

constexpr double kMostSteps = 1e15;
// One Newton step that moves no coordinate by more, rad or lengths below 1 m, leaves loops closed.
constexpr double kSmallMove = 1e-2;
constexpr long kBetweenLooks = 16;  // of who looks on, in steps

double most_open(const Model& model, const Method& method) {
  SimulationOptions options;
  options.integrator = method;
  return StepGuard(model, options).most_open();
}

int checked(int threads) {
  check_threads(threads);
  return threads;
}

}  // namespace

struct Rollout::Request {
  // When a state could not go on, and which.
  struct Failure {
    double time = std::numeric_limits<double>::infinity();  // s
    std::size_t state = 0;

    bool is_before(const Failure& other) const {
      return std::tie(time, state) < std::tie(other.time, other.state);
    }
    std::string of_the_state() const { return "of state " + std::to_string(state); }
  };

  double t, interval;
  std::size_t intervals, count;
  const double *q, *p, *efforts;
  RolloutPaths paths;
  std::atomic<bool> ended = false;  // before all are done
  Failure not_finite{}, open{};     // the earliest, and of those the first state
  std::mutex noting{};

  // Whatever f throws ends the run of all threads.
  template <class F>
  void attempt(const F& f) {
    try {
      f();
    } catch (...) {
      ended = true;
      throw;
    }
  }

  void note(const Failure& failure, Failure& earliest) {
    const std::scoped_lock lock(noting);
    if (failure.is_before(earliest)) earliest = failure;
  }
};

// Storage of one thread that integrates eight states.
struct Rollout::Worker {
  struct Rates {
    std::vector<Pack> q, p;
  };

  Worker(const Model& model, std::size_t coordinates, std::size_t velocities)
      : batch(model),
        probe(make_probe(model)),
        q(coordinates),
        p(velocities),
        q_stage(coordinates),
        p_stage(velocities),
        efforts(velocities),
        scratch(coordinates) {
    for (auto& k : rates) k = {q, p};
  }

  Batch batch;
  std::unique_ptr<Probe> probe;
  std::vector<Pack> q, p, q_stage, p_stage, efforts;
  std::array<Rates, 4> rates;
  std::vector<double> scratch;
};

Rollout::Rollout(const Model& model, const Method& method, int threads)
    : method_(method),
      probe_(make_probe(model)),
      coordinates_(at(model.coordinate_count())),
      velocities_(at(model.velocity_count())),
      has_loops_(model.constraint_count() > 0),
      length_(model.visit([](const auto& system) { return system.length; })),
      most_open_(most_open(model, method)),
      pool_(checked(threads)) {
  require_explicit_steps(method, "rollouts");
  require_positive(*step_of(method), "step");
  for (int thread = 0; thread < pool_.threads(); ++thread)
    workers_.push_back(std::make_unique<Worker>(model, coordinates_, velocities_));
  if (has_loops_ && !workers_.front()->batch.closes_loops()) {
    throw UsageError(
        "rollouts take trees, and loops none of whose rows is redundant; simulate() keeps those "
        "of " +
        model.name() + " closed");
  }
}

Rollout::~Rollout() = default;

void Rollout::run(double t, double interval, std::size_t intervals, std::size_t count, double* q,
                  double* p, const double* efforts, const RolloutPaths& paths) {
  if (count == 0) return;
  if (!(interval >= 0.0))
    throw UsageError("a rollout cannot go on for " + to_text(interval) + " s");
  if (!(interval / *step_of(method_) < kMostSteps))
    throw UsageError("steps of " + to_text(*step_of(method_)) + " s are too small for " +
                     to_text(interval) + " s");
  q_end_.resize(count * coordinates_);
  p_end_.resize(count * velocities_);
  if (!ready_) make_ready(t, q, p);
  Request request{t, interval, intervals, count, q, p, efforts, paths};
  const auto integrate_pack = [this, &request](int thread, std::size_t pack) {
    request.attempt([&] { integrate(thread, request, pack * kLanes); });
  };
  Pool::Look look;
  if (look_) look = [this, &request] { request.attempt(look_); };
  pool_.run((count + kLanes - 1) / kLanes, integrate_pack, look);
  const Request::Failure &not_finite = request.not_finite, &open = request.open;
  if (open.is_before(not_finite)) {
    throw SimulationError(open.time, "a loop " + open.of_the_state() +
                                         " stays open: steps are too long, or the pose is singular "
                                         "or too near to one");
  }
  if (std::isfinite(not_finite.time)) {
    throw SimulationError(not_finite.time,
                          "the rates " + not_finite.of_the_state() + " are not finite");
  }
  std::ranges::copy(q_end_, q);
  std::ranges::copy(p_end_, p);
}

// One evaluation by every worker, all of the first state: what a batch finds out and makes room for
// depends neither on which states a worker integrates nor on when.
void Rollout::make_ready(double t, const double* q, const double* p) {
  for (auto& worker : workers_) {
    std::copy_n(q, coordinates_, worker->q.begin());
    std::copy_n(p, velocities_, worker->p.begin());
    worker->batch.rate(t, worker->q, worker->p, worker->rates[0].q, worker->rates[0].p);
  }
  ready_ = true;
}

// Lanes that have no state go with the last one.
void Rollout::integrate(int thread, Request& request, std::size_t first) {
  auto& worker = *workers_[at(thread)];
  auto &q = worker.q, &p = worker.p, &held = worker.efforts;
  const auto state_of = [&](int lane) { return std::min(first + at(lane), request.count - 1); };
  const auto load = [&](const double* from, std::size_t stride, std::vector<Pack>& to) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const double* values = from + state_of(lane) * stride;
      for (std::size_t i = 0; i < to.size(); ++i) to[i].set(lane, values[i]);
    }
  };
  const auto store = [&](const std::vector<Pack>& from, double* to, std::size_t stride) {
    for (int lane = 0; lane < kLanes && first + at(lane) < request.count; ++lane) {
      double* values = to + (first + at(lane)) * stride;
      for (std::size_t i = 0; i < from.size(); ++i) values[i] = from[i][lane];
    }
  };
  const auto keep = [&](std::size_t point) {
    const auto points = request.intervals + 1;
    if (request.paths.q != nullptr)
      store(q, request.paths.q + point * coordinates_, points * coordinates_);
    if (request.paths.p != nullptr)
      store(p, request.paths.p + point * velocities_, points * velocities_);
  };
  load(request.q, coordinates_, q);
  load(request.p, velocities_, p);
  std::ranges::fill(held, Pack(0.0));
  keep(0);
  const double h = *step_of(method_);
  const auto steps = static_cast<long>(std::ceil(request.interval / h - 1e-6));
  for (std::size_t k = 0; k < request.intervals; ++k) {
    const double start = request.t + static_cast<double>(k) * request.interval;
    if (request.efforts != nullptr)
      load(request.efforts + k * velocities_, request.intervals * velocities_, held);
    for (long s = 0; s < steps; ++s) {
      if (request.ended) return;
      if (thread == 0 && look_ && s % kBetweenLooks == 0) look_();
      const double done = static_cast<double>(s) * h;
      const double length = s + 1 == steps ? request.interval - done : h;
      if (!step(worker, start + done, length))
        return request.note({start + done, state_of(lane_not_finite(worker))}, request.not_finite);
      if (!has_loops_) continue;
      if (const auto lane = open_lane(worker, start + done + length, kSmallMove))
        return request.note({start + done + length, state_of(*lane)}, request.open);
    }
    keep(k + 1);
  }
  const double end = request.t + static_cast<double>(request.intervals) * request.interval;
  if (!are_finite_in_all_lanes(q) || !are_finite_in_all_lanes(p))
    return request.note({end, state_of(lane_not_finite(worker))}, request.not_finite);
  if (has_loops_) {
    if (const auto lane = open_lane(worker, end, 0.0))
      return request.note({end, state_of(*lane)}, request.open);
  }
  store(q, q_end_.data(), coordinates_);
  store(p, p_end_.data(), velocities_);
}

// Runge-Kutta: k_i = f(t + c_i h, y + h sum_j a_ij k_j),  y <- y + h sum_i b_i k_i; of the
// semi-implicit method p first, then q with the new p.
bool Rollout::step(Worker& worker, double t, double h) const {
  auto &q = worker.q, &p = worker.p, &q_stage = worker.q_stage, &p_stage = worker.p_stage;
  auto& rates = worker.rates;
  const auto& held = worker.efforts;
  bool finite = true;
  const auto rate = [&](double time, const std::vector<Pack>& at_q, const std::vector<Pack>& at_p,
                        Worker::Rates& to) {
    finite = worker.batch.rate(time, at_q, at_p, to.q, to.p) == Status::kOk && finite;
    for (std::size_t i = 0; i < held.size(); ++i) to.p[i] += held[i];
  };
  const auto add = [&](double factor, const std::vector<Pack>& slope, std::vector<Pack>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += Pack(factor) * slope[i];
  };
  if (std::holds_alternative<SemiImplicitEuler>(method_)) {
    rate(t, q, p, rates[0]);
    add(h, rates[0].p, p);
    rate(t, q, p, rates[1]);
    add(h, rates[1].q, q);
  } else {
    const auto& tableau =
        std::holds_alternative<RungeKutta4>(method_) ? runge_kutta_4() : explicit_euler();
    for (std::size_t i = 0; i < tableau.b.size(); ++i) {
      std::ranges::copy(q, q_stage.begin());
      std::ranges::copy(p, p_stage.begin());
      for (std::size_t j = 0; j < i; ++j) {
        if (tableau.a[i][j] == 0.0) continue;
        add(h * tableau.a[i][j], rates[j].q, q_stage);
        add(h * tableau.a[i][j], rates[j].p, p_stage);
      }
      rate(t + tableau.c[i] * h, q_stage, p_stage, rates[i]);
    }
    for (std::size_t i = 0; i < tableau.b.size(); ++i) {
      add(h * tableau.b[i], rates[i].q, q);
      add(h * tableau.b[i], rates[i].p, p);
    }
  }
  normalise(q, worker.scratch);
  if (has_loops_) {
    std::ranges::copy(q, q_stage.begin());
    worker.batch.close_loops(t + h, q, p);
    normalise(q, worker.scratch);
  }
  return finite;
}

// The first lane whose state is not finite; lane 0 where all are, and the rates alone were not.
int Rollout::lane_not_finite(const Worker& worker) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto is_not_finite = [lane](const Pack& x) { return !std::isfinite(x[lane]); };
    if (std::ranges::any_of(worker.q, is_not_finite) ||
        std::ranges::any_of(worker.p, is_not_finite))
      return lane;
  }
  return 0;
}

// The first lane with an open loop, after a step whose end, before its loops were closed, is in
// q_stage: of lanes in which a coordinate moved by more than `least_move` since.
std::optional<int> Rollout::open_lane(Worker& worker, double t, double least_move) const {
  Pack moved(0.0);
  for (std::size_t i = 0; i < worker.q.size(); ++i) {
    const Pack move = worker.q[i] - worker.q_stage[i];
    moved += move * move;
  }
  const double least = least_move * std::min(length_, 1.0);
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(moved[lane] >= least * least)) continue;  // not numbers are told of by the next rates
    load_lane(worker.q, lane, worker.scratch.data());
    worker.probe->place(t, worker.scratch.data());
    if (!(worker.probe->position_residual() <= most_open_)) return lane;
  }
  return std::nullopt;
}

// Quaternions; there are none where coordinates are as many as velocities.
void Rollout::normalise(std::vector<Pack>& q, std::vector<double>& scratch) const {
  if (coordinates_ == velocities_) return;
  hamiltree::normalise(*probe_, q, scratch.data());
}

}  // namespace hamiltree
