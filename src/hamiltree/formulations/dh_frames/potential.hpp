// The potential energy under gravity of all that hangs on the roots, less a constant: what lies
// along the revolute of a root on the ground does not move.
#pragma once

#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/dh_frames/carry.hpp"
#include "hamiltree/formulations/dh_frames/passes.hpp"
#include "hamiltree/formulations/dh_frames/tree.hpp"

namespace hamiltree::dh_frames {

// V = -sum over the roots (sum m r) . g, of floating ones about their origin and m r . g for that
// origin; after both passes.
template <class O>
inline double potential(const Tree& tree, const std::vector<std::size_t>& roots, const double* q,
                        const ScrewWork<double, O>& work) {
  double V = 0.0;
  std::size_t free_root = 0;
  for (const std::size_t i : roots) {
    const auto& revolute = tree.revolutes[i];
    const auto& e = work.eliminated[i];
    double x = tree.gravity[0], y = tree.gravity[1];
    O z(tree.gravity[2]);
    if (revolute.link_case == kRoot) {
      carry_vector<kRoot>(revolute, work.s[at(revolute.slot)], work.c[at(revolute.slot)], x, y, z);
    } else {
      rotate_back(x, y, z, revolute.R);
      const double* r = q + tree.free_roots[free_root].coordinate;
      V -= revolute.mass_behind * (r[0] * x + r[1] * y + r[2] * z);
      rotate_back(x, y, z, work.free_turns[free_root++]);
    }
    V -= e.load_x * x + e.load_y * y + e.load_z * z;
  }
  return V;
}

}  // namespace hamiltree::dh_frames
