// The output of the examples: a name and a number, with the fewest digits that read back the same.
#pragma once

#include <iostream>
#include <string>

#include "hamiltree/base/text.hpp"

inline void show(const std::string& name, double value) {
  std::cout << name << ' ' << hamiltree::to_text(value) << '\n';
}
