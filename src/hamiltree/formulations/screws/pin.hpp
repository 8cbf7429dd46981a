// Pin: one body of a tree and the pin that holds it, in screw frames, as plain constants. The frame
// of a body has its z axis along its inboard pin and its x axis along the common normal to the next
// one, so that the way from a frame to the next is
//   X = Rx(alpha) Tx(a) Rz(theta) Tz(d),     theta = sign q + theta_0
// with alpha, a and d constant: turns and shifts along x and along z commute pairwise.
#pragma once

#include <array>
#include <cstdint>

namespace hamiltree::screws {

// What is known of alpha, a and d when a model is compiled: sixteen ways, each with its own code.
enum class Turn : std::uint8_t { kNone, kRight, kLeft, kAny };  // alpha: 0, +90, -90 degrees, other

inline constexpr int kTurnBits = 3, kAlongX = 4, kAlongZ = 8;  // of a way
inline constexpr int kAnyWay =
    16;                           // X = [R, r] Rz(theta): no common normal, or not the first child
inline constexpr int kRoot = 17;  // on the ground, which is at rest: nothing to go on to

template <class K>
struct Pin {
  int way = kRoot;
  bool is_leaf = false;
  bool continues = false;  // the only child of the pin before it
  int joins = 0;           // place of the sum of the pin inboard, where it has several children
  int branches = -1;       // place of its own, if it has several children

  K sin_alpha{0}, cos_alpha{1}, a{0}, d{0};
  K sin2{0}, sin_cos{0}, twice_sin_cos{0}, cos2{1}, cot{0};  // of alpha
  K mx{0}, my{0};                                            // first moments, kg m; m z is inboard
  K mass{0};                                                 // of the body, kg
  K Jxx{0}, Jxy{0}, Jxz{0}, Jyz{0}, Jzz{0};                  // about the origin; Jyy is inboard
  K d_mass{0}, a_mass{0};     // d and a times the mass behind the pin
  std::array<K, 9> R{};       // of kAnyWay, row by row
  std::array<K, 3> r{};       // m
  std::array<K, 3> r_mass{};  // r times the mass behind the pin
};

}  // namespace hamiltree::screws
