// A mechanism of two bodies to change and damage, and what a Model says to the damage.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <initializer_list>
#include <limits>
#include <string>

#include "hamiltree/model/model.hpp"

namespace hamiltree::test {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline BodyDescription body(const std::string& name) {
  BodyDescription b;
  b.name = name;
  b.mass = 1.0;
  b.inertia = Eigen::Matrix3d::Identity();
  b.where = {"m.toml", 10};
  return b;
}

inline JointDescription joint(const std::string& name, const std::string& parent,
                              const std::string& child, JointType type = JointType::kRevolute) {
  JointDescription j;
  j.name = name;
  j.type = type;
  j.parent = parent;
  j.child = child;
  j.where = {"m.toml", 20};
  return j;
}

inline Eigen::VectorXd values(std::initializer_list<double> list) {
  return Eigen::Map<const Eigen::VectorXd>(list.begin(), static_cast<Eigen::Index>(list.size()));
}

// ground -A- a -B- b, closed by C from b to the ground when `loop`.
inline Mechanism two_bodies(SpaceKind space = SpaceKind::kPlanar, bool loop = false) {
  Mechanism m;
  m.name = "two";
  m.space = space;
  m.where = {"m.toml", 1};
  m.add(body("a")).add(body("b"));
  m.add(joint("A", "ground", "a")).add(joint("B", "a", "b"));
  if (loop) m.add(joint("C", "ground", "b"));
  return m;
}

// The message, less its place, of the ModelError that the change must cause; the place and the
// element are checked here.
inline std::string refusal(const Mechanism& mechanism, const std::string& element, int line) {
  try {
    const Model model(mechanism);
  } catch (const ModelError& error) {
    EXPECT_EQ(error.element(), element);
    EXPECT_EQ(error.where().file, "m.toml");
    EXPECT_EQ(error.where().line, line);
    const std::string prefix = "m.toml:" + std::to_string(line) + ": " + element + ": ";
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with(prefix)) << message;
    return message.substr(prefix.size());
  }
  return "no ModelError";
}

}  // namespace hamiltree::test
