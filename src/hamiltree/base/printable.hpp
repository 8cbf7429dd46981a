#pragma once

#include <string>
#include <string_view>

namespace hamiltree {

// Text on one line that no terminal takes for an order: control characters as "\n" and "\x1b".
inline std::string printable(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string shown;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n') {
      shown += "\\n";
    } else if (code < 0x20 || code == 0x7f) {
      shown += {'\\', 'x', kDigits[code / 16], kDigits[code % 16]};
    } else {
      shown += c;
    }
  }
  return shown;
}

}  // namespace hamiltree
