#include "hardware/tb/rate_errors.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hardware/compiler/float32_model.hpp"
#include "hardware/compiler/lower.hpp"
#include "hardware/compiler/planar_step.hpp"

namespace hamiltree::hardware {

namespace {

Eigen::VectorXd moving(const Model& model, const Eigen::VectorXd& q) {
  return model.visit([&]<class Space>(const System<Space>& system) {
    Eigen::VectorXd v = Eigen::VectorXd::Constant(q.size(), 1.0 / static_cast<double>(q.size()));
    v(0) = 1.0;
    Eigen::VectorXd p(system.velocities);
    Kinematics<Space> kin(system);
    place(system, 0.0, q.data(), kin);
    move(system, v.data(), kin);
    momenta(system, kin, p.data());
    return p;
  });
}

}  // namespace

RateErrors rate_errors(const Model& model) {
  const auto rates = trace_planar_step(model, Update::kRates, 0.0);
  const Graph graph = lower(rates.trace, {});
  const auto start = initial_state(model);
  const Eigen::VectorXd p = moving(model, start.q);
  std::vector<Word> words;
  std::vector<double> state(rates.trace.inputs().size(), 0.0);
  const auto values = to_words(model, rates.words, start.q.data(), p.data());
  for (std::size_t i = 0; i < values.size(); ++i) {
    words.push_back(bits_of(static_cast<float>(values[i])));
    state[i] = static_cast<double>(float_of(words[i]));
  }
  const auto exact = rates.trace.evaluate(state);
  Float32Model(graph).step(words);
  struct Kind {
    double error = 0.0, largest = 0.0;
  } momenta, velocities;
  for (std::size_t i = 0; i < words.size(); ++i) {
    Kind& kind = rates.words[i].quantity == Quantity::kMomentum ? momenta : velocities;
    const double value = static_cast<double>(float_of(words[i]));
    kind.error = std::max(kind.error, std::abs(value - exact[i]));
    kind.largest = std::max(kind.largest, std::abs(exact[i]));
  }
  return {momenta.error / momenta.largest, velocities.error / velocities.largest};
}

}  // namespace hamiltree::hardware
