#include "hamiltree/io/import/native.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "hamiltree/base/limits.hpp"
#include "hamiltree/io/import/native_controller.hpp"
#include "hamiltree/io/import/native_document.hpp"
#include "hamiltree/io/import/native_elements.hpp"
#include "hamiltree/io/import/native_frame.hpp"
#include "hamiltree/io/import/native_joint.hpp"
#include "hamiltree/io/import/native_visual.hpp"
#include "hamiltree/io/import/number_by_name.hpp"
#include "hamiltree/io/import/overrides.hpp"
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
  if (count < 1) {
    reader.fail("repeat", "repeat is " + std::to_string(count) + ", it must be 1 or more");
  }
  return count;
}

// Calls read_one on a reader for each [[kind]], as many times as it is repeated. Nothing is made
// before it is known how many there are.
template <class ReadOne>
void read_each(TomlReader& root, const std::string& file, const std::string& kind,
               const ReadOne& read_one, const Limit& limit = kElements,
               const ElementRange& range = {}) {
  struct Element {
    TomlReader first;
    const toml::table* table;
    std::string name;
    std::optional<std::int64_t> count;
  };
  std::vector<Element> elements;
  std::size_t all = 0;
  for (const toml::table* table : root.tables(kind)) {
    const std::string name = kind + " number " + std::to_string(elements.size() + 1);
    auto& e = elements.emplace_back(Element{{*table, file, name}, table, name, {}});
    e.count = read_repeat(e.first);
    const auto count = static_cast<std::size_t>(e.count.value_or(1));
    if (count > limit.value - all) {
      e.first.fail("repeat", "asks for more than " + to_text(limit));
    }
    all += count;
  }
  std::size_t before = 0;  // elements of other tables
  for (auto& [first, table, name, count] : elements) {
    const auto copies = static_cast<std::size_t>(count.value_or(1));
    const auto from = std::clamp(range.first, before, before + copies) - before;
    const auto to = std::clamp(range.last, before, before + copies) - before;
    before += copies;
    if (!count && from < to) read_one(first);
    if (!count) continue;
    for (std::size_t i = from + 1; i <= to; ++i) {
      TomlReader copy(*table, file, name, static_cast<std::int64_t>(i));
      read_one(copy);
    }
  }
}

// How many there are, copies included.
std::size_t count_of(TomlReader& root, const std::string& file, const std::string& kind) {
  std::size_t all = 0;
  for (const toml::table* table : root.tables(kind)) {
    TomlReader reader(*table, file, kind);
    const auto count = static_cast<std::size_t>(read_repeat(reader).value_or(1));
    if (count > kLinks.value - std::min(all, kLinks.value))
      reader.fail("repeat", "asks for more than " + to_text(kLinks));
    all += count;
  }
  return all;
}

Looks read_looks(TomlReader& root, const std::string& file) {
  Looks looks;
  read_each(root, file, "visual",
            [&](TomlReader& reader) { looks.push_back(read_visual(reader)); });
  return looks;
}

void check_looks(const Looks& looks, const Mechanism& mechanism) {
  if (looks.empty()) return;
  const auto bodies = number_by_name(mechanism.bodies);
  for (const auto& visual : looks) {
    if (visual.body == kGround || bodies.contains(visual.body)) continue;
    const std::string element = "visual of \"" + visual.body + "\"";
    throw ModelError(visual.where, element, element + ": no body has this name");
  }
}

}  // namespace

ElementCounts count_elements(const toml::table& document, const std::string& file) {
  TomlReader root(document, file, "");
  check_format(root);
  return {count_of(root, file, "body"),     count_of(root, file, "joint"),
          count_of(root, file, "coupling"), count_of(root, file, "force"),
          count_of(root, file, "sensor"),   count_of(root, file, "event")};
}

Mechanism read_links(const toml::table& document, const std::string& file,
                     const ElementRange& range) {
  TomlReader root(document, file, "");
  Mechanism mechanism;
  mechanism.where = {file, 1};
  mechanism.name = std::filesystem::path(file).stem().string();
  mechanism.space = read_space(root);
  mechanism.gravity = read_vector(root, "gravity", mechanism.space);
  const SpaceKind space = mechanism.space;
  read_each(
      root, file, "body", [&](TomlReader& reader) { mechanism.add(read_body(reader, space)); },
      kLinks, range);
  read_each(
      root, file, "joint",
      [&](TomlReader& reader) { mechanism.add(read_joint(reader, space, mechanism.forces)); },
      kLinks, range);
  return mechanism;
}

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
  read_each(
      root, file, "body", [&](TomlReader& reader) { mechanism.add(read_body(reader, space)); },
      kBodies);
  read_each(root, file, "joint", [&](TomlReader& reader) {
    mechanism.add(read_joint(reader, space, mechanism.forces));
  });
  read_each(root, file, "coupling",
            [&](TomlReader& reader) { mechanism.add(read_coupling(reader)); });
  read_each(root, file, "force",
            [&](TomlReader& reader) { mechanism.add(read_force(reader, space)); });
  read_each(root, file, "controller",
            [&](TomlReader& reader) { mechanism.add(read_controller(reader, file)); });
  read_each(root, file, "sensor",
            [&](TomlReader& reader) { mechanism.add(read_sensor(reader, space)); });
  read_each(root, file, "event", [&](TomlReader& reader) { mechanism.add(read_event(reader)); });
  check_looks(read_looks(root, file), mechanism);
  root.finish();
  return mechanism;
}

Mechanism parse_native(std::string_view text, const std::string& file_name,
                       const std::vector<std::string>& overrides) {
  toml::table document = parse_toml(text, file_name);
  apply_overrides(document, overrides);
  return read_mechanism(document, file_name);
}

Looks parse_looks(std::string_view text, const std::string& file_name,
                  const std::vector<std::string>& overrides) {
  if (text.find("visual") == text.npos) return {};
  toml::table document = parse_toml(text, file_name);
  apply_overrides(document, overrides);
  TomlReader root(document, file_name, "");
  return read_looks(root, file_name);
}

}  // namespace hamiltree
