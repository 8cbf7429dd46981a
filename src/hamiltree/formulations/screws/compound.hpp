// Compound: a segment of a chain, or several joined, seen from its two ends [Chadaj2017 eqs. 26-36]
// in the n directions that a pin transmits: x, y, z, a, b, in the plane x and y:
//   V_1 = a T_1 + b T_2 + x
//   V_2 = b^T T_1 + c T_2 + y
// T_1 is the momentum handed in at the inboard end, T_2 minus the one handed out. A lane for each
// segment; joined ones fill the lanes of all their segments alike.
#pragma once

#include <array>
#include <cstddef>

#include "hamiltree/math/pack.hpp"

namespace hamiltree::screws {

template <std::size_t n>
using Pinned = std::array<Pack, n>;
template <std::size_t n>
using PinnedSquare = std::array<Pinned<n>, n>;  // rows

template <std::size_t n>
struct Compound {
  PinnedSquare<n> a, b, c;  // of a and c the lower half
  Pinned<n> x, y;
};

// K = L d L^T.
template <std::size_t n>
struct Factors {
  PinnedSquare<n> L;  // below the diagonal
  Pinned<n> inverse;  // 1 / d
};

// x^T y of the entries [from, to), halves added.
template <std::size_t from, std::size_t to, class X, class Y>
Pack dot(const X& x, const Y& y) {
  if constexpr (to - from == 1) {
    return x[from] * y[from];
  } else {
    constexpr std::size_t middle = (from + to) / 2;
    return dot<from, middle>(x, y) + dot<middle, to>(x, y);
  }
}

//   d_j = K_jj - sum L_jk^2 d_k,     L_ij = (K_ij - sum L_ik d_k L_jk) / d_j
template <std::size_t n>
Factors<n> factor(PinnedSquare<n> K) {
  Factors<n> f;
#pragma GCC unroll 5
  for (std::size_t j = 0; j < n; ++j) {
    f.inverse[j] = Pack(1.0) / K[j][j];
#pragma GCC unroll 5
    for (std::size_t i = j + 1; i < n; ++i) {
      f.L[i][j] = K[i][j] * f.inverse[j];
#pragma GCC unroll 5
      for (std::size_t k = j + 1; k <= i; ++k) K[i][k] -= f.L[i][j] * K[k][j];
    }
  }
  return f;
}

// v <- L^-1 v
template <std::size_t n>
void forward(const Factors<n>& f, Pinned<n>& v) {
#pragma GCC unroll 5
  for (std::size_t i = 1; i < n; ++i) {
#pragma GCC unroll 5
    for (std::size_t j = 0; j < i; ++j) v[i] -= f.L[i][j] * v[j];
  }
}
// v <- L^-T v
template <std::size_t n>
void backward(const Factors<n>& f, Pinned<n>& v) {
  for (std::size_t i = n - 1; i-- > 0;) {
#pragma GCC unroll 5
    for (std::size_t j = i + 1; j < n; ++j) v[i] -= f.L[j][i] * v[j];
  }
}

// What the way back needs of a joint of two compounds, A inboard and B outboard.
template <std::size_t n>
struct Joined {
  Factors<n> K;
  PinnedSquare<n> Y_A, Y_B;  // columns
  Pinned<n> h;
};

// The compound of the other half of a pair of groups of `half` lanes, in every lane.
template <int kHalf, std::size_t n>
Compound<n> swap_halves(const Compound<n>& own) {
  Compound<n> other;
#pragma GCC unroll 5
  for (std::size_t i = 0; i < n; ++i) {
#pragma GCC unroll 5
    for (std::size_t j = 0; j < n; ++j) {
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
template <int kHalf, std::size_t n>
void join(Compound<n>& own, Joined<n>& joined) {
  const auto other = swap_halves<kHalf>(own);
  const auto is_B = Pack::lanes_with<kHalf>();
  const auto of_A = [&](const Pack& mine, const Pack& its) { return select(is_B, its, mine); };
  const auto of_B = [&](const Pack& mine, const Pack& its) { return select(is_B, mine, its); };
  // (1)
  PinnedSquare<n> K;
  Pinned<n>& h = joined.h;
#pragma GCC unroll 5
  for (std::size_t i = 0; i < n; ++i) {
#pragma GCC unroll 5
    for (std::size_t j = 0; j <= i; ++j)
      K[i][j] = of_A(own.c[i][j], other.c[i][j]) + of_B(own.a[i][j], other.a[i][j]);
    h[i] = of_A(own.y[i], other.y[i]) - of_B(own.x[i], other.x[i]);
  }
  joined.K = factor(K);
  forward(joined.K, h);
#pragma GCC unroll 5
  for (std::size_t j = 0; j < n; ++j) {
#pragma GCC unroll 5
    for (std::size_t i = 0; i < n; ++i) {
      joined.Y_A[j][i] = of_A(own.b[j][i], other.b[j][i]);
      joined.Y_B[j][i] = of_B(own.b[i][j], other.b[i][j]);
    }
    forward(joined.K, joined.Y_A[j]);
    forward(joined.K, joined.Y_B[j]);
  }
  // (2), (3)
#pragma GCC unroll 5
  for (std::size_t i = 0; i < n; ++i) {
    Pinned<n> A, B;  // columns i of d^-1 Y
#pragma GCC unroll 5
    for (std::size_t k = 0; k < n; ++k) {
      A[k] = joined.K.inverse[k] * joined.Y_A[i][k];
      B[k] = joined.K.inverse[k] * joined.Y_B[i][k];
    }
    const auto times = [](const Pinned<n>& x, const Pinned<n>& y) { return dot<0, n>(x, y); };
#pragma GCC unroll 5
    for (std::size_t j = 0; j < n; ++j) {
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
template <int kHalf, std::size_t n>
void part(const Joined<n>& joined, Pinned<n>& T_1, Pinned<n>& T_2) {
  Pinned<n> sigma;
#pragma GCC unroll 5
  for (std::size_t i = 0; i < n; ++i) {
    Pack sum = joined.h[i];
#pragma GCC unroll 5
    for (std::size_t j = 0; j < n; ++j)
      sum += joined.Y_A[j][i] * T_1[j] - joined.Y_B[j][i] * T_2[j];
    sigma[i] = joined.K.inverse[i] * sum;
  }
  backward(joined.K, sigma);
  const auto is_B = Pack::lanes_with<kHalf>();
#pragma GCC unroll 5
  for (std::size_t i = 0; i < n; ++i) {
    T_1[i] = select(is_B, sigma[i], T_1[i]);
    T_2[i] = select(is_B, T_2[i], -sigma[i]);
  }
}

}  // namespace hamiltree::screws
