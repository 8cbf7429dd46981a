// A joint of several that one force acts on.
#pragma once

namespace hamiltree {

// A joint and how much of an effort it feels.
struct JointShare {
  int joint = 0;
  double ratio = 1.0;
};

}  // namespace hamiltree
