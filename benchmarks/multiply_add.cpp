#include "benchmarks/multiply_add.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hamiltree::benchmarks {
namespace {

constexpr int kRounds = 1000;
// Enough that each may wait for its own last result on any core, few enough for the registers.
constexpr int kChains = 12;

constexpr MultiplyAdd of(double (*run)(), int lanes) {
  return {run, 2.0 * kRounds * kChains * lanes, lanes};
}

// x <- a x + b, which stays near 1. Written once for each width: a target is of a function, and
// intrinsics of a wider one are not taken into it.
#define HAMILTREE_MULTIPLY_ADD(Lanes, set1, multiply_add)                                       \
  Lanes x[kChains];                                                                             \
  for (int i = 0; i < kChains; ++i) x[i] = set1(1.0 + 0.01 * i);                                \
  const Lanes a = set1(0.999), b = set1(0.001);                                                 \
  for (int round = 0; round < kRounds; ++round) {                                               \
    _Pragma("GCC unroll 12") for (int i = 0; i < kChains; ++i) x[i] = multiply_add(a, x[i], b); \
  }                                                                                             \
  Lanes sum = x[0];                                                                             \
  for (int i = 1; i < kChains; ++i) sum = multiply_add(a, sum, x[i]);

#if defined(__x86_64__)

__attribute__((target("avx512f"))) double run_8() {
  HAMILTREE_MULTIPLY_ADD(__m512d, _mm512_set1_pd, _mm512_fmadd_pd)
  return sum[0];
}
__attribute__((target("avx2,fma"))) double run_4() {
  HAMILTREE_MULTIPLY_ADD(__m256d, _mm256_set1_pd, _mm256_fmadd_pd)
  return sum[0];
}
__attribute__((target("fma"))) double run_1_fused() {
  HAMILTREE_MULTIPLY_ADD(__m128d, _mm_set1_pd, _mm_fmadd_sd)
  return sum[0];
}

#endif

double run_1() {
  const auto set1 = [](double x) { return x; };
  const auto multiply_add = [](double a, double x, double b) { return a * x + b; };
  HAMILTREE_MULTIPLY_ADD(double, set1, multiply_add)
  return sum;
}

}  // namespace

MultiplyAdd scalar_multiply_add() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("fma")) return of(run_1_fused, 1);
#endif
  return of(run_1, 1);
}

MultiplyAdd widest_multiply_add() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return of(run_8, 8);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return of(run_4, 4);
#endif
  return scalar_multiply_add();
}

}  // namespace hamiltree::benchmarks
