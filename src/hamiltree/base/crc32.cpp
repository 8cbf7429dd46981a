#include "hamiltree/base/crc32.hpp"

#include <array>

namespace hamiltree {

std::uint32_t crc32_of(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> values{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) * 0xedb88320U);
      values[i] = value;
    }
    return values;
  }();
  std::uint32_t crc = 0xffffffffU;
  for (const char byte : bytes) {
    crc = table[(crc ^ static_cast<unsigned char>(byte)) & 0xffU] ^ (crc >> 8U);
  }
  return ~crc;
}

}  // namespace hamiltree
