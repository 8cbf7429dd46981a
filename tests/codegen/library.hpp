// Generated files, compiled by a compiler of the test's choice into a cache of the test's own.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/codegen/c_library.hpp"
#include "hamiltree/formulations/codegen/generate.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "support/shipped.hpp"

namespace hamiltree::test {

namespace fs = std::filesystem;

// As strict as a user might be.
inline constexpr const char* kStrict = " -Wall -Wextra -Werror -pedantic";

// Sets CC, and puts the cache into a folder that is gone afterwards.
class GeneratedTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "hamiltree_generated_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    setenv("XDG_CACHE_HOME", pattern.c_str(), 1);
    use("cc");
  }
  void TearDown() override { fs::remove_all(folder_); }

  static void use(const std::string& compiler) { setenv("CC", compiler.c_str(), 1); }
  static bool has(const std::string& compiler) {
    return std::system((compiler + " --version > /dev/null 2>&1").c_str()) == 0;
  }
  fs::path folder() const { return folder_; }

 private:
  fs::path folder_;
};

// A generated file with a way to call its functions.
class Generated {
 public:
  Generated(const Model& model, codegen::GenerateOptions options)
      : start_(initial_state(model)),
        file_(codegen::generate(model, start(), std::move(options), "model.h")),
        library_(file_) {}

  StateView start() const { return {0.0, start_.q.data(), start_.p.data()}; }
  const codegen::CFile& file() const { return file_; }

  using Values = std::map<std::string, std::vector<double>>;
  // The outputs of a function by name from its inputs by name.
  Values call(const std::string& name, const Values& inputs) const {
    const auto full = file_.prefix + "_" + name;
    for (const auto& function : file_.functions) {
      if (function.name != full) continue;
      std::vector<const double*> in;
      std::vector<double*> out;
      Values values;
      for (const auto& a : function.inputs) in.push_back(inputs.at(a.name).data());
      for (const auto& a : function.outputs) {
        auto& value = values[a.name];
        value.assign(static_cast<std::size_t>(a.size * (function.in_lanes ? 8 : 1)), 0.0);
        out.push_back(value.data());
      }
      library_.find(full)(in.data(), out.data());
      return values;
    }
    throw std::out_of_range("no function " + full);
  }
  // A step in place, from values["t"].
  void step(const std::string& name, double h, Values& values) const {
    const double* const in[] = {values.at("t").data(), &h};
    double* const out[] = {values.at("q").data(), values.at("p").data()};
    const auto function = library_.find(file_.prefix + "_" + name);
    ASSERT_NE(function, nullptr) << name;
    function(in, out);
  }
  // With the state as inputs, and the parameters where there are some.
  Values call(const std::string& name, const StateView& state, const Model& model) const {
    return call(name, inputs(state, model));
  }
  Values inputs(const StateView& state, const Model& model) const {
    Values values{{"t", {state.t}},
                  {"q", {state.q, state.q + model.coordinate_count()}},
                  {"p", {state.u, state.u + model.velocity_count()}}};
    auto& parameters = values["parameters"];
    for (const auto& parameter : file_.parameters) parameters.push_back(parameter.value);
    return values;
  }

 private:
  InitialState start_;
  codegen::CFile file_;
  codegen::CLibrary library_;
};

}  // namespace hamiltree::test
