// Generated CUDA, compiled as C++: many states give the bits that each of them gives in C. With
// nvcc that it compiles.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <memory>
#include <random>
#include <string>

#include "codegen/library.hpp"
#include "codegen/states.hpp"

namespace hamiltree::test {
namespace {

constexpr std::uint64_t kManySeed = 90210;
constexpr std::size_t kMany = 5;
constexpr int kSteps = 20;
constexpr double kStepLength = 1e-3;

using codegen::CFile;
using codegen::CFunction;
using Values = Generated::Values;

void write_text(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

// A generated file as a library of C++, whose functions are called by the names of arguments.
class Compiled {
 public:
  Compiled(CFile file, const fs::path& folder, bool many) : file_(std::move(file)) {
    fs::create_directories(folder);
    write_text(folder / "model.h", file_.header);
    std::string text = file_.source;
    for (const auto& f : file_.functions) text += caller(f, false) + (many ? caller(f, true) : "");
    write_text(folder / "model.cu", text);
    const auto library = (folder / "model.so").string();
    const auto command = std::string("c++ -std=c++17 -O2 -ffp-contract=off -fPIC -shared") +
                         kStrict + " -x c++ " + (folder / "model.cu").string() + " -o " + library;
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    handle_.reset(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL));
    EXPECT_NE(handle_, nullptr);
  }

  const CFile& file() const { return file_; }

  // Functions of one state, or of `count` of them; t, q, p and gap of steps are in place.
  void call(const CFunction& f, Values& values, int count = 0) const {
    std::vector<double*> in, out;
    for (const auto& a : f.inputs) in.push_back(a.is_shared ? nullptr : values.at(a.name).data());
    for (const auto& a : f.outputs) {
      auto& value = values[a.name];
      value.resize(static_cast<std::size_t>(a.size * std::max(count, 1)));
      out.push_back(value.data());
    }
    const auto name = "call_" + f.name + (count > 0 ? "_many" : "");
    using Caller = int (*)(int, double, int, double* const*, double* const*);
    const auto caller = reinterpret_cast<Caller>(dlsym(handle_.get(), name.c_str()));
    ASSERT_NE(caller, nullptr) << name;
    EXPECT_EQ(caller(count, kStepLength, kSteps, in.data(), out.data()), 0);
  }

 private:
  static std::string caller(const CFunction& f, bool many) {
    const auto name = f.name + (many ? "_many" : "");
    std::string arguments = many ? "count" : "";
    const auto add = [&](const std::string& a) {
      arguments += (arguments.empty() ? "" : ", ") + a;
    };
    for (std::size_t i = 0; i < f.inputs.size(); ++i) {
      const auto& a = f.inputs[i];
      const bool is_number = !a.is_array && !many;
      if (a.is_shared)
        add(many ? "h, steps" : "h");
      else
        add((is_number ? "*in[" : "in[") + std::to_string(i) + "]");
    }
    for (std::size_t i = 0; i < f.outputs.size(); ++i) add("out[" + std::to_string(i) + "]");
    return "\nextern \"C\" int call_" + name +
           "(int count, double h, int steps, double *const *in, double *const *out)\n{\n"
           "  (void)count, (void)h, (void)steps;\n" +
           (many ? "  return " + name + "(" + arguments + ", 0);\n"
                 : "  " + name + "(" + arguments + ");\n  return 0;\n") +
           "}\n";
  }

  struct Close {
    void operator()(void* handle) const { dlclose(handle); }
  };
  CFile file_;
  std::unique_ptr<void, Close> handle_;
};

Values side_by_side(const std::vector<Values>& all) {
  Values many;
  for (const auto& [name, first] : all.front()) {
    for (std::size_t i = 0; i < first.size(); ++i)
      for (const auto& one : all) many[name].push_back(one.at(name)[i]);
  }
  return many;
}

std::vector<double> of_state(const std::vector<double>& many, std::size_t s) {
  std::vector<double> one;
  for (std::size_t i = s; i < many.size(); i += kMany) one.push_back(many[i]);
  return one;
}

const CFunction& find(const CFile& file, const std::string& name) {
  return *std::ranges::find(file.functions, file.prefix + "_" + name, &CFunction::name);
}

// What each state gives in C, bit for bit.
void have_the_bits_of_one_in_c(const Compiled& c, const Compiled& cuda,
                               const std::vector<Values>& states) {
  for (const auto& f : c.file().functions) {
    const bool is_step = f.inputs.back().is_shared;
    auto many = side_by_side(states);
    cuda.call(find(cuda.file(), f.name.substr(cuda.file().prefix.size() + 1)), many, kMany);
    for (std::size_t s = 0; s < kMany; ++s) {
      auto one = states[s];
      const double start = one.at("t")[0];
      for (int step = 0; step < (is_step ? kSteps : 1); ++step) {
        one["t"] = {start + step * kStepLength};
        c.call(f, one);
      }
      for (const auto& a : f.outputs)
        EXPECT_EQ(of_state(many.at(a.name), s), one.at(a.name)) << f.name << ", " << a.name;
      EXPECT_EQ(many.at("t")[s], is_step ? start + kSteps * kStepLength : start) << f.name;
    }
  }
}

// The second starts open, the third is not finite: both say so, the others go on undisturbed.
void tell_what_opened_and_what_is_not_finite(const Compiled& cuda, bool has_loops,
                                             std::vector<Values> states) {
  for (auto& values : states) {
    for (std::size_t i = 0; i < cuda.file().parameters.size(); ++i)
      values["parameters"][i] = cuda.file().parameters[i].value;
  }
  for (const char* name : {"step_rk4", "step_semi_implicit_euler"}) {
    auto sound = side_by_side(states), faulty = sound;
    cuda.call(find(cuda.file(), name), sound, kMany);
    faulty.at("q")[1] += 0.05;
    faulty.at("p")[2] = std::numeric_limits<double>::infinity();
    cuda.call(find(cuda.file(), name), faulty, kMany);
    const auto& gap = faulty.at("gap");
    if (has_loops) {
      EXPECT_GT(gap[1], 1e-3) << name;
    }
    EXPECT_TRUE(std::isnan(gap[2])) << name;
    for (const std::size_t s : {0, 3, 4}) {
      EXPECT_GE(gap[s], 0.0) << name;
      EXPECT_LT(gap[s], 1e-4) << name;
      if (has_loops) {
        EXPECT_GT(gap[s], 0.0) << name;
      }
      EXPECT_EQ(of_state(faulty.at("q"), s), of_state(sound.at("q"), s)) << name;
    }
    auto later = faulty;  // a gap is never lowered
    cuda.call(find(cuda.file(), name), later, kMany);
    EXPECT_TRUE(std::isnan(later.at("gap")[2])) << name;
    EXPECT_GE(later.at("gap")[1], gap[1]) << name;
  }
}

class GeneratedCuda : public GeneratedTest {
 protected:
  void SetUp() override {
    GeneratedTest::SetUp();
    if (!has("c++")) GTEST_SKIP() << "no c++";
  }

  static CFile generate(const Model& model, bool cuda, const std::string& header = "model.h") {
    const auto start = initial_state(model);
    codegen::GenerateOptions options;
    options.formulation = "recursive";
    options.pass_parameters = true;
    options.inputs.efforts = options.inputs.wrenches = true;
    options.sensors = true;
    options.cuda = cuda;
    return codegen::generate(model, {0.0, start.q.data(), start.p.data()}, options, header);
  }
};

class GeneratedMany : public GeneratedCuda, public testing::WithParamInterface<const char*> {
 protected:
  // Each state has its own time, parameters and loads.
  static std::vector<Values> inputs(const Model& model, const CFile& file) {
    std::mt19937_64 random(kManySeed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const auto start = initial_state(model);
    std::vector<Values> all;
    for (const auto& state : states_of(model, {0.0, start.q.data(), start.p.data()}, kManySeed,
                                       static_cast<int>(kMany))) {
      auto& values = all.emplace_back();
      for (const auto& f : file.functions)
        for (const auto& a : f.inputs) {
          auto& value = values[a.name];
          while (value.size() < std::size_t(a.size)) value.push_back(uniform(random));
        }
      values["t"] = {state.t};
      values["q"] = {state.q.begin(), state.q.end()};
      values["p"] = {state.p.begin(), state.p.end()};
      values["gap"] = {0.0};
      for (std::size_t i = 0; i < file.parameters.size(); ++i)
        values["parameters"][i] = file.parameters[i].value * (1.0 + 1e-3 * uniform(random));
    }
    return all;
  }
};

// In one test, so that the file is compiled once.
TEST_P(GeneratedMany, HaveTheBitsOfOneAndTellWhatOpened) {
  const Model model = shipped(GetParam());
  const Compiled c(generate(model, false), folder() / "c", false);
  const Compiled cuda(generate(model, true), folder() / "cuda", true);
  const auto states = inputs(model, c.file());
  have_the_bits_of_one_in_c(c, cuda, states);
  tell_what_opened_and_what_is_not_finite(cuda, model.constraint_count() > 0, states);
}

// To the end of the machine code; there is no device here.
TEST_P(GeneratedMany, CompileWithNvcc) {
  if (!has("nvcc")) GTEST_SKIP() << "no nvcc";
  const auto file = generate(shipped(GetParam()), true);
  write_text(folder() / "model.h", file.header);
  write_text(folder() / "model.cu", file.source);
  const auto command = "nvcc -arch=sm_90 -Werror all-warnings -cubin -o " +
                       (folder() / "model.cubin").string() + " " + (folder() / "model.cu").string();
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

TEST_F(GeneratedCuda, CompilesInOneFileWithAnother) {
  std::string both;
  for (const std::string name : {"four_bar", "spatial_arm"}) {
    const auto file = generate(shipped(name), true, name + ".h");
    write_text(folder() / (name + ".h"), file.header);
    both += file.source;
  }
  write_text(folder() / "both.cu", both);
  const auto command = "c++ -std=c++17 -fsyntax-only" + std::string(kStrict) + " -x c++ " +
                       (folder() / "both.cu").string();
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, GeneratedMany,
                         testing::Values("four_bar", "bennett", "driven_slider_crank",
                                         "spatial_arm", "torque_free_body"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace hamiltree::test
