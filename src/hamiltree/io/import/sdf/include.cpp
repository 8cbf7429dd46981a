#include "hamiltree/io/import/sdf/include.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "hamiltree/base/limits.hpp"
#include "hamiltree/io/import/named_file.hpp"
#include "hamiltree/io/import/read_text.hpp"
#include "hamiltree/io/import/sdf/merge.hpp"
#include "hamiltree/io/import/sdf/sdf_elements.hpp"

namespace hamiltree::sdf {
namespace {

namespace fs = std::filesystem;

constexpr int kOwnAxes = 5;        // from this minor version on, axes are in the joint's frame
constexpr int kFoldersAround = 5;  // in which models are looked for

// Elements named <include> of worlds and models, in document order.
void find_model_includes(const XmlElement& element, std::vector<XmlElement>& found) {
  for (const auto& child : element.children()) {
    if (child.name() == "include") {
      found.push_back(child);
    } else if (child.name() == "world" || child.name() == "model") {
      find_model_includes(child, found);
    }
  }
}

void replace_child(XmlElement& model, const XmlElement& include, const char* name,
                   XmlDocument& document) {
  const auto own = include.child(name);
  if (!own) return;
  for (const auto& old : model.children(name)) document.remove(old);
  document.append_copy(model, *own);
}

// Elements of the <include> that replace the model's.
void overrule(XmlElement model, const XmlElement& include, XmlDocument& document) {
  if (const auto name = include.child("name")) {
    auto node = model.node();
    node.attribute("name").set_value(name->content().c_str());
  }
  replace_child(model, include, "pose", document);
  replace_child(model, include, "static", document);
  if (const auto frame = include.child("placement_frame")) {
    auto node = model.node();
    node.remove_attribute("placement_frame");
    node.append_attribute("placement_frame").set_value(frame->content().c_str());
  }
}

// Says of axes in which frame they are, where that follows from the version of their file.
void say_axes(const XmlElement& element, const char* in_model, XmlDocument& document) {
  for (const auto& child : element.children()) {
    const std::string name = child.name();
    if ((name == "axis" || name == "axis2") && !child.child("use_parent_model_frame")) {
      document.append(child, "use_parent_model_frame", in_model);
    }
    say_axes(child, in_model, document);
  }
}

class Includer {
 public:
  Includer(const fs::path& first, const ImportOptions& options, ImportLog& log)
      : first_(first), options_(options), log_(log) {}

  void read(XmlDocument& document, const fs::path& file, std::size_t depth) {
    std::vector<XmlElement> includes;
    find_model_includes(document.root(), includes);
    for (const auto& include : includes) {
      if (depth > kIncludeDepth.value) {
        include.fail("files include each other deeper than " + to_text(kIncludeDepth));
      }
      if (include.child("placement_frame") && !include.child("pose")) {
        include.fail("placement_frame needs a <pose>");
      }
      const std::string uri = include.required_child("uri").content();
      try {
        const auto found = find_model(uri, file);
        if (!found) throw std::runtime_error("is not there");
        put(include, document, allowed(*found), depth);
      } catch (const std::runtime_error& error) {
        if (dynamic_cast<const ModelError*>(&error) != nullptr) throw;
        log_.warn(include.where(),
                  "the included model \"" + uri + "\" " + error.what() + ", it is left out");
        auto node = include.node();
        node.append_attribute(kWhyLeftOut).set_value(error.what());
      }
    }
  }

 private:
  // The file of a model's folder: what model.config says last, else model.sdf.
  fs::path file_of_model(const fs::path& folder) {
    const fs::path config = folder / "model.config";
    if (!fs::is_regular_file(config)) return folder / "model.sdf";
    const XmlDocument document(read_text(allowed(config)), config.string(), log_);
    const auto files = document.root().children("sdf");
    return folder / (files.empty() ? std::string("model.sdf") : files.back().content());
  }

  std::optional<fs::path> found_in(const fs::path& path) {
    if (fs::is_regular_file(path)) return path;
    if (!fs::is_directory(path)) return std::nullopt;
    const fs::path inner = file_of_model(path);
    return fs::is_regular_file(inner) ? std::optional(inner) : std::nullopt;
  }

  // Where the address leads, if anywhere.
  std::optional<fs::path> find_model(const std::string& uri, const fs::path& file) {
    constexpr std::string_view kModel = "model://";
    fs::path folder = fs::absolute(file).parent_path();
    const bool is_model = uri.starts_with(kModel);
    if (!is_model && uri.find("://") != uri.npos) return std::nullopt;
    const std::string name = is_model ? uri.substr(kModel.size()) : uri;
    for (int i = 0; i < kFoldersAround; ++i, folder = folder.parent_path()) {
      if (auto found = found_in(folder / name)) return found;
      if (auto found = found_in(folder / "models" / name)) return found;
    }
    return std::nullopt;
  }

  // The same path, if it may be read.
  fs::path allowed(const fs::path& path) const {
    return named_file(first_, fs::absolute(path).string(), options_);
  }

  void put(const XmlElement& include, XmlDocument& document, const fs::path& path,
           std::size_t depth) {
    XmlDocument included(read_text(path), path.string(), log_);
    const auto root = included.root();
    const auto model = root.child("model");
    if (root.name() != "sdf" || !model) throw std::runtime_error("holds no <model>");
    const bool old = read_version(root, log_).minor < kOwnAxes;
    const bool old_around = read_version(document.root(), log_).minor < kOwnAxes;
    read(included, path, depth + 1);
    if (old != old_around) say_axes(*model, old ? "true" : "false", included);
    if (include.boolean_or("merge", false)) {
      merge_model(document, include, *model, log_);
    } else {
      overrule(document.insert_copy(include, *model), include, document);
    }
    if (const auto changes = include.child("experimental:params"))
      log_.warn(changes->where(), "what <experimental:params> changes in a model is not read");
    document.remove(include);
  }

  fs::path first_;
  const ImportOptions& options_;
  ImportLog& log_;
};

}  // namespace

void include_models(XmlDocument& document, const fs::path& file, const ImportOptions& options,
                    ImportLog& log) {
  Includer(file, options, log).read(document, file, 1);
}

}  // namespace hamiltree::sdf
