// Optimal control of one and two pendulums on a cart.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/colours.hpp"
#include "studies/gradients/cart.hpp"
#include "studies/gradients/report.hpp"

namespace hamiltree::studies::run_gradients {
namespace {

using Eigen::Vector2d, Eigen::Vector3d, Eigen::VectorXd;

constexpr double kArrived = 0.05;  // m, rad, m/s, rad/s
constexpr double kDifference = 1e-4;
constexpr double kAgrees = 1e-7;  // of the largest entry: what differences can tell

std::vector<CartProblem> cart_problems() {
  constexpr double kPi = std::numbers::pi;
  return {
      {"stop", "One pendulum, moving: cart and pendulum come to rest where it hangs", 1,
       Vector2d(0.5, 0.8), Vector2d(1.0, -1.0), Vector2d(0.0, 0.0), 2.0, 50},
      {"swing_up", "One pendulum, hanging at rest: it comes to rest upright", 1, Vector2d(0.0, 0.0),
       Vector2d(0.0, 0.0), Vector2d(0.0, kPi), 2.5, 50},
      {"double_stop", "Two pendulums, moving: all come to rest where they hang", 2,
       Vector3d(0.5, 0.6, -0.4), Vector3d(0.5, -1.0, 1.0), Vector3d(0.0, 0.0, 0.0), 3.0, 75},
      {"double_swing_up", "Two pendulums, hanging at rest: both come to rest upright", 2,
       Vector3d(0.0, 0.0, 0.0), Vector3d(0.0, 0.0, 0.0), Vector3d(0.0, kPi, 0.0), 4.0, 100},
  };
}

// The largest difference from central differences of every unknown, of the largest entry.
double off_differences(CartCost& cost, const VectorXd& x) {
  VectorXd gradient;
  cost(x, gradient);
  double off = 0.0;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const VectorXd step = kDifference * VectorXd::Unit(x.size(), k);
    const double difference = (cost.value(x + step) - cost.value(x - step)) / (2.0 * kDifference);
    off = std::max(off, std::abs(difference - gradient(k)));
  }
  return off / gradient.cwiseAbs().maxCoeff();
}

Figure figure_of_motion(const CartProblem& problem, const sensitivity::RunSamples& motion) {
  Figure figure;
  figure.name = problem.name;
  figure.caption = problem.text + ".";
  figure.x = {"time", "s"};
  figure.y = {"coordinate", "m, rad"};
  const std::vector<double> t(motion.t.begin(), motion.t.end());
  const char* const names[] = {"cart", "first rod, from hanging", "second rod, against the first"};
  for (Eigen::Index i = 0; i < motion.q.cols(); ++i) {
    const VectorXd q = motion.q.col(i);
    figure.curves.push_back({names[i], t, {q.begin(), q.end()}, nth_colour(std::size_t(i))});
  }
  return figure;
}

}  // namespace

std::vector<Statement> report_controls(const StudyOptions& options, Document& document) {
  document.heading("Pendulums on a cart");
  DataTable table;
  table.name = "controls";
  table.caption =
      "First guess: a force of 1 N throughout. Off: the gradient at the first guess "
      "against central differences of every unknown, of its largest entry.";
  table.columns = {
      {"problem", ""},          {"unknowns", ""},    {"steps", ""},           {"off", ""},
      {"iterations", ""},       {"evaluations", ""}, {"first objective", ""}, {"objective", ""},
      {"missed at the end", ""}};
  std::vector<Figure> figures;
  Figure history;
  history.name = "history";
  history.caption = "The objective over the iterations.";
  history.x = {"iteration", ""};
  history.y = {"objective", "", true};
  double worst_off = 0.0, worst_single = 0.0, missed_double_stop = 0.0, missed_double_up = 0.0;
  for (const auto& problem : cart_problems()) {
    options.progress("controls: " + problem.name);
    CartCost cost(problem);
    const VectorXd guess = VectorXd::Constant(cost.size(), 1.0 / CartCost::kForce);
    const double off = off_differences(cost, guess);
    const auto found = minimise([&](const VectorXd& x, VectorXd& g) { return cost(x, g); }, guess,
                                options.quick ? 150 : 1000);
    const double missed = cost.missed(found.x);
    worst_off = std::max(worst_off, off);
    if (problem.pendulums == 1) worst_single = std::max(worst_single, missed);
    (problem.name == "double_stop" ? missed_double_stop : missed_double_up) = missed;
    const auto motion = cost.motion(found.x);
    table.rows.push_back({problem.text, double(problem.parts), double(motion.t.size() - 1), off,
                          double(found.history.size() - 1), double(found.evaluations),
                          found.history.front(), found.value, missed});
    figures.push_back(figure_of_motion(problem, motion));
    std::vector<double> iterations(found.history.size());
    for (std::size_t i = 0; i < iterations.size(); ++i) iterations[i] = double(i);
    history.curves.push_back(
        {problem.name, iterations, found.history, nth_colour(history.curves.size())});
  }
  document.table(std::move(table));
  for (auto& figure : figures) document.figure(std::move(figure));
  document.figure(std::move(history));
  const auto judge = [](double missed) {
    return missed < kArrived ? Judgement::kHolds : Judgement::kFails;
  };
  const auto found = [](double missed) {
    return "at most " + to_short(missed) + " m, rad, m/s or rad/s are missed at the end";
  };
  return {
      {"ours", "Gradients with respect to every control value are those of differences",
       worst_off < kAgrees ? Judgement::kHolds : Judgement::kFails,
       "largest difference " + to_short(worst_off) + " of the largest entry, over four problems"},
      {"ours",
       "Adjoint gradients in (q, p) control a pendulum on a cart: it is stopped, and "
       "swung up",
       judge(worst_single), found(worst_single)},
      {"Maciag2022", "Adjoint gradients control a double pendulum on a cart",
       judge(missed_double_stop), found(missed_double_stop) + " where it is stopped"},
      {"ours", "From the same plain first guess a double pendulum is swung up too",
       judge(missed_double_up), found(missed_double_up)},
  };
}

}  // namespace hamiltree::studies::run_gradients
