#include "hamiltree/model/checks.hpp"

#include <cmath>

#include "hamiltree/base/text.hpp"

namespace hamiltree {

std::string titled(const std::string& kind, const std::string& name) {
  return kind + " \"" + name + "\"";
}

void refuse(const SourceLocation& where, const std::string& element, const std::string& why) {
  throw ModelError(where, element, element + ": " + why);
}

void check_number(double value, const std::string& what, const SourceLocation& where,
                  const std::string& element) {
  if (!std::isfinite(value)) refuse(where, element, what + " is not a finite number");
}

void check_not_negative(double value, const std::string& what, const SourceLocation& where,
                        const std::string& element) {
  check_number(value, what, where, element);
  if (value < 0.0) refuse(where, element, what + " must not be negative, it is " + to_text(value));
}

void check_vector(const Eigen::Vector3d& x, SpaceKind space, const std::string& what,
                  const SourceLocation& where, const std::string& element) {
  check_numbers(x, what, where, element);
  if (space == SpaceKind::kPlanar && x.z() != 0.0) {
    refuse(where, element, what + " leaves the plane: z is " + to_text(x.z()));
  }
}

void check_known_body(const NameTable& bodies, const std::string& name, const std::string& role,
                      const SourceLocation& where, const std::string& element) {
  if (name != kGround && !bodies.contains(name)) {
    refuse(where, element, role + " \"" + name + "\" is not a body of this mechanism");
  }
}

}  // namespace hamiltree
