// Between these two all functions are inlined into those that call them, with all that other
// headers define there. For clang, whose [[gnu::flatten]] goes one call deep; that of gcc goes all
// the way.
#pragma once

#if defined(__clang__) && !defined(HAMILTREE_ONE_INSTRUCTION_SET)
#define HAMILTREE_INLINE_ALL_BEGIN \
  _Pragma("clang attribute push(__attribute__((always_inline)), apply_to = function)")
#define HAMILTREE_INLINE_ALL_END _Pragma("clang attribute pop")
#else
#define HAMILTREE_INLINE_ALL_BEGIN
#define HAMILTREE_INLINE_ALL_END
#endif
