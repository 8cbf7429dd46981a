// One target as a program of libFuzzer; which one, HAMILTREE_FUZZ_TARGET says.
#include <cstddef>
#include <cstdint>

#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  hamiltree::fuzz::HAMILTREE_FUZZ_TARGET({reinterpret_cast<const char*>(bytes), count});
  return 0;
}
