// CRC-32 of IEEE 802.3, as zip archives have it.
#pragma once

#include <cstdint>
#include <string_view>

namespace hamiltree {

std::uint32_t crc32_of(std::string_view bytes);

}  // namespace hamiltree
