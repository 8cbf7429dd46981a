// The two frames of a joint, for forces in joints with more than one degree of freedom.
#pragma once

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/forces/fields.hpp"
#include "hamiltree/model/joint_type.hpp"
#include "hamiltree/space/pose.hpp"

namespace hamiltree {

template <class Space>
struct JointEnds {
  int in_joint = 0;  // it is not along it that they act, as do those that have a `joint`
  int body_a = kNone, body_b = kNone;  // its parent and its child
  Pose<Space> X_a, X_b;                // its frames in these

  template <class To>
  JointEnds<To> cast_ends() const {
    using Other = typename To::Scalar;
    return {in_joint, body_a, body_b, X_a.template cast<Other>(), X_b.template cast<Other>()};
  }
  template <class Self, class Visit>
  static void visit_ends(Self& self, Visit& visit) {
    visit.joint(self.in_joint, Uses::kRate);
    visit.body(self.body_a);
    visit.body(self.body_b);
  }
};

}  // namespace hamiltree
