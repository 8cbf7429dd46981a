#include "hamiltree/sensitivity/collocation_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "hamiltree/base/error.hpp"
#include "hamiltree/integrators/spark.hpp"
#include "hamiltree/sensitivity/pose_watch.hpp"

namespace hamiltree::sensitivity {
namespace {

constexpr double kSettled = 1e-15;  // the change that an iteration makes, of the largest entry
constexpr double kSettledEnough = 1e-10;  // the rest that rounding may leave
constexpr int kPatience = 3;
constexpr int kMostIterations = 1000;

// Whether a row of changes has come to its end: they are small, or rounding lets none be smaller.
class Settling {
 public:
  void add(double change, double size) {
    change_ = std::max(change_, change);
    size_ = std::max(size_, size);
  }
  bool ends() {
    const double change = size_ > 0.0 ? change_ / size_ : 0.0;
    vain_ = change < best_ ? 0 : vain_ + 1;
    best_ = std::min(best_, change);
    change_ = size_ = 0.0;
    return change <= kSettled || vain_ >= kPatience;
  }
  double best() const { return best_; }

 private:
  double change_ = 0.0, size_ = 0.0, best_ = std::numeric_limits<double>::infinity();
  int vain_ = 0;
};

// Changes of all stages from one iteration to the next, coordinates and momenta each by their size.
class Convergence {
 public:
  explicit Convergence(double t) : t_(t) {}

  void tell(const TreeChange& before, const TreeChange& now) {
    tell(before.q, now.q, q_);
    tell(before.y, now.y, y_);
  }
  // Ends an iteration; true if it was the last. Throws SimulationError where there is no last.
  bool ends() {
    const bool q = q_.ends(), y = y_.ends(), all = all_.ends();
    if (q && y && all && all_.best() <= kSettledEnough) return true;
    if (++count_ < kMostIterations && is_finite_) return false;
    throw SimulationError(t_, "the derivatives of a step's stages do not converge: it is too long");
  }

 private:
  void tell(const Vector& before, const Vector& now, Settling& kind) {
    if (now.size() == 0) return;
    const double change = (now - before).lpNorm<Eigen::Infinity>();
    const double size = now.lpNorm<Eigen::Infinity>();
    is_finite_ = is_finite_ && now.allFinite();
    kind.add(change, size);
    all_.add(change, size);
  }

  double t_;
  Settling q_, y_, all_;
  int count_ = 0;
  bool is_finite_ = true;
};

}  // namespace

// The mechanism as SparkSteps sees it.
class CollocationMap::Problem final : public OdeProblem {
 public:
  Problem(CollocationMap& map, const Vector& efforts) : map_(map), efforts_(efforts) {}

  bool wants_substitute() const { return wants_substitute_; }

  int size() const override { return static_cast<int>(2 * map_.tree_.coordinates()); }
  int coordinates() const override { return static_cast<int>(map_.tree_.coordinates()); }
  int constraints() const override { return static_cast<int>(map_.tree_.constraints()); }
  // Only a method that takes SPARK's place asks for it.
  bool rate(double, const double*, double*) override {
    wants_substitute_ = true;
    return false;
  }
  bool free_rate(double t, const double* y, double* y_dot) override {
    stage_.t = t;
    stage_.q = vector(y);
    stage_.y = vector(y + coordinates());
    map_.tree_.evaluate(efforts_, stage_);
    std::copy(stage_.q_dot.begin(), stage_.q_dot.end(), y_dot);
    std::copy(stage_.y_dot.begin(), stage_.y_dot.end(), y_dot + coordinates());
    return true;
  }
  bool gaps(double t, const double* y, double* phi) override {
    map_.tree_.close({t, vector(y), {}}, impulses_, phi_);
    std::copy(phi_.begin(), phi_.end(), phi);
    return phi_.allFinite();
  }
  void add_impulses(double t, const double* y, const double* impulses, double* change) override {
    const Vector lambda = Eigen::Map<const Vector>(impulses, constraints());
    map_.tree_.close({t, vector(y), lambda}, impulses_, phi_);
    for (int i = 0; i < coordinates(); ++i) change[coordinates() + i] += impulses_(i);
  }
  bool closing_impulses(double t, const double* y, const double* phi, double* impulses) override {
    return map_.closing_impulses(t, y, phi, impulses);
  }
  void weights(const Tolerances& tolerances, const double* y, double* weights) const override {
    const auto& sizes = *map_.momentum_sizes_;
    for (int i = 0; i < coordinates(); ++i) {
      const double q = std::min(std::abs(y[i]), std::numbers::pi);
      const double p = std::abs(y[coordinates() + i]);
      weights[i] = 1.0 / (tolerances.relative * q + tolerances.absolute);
      weights[coordinates() + i] = 1.0 / (tolerances.relative * p + tolerances.absolute * sizes(i));
    }
  }
  bool accept(double, double*) override { return true; }

 private:
  Vector vector(const double* x) const { return Eigen::Map<const Vector>(x, coordinates()); }

  CollocationMap& map_;
  const Vector& efforts_;
  TreeStage stage_;
  Vector impulses_, phi_;
  bool wants_substitute_ = false;
};

CollocationMap::CollocationMap(const Model& model, int stages, const Formulation& formulation,
                               Workspace& workspace, StepDerivatives& derivatives,
                               const std::vector<int>& parameters)
    : formulation_(formulation),
      workspace_(workspace),
      tree_(model, formulation, derivatives, parameters),
      method_(collocation(stages)),
      stages_(stages),
      at_rest_(Vector::Zero(model.velocity_count())) {}

bool CollocationMap::closing_impulses(double t, const double* q, const double* phi,
                                      double* impulses) {
  if (formulation_.velocities({t, q, at_rest_.data()}, phi, workspace_) != Status::kOk)
    return false;
  std::ranges::transform(workspace_.sigma, impulses, [](double sigma) { return -sigma; });
  return true;
}

void CollocationMap::take(double t, double h, const Vector& q, const Vector& p,
                          const Vector& efforts, CollocationStep& step, Vector& q_end,
                          Vector& p_end) {
  if (!momentum_sizes_) momentum_sizes_ = tree_.analyse(t, q);
  step.t = t;
  step.h = h;
  step.q = q;
  step.p = p;
  tree_.to_canonical(q, p, step.y);
  const auto n = tree_.coordinates();
  Vector state(2 * n);
  state << q, step.y;
  Problem problem(*this, efforts);
  SparkSteps method(static_cast<int>(stages_), h, problem, t, state.data());
  try {
    method.step(t + h);
  } catch (const SimulationError&) {
    if (!problem.wants_substitute()) throw;
    refuse_stages(t);
  }
  step.stages.resize(static_cast<std::size_t>(stages_));
  for (Eigen::Index i = 0; i < stages_; ++i) {
    auto& stage = step.stages[static_cast<std::size_t>(i)];
    stage.t = t + method_.c(i) * h;
    stage.q = method.stage_states().col(i).head(n);
    stage.y = method.stage_states().col(i).tail(n);
    tree_.evaluate(efforts, stage);
  }
  take_nodes(step, method.multipliers());
  step.q_end = Eigen::Map<const Vector>(method.y(), n);
  step.y_end = Eigen::Map<const Vector>(method.y() + n, n);
  q_end = step.q_end;
  tree_.from_canonical(step.q_end, step.y_end, p_end);
}

void CollocationMap::take_nodes(CollocationStep& step, const Eigen::MatrixXd& multipliers) {
  step.nodes.clear();
  if (!has_loops()) return;
  step.nodes.resize(static_cast<std::size_t>(stages_ + 1));
  for (Eigen::Index j = 0; j <= stages_; ++j) {
    auto& node = step.nodes[static_cast<std::size_t>(j)];
    node.t = step.t + method_.ct(j) * step.h;
    node.q = step.q;
    for (Eigen::Index l = 0; l < stages_; ++l)
      node.q += step.h * method_.ab(j, l) * step.stages[static_cast<std::size_t>(l)].q_dot;
    if (j < stages_) node.lambda = multipliers.col(j);
  }
}

// One transposed solution.
class CollocationMap::Pull {
 public:
  Pull(CollocationMap& map, const CollocationStep& step, const TreeChange& end)
      : map_(map),
        method_(map.method_),
        step_(step),
        end_(end),
        count_(step.stages.size()),
        stages_(count_, map.tree_.zero()),
        nodes_(step.nodes.size(), map.tree_.zero()),
        nu_(step.nodes.size(), Vector::Zero(map.tree_.constraints())),
        slack_(nu_) {}

  void solve() {
    Convergence convergence(step_.t);
    do {
      parameters_ = map_.tree_.zero().parameters;
      efforts_ = Vector::Zero(map_.at_rest_.size());
      if (map_.has_loops()) pull_nodes();
      for (std::size_t l = 0; l < count_; ++l) pull_stage(l);
      for (std::size_t l = 0; l < count_; ++l) convergence.tell(stages_[l], next_[l]);
      stages_.swap(next_);
    } while (!convergence.ends());
  }
  // (5)
  TreeChange start() const {
    TreeChange start{end_.q, end_.y, parameters_};
    for (const auto& stage : stages_) {
      start.q += stage.q;
      start.y += stage.y;
    }
    for (const auto& node : nodes_) start.q += node.q;
    return start;
  }
  const Vector& efforts() const { return efforts_; }

 private:
  // (1) and (2)
  void pull_nodes() {
    const auto s = count_;
    for (std::size_t j = 0; j <= s; ++j) {
      nodes_[j] = map_.tree_.zero();
      if (j == s) continue;
      Vector impulses = step_.h * method_.bt(index(j)) * end_.y;
      for (std::size_t i = 0; i < s; ++i)
        impulses += step_.h * method_.at(index(i), index(j)) * stages_[i].y;
      map_.tree_.pull_impulses(step_.nodes[j], impulses, nodes_[j], slack_[j]);
      Vector closing(slack_[j].size());
      map_.closing_impulses(step_.t, step_.q.data(), slack_[j].data(), closing.data());
      slack_[j] = closing / (step_.h * step_.h);
    }
    for (std::size_t j = 1; j <= s; ++j) {
      for (std::size_t k = 0; k < s; ++k)
        nu_[j] += method_.Z_inverse(index(k), index(j - 1)) * slack_[k];
      map_.tree_.pull_gaps(step_.nodes[j], -nu_[j], nodes_[j]);
    }
    for (const auto& node : nodes_) parameters_ += node.parameters;
  }
  // (3) and (4)
  void pull_stage(std::size_t l) {
    Vector u = step_.h * method_.b(index(l)) * end_.q;
    Vector f = step_.h * method_.b(index(l)) * end_.y;
    for (std::size_t i = 0; i < count_; ++i) {
      u += step_.h * method_.a(index(i), index(l)) * stages_[i].q;
      f += step_.h * method_.a(index(i), index(l)) * stages_[i].y;
    }
    for (std::size_t j = 0; j < nodes_.size(); ++j)
      u += step_.h * method_.ab(index(j), index(l)) * nodes_[j].q;
    next_.resize(count_);
    next_[l] = map_.tree_.zero();
    map_.tree_.pull(step_.stages[l], u, f, next_[l], efforts_);
    parameters_ += next_[l].parameters;
  }
  static Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

  CollocationMap& map_;
  const Collocation& method_;
  const CollocationStep& step_;
  const TreeChange& end_;
  std::size_t count_;
  std::vector<TreeChange> stages_, next_, nodes_;
  std::vector<Vector> nu_, slack_;
  Vector parameters_, efforts_;
};

void CollocationMap::pull(const CollocationStep& step, StateChange& change, Vector& efforts) {
  TreeChange end = tree_.zero();
  tree_.pull_from_canonical(step.q_end, step.y_end, change, end);
  Pull pull(*this, step, end);
  pull.solve();
  const auto start = pull.start();
  efforts += pull.efforts();
  change.parameters += start.parameters;
  tree_.pull_to_canonical(step.q, step.p, start, change);
}

// One solution along a change.
class CollocationMap::Push {
 public:
  Push(CollocationMap& map, const CollocationStep& step, const TreeChange& start,
       const Vector& efforts)
      : map_(map),
        method_(map.method_),
        step_(step),
        start_(start),
        efforts_(efforts),
        count_(step.stages.size()),
        stages_(count_, start),
        u_(count_),
        f_(count_),
        gaps_(step.nodes.size()),
        impulses_(step.nodes.size()),
        lambda_(step.nodes.size(), Vector::Zero(map.tree_.constraints())) {}

  void solve() {
    Convergence convergence(step_.t);
    do {
      for (std::size_t l = 0; l < count_; ++l)
        map_.tree_.push(step_.stages[l], stages_[l], efforts_, u_[l], f_[l]);
      if (map_.has_loops()) push_nodes();
      for (std::size_t i = 0; i < count_; ++i) {
        const TreeChange before = stages_[i];
        move_stage(i);
        convergence.tell(before, stages_[i]);
      }
    } while (!convergence.ends());
  }
  TreeChange end() const {
    TreeChange end = start_;
    for (std::size_t l = 0; l < count_; ++l) {
      end.q += step_.h * method_.b(index(l)) * u_[l];
      end.y += step_.h * method_.b(index(l)) * f_[l];
    }
    for (std::size_t j = 0; j + 1 < lambda_.size(); ++j)
      end.y += step_.h * method_.bt(index(j)) * impulses_[j];
    return end;
  }

 private:
  // lambda_k -= h^-2 sum_j Z^-1_kj K dPhi_j
  void push_nodes() {
    const auto s = count_;
    std::vector<TreeChange> nodes(s + 1, start_);
    for (std::size_t j = 0; j <= s; ++j) {
      for (std::size_t l = 0; l < s; ++l)
        nodes[j].q += step_.h * method_.ab(index(j), index(l)) * u_[l];
    }
    for (std::size_t j = 1; j <= s; ++j) {
      map_.tree_.push_node(step_.nodes[j], nodes[j], lambda_[s], impulses_[j], gaps_[j]);
      Vector closing(gaps_[j].size());
      map_.closing_impulses(step_.t, step_.q.data(), gaps_[j].data(), closing.data());
      for (std::size_t k = 0; k < s; ++k) {
        lambda_[k] -= method_.Z_inverse(index(k), index(j - 1)) / (step_.h * step_.h) * closing;
      }
    }
    for (std::size_t j = 0; j < s; ++j)
      map_.tree_.push_node(step_.nodes[j], nodes[j], lambda_[j], impulses_[j], gaps_[j]);
  }
  void move_stage(std::size_t i) {
    stages_[i] = start_;
    for (std::size_t l = 0; l < count_; ++l) {
      stages_[i].q += step_.h * method_.a(index(i), index(l)) * u_[l];
      stages_[i].y += step_.h * method_.a(index(i), index(l)) * f_[l];
    }
    for (std::size_t j = 0; j + 1 < lambda_.size(); ++j)
      stages_[i].y += step_.h * method_.at(index(i), index(j)) * impulses_[j];
  }
  static Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

  CollocationMap& map_;
  const Collocation& method_;
  const CollocationStep& step_;
  const TreeChange& start_;
  const Vector& efforts_;
  std::size_t count_;
  std::vector<TreeChange> stages_;
  std::vector<Vector> u_, f_, gaps_, impulses_, lambda_;
};

void CollocationMap::push(const CollocationStep& step, StateChange& change, const Vector& efforts) {
  TreeChange start = tree_.zero();
  start.parameters = change.parameters;
  tree_.push_to_canonical(step.q, step.p, change, start);
  Push push(*this, step, start, efforts);
  push.solve();
  tree_.push_from_canonical(step.q_end, step.y_end, push.end(), change);
}

}  // namespace hamiltree::sensitivity
