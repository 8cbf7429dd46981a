// "did you mean ...": the known word nearest to one that is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hamiltree {

// The word of `known` that is at most a third of its letters away from `word` (letters added, lost,
// changed or swapped with the next), or an empty string.
std::string closest(std::string_view word, const std::vector<std::string>& known);

// `, did you mean "mass"?` where a word is near, else `; known WHAT are a, b, c`, or
// nothing where the list would be empty or long.
std::string suggestion(std::string_view word, const std::vector<std::string>& known,
                       std::string_view what);

}  // namespace hamiltree
