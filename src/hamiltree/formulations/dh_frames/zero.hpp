// Zero: a number that is known to be zero, so that nothing is computed of it. In the plane all that
// leads out of it is Zero; a sum that would have to leave it does not compile.
#pragma once

#include <type_traits>

namespace hamiltree::dh_frames {

struct Zero {
  Zero() = default;
  template <class T>
  explicit Zero(const T&) {}  // what is not felt in the plane

  Zero operator-() const { return {}; }
  Zero& operator+=(Zero) { return *this; }
  Zero& operator-=(Zero) { return *this; }
};

inline Zero operator+(Zero, Zero) { return {}; }
inline Zero operator-(Zero, Zero) { return {}; }
inline Zero operator*(Zero, Zero) { return {}; }
template <class T>
inline const T& operator+(const T& x, Zero) {
  return x;
}
template <class T>
inline const T& operator+(Zero, const T& x) {
  return x;
}
template <class T>
inline const T& operator-(const T& x, Zero) {
  return x;
}
template <class T>
inline T operator-(Zero, const T& x) {
  return -x;
}
template <class T>
inline Zero operator*(const T&, Zero) {
  return {};
}
template <class T>
inline Zero operator*(Zero, const T&) {
  return {};
}

// The scalar of what leads out of the plane.
template <class T, bool kPlanar>
using Out = std::conditional_t<kPlanar, Zero, T>;

}  // namespace hamiltree::dh_frames
