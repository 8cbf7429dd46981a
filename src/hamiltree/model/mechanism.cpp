#include "hamiltree/model/mechanism.hpp"

#include <array>
#include <utility>

namespace hamiltree {
namespace {

constexpr std::array kJointNames{
    std::pair{JointType::kRevolute, "revolute"},
    std::pair{JointType::kPrismatic, "prismatic"},
    std::pair{JointType::kFixed, "fixed"},
    std::pair{JointType::kFree, "free"},
};

}  // namespace

const char* to_name(JointType type) {
  for (const auto& [known, name] : kJointNames) {
    if (known == type) return name;
  }
  return "unknown";
}

std::optional<JointType> joint_type_from_name(const std::string& name) {
  for (const auto& [type, known] : kJointNames) {
    if (known == name) return type;
  }
  return std::nullopt;
}

Mechanism& Mechanism::add(BodyDescription body) {
  bodies.push_back(std::move(body));
  return *this;
}

Mechanism& Mechanism::add(JointDescription joint) {
  joints.push_back(std::move(joint));
  return *this;
}

Mechanism& Mechanism::add(ForceDescription force) {
  forces.push_back(std::move(force));
  return *this;
}

Mechanism& Mechanism::add(SensorDescription sensor) {
  sensors.push_back(std::move(sensor));
  return *this;
}

}  // namespace hamiltree
