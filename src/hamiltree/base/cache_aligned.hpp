// CacheAligned: an allocator for vectors that begin where a cache line does, and so that no pack of
// eight numbers lies across two.
#pragma once

#include <cstddef>
#include <new>

namespace hamiltree {

template <class T>
struct CacheAligned {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  CacheAligned() = default;
  template <class U>
  CacheAligned(const CacheAligned<U>&) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, kLine); }

  bool operator==(const CacheAligned&) const = default;
};

}  // namespace hamiltree
