// hamiltree convert: writes a model in another format.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "commands.hpp"
#include "hamiltree/io/export/model/at_start.hpp"
#include "hamiltree/io/export/model/mjcf_writer.hpp"
#include "hamiltree/io/export/model/native_writer.hpp"
#include "hamiltree/io/export/model/urdf_writer.hpp"
#include "hamiltree/io/export/pending_file.hpp"
#include "hamiltree/io/import/urdf/urdf.hpp"
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

std::string written(const Mechanism& mechanism, const Looks& looks, const std::string& format,
                    const std::optional<std::string>& file) {
  if (format == "urdf") return to_urdf(mechanism);
  if (format == "mjcf") return to_mjcf(mechanism);
  return file ? to_native(mechanism, looks, fs::path(*file).parent_path())
              : to_native(mechanism, looks);
}

// Meshes are named from the folder of the file that names them.
void name_from(const fs::path& file, const fs::path& old_file, Looks& looks) {
  for (auto& visual : looks) {
    auto* mesh = std::get_if<MeshShape>(&visual.shape);
    if (mesh == nullptr) continue;
    const fs::path path = fs::absolute(old_file).parent_path() / mesh->file;
    mesh->file = path.lexically_proximate(fs::absolute(file).parent_path()).string();
  }
}

// Whether a body floats about another place than the world's origin.
bool floats_elsewhere(const JointDescription& joint) {
  const auto& X = joint.at_parent;
  return joint.type == JointType::kFree && joint.parent == kGround &&
         !(X.position.isZero(0.0) && X.rotation.isIdentity(0.0));
}

// Left out by URDF and MJCF, as it is read in a sentence; all else that they cannot say is
// refused.
std::string not_written(const Mechanism& mechanism, const Looks& looks, const std::string& format) {
  if (format == "native") return {};
  const auto starts_by = [&](auto JointDescription::*values) {
    return std::ranges::any_of(mechanism.joints, [&](const auto& joint) {
      return joint.*values && !(joint.*values)->isZero(0.0);
    });
  };
  const bool has_pose = starts_by(&JointDescription::initial_q) ||
                        starts_by(&JointDescription::guess_q) ||
                        std::ranges::any_of(mechanism.joints, floats_elsewhere);
  const bool has_stops = std::ranges::any_of(mechanism.forces, [](const auto& force) {
    return std::holds_alternative<JointLimits>(force) ||
           std::holds_alternative<TendonLimits>(force);
  });
  std::string all;
  const auto add = [&](bool is_there, const char* what) {
    if (is_there) all += (all.empty() ? "" : ", ") + std::string(what);
  };
  const bool accepts = std::ranges::any_of(mechanism.bodies, &BodyDescription::accept_inertia);
  const Eigen::Vector3d usual(0.0, 0.0, -kUsualGravity);
  add(!looks.empty(), "what bodies look like");
  add(mechanism.gravity != usual && format == "urdf", "gravity");
  add(has_pose && format == "urdf", "where joints start");
  add(starts_by(&JointDescription::initial_v), "velocities at the start");
  add(has_stops, "how hard stops are");
  add(accepts, "that inertias are accepted which no body has");
  add(!mechanism.sensors.empty(), "sensors");
  add(!mechanism.events.empty(), "events");
  return all;
}

void convert(const ConvertArguments& arguments) {
  const auto format = format_for(arguments);
  const auto source = read_model(arguments.model, arguments.quiet);
  const auto& overrides = arguments.model.overrides;
  auto looks = source.looks(overrides);
  if (arguments.file) name_from(*arguments.file, source.file, looks);
  auto mechanism = source.mechanism(overrides);
  // Rounding may lead the search for a closed pose to another one.
  if (source.is_imported() && format == "native") mechanism = at_start(mechanism);
  const auto text = written(mechanism, looks, format, arguments.file);
  const auto left_out = not_written(mechanism, looks, format);
  if (!left_out.empty() && !arguments.quiet)
    std::cerr << "hamiltree: not written in " << format << ": " << left_out << '\n';
  if (!arguments.file) {
    std::cout << text;
    return;
  }
  PendingFile(*arguments.file, text).publish();
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
