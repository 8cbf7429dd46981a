// Where FMUs keep their library for this platform.
#pragma once

#include <string>

namespace hamiltree {

// By the version of the standard, 2 or 3; nothing where that has no name for this platform.
inline std::string fmu_binary_folder([[maybe_unused]] int version) {
#if defined(__linux__) && defined(__x86_64__)
  return version == 2 ? "binaries/linux64/" : "binaries/x86_64-linux/";
#elif defined(__linux__) && defined(__aarch64__)
  return version == 2 ? "" : "binaries/aarch64-linux/";
#else
  return "";
#endif
}

}  // namespace hamiltree
