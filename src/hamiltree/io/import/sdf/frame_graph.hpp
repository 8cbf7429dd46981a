// The frames of an SDF file: each is placed relative to another and attached to one, by names that
// mean something in the scope of a model. [SDFormat, pose frame semantics]
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/xml/xml_element.hpp"

namespace hamiltree::sdf {

// The name of the frame of a model, within it.
inline constexpr const char* kModelFrame = "__model__";

struct Node;

// Where names are looked up: a world or a model. Names in it start with `prefix` when seen from
// outside: "arm::".
struct Scope {
  std::string prefix;
  Node* frame = nullptr;  // of the model or the world itself
};

enum class Kind { kWorld, kModel, kLink, kFrame, kJoint };

struct Node {
  Kind kind = Kind::kWorld;
  std::string name;  // with the prefix of its scope
  std::optional<XmlElement> element;
  Frame X;                      // as written, relative to `relative_to`
  Node* relative_to = nullptr;  // null: of the world
  Node* attached_to = nullptr;  // null: of links and of the world
  // While they are still to be looked up.
  const Scope* scope = nullptr;
  std::string relative_name, attached_name;  // empty: the default
  enum class State { kOpen, kBusy, kDone };
  State pose_state = State::kOpen, attached_state = State::kOpen;
  Frame X_W;         // in the world
  std::string body;  // the link or "ground" that it is fixed in
};

// Takes the <pose> of an element, where it has one.
void set_pose(const XmlElement& element, Node& node, ImportLog& log);

class FrameGraph {
 public:
  FrameGraph();

  Node& world() { return nodes_.front(); }
  Scope& add_scope(std::string prefix, Node& frame);

  // A frame of this name, already with its prefix. Refuses reserved names and those that are there.
  Node& add(Kind kind, const std::string& name, const XmlElement& element, const Scope& scope);

  // One that no name leads to.
  Node& add_hidden(Kind kind, const std::string& name, const XmlElement& element,
                   const Scope& scope);
  bool contains(const std::string& name) const { return by_name_.contains(name); }

  // Links go by the name of their body.
  void remember_link(Node& link) { links_[link.name] = &link; }
  const Node& link(const std::string& body) const { return *links_.at(body); }

  // From now on a name may also be that from outside of all models, where those of a file with one
  // model start with `outermost`, its name and "::".
  void allow_names_from_outside(std::string outermost) { outermost_ = std::move(outermost); }

  // By a name as an element of this scope writes it. Throws ModelError, calling it `role`.
  Node& find(const Scope& scope, const std::string& name, const std::string& role,
             const XmlElement& element);

  // Looks up and places everything. Throws ModelError for names that are not there, and cycles.
  void resolve();

  // The pose of a frame in one that it is, through others, relative to.
  Frame pose_in(Node& node, Node& ancestor);

 private:
  Node* find_from_outside(const std::string& name);
  void look_up(Node& node);
  void place(Node& node);
  void attach(Node& node);

  std::deque<Node> nodes_;
  std::deque<Scope> scopes_;
  std::map<std::string, Node*> by_name_, links_;
  std::optional<std::string> outermost_;
};

}  // namespace hamiltree::sdf
