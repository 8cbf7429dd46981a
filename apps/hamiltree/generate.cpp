// hamiltree generate: writes a model's equations of motion as C or CUDA, or as an FMU, or a
// transmission as a C++ header.
#include "hamiltree/formulations/codegen/generate.hpp"

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/codegen/c_file.hpp"
#include "hamiltree/io/export/fmu/fmu.hpp"
#include "hamiltree/io/export/pending_file.hpp"
#include "hamiltree/io/export/transmission/transmission.hpp"
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
  bool lanes = false, derivatives = false, binary = true;
  std::optional<std::string> inputs;
  std::optional<std::string> fmi;
  std::optional<double> step;
  std::vector<std::string> actuators, joints;
};

namespace fs = std::filesystem;

constexpr const char* kLanes = "--lanes is for C files: --out must end in .c";

std::string sizes(const std::vector<codegen::Argument>& arguments) {
  std::string text;
  for (const auto& a : arguments) {
    text += (text.empty() ? "" : ", ") + a.name;
    if (a.is_array) text += "[" + std::to_string(a.size) + "]";
  }
  return text;
}

bool passes_parameters(const GenerateArguments& arguments) {
  return arguments.parameters.value_or("fold") == "pass";
}

void print_functions(const codegen::CFile& file) {
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

void generate_c(const Model& model, const GenerateArguments& arguments) {
  const fs::path source(arguments.file);
  fs::path header = source;
  header.replace_extension(".h");
  if (arguments.fmi || arguments.step || !arguments.binary)
    throw UsageError("--fmi, --step and --no-binary are for FMUs: --out must end in .fmu");
  const bool is_cuda = source.extension() == ".cu";
  if (is_cuda && arguments.lanes) throw UsageError(kLanes);
  const auto start = initial_state(model);
  const auto names = make_header(model);
  codegen::GenerateOptions options{arguments.formulation.value_or("recursive"), arguments.lanes,
                                   passes_parameters(arguments), channel_labels(names.q),
                                   channel_labels(names.p)};
  options.inputs = codegen::inputs_of(arguments.inputs.value_or("none"));
  options.sensors = true;
  options.derivatives = arguments.derivatives;
  options.cuda = is_cuda;
  const auto file = codegen::generate(model, {0.0, start.q.data(), start.p.data()}, options,
                                      header.filename().string());
  PendingFile source_file(source, file.source), header_file(header, file.header);
  source_file.publish();
  header_file.publish();
  print_functions(file);
}

void generate_fmu(const Model& model, const GenerateArguments& arguments) {
  if (arguments.lanes) throw UsageError(kLanes);
  FmuOptions options;
  options.version = arguments.fmi.value_or("3") == "2" ? 2 : 3;
  options.formulation = arguments.formulation.value_or("recursive");
  options.pass_parameters = passes_parameters(arguments);
  options.step = arguments.step.value_or(options.step);
  options.binary = arguments.binary;
  if (arguments.inputs) options.inputs = codegen::inputs_of(*arguments.inputs);
  options.derivatives = arguments.derivatives;
  const auto fmu = make_fmu(model, options);
  write_fmu(fmu, arguments.file);
  std::cout << arguments.file << ": FMI " << options.version << ".0, " << fmu.states << " states, "
            << fmu.inputs << " inputs, " << fmu.parameters << " parameters, " << fmu.outputs
            << " outputs\n";
  if (!fmu.no_binary.empty())
    std::cout << "sources only, without a library for this platform: " << fmu.no_binary << '\n';
}

void generate_transmission(const Model& model, const GenerateArguments& arguments) {
  if (arguments.lanes || arguments.fmi || arguments.step || !arguments.binary ||
      arguments.derivatives || arguments.inputs || arguments.parameters || arguments.formulation)
    throw UsageError(
        "a transmission takes --actuators and --joints, and nothing of C files and FMUs");
  const fs::path out(arguments.file);
  const auto header = make_transmission(model, {arguments.actuators, arguments.joints},
                                        codegen::c_prefix(out.stem().string()));
  PendingFile(out, header.text).publish();
  std::cout << arguments.file << ": " << header.actuators.size() << " actuators, "
            << header.joints.size() << " joints, by " << header.unknowns << " coordinates and "
            << header.gaps << " rows of loops\n";
}

void generate(const GenerateArguments& arguments) {
  const fs::path out(arguments.file);
  const bool is_fmu = out.extension() == ".fmu";
  const bool is_transmission = out.extension() == ".hpp";
  const bool is_code = out.extension() == ".c" || out.extension() == ".cu";
  if ((!is_fmu && !is_transmission && !is_code) || out.stem().empty()) {
    throw UsageError("--out must name a file that ends in .c, .cu, .fmu or .hpp, it is \"" +
                     arguments.file + "\"");
  }
  if (!is_transmission && (!arguments.actuators.empty() || !arguments.joints.empty()))
    throw UsageError("--actuators and --joints are for transmissions: --out must end in .hpp");
  const ModelSource text = read_model(arguments.model);
  const Model model(text.mechanism(arguments.model.overrides));
  if (is_transmission) return generate_transmission(model, arguments);
  return is_fmu ? generate_fmu(model, arguments) : generate_c(model, arguments);
}

}  // namespace

Command add_generate(CLI::App& app) {
  const auto given = std::make_shared<GenerateArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand("generate",
                                     "write the equations of motion as C, CUDA or an FMU, or a "
                                     "transmission as C++");
  auto& c = *command;
  add_model(c, arguments.model);
  c.add_option("--out,-o", arguments.file,
               "file to write: NAME.c or NAME.cu, with NAME.h beside it, NAME.fmu or NAME.hpp")
      ->required()
      ->type_name("FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  add_choice(c, "--formulation", arguments.formulation, codegen::formulations(),
             "kernel that is written out; default recursive");
  add_choice(c, "--parameters", arguments.parameters, {"fold", "pass"},
             "the model's numbers: folded into the code, or an argument of every function and "
             "parameters of the FMU; default fold");
  c.add_flag("--lanes", arguments.lanes, "also functions of eight states at a time")
      ->group("C files");
  c.add_flag(
      "--derivatives", arguments.derivatives,
      "C and CUDA: also a function of the Jacobians of the rates with respect to the state and the "
      "time; FMUs: exact directional derivatives, with equations thrice as long");
  c.add_option("--inputs", arguments.inputs,
               "what comes from outside, by commas: efforts along the joints, drives (the motions "
               "of driven joints), wrenches on the bodies, or none; default efforts in FMUs, none "
               "in C and CUDA")
      ->type_name("LIST")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  add_choice(c, "--fmi", arguments.fmi, {"2", "3"}, "version of the standard; default 3")
      ->group("FMUs");
  add_positive(c, "--step", arguments.step, "longest step of co-simulation, s; default 0.001")
      ->group("FMUs");
  add_list(c, "--actuators", arguments.actuators, "JOINTS", "joints, by commas, that motors move")
      ->group("Transmissions");
  add_list(c, "--joints", arguments.joints, "JOINTS", "joints, by commas, that they move")
      ->group("Transmissions");
  c.add_flag_callback(
       "--no-binary", [&arguments] { arguments.binary = false; },
       "sources only, without a library for this platform")
      ->group("FMUs");
  return {command, [given] { generate(*given); }};
}

}  // namespace hamiltree::app
