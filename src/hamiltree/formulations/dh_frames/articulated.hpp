// An articulated body: what a revolute sees of all that is behind it,
//   P = M V + D,     M = [A B; B^T C], linear part first.
// T is the scalar, O that of what leads out of the x-y plane: Zero for mechanisms in the plane.
#pragma once

#include "hamiltree/formulations/dh_frames/revolute.hpp"
#include "hamiltree/formulations/dh_frames/zero.hpp"

namespace hamiltree::dh_frames {

template <class T, class O = T>
struct Vector6 {  // a force with its moment, or a motion
  T x{0}, y{0};
  O z{0}, a{0}, b{0};
  T c{0};
};

template <class T, class O>
inline void add(const Vector6<T, O>& term, Vector6<T, O>& F) {
  F.x += term.x, F.y += term.y, F.z += term.z;
  F.a += term.a, F.b += term.b, F.c += term.c;
}

template <class T, class O = T>
struct Articulated {
  T Axx{0}, Axy{0}, Ayy{0};
  O Axz{0}, Ayz{0}, Azz{0};
  T Bxz{0}, Byz{0};  // B is not symmetric
  O Bxx{0}, Bxy{0}, Byx{0}, Byy{0}, Bzx{0}, Bzy{0}, Bzz{0};
  O Cxx{0}, Cxy{0}, Cxz{0}, Cyy{0}, Cyz{0};
  T Czz{0};
  Vector6<T, O> D;
  T mx{0}, my{0};  // first moments of all behind the revolute, for gravity
  O mz{0};
};

// The rigid body itself; M.
template <class T, class O, class K>
inline void add_inertia(const Revolute<K>& revolute, Articulated<T, O>& m) {
  m.Axx += T(revolute.mass);
  m.Ayy += T(revolute.mass);
  m.Azz += O(revolute.mass);
  m.Bxz -= T(revolute.my);
  m.Byz += T(revolute.mx);
  m.Bzx += O(revolute.my);
  m.Bzy -= O(revolute.mx);
  m.Cxx += O(revolute.Jxx);
  m.Cxy += O(revolute.Jxy);
  m.Cxz += O(revolute.Jxz);
  m.Cyz += O(revolute.Jyz);
  m.Czz += T(revolute.Jzz);
}
// M and first moments.
template <class T, class O, class K>
inline void add_rigid(const Revolute<K>& revolute, Articulated<T, O>& m) {
  add_inertia(revolute, m);
  m.mx += T(revolute.mx);
  m.my += T(revolute.my);
}
// The rest of the inertia of a body that floats; those on revolutes have given it to the one
// inboard.
template <class T, class K>
inline void add_rest(const Revolute<K>& revolute, Articulated<T>& m) {
  m.Bxy += T(revolute.mz);
  m.Byx -= T(revolute.mz);
  m.Cyy += T(revolute.Jyy);
  m.mz += T(revolute.mz);
}

// M, D and first moments of one child are added to those of another.
template <class T, class O>
inline void add(const Articulated<T, O>& child, Articulated<T, O>& m) {
  m.Axx += child.Axx, m.Axy += child.Axy, m.Axz += child.Axz;
  m.Ayy += child.Ayy, m.Ayz += child.Ayz, m.Azz += child.Azz;
  m.Bxx += child.Bxx, m.Bxy += child.Bxy, m.Bxz += child.Bxz;
  m.Byx += child.Byx, m.Byy += child.Byy, m.Byz += child.Byz;
  m.Bzx += child.Bzx, m.Bzy += child.Bzy, m.Bzz += child.Bzz;
  m.Cxx += child.Cxx, m.Cxy += child.Cxy, m.Cxz += child.Cxz;
  m.Cyy += child.Cyy, m.Cyz += child.Cyz, m.Czz += child.Czz;
  add(child.D, m.D);
  m.mx += child.mx, m.my += child.my, m.mz += child.mz;
}

}  // namespace hamiltree::dh_frames
