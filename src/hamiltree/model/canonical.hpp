// Canonical momenta: y, conjugate to the coordinates q themselves, from the momenta p, conjugate to
// the joint velocities v. They differ for quasi-velocities only; symplectic methods integrate
// (q, y). As many as coordinates.
#pragma once

#include <algorithm>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree {

template <class Space>
void to_canonical(const System<Space>& system, const typename Space::Scalar* q,
                  const typename Space::Scalar* p, typename Space::Scalar* y) {
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (joint.velocities == 0) continue;
    visit_joint<Space>(
        joint, [&]<class J>(const J&) { J::conjugate(q + joint.q, p + joint.v, y + joint.q); });
  }
}

template <class Space>
void from_canonical(const System<Space>& system, const typename Space::Scalar* q,
                    const typename Space::Scalar* y, typename Space::Scalar* p) {
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (joint.velocities == 0) continue;
    visit_joint<Space>(
        joint, [&]<class J>(const J&) { J::quasi_momenta(q + joint.q, y + joint.q, p + joint.v); });
  }
}

template <class Space>
void canonical_rates(const System<Space>& system, const typename Space::Scalar* q,
                     const typename Space::Scalar* y, const typename Space::Scalar* p,
                     const typename Space::Scalar* v, const typename Space::Scalar* p_dot,
                     typename Space::Scalar* y_dot) {
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& j = system.joint(b);
    if (j.velocities == 0) continue;
    visit_joint<Space>(j, [&]<class J>(const J&) {
      J::conjugate_rates(q + j.q, y + j.q, p + j.v, v + j.v, p_dot + j.v, y_dot + j.q);
    });
  }
}

// Sizes of canonical momenta from those of p by velocity: a quaternion's four are of the size of
// twice the angular momentum.
template <class Space>
void canonical_sizes(const System<Space>& system, const double* sizes, double* canonical) {
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    for (int i = 0; i < joint.coordinates && joint.velocities > 0; ++i)
      canonical[joint.q + i] = sizes[joint.v + std::min(i, joint.velocities - 1)];
  }
}

}  // namespace hamiltree
