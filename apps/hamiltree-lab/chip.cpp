// hamiltree-lab chip: compiles a mechanism's step for the chip.
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/io/export/pending_file.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hardware/compiler/c_program.hpp"
#include "hardware/compiler/compile_step.hpp"
#include "hardware/compiler/dot.hpp"
#include "lab_commands.hpp"
#include "options.hpp"
#include "print.hpp"

namespace hamiltree::app {
namespace {

struct ChipArguments {
  ModelArguments model;
  std::optional<std::string> integrator, lanes, instances;
  std::optional<double> step;  // s
  std::optional<std::string> folder;
};

using namespace hardware;

constexpr double kStep = 1e-4;  // s
constexpr int kMostProgramBits = 13;

// The engine with the shortest program memory that the step fits into.
CompiledStep compile_for_shortest(const Model& model, Update update, double h, int lanes,
                                  int instances) {
  for (int bits = 9;; ++bits) {
    try {
      return compile_step(model, update, h, {lanes, lanes, 9, bits, 8, {}}, instances);
    } catch (const std::length_error& error) {
      if (bits == kMostProgramBits) {
        throw ModelError({model.name(), 0}, model.name(),
                         std::string("The chip is too small for it: ") + error.what() + ".");
      }
    }
  }
}

std::vector<Word> start_of(const Model& model, const CompiledStep& step, int instances) {
  const auto initial = initial_state(model);
  const auto one = to_single(model, step.words, initial.q.data(), initial.p.data());
  std::vector<Word> start;
  for (int i = 0; i < instances; ++i) start.insert(start.end(), one.begin(), one.end());
  return start;
}

void chip(const ChipArguments& arguments) {
  if (arguments.folder && arguments.folder->empty()) {
    throw UsageError("--out needs the name of a folder");
  }
  const double h = arguments.step.value_or(kStep);
  if (!std::isnormal(static_cast<float>(h)))
    throw UsageError("--step must be a number of single precision, it is " + to_short(h));
  const Model model(read_model(arguments.model).mechanism(arguments.model.overrides));
  const auto update = arguments.integrator.value_or("euler") == "euler"
                          ? Update::kEuler
                          : Update::kSemiImplicitEuler;
  const int instances = std::stoi(arguments.instances.value_or("1"));
  const auto step =
      compile_for_shortest(model, update, h, std::stoi(arguments.lanes.value_or("1")), instances);
  if (arguments.folder) {
    const std::filesystem::path folder(*arguments.folder);
    make_folder(folder);
    const auto start = start_of(model, step, instances);
    PendingFile(folder / "program.h", to_c_header(model.name(), step.program, start)).publish();
    PendingFile(folder / "graph.dot", to_dot(step.graph)).publish();
  }
  const auto& shape = step.program.shape;
  std::cout << model.name() << ": " << counted(shape.adders, "adder") << ", "
            << counted(shape.multipliers, "multiplier") << ", 1 reciprocal, "
            << shape.program_words() << " program words of " << shape.word_bits() << " bits, "
            << shape.block_rams() << " RAMB18\n"
            << to_text(step.report);
}

}  // namespace

Command add_chip(CLI::App& app) {
  const auto given = std::make_shared<ChipArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand("chip", "compile a mechanism's step for the FPGA");
  auto& c = *command;
  add_model(c, arguments.model);
  add_choice(c, "--integrator", arguments.integrator, {"euler", "semi_implicit_euler"},
             "method; default euler");
  add_positive(c, "--step", arguments.step, "step in s; default 1e-4");
  add_choice(c, "--lanes", arguments.lanes, {"1", "2", "4"},
             "adders, and multipliers, of the engine; default 1");
  add_choice(c, "--instances", arguments.instances, {"1", "2", "3", "4", "8"},
             "mechanisms that step together; default 1");
  c.add_option("--out", arguments.folder, "folder for program.h and graph.dot; made if missing")
      ->type_name("FOLDER")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  return {command, [given] { chip(*given); }};
}

}  // namespace hamiltree::app
