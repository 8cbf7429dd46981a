// Numbers of things as text.
#pragma once

#include <string>

namespace hamiltree {

// "1 loop", "2 loops"; "1 body", "2 bodies"
inline std::string counted(long count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}
inline std::string counted(long count, const std::string& noun) {
  return counted(count, noun, noun + "s");
}

}  // namespace hamiltree
