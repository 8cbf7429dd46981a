// hamiltree convert: writes a model in another format.
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "commands.hpp"
#include "hamiltree/io/export/model/mjcf_writer.hpp"
#include "hamiltree/io/export/model/native_writer.hpp"
#include "hamiltree/io/export/model/urdf_writer.hpp"
#include "hamiltree/io/export/pending_file.hpp"
#include "options.hpp"

namespace hamiltree::app {
namespace {

struct ConvertArguments {
  ModelArguments model;
  std::optional<std::string> format, file;
  bool quiet = false;
};

namespace fs = std::filesystem;

// The format that a file's extension names, if any.
std::string format_for(const ConvertArguments& arguments) {
  if (arguments.format) return *arguments.format;
  if (!arguments.file) return "native";
  const auto extension = fs::path(*arguments.file).extension();
  if (extension == ".toml") return "native";
  if (extension == ".urdf") return "urdf";
  if (extension == ".xml") return "mjcf";
  throw UsageError("--to is needed: \"" + *arguments.file +
                   "\" ends in none of .toml, .urdf, .xml");
}

std::string written(const Mechanism& mechanism, const std::string& format) {
  if (format == "urdf") return to_urdf(mechanism);
  if (format == "mjcf") return to_mjcf(mechanism);
  return to_native(mechanism);
}

void convert(const ConvertArguments& arguments) {
  const auto format = format_for(arguments);
  const auto text = written(
      read_model(arguments.model, arguments.quiet).mechanism(arguments.model.overrides), format);
  if (!arguments.file) {
    std::cout << text;
    return;
  }
  PendingFile(*arguments.file, [&](std::ostream& out) { out << text; }).publish();
}

}  // namespace

Command add_convert(CLI::App& app) {
  const auto given = std::make_shared<ConvertArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand("convert", "write a model in another format");
  auto& c = *command;
  add_model(c, arguments.model);
  add_choice(c, "--to", arguments.format, {"native", "urdf", "mjcf"},
             "format to write; default by the extension of --out, else native")
      ->group("Output");
  c.add_option("--out", arguments.file, "file to write; default stdout")
      ->type_name("FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->group("Output");
  c.add_flag("-q,--quiet", arguments.quiet, "errors only on stderr, nothing of the import")
      ->group("Output");
  return {command, [given] { convert(*given); }};
}

}  // namespace hamiltree::app
