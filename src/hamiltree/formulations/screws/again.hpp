// Other momenta at the same pose of a tree in the plane: what inwards() has made of the inertias
// stays, and the forces alone go in again. Then outwards() as before.
#pragma once

#include <type_traits>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/screws/passes.hpp"

namespace hamiltree::screws {

// After inwards<kLoads, true>(); p by slot. With M e_c = C_zz W, eqs. (1) and (2) of eliminate()
// become
//   (1)  r = p - D_c,   u = r / C_zz
//   (2)  D <- D + W r,  of which the pin's row is p exactly
template <class T, class O, class K>
inline void inwards_again(const std::vector<Pin<K>>& pins, const T* p, ScrewWork<T, O>& work) {
  static_assert(std::is_same_v<O, Zero>, "bodies that float need all of inwards()");
  Vector6<T, O> D;
  for (std::size_t i = pins.size(); i-- > 0;) {
    const auto& pin = pins[i];
    const auto slot = at(pin.slot);
    auto& e = work.eliminated[i];
    if (pin.is_leaf) D = {};
    if (pin.branches >= 0) D = work.force_sums[at(pin.branches)];
    // (1)
    const T r = p[slot] - D.c;
    e.u = r * work.inverse[i];
    if (is_root(pin.way)) continue;
    // (2)
    D.x += e.Wx * r, D.y += e.Wy * r;
    D.c = p[slot];
    e.Dx = D.x, e.Dy = D.y;
    for_way<O>(pin.way, [&]<int kWay>() {
      if constexpr (!is_root(kWay)) carry_force<kWay>(pin, work.s[slot], work.c[slot], D);
    });
    if (pin.continues) continue;
    auto& sum = work.force_sums[at(pin.joins)];
    if (pin.opens) sum = {};
    add(D, sum);
  }
}

}  // namespace hamiltree::screws
