// A part of a planar linkage, laid out: which cuts are open where, and where they close.
#pragma once

#include <vector>

#include "hamiltree/formulations/planar_loops/linkage.hpp"
#include "hamiltree/model/system.hpp"
#include "hamiltree/space/planar.hpp"

namespace hamiltree::planar_loops {

using PlanarSystem = System<Planar<double>>;

// Trees on the ground and on the hub, whole. A cut closes here if both its ends are here, or on the
// ground or the hub, or if one of `given` has the other; else it stays open.
struct PartRequest {
  std::vector<int> bodies;  // ascending, without the hub
  int hub = kGround;
  bool has_hub = false;                 // else the hub is a copy without mass
  std::vector<std::vector<int>> given;  // cuts that others leave open; joints of the system
};

struct Part {
  // Where one of `given` is taken.
  struct Taken {
    int into = 0;         // front
    bool opens = false;   // its first source
    std::vector<int> to;  // place there of each of its cuts
  };

  Linkage<double> linkage;
  std::vector<int> cuts;  // joints of the system
  std::vector<Taken> taken;
};

Part make_part(const PlanarSystem& system, const PartRequest& request);

}  // namespace hamiltree::planar_loops
