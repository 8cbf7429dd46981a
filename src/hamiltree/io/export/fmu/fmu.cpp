#include "hamiltree/io/export/fmu/fmu.hpp"

#include <algorithm>
#include <ostream>
#include <string_view>
#include <utility>

#include "hamiltree/base/checksum.hpp"
#include "hamiltree/base/embedded.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/codegen/c_compiler.hpp"
#include "hamiltree/formulations/codegen/generate.hpp"
#include "hamiltree/io/controller/fmu_platform.hpp"
#include "hamiltree/io/export/fmu/c_layout.hpp"
#include "hamiltree/io/export/fmu/description.hpp"
#include "hamiltree/io/export/fmu/variables.hpp"
#include "hamiltree/io/export/fmu_sources.hpp"
#include "hamiltree/io/export/pending_file.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/recording_header.hpp"

namespace hamiltree {
namespace {

codegen::CFile equations_of(const Model& model, const FmuOptions& options) {
  const auto start = initial_state(model);
  const auto names = make_header(model);
  codegen::GenerateOptions generate{options.formulation, false, options.pass_parameters,
                                    channel_labels(names.q), channel_labels(names.p)};
  generate.start = false;
  generate.inputs = options.inputs;
  generate.sensors = true;
  generate.tangents = options.derivatives;
  return codegen::generate(model, {0.0, start.q.data(), start.p.data()}, generate, "model.h");
}

// A checksum of all that the FMU is made of.
std::string token_of(const codegen::CFile& file, const std::string& rest) {
  const Checksum first(file.header + file.source + rest);
  const Checksum second(rest + file.source);
  return "{" + first.text() + second.text() + "}";
}

// The same numbers on every processor of the platform. Of straight-line code -O2 makes a few
// percent faster code than -O1 and takes half as long again: 34 s instead of 22 for a Stewart
// platform.
std::vector<std::string> library_options() { return {"-O1", "-ffp-contract=off"}; }

// Adds the library, or says why there is none.
void add_library(const std::string& identifier, int version, Fmu& fmu) {
  const auto folder = fmu_binary_folder(version);
  if (folder.empty()) {
    fmu.no_binary = "FMI has no name for a library on this platform";
    return;
  }
  const codegen::CCompiler compiler;
  if (!compiler.runs()) {
    fmu.no_binary = "there is no C compiler: \"" + compiler.name() +
                    "\" does not run (the environment variable CC names another)";
    return;
  }
  std::vector<std::pair<std::string, std::string>> sources;
  for (const auto& entry : fmu.files) {
    const auto name = entry.name.substr(entry.name.rfind('/') + 1);
    if (name.ends_with(".c") || name.ends_with(".h")) sources.emplace_back(name, entry.bytes);
  }
  fmu.files.push_back({folder + identifier + ".so", compiler.library(sources, library_options())});
}

}  // namespace

Fmu make_fmu(const Model& model, const FmuOptions& options) {
  if (options.version != 2 && options.version != 3) {
    throw UsageError("FMUs are written for FMI 2 or 3, not " + std::to_string(options.version));
  }
  const auto file = equations_of(model, options);
  const fmu::Layout layout(model, file);
  const auto start = fmu::start_of(model, file, layout, options.step);
  const auto nominals = fmu::nominals_of(model);
  const auto variables = fmu::variables_of(model, file, layout, start, nominals);

  const std::string functions = options.version == 2 ? embedded_text(fmu::source::kFmi2C)
                                                     : embedded_text(fmu::source::kFmi3C);
  const std::string instance = embedded_text(fmu::source::kInstanceH);
  const auto token =
      token_of(file, c_layout(model, file, layout, start, nominals, "") + instance + functions);
  const std::string main = options.version == 2 ? "fmi2.c" : "fmi3.c";
  const fmu::Described described{model.name(),
                                 file.prefix,
                                 token,
                                 options.step,
                                 model.constraint_count() > 0,
                                 !model.mechanism().events.empty(),
                                 options.derivatives,
                                 {"model.c", main}};

  Fmu result;
  result.files.push_back({"modelDescription.xml", options.version == 2
                                                      ? description_2(described, variables)
                                                      : description_3(described, variables)});
  if (options.version == 3)
    result.files.push_back({"sources/buildDescription.xml", build_description_3(described)});
  result.files.push_back({"sources/model.c", file.source});
  result.files.push_back({"sources/model.h", file.header});
  result.files.push_back(
      {"sources/variables.h", c_layout(model, file, layout, start, nominals, token)});
  result.files.push_back({"sources/instance.h", instance});
  result.files.push_back({"sources/" + main, functions});
  if (options.binary) {
    add_library(file.prefix, options.version, result);
  } else {
    result.no_binary = "it was not asked for";
  }
  const auto count = [&](fmu::Causality causality) {
    return static_cast<int>(std::ranges::count(variables, causality, &fmu::Variable::causality));
  };
  result.inputs = count(fmu::Causality::kInput);
  result.outputs = count(fmu::Causality::kOutput);
  result.parameters = count(fmu::Causality::kParameter) + count(fmu::Causality::kTunableParameter);
  result.states = model.coordinate_count() + model.velocity_count();
  return result;
}

void write_fmu(const Fmu& fmu, const std::filesystem::path& file) {
  PendingFile(file, [&](std::ostream& out) { write_zip(out, fmu.files); }).publish();
}

}  // namespace hamiltree
