// `repeat = N`: the places {i}, {i+K} and {i-K} in the strings of a repeated element.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hamiltree {

// Whether `text` holds a place that only a repeated element can fill.
bool has_place(std::string_view text);

// `text` with {i} as `index`, {i+K} as index + K, {i-K} as index - K. Throws std::invalid_argument,
// naming the place, when a brace opens anything else.
std::string fill_places(std::string_view text, std::int64_t index);

}  // namespace hamiltree
