// The summary document: keys in order, values, what is left out and when.
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "export/sample_recording.hpp"
#include "hamiltree/base/version.hpp"
#include "hamiltree/io/export/summary.hpp"

namespace hamiltree {
namespace {

using OrderedJson = nlohmann::ordered_json;
using Names = std::vector<std::string>;

OrderedJson document_of(const Summary& summary) { return OrderedJson::parse(to_json(summary)); }

Names keys_of(const OrderedJson& object) {
  Names keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(Summary, KeysInOrder) {
  const OrderedJson document = document_of(test::four_bar().summary);
  EXPECT_EQ(keys_of(document),
            (Names{"format",          "status",         "model",    "formulation",
                   "integrator",      "plan",           "until",    "reached",
                   "steps",           "rejected_steps", "restarts", "rate_evaluations",
                   "velocity_solves", "wall_seconds",   "energy",   "constraint",
                   "events",          "failed_gates",   "notes",    "versions"}));
  EXPECT_EQ(keys_of(document["model"]),
            (Names{"name", "file", "space", "bodies", "joints", "loops", "degrees_of_freedom",
                   "redundant_constraints", "length"}));
  EXPECT_EQ(keys_of(document["energy"]),
            (Names{"initial", "work", "max_error", "scale", "max_relative_error", "conservative"}));
  EXPECT_EQ(keys_of(document["constraint"]),
            (Names{"position_max", "velocity_max", "velocity_max_near_singular", "greatest_speed",
                   "position_max_before", "velocity_max_before"}));
  EXPECT_EQ(keys_of(document["versions"]),
            (Names{"hamiltree", "compiler", "build_type", "eigen", "sundials"}));
}

TEST(Summary, ValuesReadBackExactly) {
  Summary summary = test::four_bar().summary;
  summary.energy.max_relative_error = 0.1 + 0.2;
  summary.wall_seconds = 1.0 / 3.0;
  const OrderedJson document = document_of(summary);
  EXPECT_EQ(document["format"], 1);
  EXPECT_EQ(document["status"], "completed");
  EXPECT_EQ(document["model"]["name"], "four_bar");
  EXPECT_EQ(document["model"]["loops"], 1);
  EXPECT_EQ(document["model"]["degrees_of_freedom"], 1);
  EXPECT_EQ(document["steps"], 12345);
  EXPECT_EQ(document["velocity_solves"], 24690);
  EXPECT_EQ(document["wall_seconds"].get<double>(), 1.0 / 3.0);
  EXPECT_EQ(document["energy"]["max_relative_error"].get<double>(), 0.1 + 0.2);
  EXPECT_EQ(document["energy"]["conservative"], true);
  EXPECT_EQ(document["constraint"]["velocity_max_before"].get<double>(), 8e-11);
  EXPECT_EQ(document["notes"], OrderedJson::array({"near-singular at joint C, t = 0.71 s"}));
  EXPECT_EQ(document["versions"]["hamiltree"], kVersion);
}

TEST(Summary, AdaptiveIntegratorHasTolerances) {
  const OrderedJson integrator = document_of(test::four_bar().summary)["integrator"];
  EXPECT_EQ(keys_of(integrator), (Names{"name", "rtol", "atol", "weights", "reset", "projection"}));
  EXPECT_EQ(integrator["rtol"].get<double>(), 1e-9);
}

TEST(Summary, FixedStepIntegratorHasItsStep) {
  const OrderedJson integrator = document_of(test::spatial_arm(2, 2).summary)["integrator"];
  EXPECT_EQ(keys_of(integrator), (Names{"name", "step", "reset", "projection"}));
  EXPECT_EQ(integrator["step"].get<double>(), 1e-3);
}

TEST(Summary, ErrorOnlyWhereTheRunFailed) {
  EXPECT_FALSE(document_of(test::four_bar().summary).contains("error"));
  const OrderedJson failed = document_of(test::spatial_arm(2, 2).summary);
  EXPECT_EQ(failed["status"], "failed");
  EXPECT_EQ(failed["error"], "t = 6.02 s: the step of joint_3 is not a number");
  EXPECT_EQ(keys_of(failed)[2], "error");
}

TEST(Summary, WhatIsNotFiniteIsNull) {
  Summary summary;
  summary.energy.initial = std::numeric_limits<double>::quiet_NaN();
  summary.reached = std::numeric_limits<double>::infinity();
  const OrderedJson document = document_of(summary);
  EXPECT_TRUE(document["energy"]["initial"].is_null());
  EXPECT_TRUE(document["reached"].is_null());
}

TEST(Summary, TextIsIndentedAndEndsInANewline) {
  const std::string text = to_json(Summary{});
  EXPECT_EQ(text.substr(0, 17), "{\n  \"format\": 1,\n");
  EXPECT_EQ(text.substr(text.size() - 3), "\n}\n");
  EXPECT_EQ(document_of(Summary{})["notes"], OrderedJson::array());
}

TEST(Summary, BytesThatAreNoTextAreReplaced) {
  Summary summary;
  summary.model.name = "a\xff";
  EXPECT_EQ(document_of(summary)["model"]["name"], "a\xEF\xBF\xBD");
}

}  // namespace
}  // namespace hamiltree
