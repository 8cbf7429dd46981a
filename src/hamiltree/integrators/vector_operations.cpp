#include "hamiltree/integrators/vector_operations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "hamiltree/integrators/linear_combination.hpp"

namespace hamiltree::sundials {
namespace {

std::size_t length(N_Vector vector) { return static_cast<std::size_t>(NV_LENGTH_S(vector)); }
double* entries(N_Vector vector) { return NV_DATA_S(vector); }

void linear_sum(double a, N_Vector x, double b, N_Vector y, N_Vector z) {
  hamiltree::linear_sum(length(z), a, entries(x), b, entries(y), entries(z));
}
void scale(double c, N_Vector x, N_Vector z) {
  hamiltree::scale(length(z), c, entries(x), entries(z));
}
int linear_combination(int count, double* c, N_Vector* x, N_Vector z) {
  hamiltree::linear_combination(
      length(z), count, c, [&](int k) { return entries(x[k]); }, entries(z));
  return 0;
}

// z_k = a_k x + y_k
int scale_add_multi(int count, double* a, N_Vector x, N_Vector* y, N_Vector* z) {
  for (int k = 0; k < count; ++k) linear_sum(a[k], x, 1.0, y[k], z[k]);
  return 0;
}

// sqrt(sum (x w)^2 / n): squares in packs, added in their order.
double wrms_norm(N_Vector x, N_Vector w) {
  constexpr std::size_t kBlock = 64;
  const std::size_t n = length(x);
  const double *of_x = entries(x), *of_w = entries(w);
  std::array<double, kBlock> squares;
  double sum = 0.0;
  for (std::size_t first = 0; first < n; first += kBlock) {
    const std::size_t count = std::min(kBlock, n - first);
    for (std::size_t i = 0; i < count; ++i) {
      const double term = of_x[first + i] * of_w[first + i];
      squares[i] = term * term;
    }
    for (std::size_t i = 0; i < count; ++i) sum += squares[i];
  }
  return std::sqrt(sum / static_cast<double>(n));
}

}  // namespace

void use_own_operations(N_Vector vector) {
  auto& operations = *vector->ops;
  operations.nvlinearsum = linear_sum;
  operations.nvscale = scale;
  operations.nvwrmsnorm = wrms_norm;
  operations.nvlinearcombination = linear_combination;
  operations.nvscaleaddmulti = scale_add_multi;
}

}  // namespace hamiltree::sundials
