#include "hamiltree/model/mechanism.hpp"

#include <algorithm>
#include <utility>

#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree {
namespace {

// f(type) of all joint types, in their order.
template <class F>
void for_each_joint_type(const F& f) {
  for (int i = 0; i <= static_cast<int>(JointType::kFree); ++i) f(static_cast<JointType>(i));
}

// f of the joint struct of a type in space, where all of them exist.
template <class F>
auto ask(JointType type, const F& f) {
  return visit_joint<Spatial<double>>(type, 1.0, f);
}

}  // namespace

bool is_massless(const BodyDescription& body) {
  return body.mass == 0.0 && body.inertia.isZero(0.0);
}

const char* to_name(JointType type) {
  return ask(type, []<class J>(const J&) { return J::kName; });
}

std::optional<JointType> joint_type_from_name(const std::string& name) {
  std::optional<JointType> found;
  for_each_joint_type([&](JointType type) {
    if (to_name(type) == name) found = type;
  });
  return found;
}

bool exists_in(JointType type, SpaceKind space) {
  return space == SpaceKind::kSpatial || ask(type, []<class J>(const J&) { return J::kInPlane; });
}

std::vector<std::string> joint_type_names(SpaceKind space) {
  std::vector<std::string> names;
  for_each_joint_type([&](JointType type) {
    if (exists_in(type, space)) names.emplace_back(to_name(type));
  });
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
