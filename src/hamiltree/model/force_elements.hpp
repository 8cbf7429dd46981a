// ForceElements<Space>: the forces of a compiled mechanism as plain tables, names resolved to
// indices and points to the bodies' frames. What they do is said in forces/, a file for each; their
// descriptions are in model/mechanism.hpp.
#pragma once

#include <array>
#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "hamiltree/model/callbacks.hpp"
#include "hamiltree/model/time_function.hpp"
#include "hamiltree/space/pose.hpp"

namespace hamiltree {

inline constexpr int kNone = -1;  // the ground, or an offset that does not exist

template <class Space>
struct JointSpring {
  int joint = 0;
  typename Space::Scalar stiffness{0}, rest{0}, damping{0};

  template <class To>
  JointSpring<To> cast() const {
    using Other = typename To::Scalar;
    return {joint, Other(stiffness), Other(rest), Other(damping)};
  }
};

// One end of a joint's way: side +1 stops what goes beyond `at`, side -1 what falls below.
template <class Space>
struct JointStop {
  int joint = 0;
  double side = 1.0;
  typename Space::Scalar at{0}, stiffness{0}, damping{0}, transition{1};

  template <class To>
  JointStop<To> cast() const {
    using Other = typename To::Scalar;
    return {joint, side, Other(at), Other(stiffness), Other(damping), Other(transition)};
  }
};

template <class Space>
struct Friction {
  int joint = 0;
  typename Space::Scalar coulomb{0}, viscous{0}, velocity_scale{1};

  template <class To>
  Friction<To> cast() const {
    using Other = typename To::Scalar;
    return {joint, Other(coulomb), Other(viscous), Other(velocity_scale)};
  }
};

template <class To, class Scalar>
std::optional<typename To::Scalar> cast_optional(const std::optional<Scalar>& x) {
  using Other = typename To::Scalar;
  return x ? std::optional<Other>(Other(*x)) : std::nullopt;
}

// A point that a rope runs over, and how much of the line from it to the next one counts.
template <class Space>
struct PathPoint {
  int body = kNone;
  typename Space::Position x = Space::Position::Zero();  // body frame
  double ratio = 1.0;
};

template <class Space>
using Path = std::vector<PathPoint<Space>>;

template <class To, class Space>
Path<To> cast_path(const Path<Space>& path) {
  Path<To> result;
  for (const auto& point : path) {
    result.push_back({point.body, point.x.template cast<typename To::Scalar>(), point.ratio});
  }
  return result;
}

template <class Space>
struct PointSpring {
  using Scalar = typename Space::Scalar;
  Path<Space> path;
  Scalar stiffness{0}, rest_length{0}, damping{0};
  std::optional<Scalar> slack;

  template <class To>
  PointSpring<To> cast() const {
    using Other = typename To::Scalar;
    return {cast_path<To, Space>(path), Other(stiffness), Other(rest_length), Other(damping),
            cast_optional<To>(slack)};
  }
};

template <class Space>
struct BodyBushing {
  using Position = typename Space::Position;
  using Angular = typename Space::Angular;
  int body_a = kNone, body_b = kNone;
  Pose<Space> X_a, X_b;  // frames a and b in their bodies
  Position stiffness = Position::Zero(), damping = Position::Zero();
  Angular rotational_stiffness = Angular::Zero(), rotational_damping = Angular::Zero();
  std::optional<typename Space::Scalar> angle_stiffness;
  bool has_turn_spring = false;
  Angular turn_stiffness = Angular::Zero(), rest_turn = Angular::Zero();

  template <class To>
  BodyBushing<To> cast() const {
    using Other = typename To::Scalar;
    return {body_a,
            body_b,
            X_a.template cast<Other>(),
            X_b.template cast<Other>(),
            stiffness.template cast<Other>(),
            damping.template cast<Other>(),
            rotational_stiffness.template cast<Other>(),
            rotational_damping.template cast<Other>(),
            cast_optional<To>(angle_stiffness),
            has_turn_spring,
            turn_stiffness.template cast<Other>(),
            rest_turn.template cast<Other>()};
  }
};

template <class Space>
struct JointActuator {
  int joint = 0;
  PiecewiseSine effort;

  template <class To>
  JointActuator<To> cast() const {
    return {joint, effort};
  }
};

// A joint and how much of an effort it feels.
struct JointShare {
  int joint = 0;
  double ratio = 1.0;
};

template <class Space>
struct ServoLaw {
  using Scalar = typename Space::Scalar;
  PiecewiseSine effort;
  Scalar stiffness{0}, damping{0};
  std::optional<Scalar> lower, upper;

  template <class To>
  ServoLaw<To> cast() const {
    using Other = typename To::Scalar;
    return {effort, Other(stiffness), Other(damping), cast_optional<To>(lower),
            cast_optional<To>(upper)};
  }
};

template <class Space>
struct JointServo {
  std::vector<JointShare> shares;
  ServoLaw<Space> law;

  template <class To>
  JointServo<To> cast() const {
    return {shares, law.template cast<To>()};
  }
};

template <class Space>
struct RopeServo {
  Path<Space> path;
  ServoLaw<Space> law;

  template <class To>
  RopeServo<To> cast() const {
    return {cast_path<To, Space>(path), law.template cast<To>()};
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
};

[[noreturn]] inline void refuse_cast(const std::string& name) {
  throw std::logic_error("force \"" + name + "\" is a callback, which exists for double only");
}

template <class Space>
struct JointCallback {
  std::string name;
  int joint = 0;
  std::function<double(double, double, double)> effort;

  template <class To>
  JointCallback<To> cast() const {
    if (!std::same_as<typename To::Scalar, double>) refuse_cast(name);
    return {name, joint, effort};
  }
};

template <class Space>
struct BodyCallback {
  std::string name;
  int body = 0;
  Pose<Space> X;  // the user's frame of the body in that of the tables
  std::function<BodyLoad(double, const BodyState&)> load;

  template <class To>
  BodyCallback<To> cast() const {
    if (!std::same_as<typename To::Scalar, double>) refuse_cast(name);
    return {name, body, X.template cast<typename To::Scalar>(), load};
  }
};

// The joints of a mechanism by the user's names and in the user's order.
struct JointDirectory {
  std::map<std::string, int, std::less<>> index;  // of the user
  std::vector<int> table;                         // index in the tables, by the user's
};

template <class Space>
struct ControlLaw {
  std::string name;
  std::vector<int> joints;  // that it acts on
  std::shared_ptr<const JointDirectory> directory;
  std::function<void(Controls&)> law;

  template <class To>
  ControlLaw<To> cast() const {
    if (!std::same_as<typename To::Scalar, double>) refuse_cast(name);
    return {name, joints, directory, law};
  }
};

template <class Space>
struct ForceElements {
  std::vector<JointSpring<Space>> joint_springs;
  std::vector<JointStop<Space>> joint_stops;
  std::vector<Friction<Space>> frictions;
  std::vector<PointSpring<Space>> point_springs;
  std::vector<BodyBushing<Space>> bushings;
  std::vector<JointActuator<Space>> actuators;
  std::vector<JointServo<Space>> servos;
  std::vector<RopeServo<Space>> rope_servos;
  std::vector<BodyWrench<Space>> wrenches;
  std::vector<JointCallback<Space>> joint_callbacks;
  std::vector<BodyCallback<Space>> body_callbacks;
  std::vector<ControlLaw<Space>> control_laws;

  // f(element) for every one.
  template <class F>
  void for_each_force(const F& f) const {
    const auto all = [&](const auto&... lists) {
      const auto one = [&](const auto& list) {
        for (const auto& element : list) f(element);
      };
      (one(lists), ...);
    };
    all(joint_springs, joint_stops, frictions, point_springs, bushings, actuators, servos,
        rope_servos, wrenches, joint_callbacks, body_callbacks, control_laws);
  }

  // Throws std::logic_error if there is a callback and To's scalar is not double.
  template <class To>
  ForceElements<To> cast_forces() const;
};

template <class Space>
template <class To>
ForceElements<To> ForceElements<Space>::cast_forces() const {
  ForceElements<To> result;
  const auto cast = [](const auto& from, auto& to) {
    for (const auto& element : from) to.push_back(element.template cast<To>());
  };
  cast(joint_springs, result.joint_springs);
  cast(joint_stops, result.joint_stops);
  cast(frictions, result.frictions);
  cast(point_springs, result.point_springs);
  cast(bushings, result.bushings);
  cast(actuators, result.actuators);
  cast(servos, result.servos);
  cast(rope_servos, result.rope_servos);
  cast(wrenches, result.wrenches);
  cast(joint_callbacks, result.joint_callbacks);
  cast(body_callbacks, result.body_callbacks);
  cast(control_laws, result.control_laws);
  return result;
}

}  // namespace hamiltree
