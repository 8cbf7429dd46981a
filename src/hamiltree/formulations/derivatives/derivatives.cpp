#include "hamiltree/formulations/derivatives/derivatives.hpp"

#include <string>

#include "hamiltree/base/error.hpp"

namespace hamiltree {
namespace {

using derivatives::as_vector;
using derivatives::Directions;
using derivatives::Point;
using derivatives::Sweep;

Status status_of(const Columns& a, const Columns& b) {
  return a.allFinite() && b.allFinite() ? Status::kOk : Status::kNotFinite;
}

// The unit directions of q, then those of p, then time.
RateDirections unit_directions(int coordinates, int velocities) {
  const int count = coordinates + velocities + 1;
  RateDirections all;
  all.q = Columns::Identity(coordinates, count);
  all.p = Columns::Zero(velocities, count);
  all.p.middleCols(coordinates, velocities).setIdentity();
  all.t = Columns::Zero(1, count);
  all.t(0, count - 1) = 1.0;
  return all;
}

}  // namespace

void refuse_accelerations(const Formulation& formulation) {
  if (formulation.form() == StateForm::kMomenta) return;
  throw UsageError("formulation " + std::string(formulation.name()) +
                   " has no momenta; derivatives take recursive, hdca or dense");
}

Derivatives::Derivatives(const Model& model, const Formulation& formulation)
    : model_(model),
      formulation_(formulation),
      takes_least_impulses_(formulation.takes_least_impulses() && model.constraint_count() > 0),
      tangents_(derivatives::make_tangents(model)),
      column_(model.velocity_count()),
      gap_(model.constraint_count() + 1) {
  refuse_accelerations(formulation);
}

Status Derivatives::solve(double t, const double* q, const Columns& right, const Columns& gap,
                          Workspace& workspace, Columns& x, Columns& y) {
  x.resize(right.rows(), right.cols());
  y.resize(gap.rows(), right.cols());
  const bool has_rows = gap.rows() > 0;  // a column of a matrix without rows is nowhere
  for (Eigen::Index k = 0; k < right.cols(); ++k) {
    column_ = right.col(k);
    if (has_rows) gap_.head(gap.rows()) = gap.col(k);
    const StateView state{t, q, column_.data()};
    if (formulation_.velocities(state, gap_.data(), workspace) != Status::kOk) {
      return Status::kNotFinite;
    }
    x.col(k) = as_vector(workspace.v);
    if (has_rows) y.col(k) = as_vector(workspace.sigma);
  }
  return Status::kOk;
}

// With D the factors that make rows metres, S = D A M^-1 A^T D and P = S S^+, the least impulses
// are D S^+ of something. What redundant rows leave open turns with the pose:
//   d sigma += D (1 - P) D dA w,   w = M^-1 A^T D S^+ D^-1 sigma
Status Derivatives::add_turned_impulses(const StateView& state, const Eigen::VectorXd& sigma,
                                        const Directions& moves, int count, Workspace& workspace,
                                        Columns& d_sigma) {
  const Eigen::ArrayXd square = model_.visit([](const auto& system) {
    return Eigen::ArrayXd(as_vector(system.row_scales).array().square());
  });
  const int n = model_.velocity_count();
  const Columns still = Columns::Zero(n, count);
  Columns x, y;
  const Columns least = (sigma.array() / square).matrix();
  if (solve(state.t, state.q, still.leftCols(1), least, workspace, x, y) != Status::kOk)
    return Status::kNotFinite;
  const Eigen::VectorXd w = -x.col(0), at_rest = Eigen::VectorXd::Zero(n);
  Point point{state.t, state.q, w.data(), nullptr, nullptr, nullptr};
  tangents_->invert(Sweep::kMomenta, point, moves, count, 0.0, inverted_);
  Columns turned = inverted_.d_closing;
  point.v = at_rest.data();
  tangents_->invert(Sweep::kMomenta, point, moves, count, 0.0, inverted_);
  turned -= inverted_.d_closing;  // D^-1 D dA w
  if (solve(state.t, state.q, still, turned, workspace, x, y) != Status::kOk)
    return Status::kNotFinite;
  Directions closing;
  closing.v = x;
  tangents_->invert(Sweep::kMomenta, point, closing, count, 0.0, inverted_);
  turned += inverted_.d_closing;  // less what is not redundant: D^-1 (1 - P) D dA w
  d_sigma += (turned.array().colwise() * square).matrix();
  return Status::kOk;
}

Status Derivatives::of_rates(const StateView& state, const RateDirections& directions, int count,
                             Workspace& workspace, RateDerivatives& result) {
  if (formulation_.velocities(state, nullptr, workspace) != Status::kOk) return Status::kNotFinite;
  const Eigen::VectorXd v = as_vector(workspace.v);
  const Eigen::VectorXd sigma = as_vector(workspace.sigma);
  Point point{state.t, state.q, v.data(), nullptr, sigma.data(), nullptr};
  Directions moves;
  moves.t = directions.t;
  moves.q = directions.q;
  moves.parameters = directions.parameters;
  tangents_->invert(Sweep::kMomenta, point, moves, count, 0.0, inverted_);
  Columns right = -inverted_.d_generalized;
  if (directions.p.size() > 0) right += directions.p;
  if (solve(state.t, state.q, right, inverted_.d_closing, workspace, result.v, result.sigma) !=
      Status::kOk) {
    return Status::kNotFinite;
  }
  if (takes_least_impulses_ &&
      add_turned_impulses(state, sigma, moves, count, workspace, result.sigma) != Status::kOk) {
    return Status::kNotFinite;
  }
  moves.v = result.v;
  moves.impulses = result.sigma;
  moves.efforts = directions.efforts;
  tangents_->invert(Sweep::kRates, point, moves, count, workspace.leak, inverted_);
  result.q_dot.swap(inverted_.d_q_dot);
  result.p_dot.swap(inverted_.d_p_dot);
  return status_of(result.q_dot, result.p_dot);
}

Status Derivatives::jacobians(const StateView& state, Workspace& workspace, Jacobians& result) {
  if (!has_tried_analytic_) analytic_ = derivatives::make_analytic(model_, formulation_);
  has_tried_analytic_ = true;
  // The closed forms know rows that are used and rows that never are, not least impulses.
  const bool turns = takes_least_impulses_ && formulation_.analyse(state, workspace).redundant > 0;
  if (analytic_ && !turns && analytic_->find(state, workspace, result))
    return analytic_->is_finite() ? Status::kOk : Status::kNotFinite;
  const int n = model_.coordinate_count();
  const int m = model_.velocity_count();
  const auto status = of_rates(state, unit_directions(n, m), n + m + 1, workspace, result.all);
  if (status == Status::kOk) result.show_all();
  return status;
}

Status Derivatives::of_accelerations(double t, const double* q, const double* v,
                                     const double* efforts,
                                     const AccelerationDirections& directions, int count,
                                     Workspace& workspace, Accelerations& result) {
  Columns x, y;
  // At no accelerations: the equations are linear in them and in the forces of the loops.
  Point point{t, q, v, nullptr, nullptr, efforts};
  tangents_->invert(Sweep::kForces, point, {}, 0, 0.0, inverted_);
  if (solve(t, q, -inverted_.generalized, inverted_.closing, workspace, x, y) != Status::kOk) {
    return Status::kNotFinite;
  }
  result.v_dot = x.col(0);
  result.lambda = y.col(0);
  point.v_dot = result.v_dot.data();
  point.impulses = result.lambda.data();
  Directions moves;
  moves.t = directions.t;
  moves.q = directions.q;
  moves.v = directions.v;
  moves.efforts = directions.efforts;
  moves.parameters = directions.parameters;
  tangents_->invert(Sweep::kForces, point, moves, count, 0.0, inverted_);
  if (solve(t, q, -inverted_.d_generalized, inverted_.d_closing, workspace, result.d_v_dot,
            result.d_lambda) != Status::kOk) {
    return Status::kNotFinite;
  }
  return status_of(result.d_v_dot, result.d_lambda);
}

Eigen::VectorXd Derivatives::missing_forces(double t, const double* q, const double* v,
                                            const double* v_dot) {
  tangents_->invert(Sweep::kForces, {t, q, v, v_dot, nullptr, nullptr}, {}, 0, 0.0, inverted_);
  return inverted_.generalized;
}

}  // namespace hamiltree
