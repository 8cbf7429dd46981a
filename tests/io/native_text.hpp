// Pieces of native model files, and what becomes of a file made of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/io/import/native.hpp"

namespace hamiltree::test {

inline const std::string kPlanar = "format = 1\nspace = \"planar\"\ngravity = [0.0, -9.81]\n";
inline const std::string kSpatial =
    "format = 1\nspace = \"spatial\"\ngravity = [0.0, 0.0, -9.81]\n";
inline const std::string kBody = "[[body]]\nname = \"b\"\nmass = 2\ninertia = 0.5\n";

// Joint "A" of a type, from the ground to body "b"; five lines.
inline std::string joint_of_type(const std::string& type) {
  return "[[joint]]\nname = \"A\"\ntype = \"" + type + "\"\nparent = \"ground\"\nchild = \"b\"\n";
}
inline const std::string kJoint = joint_of_type("revolute");
inline const std::string kPrismatic = joint_of_type("prismatic");
inline const std::string kFree = joint_of_type("free");
inline const std::string kFixed = joint_of_type("fixed");

inline Mechanism parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return parse_native(text, "m.toml", overrides);
}

// The whole message of the ModelError that `text` must cause, checked to name its line.
inline std::string model_error(const std::string& text,
                               const std::vector<std::string>& overrides = {}) {
  try {
    parse(text, overrides);
  } catch (const ModelError& error) {
    EXPECT_EQ(error.where().file, "m.toml");
    EXPECT_GT(error.where().line, 0);
    return error.what();
  }
  return "no ModelError";
}

inline std::string usage_error(const std::string& text, const std::vector<std::string>& overrides) {
  try {
    parse(text, overrides);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no UsageError";
}

}  // namespace hamiltree::test
