// Chains of pins in the plane, read a few links at a time.
#pragma once

#include <cstddef>

#include "hamiltree/giant/part.hpp"
#include "support/pins.hpp"

namespace hamiltree::test {

// Links of a mechanism as a reader of files gives them.
inline giant::ReadLinks links_of(const Mechanism& whole) {
  return [&whole](std::size_t first, std::size_t last) {
    Mechanism part;
    part.name = whole.name;
    part.space = whole.space;
    part.gravity = whole.gravity;
    for (std::size_t k = first; k < last; ++k) {
      part.add(whole.bodies[k]);
      part.add(whole.joints[k]);
    }
    part.joints.front().parent = kGround;
    return part;
  };
}

inline Mechanism chain(int links) {
  return Pins(static_cast<unsigned>(links)).tree(links, Axes::kInPlane, 1);
}

}  // namespace hamiltree::test
