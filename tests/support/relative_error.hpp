// The norm of the difference of two lists of numbers, by that of the second.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace hamiltree::test {

template <class Number>
double relative_error(const std::vector<Number>& x, const std::vector<Number>& exact) {
  Number off{}, size{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    off += (x[i] - exact[i]) * (x[i] - exact[i]);
    size += exact[i] * exact[i];
  }
  return static_cast<double>(std::sqrt(off / size));
}

}  // namespace hamiltree::test
