#include "hamiltree/io/load.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include "hamiltree/base/error.hpp"
#include "hamiltree/io/export/model/native_writer.hpp"
#include "hamiltree/io/import/imported_looks.hpp"
#include "hamiltree/io/import/key_lines.hpp"
#include "hamiltree/io/import/mjcf/mjcf.hpp"
#include "hamiltree/io/import/native.hpp"
#include "hamiltree/io/import/native_visual.hpp"
#include "hamiltree/io/import/normalise/normalise.hpp"
#include "hamiltree/io/import/read_text.hpp"
#include "hamiltree/io/import/sdf/sdf.hpp"
#include "hamiltree/io/import/urdf/urdf.hpp"
#include "hamiltree/io/import/urdf/urdf_controls.hpp"
#include "hamiltree/io/import/xml/xml_element.hpp"
#include "hamiltree/model/validate_force.hpp"

namespace hamiltree {

const char* to_name(ModelFormat format) {
  switch (format) {
    case ModelFormat::kUrdf:
      return "urdf";
    case ModelFormat::kSdf:
      return "sdf";
    case ModelFormat::kMjcf:
      return "mjcf";
    case ModelFormat::kNative:
      break;
  }
  return "native";
}

namespace {

bool is_xml(std::string_view text) {
  if (is_utf16(text)) return true;  // to be refused as that
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && text[first] == '<';
}

}  // namespace

ModelFormat format_of(std::string_view text) {
  if (!is_xml(text)) return ModelFormat::kNative;
  const std::string root = xml_root_name(text);
  if (root == "sdf" || root == "gazebo") return ModelFormat::kSdf;
  if (root == "mujoco" || root == "mujocoinclude") return ModelFormat::kMjcf;
  return ModelFormat::kUrdf;
}

Mechanism import_mechanism(std::string_view text, const std::filesystem::path& file,
                           const ImportOptions& options, ImportLog& log, Looks* looks) {
  XmlDocument document(text, file.string(), log);
  const std::string root = document.root().name();
  Mechanism mechanism;
  ImportedLooks imported(file, options);
  if (root == "robot") {
    mechanism = read_urdf(document, file, options, log, imported);
  } else if (root == "mujoco") {
    mechanism = read_mjcf(document, file, options, log, imported);
  } else if (root == "sdf" || root == "gazebo") {
    mechanism = read_sdf(document, file, options, log, imported);
  } else {
    document.root().fail("is the root of no format that is read: <robot>, <sdf>, <mujoco>");
  }
  normalise(mechanism, imported.visuals, options, log);
  // By now it is known which joints are left out, and have no motors.
  if (root == "robot" && !options.control.empty()) {
    urdf::add_controls(document.root(), options.control, mechanism);
  }
  if (looks != nullptr) {
    imported.tell(log);
    *looks = std::move(imported.visuals);
  }
  // An empty name is none.
  if (mechanism.name.empty()) mechanism.name = file.stem().string();
  return mechanism;
}

namespace {

template <class Description>
std::vector<SourceLocation> places(const std::vector<Description>& descriptions) {
  std::vector<SourceLocation> places;
  for (const auto& description : descriptions) places.push_back(description.where);
  return places;
}

std::map<std::string, SourceLocation> places(const std::vector<ForceDescription>& forces) {
  std::map<std::string, SourceLocation> places;
  for (const auto& force : forces) {
    std::visit([&](const auto& f) { places.emplace(title_of(force), f.where); }, force);
  }
  return places;
}

// An override may change how many there are; then nobody knows where they stood.
template <class Description>
void put_back(const std::vector<SourceLocation>& places, const std::string& file,
              std::vector<Description>& descriptions) {
  for (std::size_t i = 0; i < descriptions.size(); ++i) {
    descriptions[i].where =
        places.size() == descriptions.size() ? places[i] : SourceLocation{file, 0};
  }
}

}  // namespace

Mechanism ModelSource::mechanism(const std::vector<std::string>& overrides) const {
  Mechanism mechanism = parse_native(text, file, overrides);
  if (is_imported()) {
    place(mechanism);
  } else {
    check_with_lines(mechanism, text, file, overrides);
  }
  return mechanism;
}

Looks ModelSource::looks(const std::vector<std::string>& overrides) const {
  return parse_looks(text, file, overrides);
}

void ModelSource::place(Mechanism& mechanism) const {
  if (!is_imported()) return;
  put_back(bodies, file, mechanism.bodies);
  put_back(joints, file, mechanism.joints);
  put_back(couplings, file, mechanism.couplings);
  for (auto& force : mechanism.forces) {
    const auto known = forces.find(title_of(force));
    const auto where = known == forces.end() ? SourceLocation{file, 0} : known->second;
    std::visit([&](auto& f) { f.where = where; }, force);
  }
}

namespace {

constexpr std::array kTitles{"a native file", "URDF", "SDF", "MJCF"};  // of a ModelFormat

// Refuses options that this format would ignore in silence.
void check_format_knows(const ImportOptions& options, ModelFormat format,
                        const std::filesystem::path& file) {
  using enum ModelFormat;
  const auto check = [&](bool is_given, const std::string& option, bool is_known,
                         const std::string& formats) {
    if (is_given && !is_known)
      throw UsageError(option + " is for " + formats + ", and " + file.string() + " is " +
                       kTitles[static_cast<std::size_t>(format)]);
  };
  check(options.fixed_base, "fixed base", format == kUrdf || format == kSdf, "URDF and SDF");
  check(!options.keyframe.empty(), "keyframe", format == kMjcf, "MJCF");
  check(options.no_actuators, "no actuators", format == kMjcf, "MJCF");
  check(!options.control.empty(), "control", format == kMjcf || format == kUrdf, "MJCF and URDF");
}

}  // namespace

ModelSource read_model(const std::filesystem::path& file, const ImportOptions& options,
                       ImportLog& log) {
  std::string text = read_text(file);
  const std::string extension = file.extension().string();
  if (!is_xml(text) && (extension == ".xml" || extension == ".urdf" || extension == ".sdf")) {
    throw ModelError({file.string(), 1}, "", "is no XML, it does not begin with an element");
  }
  const auto format = format_of(text);
  check_format_knows(options, format, file);
  if (format == ModelFormat::kNative) return {file.string(), std::move(text), {}, {}, {}, {}};
  Looks looks;
  const Mechanism mechanism = import_mechanism(text, file, options, log, &looks);
  return {file.string(),
          to_native(mechanism, looks),
          places(mechanism.bodies),
          places(mechanism.joints),
          places(mechanism.couplings),
          places(mechanism.forces)};
}

Model load(const std::filesystem::path& file, const std::vector<std::string>& overrides,
           const ImportOptions& options) {
  ImportLog log(options.strict);
  return Model(read_model(file, options, log).mechanism(overrides));
}

}  // namespace hamiltree
