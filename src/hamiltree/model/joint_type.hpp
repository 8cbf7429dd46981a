// JointType: the kinds of joints there are, by the same word in files, messages and code.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hamiltree {

enum class SpaceKind { kPlanar, kSpatial };

enum class JointType {
  kRevolute,
  kPrismatic,
  kHelical,
  kCylindrical,
  kUniversal,
  kSpherical,
  kPlanar,
  kTranslational,
  kPinInSlot,
  kFixed,
  kFree
};

// "revolute", "prismatic", ...
const char* to_name(JointType type);
std::optional<JointType> joint_type_from_name(const std::string& name);
// Whether a type exists in a space: some need the third dimension.
bool exists_in(JointType type, SpaceKind space);
std::vector<std::string> joint_type_names(SpaceKind space);

}  // namespace hamiltree
