#include "hamiltree/io/import/sdf/frame_graph.hpp"

#include <vector>

#include "hamiltree/base/limits.hpp"
#include "hamiltree/io/import/sdf/include.hpp"
#include "hamiltree/io/import/sdf/sdf_elements.hpp"

namespace hamiltree::sdf {
namespace {

bool is_reserved(const std::string& name) {
  return name == "world" || (name.starts_with("__") && name.ends_with("__"));
}

// Added where a name is in a model that is not there: "a::link" in one that an <include> around the
// element names "a" and that was left out, so that the <include> still stands. Without a name on
// the <include> its model may have any.
std::string missing_model(const std::string& name, const XmlElement& element) {
  const std::string model = name.substr(0, name.find("::"));
  std::string perhaps;
  for (auto node = element.node().parent(); node; node = node.parent()) {
    for (const auto& include : node.children("include")) {
      const std::string uri = include.child("uri").text().get();
      const std::string given = include.child("name").text().get();
      const std::string why = include.attribute(kWhyLeftOut).value();
      const std::string own = uri.substr(uri.find_last_of('/') + 1);
      if (model == (given.empty() ? own : given)) {
        return ", for the included model \"" + uri + "\" " + why;
      }
      if (given.empty() && perhaps.empty() && name != model)
        perhaps = ", and the included model \"" + uri + "\" " + why;
    }
  }
  return perhaps;
}

}  // namespace

void set_pose(const XmlElement& element, Node& node, ImportLog& log) {
  const auto pose = element.child("pose");
  if (!pose) return;
  node.X = read_pose(*pose);
  node.relative_name = pose->text_or("relative_to", "");
  if (!pose->text_or("frame", "").empty()) {
    log.warn(pose->where(), "attribute frame of <pose> had no meaning and is ignored");
  }
}

FrameGraph::FrameGraph() {
  auto& world = nodes_.emplace_back();
  world.name = "world";
  world.body = kGround;
  world.pose_state = world.attached_state = Node::State::kDone;
}

Scope& FrameGraph::add_scope(std::string prefix, Node& frame) {
  return scopes_.emplace_back(Scope{std::move(prefix), &frame});
}

Node& FrameGraph::add(Kind kind, const std::string& name, const XmlElement& element,
                      const Scope& scope) {
  auto& node = add_hidden(kind, name, element, scope);
  if (!by_name_.emplace(name, &node).second) {
    element.fail("another element beside it has this name already");
  }
  return node;
}

Node& FrameGraph::add_hidden(Kind kind, const std::string& name, const XmlElement& element,
                             const Scope& scope) {
  if (is_reserved(element.text("name"))) element.fail("this name is reserved");
  if (name.size() > kStringLength.value) {
    element.fail("its name with those of its models is longer than " + to_text(kStringLength) +
                 ", in bytes");
  }
  auto& node = nodes_.emplace_back();
  node.kind = kind;
  node.name = name;
  node.element = element;
  node.scope = &scope;
  return node;
}

Node& FrameGraph::find(const Scope& scope, const std::string& name, const std::string& role,
                       const XmlElement& element) {
  if (name == "world") return world();
  if (name == kModelFrame) return *scope.frame;
  std::string full = scope.prefix + name;
  const std::string of_model = std::string("::") + kModelFrame;
  if (!contains(full) && full.ends_with(of_model)) full.resize(full.size() - of_model.size());
  const auto found = by_name_.find(full);
  if (found == by_name_.end()) {
    if (Node* node = find_from_outside(name)) return *node;
    element.fail(role + " \"" + name + "\" is no frame here" + missing_model(name, element));
  }
  return *found->second;
}

Node* FrameGraph::find_from_outside(const std::string& name) {
  if (!outermost_ || !name.starts_with(*outermost_) || name.find("::") == name.npos) return nullptr;
  const auto found = by_name_.find(name.substr(outermost_->size()));
  return found == by_name_.end() ? nullptr : found->second;
}

void FrameGraph::look_up(Node& node) {
  if (node.kind == Kind::kWorld) return;
  const auto& element = *node.element;
  if (!node.attached_name.empty()) {
    node.attached_to = &find(*node.scope, node.attached_name,
                             node.kind == Kind::kJoint ? "child" : "attached_to", element);
  } else if (node.kind != Kind::kLink && node.attached_to == nullptr) {
    node.attached_to = node.scope->frame;
  }
  if (!node.relative_name.empty()) {
    node.relative_to = &find(*node.scope, node.relative_name, "relative_to", element);
  } else {
    // Links and models are placed in what holds them, frames and joints in what they are part of.
    const bool by_scope = node.kind == Kind::kLink || node.kind == Kind::kModel;
    node.relative_to = by_scope ? node.scope->frame : node.attached_to;
  }
}

void FrameGraph::resolve() {
  for (auto& node : nodes_) look_up(node);
  for (auto& node : nodes_) {
    place(node);
    attach(node);
  }
}

// Both follow the nodes inwards to one that is done, then come back: the way may be long.
void FrameGraph::place(Node& node) {
  std::vector<Node*> way;
  for (Node* at = &node; at->pose_state != Node::State::kDone; at = at->relative_to) {
    if (at->pose_state == Node::State::kBusy) {
      at->element->fail("its pose is relative to itself, through relative_to or attached_to");
    }
    at->pose_state = Node::State::kBusy;
    way.push_back(at);
  }
  for (; !way.empty(); way.pop_back()) {
    Node& at = *way.back();
    at.X_W = compose(at.relative_to->X_W, at.X);
    at.pose_state = Node::State::kDone;
  }
}

void FrameGraph::attach(Node& node) {
  std::vector<Node*> way;
  for (Node* at = &node; at->attached_state != Node::State::kDone; at = at->attached_to) {
    if (at->attached_state == Node::State::kBusy) at->element->fail("it is attached to itself");
    at->attached_state = Node::State::kBusy;
    way.push_back(at);
    if (at->kind == Kind::kLink) break;
  }
  for (; !way.empty(); way.pop_back()) {
    Node& at = *way.back();
    at.body = at.kind == Kind::kLink ? at.name : at.attached_to->body;
    at.attached_state = Node::State::kDone;
  }
}

Frame FrameGraph::pose_in(Node& node, Node& ancestor) {
  Frame X;
  std::size_t steps = 0;
  for (Node* at = &node; at != &ancestor; at = at->relative_to) {
    if (at->relative_to == nullptr && at->kind != Kind::kWorld) look_up(*at);
    if (at->relative_to == nullptr || ++steps > nodes_.size()) {
      node.element->fail("is not placed within its model");
    }
    X = compose(at->X, X);
  }
  return X;
}

}  // namespace hamiltree::sdf
