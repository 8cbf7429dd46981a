// An actuator of MJCF, once its default classes and its kind have spoken: the coefficients
// of MuJoCo's general actuator.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "hamiltree/io/import/mjcf/compiler.hpp"
#include "hamiltree/io/import/mjcf/defaults.hpp"

namespace hamiltree::mjcf {

// An interval and whether it holds: "true", "false", or "auto", where it is given and ascends.
struct Limit {
  std::string limited = "auto";
  std::optional<Eigen::Vector2d> range;

  bool holds(const Compiler& compiler) const;
};

// force = gain input + bias,  gain = g0 + g1 length + g2 velocity,  bias = b0 + b1 length + b2
// velocity; the input is the control, or the activation that the dynamics make of it.
struct ActuatorLaw {
  std::string dynamics = "none", gain = "fixed", bias = "none";
  Eigen::Vector3d gain_prm = Eigen::Vector3d::UnitX(), bias_prm = Eigen::Vector3d::Zero();
  double time_constant = 1.0;  // s, of a filter
  double inherit_range = 0.0;
  double damping_ratio = 0.0;  // where above 0, b2 is to be found from it
};

struct ActuatorSpec : ActuatorLaw {
  Eigen::Vector<double, 6> gear = Eigen::Vector<double, 6>::Unit(0);
  Limit control, activation, force;
  double armature = 0.0, group = 0.0;
};

// As MuJoCo 4 reads them: what default classes say of ranges and gears holds for all kinds, what
// they say of the law for its own kind and for `general`. Throws ModelError for what no actuator of
// the format can be.
ActuatorSpec read_actuator_spec(const XmlElement& element, const Defaults& defaults);

}  // namespace hamiltree::mjcf
