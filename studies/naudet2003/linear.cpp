#include "studies/naudet2003/linear.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "hamiltree/base/text.hpp"
#include "hamiltree/math/dense_solvers.hpp"

namespace hamiltree::naudet2003 {
namespace {

constexpr double kCoincidence = 1.0;

double deviation_of(const Linear& line, const std::vector<double>& n,
                    const std::vector<double>& counts) {
  double largest = 0.0;
  for (std::size_t i = 0; i < n.size(); ++i) {
    largest = std::max(largest, std::abs(line(n[i]) - counts[i]));
  }
  return largest;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Medians of all slopes between two points and of the offsets.
Linear median_line(const std::vector<double>& n, const std::vector<double>& counts) {
  std::vector<double> slopes, offsets;
  for (std::size_t i = 0; i < n.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      slopes.push_back((counts[i] - counts[k]) / (n[i] - n[k]));
    }
  }
  const double slope = std::round(median(slopes));
  for (std::size_t i = 0; i < n.size(); ++i) offsets.push_back(counts[i] - slope * n[i]);
  return {slope, std::round(median(offsets)), 0.0};
}

Linear least_squares(const std::vector<double>& n, const std::vector<double>& counts) {
  const auto size = static_cast<Eigen::Index>(n.size());
  Eigen::MatrixXd A(size, 2);
  A.col(0) = Eigen::Map<const Eigen::VectorXd>(n.data(), size);
  A.col(1).setOnes();
  const Eigen::Vector2d x =
      pivoted_qr(A).solve(Eigen::Map<const Eigen::VectorXd>(counts.data(), size));
  return {x(0), x(1), 0.0};
}

// Text of a term that is not zero: a whole number, or one decimal for slopes that are none.
std::string number(double x, int decimals) {
  const double scale = decimals == 0 ? 1.0 : 10.0;
  const double rounded = std::round(x * scale) / scale;
  return rounded == std::floor(rounded) ? std::to_string(std::lround(rounded)) : to_short(rounded);
}

}  // namespace

Linear fit(const std::vector<double>& n, const std::vector<double>& counts) {
  Linear line = median_line(n, counts);
  line.deviation = deviation_of(line, n, counts);
  if (line.deviation <= kCoincidence) return line;
  line = least_squares(n, counts);
  line.deviation = deviation_of(line, n, counts);
  return line;
}

std::string to_text(const Linear& line) {
  const bool is_whole = line.deviation <= kCoincidence;
  std::string result = is_whole ? "" : "about ";
  if (line.slope != 1.0) result += number(line.slope, is_whole ? 0 : 1);
  result += "n";
  if (line.offset != 0.0) {
    result += (line.offset < 0.0 ? " - " : " + ") + number(std::abs(line.offset), 0);
  }
  if (is_whole && !line.is_exact()) result += " +- 1";
  return result;
}

}  // namespace hamiltree::naudet2003
