// Models of other formats in tests: as text, and as the files beside these tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "hamiltree/io/load.hpp"

namespace hamiltree::test {

// A file of tests/io/models.
inline std::filesystem::path model_file(const std::string& name) {
  return std::filesystem::path(HAMILTREE_TEST_MODELS) / name;
}

struct Imported {
  Mechanism mechanism;
  ImportLog log;
};

inline Imported import_text(const std::string& text, const ImportOptions& options = {}) {
  ImportLog log(options.strict);
  Mechanism mechanism = import_mechanism(text, "m.xml", options, log);
  return {std::move(mechanism), std::move(log)};
}

// The whole message of the ModelError that `text` must cause, checked to name its line.
inline std::string import_error(const std::string& text, const ImportOptions& options = {}) {
  try {
    import_text(text, options);
  } catch (const ModelError& error) {
    EXPECT_EQ(error.where().file, "m.xml") << error.what();
    EXPECT_GT(error.where().line, 0) << error.what();
    return error.what();
  }
  return "no ModelError";
}

inline const JointDescription& joint_of(const Mechanism& mechanism, const std::string& name) {
  for (const auto& joint : mechanism.joints) {
    if (joint.name == name) return joint;
  }
  throw std::out_of_range("no joint " + name);
}

inline const BodyDescription& body_of(const Mechanism& mechanism, const std::string& name) {
  for (const auto& body : mechanism.bodies) {
    if (body.name == name) return body;
  }
  throw std::out_of_range("no body " + name);
}

// The force of a kind on a joint; null if there is none.
template <class Force>
const Force* force_on(const Mechanism& mechanism, const std::string& joint) {
  for (const auto& force : mechanism.forces) {
    const auto* found = std::get_if<Force>(&force);
    if (found != nullptr && found->joint == joint) return found;
  }
  return nullptr;
}

}  // namespace hamiltree::test
