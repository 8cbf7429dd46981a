// The checks of validation: small functions, each of which refuses an element with one sentence.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/model/validate.hpp"

namespace hamiltree {

// A ModelError about an element whose place is known, while that of the key is not: files know it.
class RefusedElement : public ModelError {
 public:
  RefusedElement(const SourceLocation& where, const std::string& element, const std::string& why,
                 std::string key)
      : ModelError(where, element, element + ": " + why), why_(why), key_(std::move(key)) {}

  const std::string& why() const { return why_; }
  const std::string& key() const { return key_; }  // "mass", "initial.q"; empty: no one key

 private:
  std::string why_, key_;
};

// `joint "A"`
std::string titled(const std::string& kind, const std::string& name);

// `key`: of the element, if it is one that is wrong; `what` of the checks below is one.
[[noreturn]] void refuse(const SourceLocation& where, const std::string& element,
                         const std::string& why, const std::string& key = {});

void check_number(double value, const std::string& what, const SourceLocation& where,
                  const std::string& element);

void check_not_negative(double value, const std::string& what, const SourceLocation& where,
                        const std::string& element);

void check_positive(double value, const std::string& what, const SourceLocation& where,
                    const std::string& element);

template <class Derived>
void check_numbers(const Eigen::MatrixBase<Derived>& values, const std::string& what,
                   const SourceLocation& where, const std::string& element) {
  if (!values.allFinite()) refuse(where, element, "a number of " + what + " is not finite", what);
}

// A vector of the mechanism's space: the plane has no z.
void check_vector(const Eigen::Vector3d& x, SpaceKind space, const std::string& what,
                  const SourceLocation& where, const std::string& element);

// The fault of a spatial inertia about a centre of mass, as the rest of a sentence: not
// symmetric, a negative principal moment, or three that break the triangle inequality.
std::optional<std::string> inertia_problem(const Eigen::Matrix3d& J,
                                           bool accept_any_triangle = false);

void check_known_body(const NameTable& bodies, const std::string& name, const std::string& role,
                      const SourceLocation& where, const std::string& element);

void check_known_joint(const NameTable& joints, const std::string& name,
                       const SourceLocation& where, const std::string& element,
                       const std::string& key = "joint");

// Forces along a joint, and couplings, need exactly one direction to act in. Gives the joint, which
// the element names by `key`.
const JointDescription& one_dof_joint(const Mechanism& mechanism, const NameTable& joints,
                                      const std::string& joint, const SourceLocation& where,
                                      const std::string& element, const std::string& key);

void check_frame(const Frame& frame, SpaceKind space, const std::string& what,
                 const SourceLocation& where, const std::string& element);

void check_time_function(const TimeFunction& function, const std::string& what,
                         const SourceLocation& where, const std::string& element);

}  // namespace hamiltree
