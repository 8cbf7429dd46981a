// Adjoint and direct gradients and differences: how they agree, and what they cost.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/colours.hpp"
#include "studies/gradients/cart.hpp"
#include "studies/gradients/report.hpp"

namespace hamiltree::studies::run_gradients {
namespace {

using Eigen::VectorXd;

constexpr double kTransposed = 1e-12;

CartProblem swinging(int parts) {
  return {"swinging",
          "",
          2,
          Eigen::Vector3d(0.0, 0.5, 0.3),
          Eigen::Vector3d::Zero(),
          Eigen::Vector3d(1.0, 0.0, 0.0),
          3.0,
          parts};
}

VectorXd some_forces(Eigen::Index count) {
  VectorXd x(count);
  for (Eigen::Index k = 0; k < count; ++k)
    x(k) = std::sin(7.0 * double(k) / double(count)) / CartCost::kForce;
  return x;
}

double seconds(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Of what takes a few ms, on a machine that does other things as well.
double least_seconds(const std::function<void()>& work) {
  double least = seconds(work);
  for (int i = 1; i < 20; ++i) least = std::min(least, seconds(work));
  return least;
}

// Errors of differences over their step, along one direction.
Figure error_figure() {
  CartCost cost(swinging(30));
  const VectorXd x = some_forces(30), along = VectorXd::LinSpaced(30, 1.0, -1.0);
  VectorXd gradient;
  cost(x, gradient);
  const double exact = gradient.dot(along);
  Curve one{"one-sided differences", {}, {}, nth_colour(0), CurveStyle::kLineAndPoints};
  Curve central{"central differences", {}, {}, nth_colour(1), CurveStyle::kLineAndPoints};
  for (double h = 1e-1; h > 1e-11; h /= std::sqrt(10.0)) {
    const double ahead = cost.value(x + h * along), behind = cost.value(x - h * along);
    one.x.push_back(h);
    one.y.push_back(std::abs((ahead - cost.value(x)) / h - exact) / std::abs(exact));
    central.x.push_back(h);
    central.y.push_back(std::abs((ahead - behind) / (2.0 * h) - exact) / std::abs(exact));
  }
  Figure figure;
  figure.name = "differences";
  figure.caption = "Differences against the adjoint gradient, over their step.";
  figure.x = {"step", "10 N", true};
  figure.y = {"relative difference", "", true};
  figure.curves = {one, central};
  return figure;
}

}  // namespace

std::vector<Statement> report_directions(const StudyOptions& options, Document& document) {
  options.progress("adjoint and direct gradients");
  document.heading("Adjoint, direct, and by differences");
  auto errors = error_figure();
  const auto& best = errors.curves[1].y;
  const double closest = *std::ranges::min_element(best);
  document.figure(std::move(errors));
  DataTable table;
  table.name = "directions";
  table.caption =
      "All derivatives of one objective, a double pendulum on a cart for 3 s (300 steps "
      "of rk4). Off: adjoint against direct, of the largest entry.";
  table.columns = {{"unknowns", ""}, {"off", ""},           {"adjoint", "ms"},
                   {"direct", "ms"}, {"differences", "ms"}, {"value alone", "ms"}};
  double off = 0.0;
  std::vector<double> adjoint, direct;
  std::vector<int> counts{3, 30, 300};
  if (options.quick) counts.pop_back();
  for (const int count : counts) {
    CartCost cost(swinging(count));
    const VectorXd x = some_forces(count);
    VectorXd by_adjoint, by_tangents;
    const double value = least_seconds([&] { cost.value(x); });
    adjoint.push_back(least_seconds([&] { cost(x, by_adjoint); }));
    direct.push_back(seconds([&] { by_tangents = cost.direct_gradient(x); }));
    const double differences = seconds([&] {
      for (int k = 0; k < count; ++k) {
        const VectorXd step = 1e-4 * VectorXd::Unit(count, k);
        cost.value(x + step);
        cost.value(x - step);
      }
    });
    const double now =
        (by_adjoint - by_tangents).cwiseAbs().maxCoeff() / by_adjoint.cwiseAbs().maxCoeff();
    off = std::max(off, now);
    table.rows.push_back({double(count), now, 1e3 * adjoint.back(), 1e3 * direct.back(),
                          1e3 * differences, 1e3 * value});
  }
  document.table(std::move(table));
  return {{"ours", "Direct differentiation and the adjoint method give the same gradient",
           off < kTransposed ? Judgement::kHolds : Judgement::kFails,
           "largest difference " + to_short(off) +
               " of the largest entry; central differences come "
               "as near as " +
               to_short(closest)},
          {"ours",
           "The adjoint method takes the same time for any number of unknowns; that of "
           "direct differentiation grows with it",
           adjoint.back() < 3.0 * adjoint.front() && direct.back() > 3.0 * direct.front()
               ? Judgement::kHolds
               : Judgement::kFails,
           std::to_string(counts.front()) + " unknowns: adjoint " +
               to_short(1e3 * adjoint.front()) + ", direct " + to_short(1e3 * direct.front()) +
               " ms; " + std::to_string(counts.back()) + ": " + to_short(1e3 * adjoint.back()) +
               " and " + to_short(1e3 * direct.back()) + " ms"}};
}

}  // namespace hamiltree::studies::run_gradients
