// Indices: counts and numbers of things are int, containers want std::size_t.
#pragma once

#include <cstddef>

namespace hamiltree {

// A non-negative index as containers want it: v[at(i)].
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace hamiltree
