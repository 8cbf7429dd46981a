// hamiltree generate: writes a model's equations of motion as C.
#include "hamiltree/formulations/codegen/generate.hpp"

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/io/export/pending_file.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/recording_header.hpp"
#include "options.hpp"
#include "print.hpp"

namespace hamiltree::app {
namespace {

struct GenerateArguments {
  ModelArguments model;
  std::string file;
  std::optional<std::string> formulation, parameters;
  bool lanes = false;
};

namespace fs = std::filesystem;

std::vector<std::string> labels(const std::vector<Channel>& channels) {
  std::vector<std::string> result;
  for (const auto& channel : channels) {
    result.push_back(channel.name + (channel.unit.empty() ? "" : ", " + channel.unit));
  }
  return result;
}

std::string sizes(const std::vector<codegen::Argument>& arguments) {
  std::string text;
  for (const auto& a : arguments) {
    text += (text.empty() ? "" : ", ") + a.name;
    if (a.is_array) text += "[" + std::to_string(a.size) + "]";
  }
  return text;
}

void generate(const GenerateArguments& arguments) {
  const fs::path source(arguments.file);
  if (source.extension() != ".c" || source.stem().empty()) {
    throw UsageError("--out must name a file that ends in .c, it is \"" + arguments.file + "\"");
  }
  fs::path header = source;
  header.replace_extension(".h");
  const ModelSource text = read_model(arguments.model);
  const Model model(text.mechanism(arguments.model.overrides));
  const auto start = initial_state(model);
  const auto names = make_header(model);
  const codegen::GenerateOptions options{
      arguments.formulation.value_or("recursive"), arguments.lanes,
      arguments.parameters.value_or("fold") == "pass", labels(names.q), labels(names.p)};
  const auto file = codegen::generate(model, {0.0, start.q.data(), start.p.data()}, options,
                                      header.filename().string());
  PendingFile source_file(source, [&](std::ostream& out) { out << file.source; });
  PendingFile header_file(header, [&](std::ostream& out) { out << file.header; });
  source_file.publish();
  header_file.publish();

  Table table;
  for (const auto& function : file.functions) {
    if (function.in_lanes || function.operations.flops() == 0) continue;
    const auto& n = function.operations;
    table.add({function.name, sizes(function.inputs) + " -> " + sizes(function.outputs),
               std::to_string(n.additions + n.multiplications) + " operations, " +
                   std::to_string(n.divisions) + " divisions, " + std::to_string(n.trigonometric) +
                   " sines and the like"});
  }
  std::cout << table.text();
}

}  // namespace

Command add_generate(CLI::App& app) {
  const auto given = std::make_shared<GenerateArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand("generate", "write the equations of motion as C");
  auto& c = *command;
  add_model(c, arguments.model);
  c.add_option("--out,-o", arguments.file, "file to write, NAME.c; NAME.h goes beside it")
      ->required()
      ->type_name("FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  add_choice(c, "--formulation", arguments.formulation, codegen::formulations(),
             "kernel that is written out; default recursive");
  add_choice(c, "--parameters", arguments.parameters, {"fold", "pass"},
             "the model's numbers: folded into the code, or an argument of every function; default "
             "fold");
  c.add_flag("--lanes", arguments.lanes, "also functions of eight states at a time");
  return {command, [given] { generate(*given); }};
}

}  // namespace hamiltree::app
