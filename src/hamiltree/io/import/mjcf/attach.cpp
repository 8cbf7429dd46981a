#include "hamiltree/io/import/mjcf/attach.hpp"

#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include "hamiltree/base/limits.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/mjcf/attached_model.hpp"
#include "hamiltree/io/import/mjcf/composite.hpp"
#include "hamiltree/io/import/mjcf/include.hpp"
#include "hamiltree/io/import/mjcf/renaming.hpp"
#include "hamiltree/io/import/mjcf/replicate.hpp"
#include "hamiltree/io/import/named_file.hpp"
#include "hamiltree/io/import/read_text.hpp"

namespace hamiltree::mjcf {
namespace {

std::optional<XmlElement> find_below(const XmlElement& element, const std::string& kind,
                                     const std::string& name) {
  for (const auto& child : element.children()) {
    if (child.name() == kind && (name.empty() || child.text_or("name", "") == name)) return child;
    if (const auto found = find_below(child, kind, name)) return found;
  }
  return std::nullopt;
}

std::optional<XmlElement> find_in_world(const XmlElement& root, const std::string& kind,
                                        const std::string& name) {
  for (const auto& world : root.children("worldbody")) {
    if (const auto found = find_below(world, kind, name)) return found;
  }
  return std::nullopt;
}

class Attacher {
 public:
  Attacher(XmlDocument& document, const std::filesystem::path& file, const ImportOptions& options,
           ImportLog& log, std::size_t depth)
      : document_(document), file_(file), options_(options), log_(log), depth_(depth) {}

  void expand() {
    include_files(document_, file_, options_, log_);
    expand_composites(document_, log_);
    while (const auto place = find_in_world(document_.root(), "attach", "")) attach(*place);
    for (const auto& assets : document_.root().children("asset")) {
      for (const auto& model : assets.children("model")) document_.remove(model);
    }
    expand_replicates(document_);
  }

 private:
  void attach(const XmlElement& place) {
    Renaming renaming{{}, {}, place.text("prefix"), ""};
    if (!place.has("model")) {
      if (!place.has("body") && !place.has("frame")) place.fail("needs a model, body or frame");
      copy(place, document_.root(), renaming);
    } else {
      const auto path = path_of(place);
      XmlDocument model(read_text(path), path.string(), log_);
      if (model.root().name() != "mujoco") model.root().fail("is not the root of an MJCF file");
      Attacher(model, path, options_, log_, depth_ + 1).expand();
      settle_attached(model, path, document_, renaming.prefix, log_);
      copy(place, model.root(), renaming);
    }
    document_.remove(place);
  }

  // The file of the <model> that an <attach> names.
  std::filesystem::path path_of(const XmlElement& place) const {
    if (depth_ > kIncludeDepth.value) {
      place.fail("models attach each other deeper than " + to_text(kIncludeDepth));
    }
    const std::string name = place.text("model");
    for (const auto& assets : document_.root().children("asset")) {
      for (const auto& model : assets.children("model")) {
        if (!model.has("name")) {
          auto path = path_of_asset(model);
          if (own_name(path) == name) return path;
        } else if (model.text("name") == name) {
          return path_of_asset(model);
        }
      }
    }
    place.fail("there is no model \"" + name + "\" among the assets");
  }

  std::filesystem::path path_of_asset(const XmlElement& model) const {
    const std::string file = model.text("file");
    try {
      return named_file(file_, file, options_);
    } catch (const std::runtime_error& error) {
      model.fail("\"" + file + "\" " + error.what());
    }
  }

  // As a file calls its model, and MuJoCo one without a name.
  std::string own_name(const std::filesystem::path& file) const {
    return XmlDocument(read_text(file), file.string(), log_)
        .root()
        .text_or("model", "MuJoCo Model");
  }

  // The bodies in a frame in the place of the <attach>, and all that names nothing else.
  void copy(const XmlElement& place, const XmlElement& root, Renaming& renaming) {
    const auto content = content_of(place, root);
    for (const auto& element : content) collect_names(element, renaming.names);
    for (const auto& assets : root.children("asset")) collect_names(assets, renaming.assets);
    const bool is_other = root.document().root().node() != document_.root().node();
    const auto frame = document_.insert(place, "frame");
    for (const auto& element : content) rename(document_.append_copy(frame, element), renaming);
    if (is_other) {
      for (const auto& assets : root.children("asset")) copy_all(assets, renaming);
    }
    for (const char* name : {"tendon", "equality", "actuator"}) {
      for (const auto& section : root.children(name)) {
        std::vector<XmlElement> elements = section.children();
        std::erase_if(elements, [&](const XmlElement& element) {
          if (!refers_only_to(element, renaming.names)) return true;
          if (element.has("name")) renaming.names.insert(element.text("name"));
          return false;
        });
        const auto own = section_of(name);
        for (const auto& element : elements) rename(document_.append_copy(own, element), renaming);
      }
    }
    if (!root.children("keyframe").empty() && is_other)
      log_.ignore("keyframe of an attached model");
  }

  std::vector<XmlElement> content_of(const XmlElement& place, const XmlElement& root) const {
    for (const char* kind : {"body", "frame"}) {
      if (!place.has(kind)) continue;
      const auto found = find_in_world(root, kind, place.text(kind));
      if (!found) place.fail(std::string("there is no ") + kind + " \"" + place.text(kind) + "\"");
      for (auto node = place.node(); node; node = node.parent()) {
        if (node != found->node()) continue;
        place.fail(std::string("attaches the ") + kind + " \"" + place.text(kind) +
                   "\", in which it stands");
      }
      return {*found};
    }
    std::vector<XmlElement> content;
    for (const auto& world : root.children("worldbody")) {
      for (const auto& child : world.children()) content.push_back(child);
    }
    return content;
  }

  XmlElement section_of(const char* name) {
    const auto found = document_.root().child(name);
    return found ? *found : document_.append(document_.root(), name, "");
  }

  void copy_all(const XmlElement& assets, const Renaming& renaming) {
    const auto own = section_of("asset");
    for (const auto& asset : assets.children()) rename(document_.append_copy(own, asset), renaming);
  }

  XmlDocument& document_;
  std::filesystem::path file_;
  const ImportOptions& options_;
  ImportLog& log_;
  std::size_t depth_;
};

}  // namespace

void expand(XmlDocument& document, const std::filesystem::path& file, const ImportOptions& options,
            ImportLog& log) {
  Attacher(document, file, options, log, 1).expand();
}

}  // namespace hamiltree::mjcf
