// The paper's Table 1: operations of forward dynamics of a chain of n pins, n >= 3.
#pragma once

#include <array>

#include "studies/naudet2003/linear.hpp"

namespace hamiltree::naudet2003 {

struct Published {
  const char* name;
  Linear additions, multiplications, total;
};

inline constexpr std::array<Published, 5> kPublished{{
    {"Featherstone", {275, -18}, {336, -220}, {611, -238}},
    {"Vukobratovic", {231, -294}, {249, -272}, {480, -566}},
    {"Valasek", {206, -345}, {226, -343}, {432, -688}},
    {"Rein", {195, -247}, {216, -317}, {411, -669}},
    {"Naudet", {178, -230}, {185, -245}, {363, -475}},
}};
inline constexpr const Published& kNaudet = kPublished.back();

// The counts known to be reachable with the same algorithm, for any pair of axes and full inertias,
// in frames on the dh_frames between the axes: without loads, with gravity, with a wrench on every
// body.
inline constexpr Linear kReachable{291, -467};
inline constexpr Linear kReachableGravity{324, -503};
inline constexpr Linear kReachableWrench{330, -524};

}  // namespace hamiltree::naudet2003
