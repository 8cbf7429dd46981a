// Compound: a segment of a chain, or several joined, seen from its two ends [Chadaj2017 eqs. 26-36]
// in the n directions that a revolute transmits: x, y, z, a, b, in the plane x and y:
//   V_1 = a T_1 + b T_2 + x
//   V_2 = b^T T_1 + c T_2 + y
// T_1 is the momentum handed in at the inboard end, T_2 minus the one handed out. A lane for each
// segment; joined ones fill the lanes of all their segments alike.
#pragma once

#include <array>
#include <cstddef>

#include "hamiltree/math/pack.hpp"

namespace hamiltree::dh_frames {

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

// Factors of a joint of two compounds for the way back, A inboard and B outboard.
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

// A body or several, of which M, factored, is what E and F weigh in on:
//   M V = E T_1 - F y + rest,     V_1 = E^T V,  V_2 = F^T V + f - Psi y,  y = -T_2
//   (1)  a = E^T M^-1 E,  b = E^T M^-1 F,  c = Psi + F^T M^-1 F
//   (2)  x = E^T M^-1 rest,  y = F^T M^-1 rest + f
// as sums over N = L^-1 [E F, rest] with weights 1 / d. E and F are columns.
template <std::size_t n, std::size_t kSize>
Compound<n> compound_of(const Factors<kSize>& M, std::array<Pinned<kSize>, n> E,
                        std::array<Pinned<kSize>, n> F, Pinned<kSize> rest,
                        const PinnedSquare<n>& Psi, const Pinned<n>& f) {
#pragma GCC unroll 5
  for (std::size_t j = 0; j < n; ++j) {
    forward(M, E[j]);
    forward(M, F[j]);
  }
  forward(M, rest);
  const auto times = [](const Pinned<kSize>& x, const Pinned<kSize>& y) {
    return dot<0, kSize>(x, y);
  };
  Compound<n> X;
#pragma GCC unroll 5
  for (std::size_t i = 0; i < n; ++i) {
    Pinned<kSize> weighted_E, weighted_F;
#pragma GCC unroll 6
    for (std::size_t k = 0; k < kSize; ++k) {
      weighted_E[k] = M.inverse[k] * E[i][k];
      weighted_F[k] = M.inverse[k] * F[i][k];
    }
#pragma GCC unroll 5
    for (std::size_t j = 0; j < n; ++j) {
      if (j <= i) X.a[i][j] = times(weighted_E, E[j]);
      X.b[i][j] = times(weighted_E, F[j]);
      if (j <= i) X.c[i][j] = Psi[i][j] + times(weighted_F, F[j]);
    }
    X.x[i] = times(weighted_E, rest);
    X.y[i] = times(weighted_F, rest) + f[i];
  }
  return X;
}

// V_2 of A is V_1 of B, and what A hands out B is handed, sigma:
//   (1)  K = c_A + a_B = L d L^T,     Y_A = L^-1 b_A^T,  Y_B = L^-1 b_B,  h = L^-1 (y_A - x_B)
//   (2)  a = a_A - Y_A^T d^-1 Y_A,    b = Y_A^T d^-1 Y_B,    c = c_B - Y_B^T d^-1 Y_B
//   (3)  x = x_A - Y_A^T d^-1 h,      y = y_B + Y_B^T d^-1 h
template <std::size_t n>
Compound<n> join(const Compound<n>& in, const Compound<n>& out, Joined<n>& joined) {
  // (1)
  PinnedSquare<n> K;
  Pinned<n>& h = joined.h;
#pragma GCC unroll 5
  for (std::size_t i = 0; i < n; ++i) {
#pragma GCC unroll 5
    for (std::size_t j = 0; j <= i; ++j) K[i][j] = in.c[i][j] + out.a[i][j];
    h[i] = in.y[i] - out.x[i];
  }
  joined.K = factor(K);
  forward(joined.K, h);
#pragma GCC unroll 5
  for (std::size_t j = 0; j < n; ++j) {
#pragma GCC unroll 5
    for (std::size_t i = 0; i < n; ++i) {
      joined.Y_A[j][i] = in.b[j][i];
      joined.Y_B[j][i] = out.b[i][j];
    }
    forward(joined.K, joined.Y_A[j]);
    forward(joined.K, joined.Y_B[j]);
  }
  // (2), (3)
  Compound<n> both;
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
      if (j <= i) both.a[i][j] = in.a[i][j] - times(A, joined.Y_A[j]);
      if (j <= i) both.c[i][j] = out.c[i][j] - times(B, joined.Y_B[j]);
      both.b[i][j] = times(A, joined.Y_B[j]);
    }
    both.x[i] = in.x[i] - times(A, h);
    both.y[i] = out.y[i] + times(B, h);
  }
  return both;
}

// The same of two groups of lanes.
template <int kHalf, std::size_t n>
void join(Compound<n>& own, Joined<n>& joined) {
  const auto other = swap_halves<kHalf>(own);
  const auto is_B = Pack::lanes_with<kHalf>();
  Compound<n> A, B;
  const auto sort = [&](const Pack& mine, const Pack& its, Pack& of_A, Pack& of_B) {
    of_A = select(is_B, its, mine);
    of_B = select(is_B, mine, its);
  };
#pragma GCC unroll 5
  for (std::size_t i = 0; i < n; ++i) {
#pragma GCC unroll 5
    for (std::size_t j = 0; j < n; ++j) {
      if (j <= i) sort(own.a[i][j], other.a[i][j], A.a[i][j], B.a[i][j]);
      sort(own.b[i][j], other.b[i][j], A.b[i][j], B.b[i][j]);
      if (j <= i) sort(own.c[i][j], other.c[i][j], A.c[i][j], B.c[i][j]);
    }
    sort(own.x[i], other.x[i], A.x[i], B.x[i]);
    sort(own.y[i], other.y[i], A.y[i], B.y[i]);
  }
  own = join(A, B, joined);
}

//   (4)  sigma = L^-T d^-1 (Y_A T_1 - Y_B T_2 + h)
template <std::size_t n>
Pinned<n> handed_on(const Joined<n>& joined, const Pinned<n>& T_1, const Pinned<n>& T_2) {
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
  return sigma;
}

// A then has T_2 = -sigma, B has T_1 = sigma.
template <int kHalf, std::size_t n>
void part(const Joined<n>& joined, Pinned<n>& T_1, Pinned<n>& T_2) {
  const auto sigma = handed_on(joined, T_1, T_2);
  const auto is_B = Pack::lanes_with<kHalf>();
#pragma GCC unroll 5
  for (std::size_t i = 0; i < n; ++i) {
    T_1[i] = select(is_B, sigma[i], T_1[i]);
    T_2[i] = select(is_B, T_2[i], -sigma[i]);
  }
}

// Nothing beyond the tip, and what is inboard rests: V_1 = a T_1 + x = 0.
template <std::size_t n>
void close(const Compound<n>& all, Pinned<n>& T_1, Pinned<n>& T_2) {
  const auto ground = factor(all.a);
  for (std::size_t i = 0; i < n; ++i) T_1[i] = -all.x[i], T_2[i] = Pack(0.0);
  forward(ground, T_1);
  for (std::size_t i = 0; i < n; ++i) T_1[i] *= ground.inverse[i];
  backward(ground, T_1);
}

}  // namespace hamiltree::dh_frames
