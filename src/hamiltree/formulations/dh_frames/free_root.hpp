// A root that floats: V = M^-1 (p - D) of its body, of which nothing is at rest.
#pragma once

#include <array>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/dh_frames/articulated.hpp"

namespace hamiltree::dh_frames {

// M x = f, M = L d L^T:
//   (1)  d_j = M_jj - sum L_jk^2 d_k,   L_ij = (M_ij - sum L_ik d_k L_jk) / d_j
//   (2)  x = L^-T d^-1 L^-1 f
template <class T>
inline void solve(const Articulated<T>& m, std::array<T, 6>& f) {
  T M[6][6] = {{m.Axx},
               {m.Axy, m.Ayy},
               {m.Axz, m.Ayz, m.Azz},
               {m.Bxx, m.Byx, m.Bzx, m.Cxx},
               {m.Bxy, m.Byy, m.Bzy, m.Cxy, m.Cyy},
               {m.Bxz, m.Byz, m.Bzz, m.Cxz, m.Cyz, m.Czz}};
  T inverse[6];
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) {  // (1), M becomes L d below and d on the diagonal
    inverse[j] = T(1) / M[j][j];
#pragma GCC unroll 6
    for (int i = j + 1; i < 6; ++i) {
      const T L = M[i][j] * inverse[j];
#pragma GCC unroll 6
      for (int k = j + 1; k <= i; ++k) M[i][k] -= L * M[k][j];
    }
    // (2)
#pragma GCC unroll 6
    for (int i = j + 1; i < 6; ++i) {
      M[i][j] *= inverse[j];
      f[at(i)] -= M[i][j] * f[at(j)];
    }
  }
#pragma GCC unroll 6
  for (int i = 5; i >= 0; --i) {
    f[at(i)] *= inverse[i];
#pragma GCC unroll 6
    for (int j = i + 1; j < 6; ++j) f[at(i)] -= M[j][i] * f[at(j)];
  }
}

template <class T>
inline Vector6<T> free_motion(const Articulated<T>& m, const T* p) {
  std::array<T, 6> f{p[0] - m.D.x, p[1] - m.D.y, p[2] - m.D.z,
                     p[3] - m.D.a, p[4] - m.D.b, p[5] - m.D.c};
  solve(m, f);
  return {f[0], f[1], f[2], f[3], f[4], f[5]};
}

// pdot = -V x* p, all of it.
template <class T>
inline void free_momentum_rates(const Vector6<T>& V, const T* p, T* p_dot) {
  p_dot[0] = V.c * p[1] - V.b * p[2];
  p_dot[1] = V.a * p[2] - V.c * p[0];
  p_dot[2] = V.b * p[0] - V.a * p[1];
  p_dot[3] = (V.z * p[1] - V.y * p[2]) + (V.c * p[4] - V.b * p[5]);
  p_dot[4] = (V.x * p[2] - V.z * p[0]) + (V.a * p[5] - V.c * p[3]);
  p_dot[5] = (V.y * p[0] - V.x * p[1]) + (V.b * p[3] - V.a * p[4]);
}

}  // namespace hamiltree::dh_frames
