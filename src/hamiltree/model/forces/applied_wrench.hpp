// A force at a point of a body and a moment, described and in tables; see
// hamiltree/forces/applied_wrench.hpp.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/model/forces/fields.hpp"
#include "hamiltree/model/frame.hpp"
#include "hamiltree/model/time_function.hpp"
#include "hamiltree/space/pose.hpp"

namespace hamiltree {

template <class Space>
struct BodyWrench;

// A force at a point of a body and a moment, given in time, in the axes of the world or of the
// body.
struct AppliedWrench {
  enum class Axes { kWorld, kBody };
  std::string name;
  std::string body;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m, in the body frame
  TimeVector force;                                    // N
  TimeVector moment;                                   // N m; in the plane only z
  Axes axes = Axes::kWorld;
  SourceLocation where;

  static constexpr const char* kType = "wrench";
  static constexpr const char* kClass = "AppliedWrench";
  static constexpr const char* kHelp =
      "A force (N) at a point of a body (m) and a moment (N m), given in time, in the axes of the "
      "\"world\" or of the \"body\"; in the plane force is (x, y) and moment the one about z.";
  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit.moved_body("body", self.body);
    visit.point("position", self.position, self.body);
    visit.along_axes_in_time("force", self.force);
    visit.about_axes_in_time("moment", self.moment);
    visit.word("axes", self.axes, std::array{"world", "body"});
  }

  template <class Tables>
  void compile(const Tables& to) const {
    using Space = typename Tables::In;
    BodyWrench<Space> wrench{to.body(body),
                             to.pose(body, {position, Eigen::Matrix3d::Identity()}),
                             axes == Axes::kBody,
                             {},
                             {},
                             {}};
    for (int i = 0; i < 3; ++i) {
      const auto part = kTimeVectorParts[at(i)].function;
      const int k = i - (3 - Space::kAngular);  // in the plane z is the only one
      if (force.*part && i < Space::kLinear) wrench.force[at(i)] = PiecewiseSine(*(force.*part));
      if (moment.*part && k >= 0) wrench.moment[at(k)] = PiecewiseSine(*(moment.*part));
    }
    to.system.wrenches.push_back(wrench);
  }
};

template <class Space>
struct BodyWrench {
  int body = 0;
  Pose<Space> X;       // the user's axes of the body at the point, in the body
  bool turns = false;  // whether force and moment are along these axes, or along the world's
  std::array<PiecewiseSine, Space::kLinear> force;
  std::array<PiecewiseSine, Space::kAngular> moment;
  std::optional<typename Space::Force> given;  // beside them, from outside

  template <class To>
  BodyWrench<To> cast() const {
    using Other = typename To::Scalar;
    BodyWrench<To> result{body, X.template cast<Other>(), turns, force, moment, {}};
    if (given) result.given = given->template cast<Other>();
    return result;
  }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    visit.body(self.body);
  }
};

}  // namespace hamiltree
