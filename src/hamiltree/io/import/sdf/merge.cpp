#include "hamiltree/io/import/sdf/merge.hpp"

#include <stdexcept>
#include <string>

#include "hamiltree/io/import/sdf/frame_graph.hpp"
#include "hamiltree/io/import/sdf/sdf_elements.hpp"

namespace hamiltree::sdf {
namespace {

void set(const XmlElement& element, const char* attribute, const std::string& value) {
  auto node = element.node();
  node.remove_attribute(attribute);
  node.append_attribute(attribute).set_value(value.c_str());
}

// The first link of a model, or of a model in it: "arm::hand". Empty where there is none.
std::string first_link(const XmlElement& model) {
  if (const auto link = model.child("link")) return link->text("name");
  for (const auto& inner : model.children("model")) {
    const std::string link = first_link(inner);
    if (!link.empty()) return inner.text("name") + "::" + link;
  }
  return "";
}

class Merger {
 public:
  Merger(XmlDocument& document, const XmlElement& include, std::string frame)
      : document_(document), include_(include), frame_(std::move(frame)) {}

  void add_frame(const XmlElement& model) {
    const auto frame = document_.insert(include_, "frame");
    set(frame, "name", frame_);
    const std::string link = model.text_or("canonical_link", first_link(model));
    if (!link.empty()) set(frame, "attached_to", link);
    const auto given = include_.child("pose");
    const auto pose = given ? given : model.child("pose");
    const auto own =
        pose ? document_.append_copy(frame, *pose) : document_.append(frame, "pose", "0 0 0 0 0 0");
    if (own.text_or("relative_to", "").empty()) set(own, "relative_to", kModelFrame);
  }

  void add(const XmlElement& original) {
    const auto copy = document_.insert_copy(include_, original);
    const std::string kind = copy.name();
    if (kind == "link" || kind == "model") stand_in_frame(copy);
    if (kind == "frame" && copy.text_or("attached_to", "").empty())
      set(copy, "attached_to", frame_);
    say_frame(copy, "attached_to");
    for (const auto& child : copy.children()) {
      if (child.name() == "pose") say_frame(child, "relative_to");
      if (kind == "joint") say_frame_of_joint(child);
    }
  }

 private:
  // Links and models stand in the frame of their model where they say no other.
  void stand_in_frame(const XmlElement& element) {
    const auto pose = element.child("pose");
    const auto own = pose ? *pose : document_.append(element, "pose", "0 0 0 0 0 0");
    if (own.text_or("relative_to", "").empty()) set(own, "relative_to", frame_);
  }

  void say_frame(const XmlElement& element, const char* attribute) {
    if (element.text_or(attribute, "") == kModelFrame) set(element, attribute, frame_);
  }

  void say_frame_of_joint(const XmlElement& part) {
    const std::string name = part.name();
    if ((name == "parent" || name == "child") && part.content() == kModelFrame) {
      part.node().text().set(frame_.c_str());
    }
    if (name != "axis" && name != "axis2") return;
    const auto xyz = part.child("xyz");
    if (!xyz) return;
    say_frame(*xyz, "expressed_in");
    if (!read_flag(part, "use_parent_model_frame", false)) return;
    document_.remove(*part.child("use_parent_model_frame"));
    set(*xyz, "expressed_in", frame_);
  }

  XmlDocument& document_;
  const XmlElement& include_;
  std::string frame_;
};

}  // namespace

void merge_model(XmlDocument& document, const XmlElement& include, const XmlElement& model,
                 ImportLog& log) {
  if (std::string(include.node().parent().name()) != "model") {
    throw std::runtime_error("is to be merged with what is no model");
  }
  if (include.child("placement_frame") || model.has("placement_frame")) {
    throw std::runtime_error("is to be merged by its placement frame, which is not read");
  }
  const auto given = include.child("name");
  const std::string name = given ? given->content() : model.text("name");
  Merger merger(document, include, "_merged__" + name + kModelFrame);
  merger.add_frame(model);
  for (const auto& child : model.children()) {
    const std::string kind = child.name();
    if (kind == "static" && read_flag(model, "static", false)) {
      log.warn(child.where(), "a model that is merged with another is not static");
    }
    // What is said of the model as a whole is that of the other.
    if (kind == "pose" || kind == "static" || kind == "self_collide" || kind == "enable_wind" ||
        kind == "allow_auto_disable") {
      continue;
    }
    merger.add(child);
  }
}

}  // namespace hamiltree::sdf
