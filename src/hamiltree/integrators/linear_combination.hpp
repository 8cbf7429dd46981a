// Sums of vectors, four terms in one pass, added in their order.
#pragma once

#include <cstddef>

namespace hamiltree {

// z, or what it was before, plus a sum of four.
template <bool kAdds>
void four_terms(std::size_t n, double c0, const double* x0, double c1, const double* x1, double c2,
                const double* x2, double c3, const double* x3, double* z) {
  for (std::size_t i = 0; i < n; ++i) {
    const double first = kAdds ? z[i] + c0 * x0[i] : c0 * x0[i];
    z[i] = first + c1 * x1[i] + c2 * x2[i] + c3 * x3[i];
  }
}

inline void scale(std::size_t n, double c, const double* x, double* z) {
  for (std::size_t i = 0; i < n; ++i) z[i] = c * x[i];
}
inline void linear_sum(std::size_t n, double a, const double* x, double b, const double* y,
                       double* z) {
  for (std::size_t i = 0; i < n; ++i) z[i] = a * x[i] + b * y[i];
}

// z = sum c_k x(k) over k < count, at least one; z may be x(0).
template <class Vectors>
void linear_combination(std::size_t n, int count, const double* c, const Vectors& x, double* z) {
  int k = 1;
  if (count >= 4) {
    four_terms<false>(n, c[0], x(0), c[1], x(1), c[2], x(2), c[3], x(3), z);
    k = 4;
  } else if (count >= 2) {
    linear_sum(n, c[0], x(0), c[1], x(1), z);
    k = 2;
  } else {
    scale(n, c[0], x(0), z);
  }
  for (; k + 4 <= count; k += 4) {
    four_terms<true>(n, c[k], x(k), c[k + 1], x(k + 1), c[k + 2], x(k + 2), c[k + 3], x(k + 3), z);
  }
  for (; k < count; ++k) linear_sum(n, 1.0, z, c[k], x(k), z);
}

}  // namespace hamiltree
