// Compiled flat: all that a function calls is inlined into it, so that small matrices stay in
// registers.
#pragma once

#include <type_traits>

#include "hamiltree/base/inline_all.hpp"

namespace hamiltree {

template <class Function>
HAMILTREE_FLAT inline void flattened(const Function& function) {
  function();
}

// function(), flat where it computes on double. Other scalars count, trace or check what doubles
// do, and would take minutes to compile.
template <class Scalar, class Function>
inline void flat(const Function& function) {
  if constexpr (std::is_same_v<Scalar, double>) {
    flattened(function);
  } else {
    function();
  }
}

}  // namespace hamiltree
