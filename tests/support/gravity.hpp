// The gravity that tests give their mechanisms.
#pragma once

namespace hamiltree::test {

inline constexpr double kGravity = 9.81;  // m/s^2

}  // namespace hamiltree::test
