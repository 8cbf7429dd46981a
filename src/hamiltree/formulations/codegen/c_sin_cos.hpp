// Sines and cosines in C, traced from math/quarter_turns.hpp.
#pragma once

#include <string>

namespace hamiltree::codegen {

// A static function sin_cos(angle, &sine, &cosine) of one angle; the qualifier stands before void.
std::string c_sin_cos(const std::string& qualifier = "");

// A static function sin_cos_8(angle, sine, cosine) of arrays of eight.
std::string c_sin_cos_8();

}  // namespace hamiltree::codegen
