#include "hamiltree/io/import/sdf/frame_graph.hpp"

namespace hamiltree::sdf {
namespace {

constexpr const char* kModelFrame = "__model__";

bool is_reserved(const std::string& name) {
  return name == "world" || (name.starts_with("__") && name.ends_with("__"));
}

}  // namespace

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
  if (found == by_name_.end()) element.fail(role + " \"" + name + "\" is no frame here");
  return *found->second;
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

const Frame& FrameGraph::place(Node& node) {
  if (node.pose_state == Node::State::kBusy) {
    node.element->fail("its pose is relative to itself, through relative_to or attached_to");
  }
  if (node.pose_state == Node::State::kOpen) {
    node.pose_state = Node::State::kBusy;
    node.X_W = compose(place(*node.relative_to), node.X);
    node.pose_state = Node::State::kDone;
  }
  return node.X_W;
}

const std::string& FrameGraph::attach(Node& node) {
  if (node.attached_state == Node::State::kBusy) node.element->fail("it is attached to itself");
  if (node.attached_state == Node::State::kOpen) {
    node.attached_state = Node::State::kBusy;
    node.body = node.kind == Kind::kLink ? node.name : attach(*node.attached_to);
    node.attached_state = Node::State::kDone;
  }
  return node.body;
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
