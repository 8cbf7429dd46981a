#include "studies/power_law.hpp"

#include <cmath>
#include <cstddef>

namespace hamiltree::studies {

PowerLaw fit_power_law(const std::vector<double>& x, const std::vector<double>& y) {
  double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x[i] > 0.0) || !(y[i] > 0.0)) continue;
    const double a = std::log(x[i]), b = std::log(y[i]);
    n += 1.0;
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  const double exponent = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  return {std::exp((sy - exponent * sx) / n), exponent};
}

}  // namespace hamiltree::studies
