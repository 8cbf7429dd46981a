#include "benchmarks/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hamiltree::benchmarks {
namespace {

constexpr std::size_t kStates = 3;
constexpr double kLongChain = 128;  // bodies

}  // namespace

double asked_agreement(int bodies) {
  const double length = std::max(1.0, bodies / kLongChain);
  return kAgreement * length * length * length;
}

double relative_difference(const std::vector<double>& a, const std::vector<double>& b,
                           double least) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double largest = std::max(least, std::numeric_limits<double>::min()), difference = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i] - b[i])) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, std::abs(b[i]));
    difference = std::max(difference, std::abs(a[i] - b[i]));
  }
  return difference / largest;
}

Reference::Reference(const Model& model, const std::vector<EngineState>& states)
    : model_(model),
      states_(states.begin(),
              states.begin() + static_cast<std::ptrdiff_t>(std::min(kStates, states.size()))) {
  const double length = model.visit([](const auto& system) { return system.length; });
  const double g = model.mechanism().gravity.norm();
  least_acceleration_ = g / std::max(1.0, length);
  for (const auto& body : model.mechanism().bodies)
    least_rate_ += g * body.mass * std::min(1.0, length);
  OwnModel aba(model, "aba"), hdca(model, "hdca");
  aba.keep(states_);
  hdca.keep(states_);
  for (std::size_t s = 0; s < states_.size(); ++s) {
    accelerations_.push_back(aba.accelerations(s));
    momentum_rates_.push_back(hdca.rates(s));
  }
}

double Reference::difference(EngineModel& engine) const {
  double worst = 0.0;
  for (std::size_t s = 0; s < states_.size(); ++s) {
    worst = std::max(worst, relative_difference(engine.accelerations(s), accelerations_[s],
                                                least_acceleration_));
  }
  return worst;
}

double Reference::difference(OwnModel& own) const {
  double worst = difference(static_cast<EngineModel&>(own));
  for (std::size_t s = 0; s < states_.size(); ++s) {
    worst = std::max(worst, relative_difference(own.velocities(s), states_[s].v));
    worst = std::max(
        worst, own.in_momenta()
                   ? relative_difference(own.rates(s), momentum_rates_[s], least_rate_)
                   : relative_difference(own.rates(s), accelerations_[s], least_acceleration_));
  }
  return worst;
}

}  // namespace hamiltree::benchmarks
