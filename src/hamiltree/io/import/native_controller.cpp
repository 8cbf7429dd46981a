#include "hamiltree/io/import/native_controller.hpp"

#include <filesystem>
#include <memory>
#include <vector>

#include "hamiltree/io/controller/controller_file.hpp"
#include "hamiltree/io/import/native_elements.hpp"

namespace hamiltree {
namespace {

constexpr double kTimeout = 10.0;  // s

// "q.A" or "v.A"
ControllerFile::Input input_of(TomlReader& reader, const std::string& word) {
  const bool is_rate = word.starts_with("v.");
  if ((!is_rate && !word.starts_with("q.")) || word.size() < 3)
    reader.fail("inputs", "input \"" + word + "\" is neither q.JOINT nor v.JOINT");
  return {word.substr(2), is_rate, word};
}

}  // namespace

Controller read_controller(TomlReader& reader, const std::string& model_file) {
  auto file = std::make_shared<ControllerFile>();
  file->name = read_name(reader, "controller");
  file->where = reader.where();
  file->file = std::filesystem::path(model_file).parent_path() / reader.text("file");
  file->period = reader.positive("period");
  file->timeout = reader.has("timeout") ? reader.positive("timeout") : kTimeout;
  for (const auto& word : reader.texts("inputs")) file->inputs.push_back(input_of(reader, word));
  const auto joints = reader.texts("joints");
  if (joints.empty()) reader.fail("joints", "joints must name at least one");
  file->outputs = joints;
  if (auto variables = reader.table("variables")) {
    for (auto& input : file->inputs) {
      if (variables->has(input.variable)) input.variable = variables->text(input.variable);
    }
    for (auto& output : file->outputs) {
      if (variables->has(output)) output = variables->text(output);
    }
    variables->finish();
  }
  reader.finish();
  return {file->name, joints, HeldEfforts{file}, file->where};
}

}  // namespace hamiltree
