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

// Before a function of a kernel: inlines all that it calls. Not where it need only be right, and
// plain calls compile in a fifth of the time: for the set that only processors of before 2013 fall
// back to, without an optimiser and under sanitizers.
#ifdef HAMILTREE_PLAIN_CALLS
#define HAMILTREE_FLAT
#else
#define HAMILTREE_FLAT [[gnu::flatten]]
#endif
