#include "hamiltree/sweep/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/limits.hpp"
#include "hamiltree/base/random.hpp"

namespace hamiltree {
namespace {

// In the open interval from 0 to 1.
double uniform(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

// x with Phi(x) = u, by Newton's method on log Phi, which is concave, from the left of x: there the
// iteration is monotone. Phi(-z) <= exp(-z^2/2) / 2.
double normal_quantile(double u) {
  if (u > 0.5) return -normal_quantile(1.0 - u);
  double x = -std::sqrt(-2.0 * std::log(u));
  for (int i = 0; i < 100; ++i) {
    const double share = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * x * x) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    const double step = (std::log(u) - std::log(share)) * share / density;
    x += step;
    if (std::abs(step) <= 1e-15 * (1.0 + std::abs(x))) break;
  }
  return x;
}

}  // namespace

double quantile(const Distribution& d, double u) {
  if (!d.values.empty()) {
    const auto size = static_cast<double>(d.values.size());
    return d.values[std::min(static_cast<std::size_t>(u * size), d.values.size() - 1)];
  }
  if (d.mean) return *d.mean + *d.deviation * normal_quantile(u);
  if (d.logarithmic) return *d.from * std::pow(*d.to / *d.from, u);
  return *d.from + (*d.to - *d.from) * u;
}

Sampling::Sampling(SampleMethod method, std::vector<Distribution> parameters, std::size_t count,
                   std::uint64_t seed)
    : method_(method), parameters_(std::move(parameters)), count_(count), seed_(seed) {
  if (method == SampleMethod::kGrid) {
    count_ = 1;
    for (const auto& p : parameters_) {
      if (p.values.size() > kSamples.value / count_)
        throw UsageError("the grid has more samples than " + to_text(kSamples));
      count_ *= p.values.size();
    }
  } else if (method == SampleMethod::kList) {
    count_ = parameters_.front().values.size();
    for (const auto& p : parameters_) {
      if (p.values.size() != count_)
        throw UsageError("the lists of values have " + std::to_string(count_) + " and " +
                         std::to_string(p.values.size()) + " entries, they must be equally long");
    }
  } else if (method == SampleMethod::kLatinHypercube) {
    for (std::size_t p = 0; p < parameters_.size(); ++p) {
      auto& interval = interval_.emplace_back(count_);
      std::iota(interval.begin(), interval.end(), 0U);
      for (std::size_t i = count_; i > 1; --i) {
        const auto other = scrambled(seed_ ^ scrambled(scrambled(p) ^ (i << 1U))) % i;
        std::swap(interval[i - 1], interval[other]);
      }
    }
  }
}

double Sampling::share(std::size_t sample, std::size_t parameter) const {
  const double u =
      uniform(scrambled(seed_ ^ scrambled(scrambled(parameter) ^ (sample << 1U | 1U))));
  if (method_ == SampleMethod::kRandom) return u;
  return (interval_[parameter][sample] + u) / static_cast<double>(count_);
}

std::vector<double> Sampling::values(std::size_t sample) const {
  std::vector<double> values(parameters_.size());
  std::size_t rest = sample;
  for (std::size_t p = parameters_.size(); p-- > 0;) {
    const auto& list = parameters_[p].values;
    if (method_ == SampleMethod::kGrid) {
      values[p] = list[rest % list.size()];
      rest /= list.size();
    } else if (method_ == SampleMethod::kList) {
      values[p] = list[sample];
    } else {
      values[p] = quantile(parameters_[p], share(sample, p));
    }
  }
  return values;
}

}  // namespace hamiltree
