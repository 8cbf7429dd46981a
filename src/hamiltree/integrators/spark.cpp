#include "hamiltree/integrators/spark.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "hamiltree/integrators/arkode.hpp"

namespace hamiltree {
namespace {

// Tolerance of the fixed point, with the error norm's weights. What is left of it is no rounding
// but has a direction, and adds up over steps: at 1e-9 energies start to drift, and the momenta
// that trees keep are kept no better than this. With loops, which are closed to rounding in q,
// multipliers carry rounding by h^2 and gain nothing below 1e-13.
constexpr double kTreeTolerance = 1e-15;
constexpr double kLoopTolerance = 1e-13;
// The rest that rounding may leave after so many iterations.
constexpr double kAcceptable = 1e-9;
constexpr int kPatience = 2;
constexpr int kMaxIterations = 200;
constexpr double kSubstitute = 1e-13;  // tolerances of the explicit method
constexpr double kDiverged = 1e6;      // of the stages' size

// The problem as the explicit method sees it that takes a step in SPARK's place.
class Substitute final : public OdeProblem {
 public:
  explicit Substitute(OdeProblem& problem) : problem_(problem) {}

  int size() const override { return problem_.size(); }
  std::string name_of(int entry) const override { return problem_.name_of(entry); }
  std::string place() const override { return problem_.place(); }
  bool rate(double t, const double* y, double* y_dot) override {
    return problem_.rate(t, y, y_dot);
  }
  void weights(const Tolerances& tolerances, const double* y, double* weights) const override {
    problem_.weights(tolerances, y, weights);
  }
  bool accept(double t, double* y) override { return problem_.accept_substitute(t, y); }

 private:
  OdeProblem& problem_;
};

}  // namespace

SparkSteps::SparkSteps(int stages, double step, OdeProblem& problem, double t, const double* y)
    : FixedStep(step, problem, t, y),
      method_(collocation(stages)),
      stages_(stages),
      coordinates_(problem.coordinates()),
      momenta_(problem.size() - problem.coordinates() - problem.integrals()),
      integrals_(problem.integrals()),
      Y_(problem.size(), stages),
      K_(Eigen::MatrixXd::Zero(problem.size(), stages)),
      nodes_(problem.size(), stages + 1),
      phi_(problem.constraints(), stages),
      closing_(problem.constraints(), stages),
      lambda_(Eigen::MatrixXd::Zero(problem.constraints(), stages)),
      pull_(problem.size(), stages),
      next_(problem.size(), stages),
      last_K_(problem.size(), stages),
      last_lambda_(problem.constraints(), stages),
      base_(problem.size()),
      scale_(problem.size()),
      change_(coordinates_ + momenta_),
      left_(Eigen::VectorXd::Zero(coordinates_ + momenta_)) {}

// (1)  Q_i = q_0 + h sum_l a_il u_l
// (2)  P_i = p_0 + h sum_l a_il f_l + h sum_j at_ij A_j^T lambda_j
// (3)  q^(j) = q_0 + h sum_l ab_jl u_l,  Phi(q^(j)) = 0,  j = 1..s
// (4)  q_1 = q^(s)
// (5)  p_1 = p_0 + h sum_l b_l f_l + h sum_j bt_j A_j^T lambda_j
// u_l, f_l are the free rates of stage l and A_j = A(q^(j)). lambda_s is what makes A u = 0 at the
// end: the momentum reset, when the problem accepts the step.
void SparkSteps::take(double t, double h, double* y) {
  base_ = Eigen::Map<const Eigen::VectorXd>(y, problem_.size());
  problem_.weights({1.0, 1.0}, y, scale_.data());
  const bool has_loops = problem_.constraints() > 0;
  if (iterate(t, h, y) && find_rates(t, h)) {
    finish(t, h, y);
    // Impulses do not move what has no inertia: where only such bodies can close a loop, they leave
    // it open.
    if (!has_loops || !problem_.is_open(t + h, y)) return;
    std::copy(base_.begin(), base_.end(), y);
  } else if (!has_loops) {
    give_up(obstacle_);
  }
  substitute(t, h, y);
}

// After the rates of stages that converge.
void SparkSteps::finish(double t, double h, double* y) {
  const Eigen::Index n = coordinates_;
  change_.noalias() = K_.topRows(n + momenta_) * NodeVector(h * method_.b);  // (4), (5)
  if (problem_.constraints() > 0) {
    change_.tail(momenta_).noalias() +=
        pull_.middleRows(n, momenta_) * NodeVector(h * method_.bt.head(stages_));
  }
  add_change(y);
  if (integrals_ > 0) add_integrals(t, h, y);
  last_h_ = h;
}

// The rounding error of a step is added to the next one, so that errors of 1e5 steps are not
// those of as many sums.
void SparkSteps::add_change(double* y) {
  Eigen::Map<Eigen::VectorXd> end(y, change_.size());
  change_ += left_;
  end = base_.head(change_.size()) + change_;
  left_ = change_ - (end - base_.head(change_.size()));
}

// Near a singular pose lambda cannot be found, where it hardly matters, and loops that bodies
// without inertia close it does not close: there an explicit method takes the step, with loops
// closed by the problem. The next step starts afresh.
void SparkSteps::substitute(double t, double h, double* y) {
  Substitute problem(problem_);
  Arkode explicit_method(ArkodeTable::kDormandPrince, {kSubstitute, kSubstitute}, problem, t, y);
  explicit_method.advance(t + h);
  std::copy(explicit_method.y(), explicit_method.y() + problem_.size(), y);
  ++substitutes_;
  last_h_ = 0.0;
  lambda_.setZero();
  left_.setZero();
}

// False where the stages do not converge, or their rates are not finite.
bool SparkSteps::iterate(double t, double h, const double* y) {
  if (!predict(t, h, y)) return false;
  const double tolerance = problem_.constraints() > 0 ? kLoopTolerance : kTreeTolerance;
  double best = std::numeric_limits<double>::infinity();
  int vain = 0;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    if (!find_rates(t, h)) return false;
    if (problem_.constraints() > 0) close_loops(t, h, y);
    const double change = move_stages(t, h, y);
    vain = change < best ? 0 : vain + 1;
    best = std::min(best, change);
    if (change <= tolerance || (vain >= kPatience && best <= kAcceptable)) return true;
    if (!(change < kDiverged)) break;
  }
  obstacle_ = "the stages do not converge";
  return false;
}

// The polynomials through the last step's rates and multipliers, carried on; then (1) and (2).
bool SparkSteps::predict(double t, double h, const double* y) {
  if (last_h_ > 0.0) {
    K_.swap(last_K_);
    lambda_.swap(last_lambda_);
    const NodeVector closed = method_.ct.head(stages_);
    for (int i = 0; i < stages_; ++i) {
      K_.col(i).noalias() = last_K_ * lagrange(method_.c, 1.0 + method_.c(i) * h / last_h_);
      lambda_.col(i).noalias() = last_lambda_ * lagrange(closed, 1.0 + method_.ct(i) * h / last_h_);
    }
  } else {
    if (!free_rate(t, y, 0)) return false;
    for (int i = 1; i < stages_; ++i) K_.col(i) = K_.col(0);
  }
  nodes_.colwise() = base_;
  place_nodes(h);
  move_stages(t, h, y);
  return true;
}

void SparkSteps::place_nodes(double h) {
  const Eigen::Index n = coordinates_;
  for (int j = 1; j <= stages_; ++j) {
    nodes_.col(j).head(n) = base_.head(n);
    nodes_.col(j).head(n).noalias() +=
        K_.topRows(n) * NodeVector(h * method_.ab.row(j).transpose());
  }
}

bool SparkSteps::find_rates(double t, double h) {
  for (int i = 0; i < stages_; ++i)
    if (!free_rate(t + method_.c(i) * h, Y_.col(i).data(), i)) return false;
  return true;
}

// Into the column of that stage.
bool SparkSteps::free_rate(double t, const double* y, int stage) {
  if (problem_.free_rate(t, y, K_.col(stage).data())) return true;
  obstacle_ = "the rates are not finite";
  return false;
}

// A Newton-like step on (3): lambda_m -= h^-2 sum_j Z^-1_mj K Phi(q^(j)), K = (A M^-1 A^T)^-1 at
// the start of the step.
void SparkSteps::close_loops(double t, double h, const double* y) {
  place_nodes(h);
  for (int j = 1; j <= stages_; ++j) {
    const double t_node = t + method_.ct(j) * h;
    if (!problem_.gaps(t_node, nodes_.col(j).data(), phi_.col(j - 1).data()) ||
        !problem_.closing_impulses(t, y, phi_.col(j - 1).data(), closing_.col(j - 1).data())) {
      give_up("the loops cannot be closed");
    }
  }
  lambda_.noalias() -= closing_ * NodeMatrix(method_.Z_inverse.transpose() / (h * h));
}

// (1) and (2); returns the largest weighted change of a stage.
double SparkSteps::move_stages(double t, double h, const double* y) {
  const Eigen::Index n = coordinates_;
  const Eigen::Index active = n + momenta_;
  if (problem_.constraints() > 0) {
    pull_.setZero();
    for (int j = 0; j < stages_; ++j) {
      const double* node = j == 0 ? y : nodes_.col(j).data();
      problem_.add_impulses(t + method_.ct(j) * h, node, lambda_.col(j).data(),
                            pull_.col(j).data());
    }
  }
  next_.colwise() = base_;
  next_.topRows(active).noalias() += K_.topRows(active) * NodeMatrix(h * method_.a.transpose());
  if (problem_.constraints() > 0) {
    next_.middleRows(n, momenta_).noalias() +=
        pull_.middleRows(n, momenta_) * NodeMatrix(h * method_.at.leftCols(stages_).transpose());
  }
  double change = 0.0;
  for (int i = 0; i < stages_; ++i) {
    const double largest =
        ((next_.col(i) - Y_.col(i)).cwiseProduct(scale_)).head(active).lpNorm<Eigen::Infinity>();
    if (!(largest <= change)) change = largest;  // keeps a NaN
  }
  Y_.swap(next_);
  return change;
}

// Integrals are those of the constrained motion through the stages.
void SparkSteps::add_integrals(double t, double h, double* y) {
  for (int i = 0; i < stages_; ++i) {
    rate(t + method_.c(i) * h, Y_.col(i).data(), next_.col(i).data());
  }
  Eigen::Map<Eigen::VectorXd>(y, problem_.size()).tail(integrals_).noalias() +=
      next_.bottomRows(integrals_) * NodeVector(h * method_.b);
}

}  // namespace hamiltree
