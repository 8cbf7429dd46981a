#include "hamiltree/io/import/native.hpp"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "hamiltree/io/import/native_document.hpp"
#include "hamiltree/io/import/native_elements.hpp"
#include "hamiltree/io/import/native_frame.hpp"
#include "hamiltree/io/import/native_joint.hpp"
#include "hamiltree/io/import/overrides.hpp"
#include "hamiltree/io/import/repeat.hpp"
#include "hamiltree/io/import/toml_reader.hpp"

namespace hamiltree {
namespace {

void check_format(TomlReader& reader) {
  const std::int64_t format = reader.integer("format");
  if (format == kNativeFormat) return;
  const std::string known = "this program reads (" + std::to_string(kNativeFormat) + ")";
  reader.fail("format", "format " + std::to_string(format) +
                            (format > kNativeFormat ? " is newer than " : " is none that ") +
                            known);
}

SpaceKind read_space(TomlReader& reader) {
  const std::string space = reader.text("space");
  if (space == "planar") return SpaceKind::kPlanar;
  if (space == "spatial") return SpaceKind::kSpatial;
  reader.fail_unknown("space", space, {"planar", "spatial"});
}

// How often the element is there, or nothing where it has no `repeat`.
std::optional<std::int64_t> read_repeat(TomlReader& reader) {
  if (!reader.has("repeat")) return std::nullopt;
  const std::int64_t count = reader.integer("repeat");
  if (count < 1 || count > kMaxRepeat) {
    reader.fail("repeat", "repeat is " + std::to_string(count) + ", it must be from 1 to " +
                              std::to_string(kMaxRepeat));
  }
  return count;
}

// Calls read_one on a reader for each [[kind]], as many times as it is repeated.
template <class ReadOne>
void read_each(TomlReader& root, const std::string& file, const std::string& kind,
               const ReadOne& read_one) {
  int position = 0;
  for (const toml::table* table : root.tables(kind)) {
    const std::string element = kind + " number " + std::to_string(++position);
    TomlReader first(*table, file, element);
    const auto count = read_repeat(first);
    if (!count) {
      read_one(first);
      continue;
    }
    for (std::int64_t i = 1; i <= *count; ++i) {
      TomlReader copy(*table, file, element, i);
      read_one(copy);
    }
  }
}

}  // namespace

Mechanism read_mechanism(const toml::table& document, const std::string& file) {
  TomlReader root(document, file, "");
  check_format(root);
  Mechanism mechanism;
  mechanism.where = {file, 1};
  const std::string stem = std::filesystem::path(file).stem().string();
  mechanism.name = root.has("name") ? root.text("name") : stem;
  mechanism.space = read_space(root);
  mechanism.gravity = read_vector(root, "gravity", mechanism.space);
  const SpaceKind space = mechanism.space;
  read_each(root, file, "body",
            [&](TomlReader& reader) { mechanism.add(read_body(reader, space)); });
  read_each(root, file, "joint", [&](TomlReader& reader) {
    mechanism.add(read_joint(reader, space, mechanism.forces));
  });
  read_each(root, file, "coupling",
            [&](TomlReader& reader) { mechanism.add(read_coupling(reader)); });
  read_each(root, file, "force",
            [&](TomlReader& reader) { mechanism.add(read_force(reader, space)); });
  read_each(root, file, "sensor",
            [&](TomlReader& reader) { mechanism.add(read_sensor(reader, space)); });
  read_each(root, file, "event", [&](TomlReader& reader) { mechanism.add(read_event(reader)); });
  root.finish();
  return mechanism;
}

std::string read_text(const std::filesystem::path& file) {
  const SourceLocation where{file.string(), 0};
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw ModelError(where, "", "file not found");
  if (std::filesystem::is_directory(status)) throw ModelError(where, "", "is a folder, not a file");
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad()) throw ModelError(where, "", "cannot be read");
  return text;
}

Mechanism parse_native(std::string_view text, const std::string& file_name,
                       const std::vector<std::string>& overrides) {
  toml::table document = parse_toml(text, file_name);
  apply_overrides(document, overrides);
  return read_mechanism(document, file_name);
}

Mechanism read_native(const std::filesystem::path& file,
                      const std::vector<std::string>& overrides) {
  return parse_native(read_text(file), file.string(), overrides);
}

}  // namespace hamiltree
