#include "hamiltree/batch/rollout.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <variant>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/batch/pack_lanes.hpp"
#include "hamiltree/formulations/choice/check_options.hpp"
#include "hamiltree/integrators/require_positive.hpp"
#include "hamiltree/integrators/runge_kutta.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/notes.hpp"
#include "hamiltree/simulation/step_guard.hpp"

namespace hamiltree {
namespace {

constexpr double kMostSteps = 1e15;
// Of the length: the most that loops are open at a start, which may be where coarse steps ended.
constexpr double kOpenAtStart = 1e-4;
// Of the gap at the model's own start, where redundant rows of rounded numbers differ.
constexpr double kOpenElsewhere = 10.0;
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
  double t, interval;
  std::size_t intervals, count;
  const double *q, *p, *efforts;
  RolloutPaths paths;
  bool others_go_on;                // where a state fails
  std::atomic<bool> ended = false;  // before all are done
  std::vector<RolloutFailure> failures{};
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

  void note(RolloutFailure failure) {
    const std::scoped_lock lock(noting);
    failures.push_back(std::move(failure));
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
        scratch(coordinates),
        momenta(velocities) {
    for (auto& k : rates) k = {q, p};
  }

  Batch batch;
  std::unique_ptr<Probe> probe;
  std::unique_ptr<Workspace> loops;  // of the Rollout's formulation
  std::vector<Pack> q, p, q_stage, p_stage, efforts;
  std::array<Rates, 4> rates;
  std::vector<double> scratch, momenta;
};

// Eight states of a Request. Lanes that have no state go with the last one, those whose state has
// failed with one that has not.
class Rollout::Eight {
 public:
  Eight(Rollout& rollout, int thread, Request& request, std::size_t first)
      : rollout_(rollout),
        worker_(*rollout.workers_[at(thread)]),
        request_(request),
        first_(first),
        looks_on_(thread == 0 && rollout.look_) {
    for (int lane = 0; lane < kLanes; ++lane) going_[at(lane)] = has_state(lane);
  }

  void integrate() {
    load(request_.q, rollout_.coordinates_, worker_.q);
    load(request_.p, rollout_.velocities_, worker_.p);
    std::ranges::fill(worker_.efforts, Pack(0.0));
    worker_.batch.begin();
    if (!start()) return;
    keep(0);
    for (std::size_t k = 0; k < request_.intervals; ++k) {
      if (going_.any() && !advance(k)) return;
      keep(k + 1);
    }
    if (going_.any() && !arrive()) return;
    store(worker_.q, rollout_.q_end_.data(), rollout_.coordinates_);
    store(worker_.p, rollout_.p_end_.data(), rollout_.velocities_);
  }

 private:
  bool has_state(int lane) const { return first_ + at(lane) < request_.count; }
  std::size_t state_of(int lane) const { return std::min(first_ + at(lane), request_.count - 1); }

  void load(const double* from, std::size_t stride, std::vector<Pack>& to) const {
    for (int lane = 0; lane < kLanes; ++lane) {
      const double* values = from + state_of(lane) * stride;
      for (std::size_t i = 0; i < to.size(); ++i) to[i].set(lane, values[i]);
    }
  }
  void store(const std::vector<Pack>& from, double* to, std::size_t stride) const {
    for (int lane = 0; lane < kLanes && has_state(lane); ++lane) {
      double* values = to + (first_ + at(lane)) * stride;
      for (std::size_t i = 0; i < from.size(); ++i)
        values[i] = going_[at(lane)] ? from[i][lane] : std::numeric_limits<double>::quiet_NaN();
    }
  }
  void keep(std::size_t point) const {
    const auto points = request_.intervals + 1;
    const auto coordinates = rollout_.coordinates_, velocities = rollout_.velocities_;
    if (request_.paths.q != nullptr)
      store(worker_.q, request_.paths.q + point * coordinates, points * coordinates);
    if (request_.paths.p != nullptr)
      store(worker_.p, request_.paths.p + point * velocities, points * velocities);
  }

  // Each is false where the others need not go on.

  bool start() {
    const double t = request_.t;
    const auto bad = [](int) { return "the state is not finite"; };
    if (!still_going(not_finite(worker_.q) | not_finite(worker_.p), t, bad)) return false;
    if (!rollout_.has_loops_) return true;
    return still_going(open(t, going_, rollout_.most_open_at_start_), t,
                       [&](int lane) { return gap(t, lane) + " at the start"; }) &&
           still_going(singular(t, going_), t, [&](int lane) {
             return "the start is a singular pose" + lost_joint(t, lane) +
                    ", where loops can move in several ways; start beside it";
           });
  }

  bool advance(std::size_t k) {
    const double start = request_.t + static_cast<double>(k) * request_.interval;
    if (request_.efforts != nullptr) {
      load(request_.efforts + k * rollout_.velocities_, request_.intervals * rollout_.velocities_,
           worker_.efforts);
      const auto why = [](int) { return "the efforts are not finite"; };
      if (!still_going(not_finite(worker_.efforts), start, why)) return false;
    }
    const double h = *step_of(rollout_.method_);
    const auto steps = static_cast<long>(std::ceil(request_.interval / h - 1e-6));
    for (long s = 0; s < steps && going_.any(); ++s) {
      if (request_.ended) return false;
      if (looks_on_ && s % kBetweenLooks == 0) rollout_.look_();
      const double done = static_cast<double>(s) * h;
      const double length = s + 1 == steps ? request_.interval - done : h;
      if (!rollout_.step(worker_, start + done, length)) {
        auto lanes = not_finite(worker_.q) | not_finite(worker_.p);
        for (const auto& k : worker_.rates) lanes |= not_finite(k.q) | not_finite(k.p);
        if (!still_finite(lanes, start + done)) return false;
      }
      if (rollout_.has_loops_ && !still_closed(start + done + length, kSmallMove)) return false;
    }
    return true;
  }

  bool arrive() {
    const double end = request_.t + static_cast<double>(request_.intervals) * request_.interval;
    return still_finite(not_finite(worker_.q) | not_finite(worker_.p), end) &&
           (!rollout_.has_loops_ || still_closed(end, 0.0));
  }

  bool still_finite(Lanes failed, double t) {
    return still_going(failed, t, [](int) { return "the rates are not finite"; });
  }

  // After a step whose end, before its loops were closed, is in q_stage: of lanes in which a
  // coordinate moved by more than `least_move` since.
  bool still_closed(double t, double least_move) {
    Pack moved(0.0);
    for (std::size_t i = 0; i < worker_.q.size(); ++i) {
      const Pack move = worker_.q[i] - worker_.q_stage[i];
      moved += move * move;
    }
    const double least = least_move * std::min(rollout_.length_, 1.0);
    Lanes lanes;  // numbers that are not finite are told of by the next rates
    for (int lane = 0; lane < kLanes; ++lane) lanes[at(lane)] = moved[lane] >= least * least;
    return still_going(open(t, lanes & going_, rollout_.most_open_), t, [&](int lane) {
      return gap(t, lane) + "; steps are too long, or the pose is singular or too near to one";
    });
  }

  template <class Sentence>
  bool still_going(Lanes failed, double time, const Sentence& sentence_of) {
    failed &= going_;
    if (failed.none()) return true;
    for (int lane = 0; lane < kLanes; ++lane)
      if (failed[at(lane)]) request_.note({state_of(lane), time, sentence_of(lane)});
    going_ &= ~failed;
    if (!request_.others_go_on) return false;
    for (int from = 0; from < kLanes; ++from) {
      if (!going_[at(from)]) continue;
      for (int lane = 0; lane < kLanes; ++lane)
        if (!going_[at(lane)]) copy(from, lane);
      break;
    }
    return true;
  }
  void copy(int from, int to) {
    for (auto* packs : {&worker_.q, &worker_.p, &worker_.efforts})
      for (auto& x : *packs) x.set(to, x[from]);
  }

  Lanes open(double t, Lanes among, double most) {
    Lanes lanes;
    for (int lane = 0; lane < kLanes; ++lane) {
      if (!among[at(lane)]) continue;
      place(t, lane);
      lanes[at(lane)] = !(worker_.probe->position_residual() <= most);
    }
    return lanes;
  }
  // Where rows that hold the motion have lost their pivots.
  Lanes singular(double t, Lanes among) {
    Lanes lanes;
    for (int lane = 0; lane < kLanes; ++lane)
      lanes[at(lane)] = among[at(lane)] && has_state(lane) && lost_pivot(t, lane);
    return lanes;
  }
  // Rows in use may be those that another state has chosen: the state chooses its own then.
  bool lost_pivot(double t, int lane) {
    const auto& formulation = *rollout_.formulation_;
    auto& workspace = *worker_.loops;
    load_lane(worker_.q, lane, worker_.scratch.data());
    load_lane(worker_.p, lane, worker_.momenta.data());
    const StateView state{t, worker_.scratch.data(), worker_.momenta.data()};
    const auto is_lost = [&] {
      formulation.prepare(state, workspace);
      formulation.velocities(state, nullptr, workspace);
      return formulation.least_pivot(workspace) == 0.0;
    };
    if (!is_lost()) return false;
    formulation.analyse(state, workspace);
    return is_lost();
  }
  // " at joint ...", as far as it is known.
  std::string lost_joint(double t, int lane) {
    lost_pivot(t, lane);
    const auto joints = rollout_.formulation_->singular_joints(*worker_.loops);
    if (joints.empty()) return {};
    return " at joint \"" + rollout_.model_.joint_name(joints.front()) + "\"";
  }
  std::string gap(double t, int lane) {
    place(t, lane);
    const double open = worker_.probe->position_residual();
    return widest_gap(rollout_.model_, worker_.probe->phi()) + " is open by " + to_text(open) +
           " m";
  }
  void place(double t, int lane) {
    load_lane(worker_.q, lane, worker_.scratch.data());
    worker_.probe->place(t, worker_.scratch.data());
  }

  Rollout& rollout_;
  Worker& worker_;
  Request& request_;
  std::size_t first_;
  bool looks_on_;
  Lanes going_;
};

Rollout::Rollout(const Model& model, const Method& method, int threads)
    : model_(model),
      method_(method),
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
    throw UsageError("rollouts take loops that close at the start, those of " + model.name() +
                     " do not");
  }
  if (has_loops_) look_at_start();
}

Rollout::~Rollout() = default;

void Rollout::run(double t, double interval, std::size_t intervals, std::size_t count, double* q,
                  double* p, const double* efforts, const RolloutPaths& paths,
                  std::vector<RolloutFailure>* failures) {
  if (failures != nullptr) failures->clear();
  if (count == 0) return;
  if (!(interval >= 0.0))
    throw UsageError("a rollout cannot go on for " + to_text(interval) + " s");
  if (!(interval / *step_of(method_) < kMostSteps))
    throw UsageError("steps of " + to_text(*step_of(method_)) + " s are too small for " +
                     to_text(interval) + " s");
  q_end_.resize(count * coordinates_);
  p_end_.resize(count * velocities_);
  if (!ready_) make_ready(t, q, p);
  Request request{t, interval, intervals, count, q, p, efforts, paths, failures != nullptr};
  const auto integrate = [this, &request](int thread, std::size_t pack) {
    request.attempt([&] { Eight(*this, thread, request, pack * kLanes).integrate(); });
  };
  Pool::Look look;
  if (look_) look = [this, &request] { request.attempt(look_); };
  pool_.run((count + kLanes - 1) / kLanes, integrate, look);
  auto& failed = request.failures;
  if (failures != nullptr) {
    std::ranges::sort(failed, {}, &RolloutFailure::state);
    *failures = std::move(failed);
  } else if (!failed.empty()) {
    const auto& earliest = *std::ranges::min_element(
        failed, {}, [](const RolloutFailure& f) { return std::pair(f.time, f.state); });
    throw SimulationError(earliest.time,
                          "state " + std::to_string(earliest.state) + ": " + earliest.sentence);
  }
  std::ranges::copy(q_end_, q);
  std::ranges::copy(p_end_, p);
}

// How far loops are open there, and which rows hold them.
void Rollout::look_at_start() {
  const auto start = initial_state(model_);
  probe_->place(0.0, start.q.data());
  const double rounded = kOpenElsewhere * probe_->position_residual();
  most_open_ = std::max(most_open_, rounded);
  most_open_at_start_ = std::max(kOpenAtStart * length_, rounded);
  formulation_ = make_formulation("recursive", model_);
  for (auto& worker : workers_) {
    worker->loops = formulation_->make_workspace();
    formulation_->analyse({0.0, start.q.data(), start.p.data()}, *worker->loops);
  }
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

// Quaternions; there are none where coordinates are as many as velocities.
void Rollout::normalise(std::vector<Pack>& q, std::vector<double>& scratch) const {
  if (coordinates_ == velocities_) return;
  hamiltree::normalise(*probe_, q, scratch.data());
}

}  // namespace hamiltree
