// The colours of curves: Okabe and Ito's, which most colour-blind readers can tell apart. A
// formulation has the same colour in every figure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hamiltree {

// Colours of hdca, recursive, dca, aba and dense; black for any other name.
inline std::string formulation_colour(std::string_view formulation) {
  if (formulation == "hdca") return "#0072b2";
  if (formulation == "dca") return "#d55e00";
  if (formulation == "recursive") return "#009e73";
  if (formulation == "aba") return "#c567a0";
  if (formulation == "dense") return "#d08c00";
  return "#1b1f24";
}

// Colours of curves that are told apart otherwise, in the order of their use.
inline std::string nth_colour(std::size_t n) {
  constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#c567a0",
                                      "#d08c00", "#3fa0dc", "#3c434c"};
  return kColours[n % std::size(kColours)];
}

}  // namespace hamiltree
