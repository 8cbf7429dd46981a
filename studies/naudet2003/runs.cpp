#include "studies/naudet2003/runs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree::naudet2003 {
namespace {

constexpr int kRepeats = 3;

Recording run(const Model& model, const std::string& formulation, const Method& method,
              double until) {
  Simulation simulation(model, {.formulation = formulation, .integrator = method});
  return simulation.run_until(until, until);
}

RunResult run_start(const Model& model, const std::string& formulation, const Method& method,
                    double until, const Eigen::VectorXd& exact) {
  RunResult result;
  for (int i = 0; i < kRepeats; ++i) {
    const auto recording = run(model, formulation, method, until);
    const auto& summary = recording.summary;
    const double seconds = summary.wall_seconds;
    result.wall_seconds = i == 0 ? seconds : std::min(result.wall_seconds, seconds);
    result.evaluations = static_cast<double>(summary.rate_evaluations);
    result.energy_error = summary.energy.max_relative_error;
    result.position_error = (recording.samples.back().q - exact).cwiseAbs().maxCoeff();
  }
  return result;
}

}  // namespace

Chain make_chain(std::string name, double until, std::vector<Model> starts) {
  Chain chain{std::move(name), until, std::move(starts), {}};
  for (const auto& model : chain.starts) {
    chain.exact.push_back(run(model, "aba", DormandPrince{1e-13, 1e-13}, until).samples.back().q);
  }
  return chain;
}

RunResult run_chain(const Chain& chain, const std::string& formulation, const Method& method) {
  std::vector<RunResult> runs;
  for (std::size_t i = 0; i < chain.starts.size(); ++i) {
    runs.push_back(run_start(chain.starts[i], formulation, method, chain.until, chain.exact[i]));
  }
  const auto mean = [&](double RunResult::*entry) {
    std::vector<double> values;
    for (const auto& one : runs) values.push_back(one.*entry);
    return geometric_mean(values);
  };
  return {mean(&RunResult::evaluations), mean(&RunResult::energy_error),
          mean(&RunResult::position_error), mean(&RunResult::wall_seconds)};
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace hamiltree::naudet2003
