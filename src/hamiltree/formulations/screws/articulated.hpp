// An articulated body: what a pin sees of all that is behind it,
//   P = M V + D,     M = [A B; B^T C], linear part first.
// T is the scalar, O that of what leads out of the x-y plane: Zero for mechanisms in the plane.
#pragma once

#include "hamiltree/formulations/screws/pin.hpp"
#include "hamiltree/formulations/screws/zero.hpp"

namespace hamiltree::screws {

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
  T mx{0}, my{0};  // first moments of all behind the pin, for gravity
  O mz{0};
};

// The rigid body itself; M.
template <class T, class O, class K>
inline void add_inertia(const Pin<K>& pin, Articulated<T, O>& m) {
  m.Axx += T(pin.mass);
  m.Ayy += T(pin.mass);
  m.Azz += O(pin.mass);
  m.Bxz -= T(pin.my);
  m.Byz += T(pin.mx);
  m.Bzx += O(pin.my);
  m.Bzy -= O(pin.mx);
  m.Cxx += O(pin.Jxx);
  m.Cxy += O(pin.Jxy);
  m.Cxz += O(pin.Jxz);
  m.Cyz += O(pin.Jyz);
  m.Czz += T(pin.Jzz);
}
// M and first moments.
template <class T, class O, class K>
inline void add_rigid(const Pin<K>& pin, Articulated<T, O>& m) {
  add_inertia(pin, m);
  m.mx += T(pin.mx);
  m.my += T(pin.my);
}
// What else there is to a body that floats; those on pins have given it to the one inboard.
template <class T, class K>
inline void add_rest(const Pin<K>& pin, Articulated<T>& m) {
  m.Bxy += T(pin.mz);
  m.Byx -= T(pin.mz);
  m.Cyy += T(pin.Jyy);
  m.mz += T(pin.mz);
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

}  // namespace hamiltree::screws
