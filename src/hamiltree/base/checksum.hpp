// Checksum: whether bytes on a disk are those that were written. Fowler, Noll and Vo's hash
// (FNV-1a, 64 bits) of what has been added so far; it finds damage, not malice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hamiltree {

class Checksum {
 public:
  Checksum() = default;
  explicit Checksum(std::string_view bytes) { add(bytes); }

  void add(std::string_view bytes) {
    for (const char byte : bytes)
      value_ = (value_ ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  }
  std::uint64_t value() const { return value_; }
  // Sixteen hexadecimal digits.
  std::string text() const {
    std::string digits(16, '0');
    auto rest = value_;
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, rest >>= 4)
      *digit = "0123456789abcdef"[rest & 15U];
    return digits;
  }

 private:
  std::uint64_t value_ = 14695981039346656037U;
};

}  // namespace hamiltree
