// Revolute: one body of a tree and the revolute that holds it, in DH frames, as plain constants.
// The frame of a body has its z axis along its inboard revolute and its x axis along the common
// normal to the next one, so that the way from a frame to the next is
//   X = Rx(alpha) Tx(a) Rz(theta) Tz(d),     theta = sign q + theta_0
// with alpha, a and d constant: turns and shifts along x and along z commute pairwise. To other
// children of the same body it is Rz(beta) Tz(b) X.
#pragma once

#include <array>
#include <cstdint>

namespace hamiltree::dh_frames {

// Link cases: what is known of alpha, a and d when a model is compiled; each has its own code.
// The twist alpha is 0, +90, -90 degrees or another.
enum class Twist : std::uint8_t { kNone, kRight, kLeft, kAny };

inline constexpr int kTwistBits = 3, kAlongX = 4, kAlongZ = 8;  // of a link case
inline constexpr int kAnyCase = 16;     // X = [R, r] Rz(theta): the common normal is too far away
inline constexpr int kBranchCase = 17;  // Rz(beta) Tz(b) X: not the child that the frame points at
inline constexpr int kMixedCase = 18;   // X, lanes of different ways
inline constexpr int kPlaneBranchCase = 19;  // the same in the plane: Rz(beta) Tx(a) Rz(theta)
inline constexpr int kRoot = 20;             // on the ground, which is at rest: nothing to go on to
inline constexpr int kFreeRoot = 21;         // no revolute: a body that floats, in its own frame

// In place of the sum that a revolute joins: of the root of a lane group, whose inboard revolute is
// elsewhere.
inline constexpr int kHandsOver = -2;

template <class K>
struct Revolute {
  int link_case = kRoot;
  int slot = 0;  // of its angle, momentum and rates in the work; a free root has six
  bool is_leaf = false;
  bool continues = false;  // the only child of the revolute before it
  bool opens = false;      // the first to join that sum, from the tips
  int joins = 0;      // place of the sum of the revolute inboard, where it has several children
  int branches = -1;  // place of its own, if it has several children

  // First what planar chains take, side by side: on long ones memory is what the time goes into.
  K a{0}, mass{0};         // m; of the body, kg
  K mx{0}, my{0}, Jzz{0};  // first moments, kg m, m z is inboard; kg m^2
  K a_mass{0};             // a times the mass behind the revolute
  K sin_alpha{0}, cos_alpha{1}, d{0};
  K sin2{0}, sin_cos{0}, twice_sin_cos{0}, cos2{1}, cot{0};  // of alpha
  K sin_beta{0}, cos_beta{1}, b{0};
  K Jxx{0}, Jxy{0}, Jxz{0}, Jyz{0};  // with Jzz about the origin; Jyy is inboard
  K mz{0}, Jyy{0};                   // of a free root
  K mass_behind{0};                  // of the body and all behind it
  K d_mass{0}, b_mass{0};            // d and b times the mass behind the revolute
  std::array<K, 9> R{};              // of kAnyCase and roots, row by row
  std::array<K, 3> r{};              // m
  std::array<K, 3> r_mass{};         // r times the mass behind the revolute
};

}  // namespace hamiltree::dh_frames
