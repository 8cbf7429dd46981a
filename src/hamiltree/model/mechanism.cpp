#include "hamiltree/model/mechanism.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hamiltree {
namespace {

constexpr std::array kJointNames{
    std::pair{JointType::kRevolute, "revolute"},
    std::pair{JointType::kPrismatic, "prismatic"},
    std::pair{JointType::kHelical, "helical"},
    std::pair{JointType::kCylindrical, "cylindrical"},
    std::pair{JointType::kUniversal, "universal"},
    std::pair{JointType::kSpherical, "spherical"},
    std::pair{JointType::kPlanar, "planar"},
    std::pair{JointType::kTranslational, "translational"},
    std::pair{JointType::kPinInSlot, "pin_in_slot"},
    std::pair{JointType::kFixed, "fixed"},
    std::pair{JointType::kFree, "free"},
};

}  // namespace

bool is_massless(const BodyDescription& body) {
  return body.mass == 0.0 && body.inertia.isZero(0.0);
}

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

bool exists_in(JointType type, SpaceKind space) {
  switch (type) {
    case JointType::kRevolute:
    case JointType::kPrismatic:
    case JointType::kFixed:
    case JointType::kFree:
      return true;
    case JointType::kPinInSlot:
      return space == SpaceKind::kPlanar;
    case JointType::kHelical:
    case JointType::kCylindrical:
    case JointType::kUniversal:
    case JointType::kSpherical:
    case JointType::kPlanar:
    case JointType::kTranslational:
      break;
  }
  return space == SpaceKind::kSpatial;
}

std::vector<std::string> joint_type_names(SpaceKind space) {
  std::vector<std::string> names;
  for (const auto& [type, name] : kJointNames) {
    if (exists_in(type, space)) names.emplace_back(name);
  }
  return names;
}

Mechanism::Mechanism() = default;
Mechanism::Mechanism(const Mechanism&) = default;
Mechanism::Mechanism(Mechanism&&) noexcept = default;
Mechanism& Mechanism::operator=(const Mechanism&) = default;
Mechanism& Mechanism::operator=(Mechanism&&) noexcept = default;
Mechanism::~Mechanism() = default;

Mechanism& Mechanism::add(const BodyDescription& body) {
  bodies.push_back(body);
  return *this;
}

Mechanism& Mechanism::add(const JointDescription& joint) {
  joints.push_back(joint);
  return *this;
}

std::vector<double> Coupling::polynomial() const {
  std::vector<double> coefficients{offset, ratio};
  coefficients.insert(coefficients.end(), higher.begin(), higher.end());
  return coefficients;
}

void Coupling::set_polynomial(std::span<const double> coefficients) {
  while (coefficients.size() > 2 && coefficients.back() == 0.0)
    coefficients = coefficients.first(coefficients.size() - 1);
  offset = coefficients.empty() ? 0.0 : coefficients[0];
  ratio = coefficients.size() < 2 ? 0.0 : coefficients[1];
  const auto beyond = coefficients.subspan(std::min<std::size_t>(2, coefficients.size()));
  higher.assign(beyond.begin(), beyond.end());
}

Mechanism& Mechanism::add(const Coupling& coupling) {
  couplings.push_back(coupling);
  return *this;
}

Mechanism& Mechanism::add(const ForceDescription& force) {
  forces.push_back(force);
  return *this;
}

Mechanism& Mechanism::add(const SensorDescription& sensor) {
  sensors.push_back(sensor);
  return *this;
}

Mechanism& Mechanism::add(const EventDescription& event) {
  events.push_back(event);
  return *this;
}

}  // namespace hamiltree
