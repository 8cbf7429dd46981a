// Shared by writers of tree formats: the joints in an order in which parents come first, and what
// acts along each.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// All that acts along or in one joint.
struct WrittenForces {
  double stiffness = 0.0, rest = 0.0, damping = 0.0, friction = 0.0;
  std::optional<double> lower, upper;
};

struct WrittenTree {
  // Turned where needed, so that the parent is the inboard body.
  std::vector<JointDescription> joints;
  std::vector<JointDescription> cuts;
  std::map<std::string, WrittenForces> forces;  // by joint
  // That stand in no joint.
  std::vector<ForceDescription> others;
};

// The tree of a spatial mechanism. Joints that only few formats can close loops with are kept in
// the tree. Throws ModelError for what neither URDF nor MJCF can say: drives, moving frames, and
// friction of another form than importers give it.
WrittenTree written_tree(const Mechanism& mechanism);

// Whether a bushing that goes by the joint's name acts in that joint, as importers make it: between
// its bodies, at its place on the child.
bool acts_in(const Bushing& f, const JointDescription& joint);

// Refuses a body with the name that a format gives to what stands still.
void refuse_bodies_called_world(const Mechanism& mechanism, const char* format);

// Springs along one joint are one; where there is but one, it rests where it did to the last digit.
void add_spring(const JointSpringDamper& f, double& stiffness, double& rest);

// Refuses an element that a format cannot say.
[[noreturn]] void refuse_to_write(const std::string& kind, const std::string& name,
                                  const SourceLocation& where, const std::string& sentence);

}  // namespace hamiltree
