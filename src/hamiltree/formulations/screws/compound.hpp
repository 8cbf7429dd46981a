// Compound: a segment of a chain, or several joined, seen from its two ends [Chadaj2017 eqs. 26-36]
// in the five directions that a pin transmits, x, y, z, a, b:
//   V_1 = a T_1 + b T_2 + x
//   V_2 = b^T T_1 + c T_2 + y
// T_1 is the momentum handed in at the inboard end, T_2 minus the one handed out. A lane for each
// segment; joined ones fill the lanes of all their segments alike.
#pragma once

#include <array>
#include <cstddef>

#include "hamiltree/math/pack.hpp"

namespace hamiltree::screws {

inline constexpr std::size_t kPinned = 5;  // directions that a pin transmits

using Five = std::array<Pack, kPinned>;
using FiveByFive = std::array<Five, kPinned>;  // rows

struct Compound {
  FiveByFive a, b, c;  // of a and c the lower half
  Five x, y;
};

// K = L d L^T of five directions.
struct Factors {
  FiveByFive L;  // below the diagonal
  Five inverse;  // 1 / d
};

//   d_j = K_jj - sum L_jk^2 d_k,     L_ij = (K_ij - sum L_ik d_k L_jk) / d_j
inline Factors factor(FiveByFive K) {
  Factors f;
#pragma GCC unroll 5
  for (std::size_t j = 0; j < kPinned; ++j) {
    f.inverse[j] = Pack(1.0) / K[j][j];
#pragma GCC unroll 5
    for (std::size_t i = j + 1; i < kPinned; ++i) {
      f.L[i][j] = K[i][j] * f.inverse[j];
#pragma GCC unroll 5
      for (std::size_t k = j + 1; k <= i; ++k) K[i][k] -= f.L[i][j] * K[k][j];
    }
  }
  return f;
}

// v <- L^-1 v
inline void forward(const Factors& f, Five& v) {
#pragma GCC unroll 5
  for (std::size_t i = 1; i < kPinned; ++i) {
#pragma GCC unroll 5
    for (std::size_t j = 0; j < i; ++j) v[i] -= f.L[i][j] * v[j];
  }
}
// v <- L^-T v
inline void backward(const Factors& f, Five& v) {
#pragma GCC unroll 5
  for (std::size_t i = kPinned - 1; i-- > 0;) {
#pragma GCC unroll 5
    for (std::size_t j = i + 1; j < kPinned; ++j) v[i] -= f.L[j][i] * v[j];
  }
}

// What the way back needs of a joint of two compounds, A inboard and B outboard.
struct Joined {
  Factors K;
  FiveByFive Y_A, Y_B;  // columns
  Five h;
};

// The compound of the other half of a pair of groups of `half` lanes, in every lane.
template <int kHalf>
Compound swap_halves(const Compound& own) {
  Compound other;
#pragma GCC unroll 5
  for (std::size_t i = 0; i < kPinned; ++i) {
#pragma GCC unroll 5
    for (std::size_t j = 0; j < kPinned; ++j) {
      if (j <= i) other.a[i][j] = swap_lanes<kHalf>(own.a[i][j]);
      other.b[i][j] = swap_lanes<kHalf>(own.b[i][j]);
      if (j <= i) other.c[i][j] = swap_lanes<kHalf>(own.c[i][j]);
    }
    other.x[i] = swap_lanes<kHalf>(own.x[i]);
    other.y[i] = swap_lanes<kHalf>(own.y[i]);
  }
  return other;
}

// V_2 of A is V_1 of B, and what A hands out B is handed, sigma:
//   (1)  K = c_A + a_B = L d L^T,     Y_A = L^-1 b_A^T,  Y_B = L^-1 b_B,  h = L^-1 (y_A - x_B)
//   (2)  a = a_A - Y_A^T d^-1 Y_A,    b = Y_A^T d^-1 Y_B,    c = c_B - Y_B^T d^-1 Y_B
//   (3)  x = x_A - Y_A^T d^-1 h,      y = y_B + Y_B^T d^-1 h
template <int kHalf>
void join(Compound& own, Joined& joined) {
  const auto other = swap_halves<kHalf>(own);
  const auto is_B = Pack::lanes_with<kHalf>();
  const auto of_A = [&](const Pack& mine, const Pack& its) { return select(is_B, its, mine); };
  const auto of_B = [&](const Pack& mine, const Pack& its) { return select(is_B, mine, its); };
  // (1)
  FiveByFive K;
  Five& h = joined.h;
#pragma GCC unroll 5
  for (std::size_t i = 0; i < kPinned; ++i) {
#pragma GCC unroll 5
    for (std::size_t j = 0; j <= i; ++j)
      K[i][j] = of_A(own.c[i][j], other.c[i][j]) + of_B(own.a[i][j], other.a[i][j]);
    h[i] = of_A(own.y[i], other.y[i]) - of_B(own.x[i], other.x[i]);
  }
  joined.K = factor(K);
  forward(joined.K, h);
#pragma GCC unroll 5
  for (std::size_t j = 0; j < kPinned; ++j) {
#pragma GCC unroll 5
    for (std::size_t i = 0; i < kPinned; ++i) {
      joined.Y_A[j][i] = of_A(own.b[j][i], other.b[j][i]);
      joined.Y_B[j][i] = of_B(own.b[i][j], other.b[i][j]);
    }
    forward(joined.K, joined.Y_A[j]);
    forward(joined.K, joined.Y_B[j]);
  }
  // (2), (3)
#pragma GCC unroll 5
  for (std::size_t i = 0; i < kPinned; ++i) {
    Five A, B;  // columns i of d^-1 Y
#pragma GCC unroll 5
    for (std::size_t k = 0; k < kPinned; ++k) {
      A[k] = joined.K.inverse[k] * joined.Y_A[i][k];
      B[k] = joined.K.inverse[k] * joined.Y_B[i][k];
    }
    const auto times = [](const Five& x, const Five& y) {
      return ((x[0] * y[0] + x[1] * y[1]) + (x[2] * y[2] + x[3] * y[3])) + x[4] * y[4];
    };
#pragma GCC unroll 5
    for (std::size_t j = 0; j < kPinned; ++j) {
      if (j <= i) own.a[i][j] = of_A(own.a[i][j], other.a[i][j]) - times(A, joined.Y_A[j]);
      if (j <= i) own.c[i][j] = of_B(own.c[i][j], other.c[i][j]) - times(B, joined.Y_B[j]);
      own.b[i][j] = times(A, joined.Y_B[j]);
    }
    own.x[i] = of_A(own.x[i], other.x[i]) - times(A, h);
    own.y[i] = of_B(own.y[i], other.y[i]) + times(B, h);
  }
}

//   (4)  sigma = L^-T d^-1 (Y_A T_1 - Y_B T_2 + h)
// A then has T_2 = -sigma, B has T_1 = sigma.
template <int kHalf>
void part(const Joined& joined, Five& T_1, Five& T_2) {
  Five sigma;
#pragma GCC unroll 5
  for (std::size_t i = 0; i < kPinned; ++i) {
    Pack sum = joined.h[i];
#pragma GCC unroll 5
    for (std::size_t j = 0; j < kPinned; ++j)
      sum += joined.Y_A[j][i] * T_1[j] - joined.Y_B[j][i] * T_2[j];
    sigma[i] = joined.K.inverse[i] * sum;
  }
  backward(joined.K, sigma);
  const auto is_B = Pack::lanes_with<kHalf>();
#pragma GCC unroll 5
  for (std::size_t i = 0; i < kPinned; ++i) {
    T_1[i] = select(is_B, sigma[i], T_1[i]);
    T_2[i] = select(is_B, T_2[i], -sigma[i]);
  }
}

}  // namespace hamiltree::screws
