// Bends of a curve through points: a polyline through them passes all other points within a
// thousandth of the curve's range.
#pragma once

#include <vector>

namespace hamiltree {

// x of the bends, the first and the last point among them. x ascends; f has as many entries.
std::vector<double> bends_of(const std::vector<double>& x, const std::vector<double>& f);

}  // namespace hamiltree
