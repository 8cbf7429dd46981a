// Whether `recursive` may compute bodies of one system side by side in lanes.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hamiltree {

enum class LaneChoice {
  kAuto,    // where that is predicted to be faster
  kNever,   // one body after the other
  kAlways,  // wherever there is anything to lay side by side
};

inline constexpr std::array<std::string_view, 3> kLaneChoices{"auto", "never", "always"};

inline std::string to_name(LaneChoice choice) {
  return std::string(kLaneChoices[static_cast<std::size_t>(choice)]);
}
inline std::optional<LaneChoice> lane_choice_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kLaneChoices.size(); ++i) {
    if (name == kLaneChoices[i]) return static_cast<LaneChoice>(i);
  }
  return std::nullopt;
}

}  // namespace hamiltree
