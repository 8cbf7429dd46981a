// Numbers as text, independent of the locale: printed shortest-round-trip, parsed whole.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hamiltree {

// The shortest text that parses back to exactly the same double; "nan", "inf", "-inf" as such.
std::string to_text(double value);

// For people: three significant digits, whole numbers below ten million in full, "1.23e-9".
std::string to_short(double value);

// The number that the whole of `text` spells (decimal or scientific), or nothing.
std::optional<double> parse_number(std::string_view text);

}  // namespace hamiltree
