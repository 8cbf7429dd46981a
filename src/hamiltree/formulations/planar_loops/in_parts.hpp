// A model as planar linkages: parts that are alike side by side in lanes, and the rest, which joins
// them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "hamiltree/formulations/lane_choice.hpp"
#include "hamiltree/formulations/planar_loops/linkage.hpp"
#include "hamiltree/formulations/planar_loops/part.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::planar_loops {

// Up to eight parts; the last one fills the lanes that are left.
struct LaneGroup {
  Linkage<Pack> linkage;
  std::vector<std::vector<int>> cuts;  // of each lane in use, joints of the model
  int lanes() const { return static_cast<int>(cuts.size()); }
};

// Cuts that a lane leaves open are taken by a front of the rest.
struct Given {
  std::size_t group = 0;
  int lane = 0, from = 0;  // front
  int into = 0;            // front
  bool opens = false;      // its first source
  std::vector<int> to;     // position there of each cut of `from`, if open there
};

// A cut of which a lane has but one end; the rest has it, too. Lanes that are not in use have the
// cuts of the last one: all eight compute the same from the same.
struct SharedCut {
  std::size_t group = 0;
  int lane = 0;
  std::size_t cut = 0, in_rest = 0;
};

struct LinkageInParts {
  std::vector<LaneGroup> lane_groups;
  Linkage<double> rest;
  std::vector<int> cuts;  // of the rest
  std::vector<Given> given;
  std::vector<SharedCut> shared;
};

// The ways in which a model may be computed, see planar_loops.hpp.
using Alternatives = std::vector<LinkageInParts>;

enum class HubChoice { kIfMuchHangsOnIt, kNever };

// Nothing where a model is another: in space, without loops, with joints that are no pins, with
// drives, couplings, armatures or bodies without inertia. Forces are not looked at.
std::optional<LinkageInParts> linkage_of(const Model& model, LaneChoice lanes,
                                         HubChoice hub = HubChoice::kIfMuchHangsOnIt);
// The same as one part without a hub.
std::optional<Part> whole_of(const Model& model);

}  // namespace hamiltree::planar_loops
