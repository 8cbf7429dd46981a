// Sampling: which values the parameters of a sweep take, sample by sample. The values of a sample
// follow from its number and the seed alone, whoever computes it and when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hamiltree {

enum class SampleMethod {
  kGrid,           // all combinations of the parameters' values, the last parameter fastest
  kList,           // the first values of all parameters, then the second ones, ...
  kRandom,         // each value drawn by itself
  kLatinHypercube  // each parameter meets each of `count` equally likely intervals once
};

// The source of a parameter's values: one of the three.
struct Distribution {
  std::vector<double> values;             // where drawn, each as likely as the others
  std::optional<double> from, to;         // uniform
  bool logarithmic = false;               // uniform in the logarithm
  std::optional<double> mean, deviation;  // normal
};

class Sampling {
 public:
  // `count` is that of the drawn methods; of the others it follows from the values. Throws
  // UsageError for lists of unequal length.
  Sampling(SampleMethod method, std::vector<Distribution> parameters, std::size_t count,
           std::uint64_t seed);

  std::size_t count() const { return count_; }
  // One value for each parameter.
  std::vector<double> values(std::size_t sample) const;

 private:
  double share(std::size_t sample, std::size_t parameter) const;

  SampleMethod method_;
  std::vector<Distribution> parameters_;
  std::size_t count_;
  std::uint64_t seed_;
  std::vector<std::vector<std::uint32_t>> interval_;  // latin hypercube: of each sample
};

// The value below which a share 0 < u < 1 of all draws fall.
double quantile(const Distribution& distribution, double u);

}  // namespace hamiltree
