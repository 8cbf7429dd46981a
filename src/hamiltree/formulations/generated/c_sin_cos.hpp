// Sines and cosines of eight angles in C, traced from math/quarter_turns.hpp.
#pragma once

#include <string>

namespace hamiltree::generated {

// A static function sin_cos(angle, sine, cosine) of arrays of eight.
std::string c_sin_cos();

}  // namespace hamiltree::generated
