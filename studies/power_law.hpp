// How figures grow: straight lines in double logarithms.
#pragma once

#include <vector>

namespace hamiltree::studies {

// s and t of y = s x^t by least squares in the logarithms, of entries above zero.
struct PowerLaw {
  double factor = 0.0, exponent = 0.0;
};
PowerLaw fit_power_law(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace hamiltree::studies
