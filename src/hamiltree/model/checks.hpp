// What validation is made of: small checks, each of which refuses an element with one sentence.
#pragma once

#include <Eigen/Core>
#include <string>

#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/model/validate.hpp"

namespace hamiltree {

// `joint "A"`
std::string titled(const std::string& kind, const std::string& name);

[[noreturn]] void refuse(const SourceLocation& where, const std::string& element,
                         const std::string& why);

void check_number(double value, const std::string& what, const SourceLocation& where,
                  const std::string& element);

void check_not_negative(double value, const std::string& what, const SourceLocation& where,
                        const std::string& element);

template <class Derived>
void check_numbers(const Eigen::MatrixBase<Derived>& values, const std::string& what,
                   const SourceLocation& where, const std::string& element) {
  if (!values.allFinite()) refuse(where, element, "a number of " + what + " is not finite");
}

// A vector of the mechanism's space: the plane has no z.
void check_vector(const Eigen::Vector3d& x, SpaceKind space, const std::string& what,
                  const SourceLocation& where, const std::string& element);

void check_known_body(const NameTable& bodies, const std::string& name, const std::string& role,
                      const SourceLocation& where, const std::string& element);

// The keys that a Sine and an Actuator share; `prefix` stands in front of each in messages.
template <class Wave>
void check_wave(const Wave& wave, const std::string& prefix, const SourceLocation& where,
                const std::string& element) {
  check_number(wave.constant, prefix + "constant", where, element);
  check_number(wave.amplitude, prefix + "amplitude", where, element);
  check_number(wave.frequency, prefix + "frequency", where, element);
  check_number(wave.phase, prefix + "phase", where, element);
}

}  // namespace hamiltree
