// Counts as a straight line over the number of bodies, a n + b.
#pragma once

#include <string>
#include <vector>

namespace hamiltree::naudet2003 {

struct Linear {
  double slope = 0.0, offset = 0.0;
  double deviation = 0.0;  // largest of the points from the line

  double operator()(double n) const { return slope * n + offset; }
  // Every point lies on a line of whole numbers.
  bool is_exact() const { return deviation == 0.0; }
};

// The line of whole numbers through the most points where no point is further off than one
// operation: rounding may make two constants equal, and a product is then shared. Else by least
// squares.
Linear fit(const std::vector<double>& n, const std::vector<double>& counts);

// "363n - 475"; "363n - 475 +- 1"; "about 363n - 475" where points are further off.
std::string to_text(const Linear& line);

}  // namespace hamiltree::naudet2003
