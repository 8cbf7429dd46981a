#include "hamiltree/io/export/model/written_tree.hpp"

#include <algorithm>

#include "hamiltree/base/index.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/model/topology/spanning_tree.hpp"

namespace hamiltree {

void add_spring(const JointSpringDamper& f, double& stiffness, double& rest) {
  if (f.stiffness == 0.0) return;
  const double both = stiffness + f.stiffness;
  rest = stiffness == 0.0 ? f.rest : (stiffness * rest + f.stiffness * f.rest) / both;
  stiffness = both;
}

bool acts_in(const Bushing& f, const JointDescription& joint) {
  constexpr double kRounding = 1e-9;  // m, of frames that importers have moved
  const auto lies_at = [&](const Frame& frame) {
    return (f.at_b.position - frame.position).isZero(kRounding);
  };
  if (f.body_a == joint.parent && f.body_b == joint.child) return lies_at(joint.at_child);
  // Seen from the child, the parent slides in other directions.
  return joint.type != JointType::kPlanar && joint.type != JointType::kFree &&
         f.body_a == joint.child && f.body_b == joint.parent && lies_at(joint.at_parent);
}

void refuse_bodies_called_world(const Mechanism& mechanism, const char* format) {
  for (const auto& body : mechanism.bodies) {
    if (body.name != "world") continue;
    refuse_to_write("body", body.name, body.where,
                    std::string("this is the name of what stands still in ") + format);
  }
}

void refuse_to_write(const std::string& kind, const std::string& name, const SourceLocation& where,
                     const std::string& sentence) {
  const std::string element = kind + " \"" + name + "\"";
  throw ModelError(where, element, element + ": " + sentence);
}

namespace {

int preference_of(const JointDescription& joint) {
  if (joint.cut) return *joint.cut ? 4 : 0;
  switch (joint.type) {
    case JointType::kFree:
      return 0;
    case JointType::kRevolute:
      return 2;
    case JointType::kSpherical:
    case JointType::kFixed:
      return 3;
    default:
      return 1;
  }
}

// Gathers forces; what is in no joint, or in all directions of one, is handed on.
struct Gatherer {
  WrittenTree& tree;

  void operator()(const JointSpringDamper& f) const {
    auto& along = tree.forces[f.joint];
    add_spring(f, along.stiffness, along.rest);
    along.damping += f.damping;
  }
  void operator()(const JointLimits& f) const {
    auto& along = tree.forces[f.joint];
    if (along.lower || along.upper)
      refuse_to_write("joint", f.joint, f.where, "two stops in one joint cannot be written");
    along.lower = f.lower;
    along.upper = f.upper;
  }
  void operator()(const JointFriction& f) const {
    if (f.coulomb > 0.0 && f.velocity_scale != kFrictionVelocity) {
      refuse_to_write("joint", f.joint, f.where,
                      "friction with another velocity_scale than 0.01 cannot be written");
    }
    tree.forces[f.joint].friction += f.coulomb;
    tree.forces[f.joint].damping += f.viscous;
  }
  template <class Other>
  void operator()(const Other& f) const {
    tree.others.emplace_back(f);
  }
};

void refuse_motion(const JointDescription& joint) {
  if (joint.drive) {
    refuse_to_write("joint", joint.name, joint.where, "is driven, which cannot be written");
  }
  if (joint.parent_motion) {
    refuse_to_write("joint", joint.name, joint.where,
                    "has a moving parent frame, which cannot be written");
  }
}

// A slot on the child and a pin on the parent are another joint.
void refuse_reversed_slot(const JointDescription& joint) {
  if (joint.type == JointType::kPinInSlot) {
    refuse_to_write("joint", joint.name, joint.where,
                    "the tree that is written runs from the pin to the slot, which cannot be "
                    "written; cut another joint of the loop");
  }
}

// About the axes of its child, which would be its parent.
void refuse_reversed_friction(const JointDescription& joint, const WrittenTree& tree) {
  const auto forces = tree.forces.find(joint.name);
  if (JointFriction::takes(joint.type) && forces != tree.forces.end() &&
      forces->second.friction != 0.0)
    refuse_to_write("joint", joint.name, joint.where,
                    "the tree that is written runs from the child to the parent of this joint, and "
                    "its friction is about the axes of the child; cut another joint of the loop");
}

}  // namespace

WrittenTree written_tree(const Mechanism& mechanism) {
  WrittenTree tree;
  for (const auto& force : mechanism.forces) std::visit(Gatherer{tree}, force);
  std::map<std::string, int> number{{kGround, -1}};
  for (const auto& body : mechanism.bodies) {
    number.emplace(body.name, static_cast<int>(number.size()) - 1);
  }
  std::vector<Edge> edges;
  for (const auto& joint : mechanism.joints) {
    refuse_motion(joint);
    edges.push_back({number.at(joint.parent), number.at(joint.child)});
  }
  const auto given = as_given(edges);
  auto preferred = given;
  std::ranges::stable_sort(preferred, {},
                           [&](int e) { return preference_of(mechanism.joints[at(e)]); });
  const int bodies = static_cast<int>(mechanism.bodies.size());
  const auto spanning = walked(bodies, edges, first_joined(bodies, edges, preferred), given);
  for (const auto& branch : spanning.branches) {
    auto joint = mechanism.joints[at(branch.edge)];
    if (branch.reversed) {
      refuse_reversed_slot(joint);
      refuse_reversed_friction(joint, tree);
      reverse(joint);
    }
    tree.joints.push_back(std::move(joint));
  }
  for (const int edge : spanning.cuts) tree.cuts.push_back(mechanism.joints[at(edge)]);
  return tree;
}

}  // namespace hamiltree
