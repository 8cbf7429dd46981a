#include "hamiltree/io/import/sdf/sdf.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/io/import/mass.hpp"
#include "hamiltree/io/import/roots.hpp"
#include "hamiltree/io/import/sdf/include.hpp"
#include "hamiltree/io/import/sdf/sdf_joints.hpp"
#include "hamiltree/io/import/sdf/sdf_visual.hpp"
#include "hamiltree/io/import/sdf/words.hpp"

namespace hamiltree {
namespace sdf {
namespace {

constexpr double kGravity = 9.8;  // m/s^2, of SDF where it says none
constexpr int kWorldGravity = 6;  // from this version on, it is no part of <physics>
constexpr int kUniqueNames = 7;   // from this version on, all frames of a scope
constexpr int kInnerNames = 7;    // and names are looked up in their model alone
constexpr int kScopedNames = 8;   // and "::" is no part of a name

class Reader {
 public:
  Reader(const XmlElement& root, const std::filesystem::path& file, const ImportOptions& options,
         ImportLog& log, ImportedLooks& looks)
      : root_(root), file_(file), options_(options), log_(log), looks_(looks) {}

  Mechanism read() {
    version_ = read_version(root_, log_);
    check_vocabulary(root_, words(), log_);
    mechanism_.where = root_.where();
    mechanism_.name = file_.stem().string();
    mechanism_.gravity = {0.0, 0.0, -kGravity};
    read_root();
    place_models();
    graph_.resolve();
    add_joints();
    std::map<std::string, Frame> at_start;
    for (const auto* link : links_) at_start[link->name] = link->X_W;
    hold_static_links();
    hold_roots(mechanism_, at_start, options_, log_);
    return std::move(mechanism_);
  }

 private:
  void read_root() {
    const auto worlds = root_.children("world");
    const auto models = root_.children("model");
    if (worlds.size() > 1) worlds[1].fail("a second world; only one can be simulated");
    if (models.size() + worlds.size() > 1) {
      models.back().fail("a second model beside the root; put both into a <world>");
    }
    if (!worlds.empty()) {
      mechanism_.name = worlds[0].text("name");
      if (version_.minor < kInnerNames) graph_.allow_names_from_outside("");
      read_world(worlds[0]);
    } else if (!models.empty()) {
      mechanism_.name = models[0].text("name");
      if (version_.minor < kInnerNames) graph_.allow_names_from_outside(mechanism_.name + "::");
      if (const auto pose = models[0].child("pose");
          pose && !pose->text_or("relative_to", "").empty()) {
        pose->fail("a model beside the root is relative to nothing");
      }
      const auto& scope = graph_.add_scope("", graph_.world());
      read_model(models[0], scope, "", false);
    } else {
      root_.fail("has neither a world nor a model");
    }
  }

  void read_world(const XmlElement& world) {
    read_gravity(world);
    const auto& scope = graph_.add_scope("", graph_.world());
    refuse_twins(world);
    for (const auto& child : world.children()) {
      if (child.name() == "model") read_model(child, scope, child.text("name") + "::", false);
    }
    read_content(world, scope);
    for (const auto& population : world.children("population"))
      log_.warn(population.where(), "the copies of a model in <population> are left out");
    for (const auto& state : world.children("state")) {
      if (!state.child("model")) continue;
      log_.warn(state.where(),
                "the saved <state> is not read: models start where they are placed, at rest");
    }
  }

  void read_gravity(const XmlElement& world) {
    const auto physics = world.child("physics");
    auto gravity = physics ? physics->child("gravity") : std::nullopt;
    if (gravity && version_.minor >= kWorldGravity) {
      log_.warn(gravity->where(), "gravity in <physics> has no meaning from SDF 1.6 on");
      gravity.reset();
    }
    if (const auto own = world.child("gravity")) gravity = own;
    if (gravity) mechanism_.gravity = gravity->content_numbers(3);
  }

  // Elements of any kind beside each other have names of their own.
  void refuse_twins(const XmlElement& parent) const {
    std::set<std::pair<bool, std::string>> names;
    for (const auto& child : parent.children()) {
      const std::string kind = child.name();
      if (kind != "model" && kind != "link" && kind != "joint" && kind != "frame" &&
          kind != "light" && kind != "actor" && kind != "drake:joint") {
        continue;
      }
      const bool apart = kind == "joint" && version_.minor < kUniqueNames;
      if (!names.emplace(apart, child.text("name")).second) {
        child.fail("another element beside it has this name already");
      }
      if (version_.minor >= kScopedNames && child.text("name").find("::") != std::string::npos) {
        child.fail("a name must not hold \"::\"");
      }
    }
  }

  // Frames and joints of a world or a model.
  void read_content(const XmlElement& parent, const Scope& scope) {
    for (const auto& child : parent.children()) {
      const std::string kind = child.name();
      if (kind == "frame") {
        auto& node = add(Kind::kFrame, child, scope);
        node.attached_name = child.text_or("attached_to", "");
      }
      if (kind == "joint" || kind == "drake:joint") add_joint_node(child, scope);
      if (kind == "drake:weld_constraint") welds_.emplace_back(child, &scope);
    }
  }

  Node& add(Kind kind, const XmlElement& element, const Scope& scope) {
    auto& node = graph_.add(kind, scope.prefix + element.text("name"), element, scope);
    set_pose(element, node, log_);
    return node;
  }

  // Older files may give a joint the name of a link; nothing can be relative to it then.
  void add_joint_node(const XmlElement& element, const Scope& scope) {
    const std::string name = scope.prefix + element.text("name");
    if (version_.minor < kUniqueNames && graph_.contains(name)) {
      log_.warn(element.where(), "joint \"" + name + "\" has the name of a link");
      auto& node = graph_.add_hidden(Kind::kJoint, name, element, scope);
      finish_joint_node(element, node);
    } else {
      finish_joint_node(element, add(Kind::kJoint, element, scope));
    }
  }
  void finish_joint_node(const XmlElement& element, Node& node) {
    set_pose(element, node, log_);
    node.attached_name = read_end(element, "child");
    joints_.push_back(&node);
  }

  // `prefix` is that of the names in the model. Gives its canonical link, null where it is static
  // and has none.
  Node* read_model(const XmlElement& element, const Scope& outside, const std::string& prefix,
                   bool is_static) {
    is_static = is_static || read_flag(element, "static", false);
    // A model beside the root has no name that another element could use.
    auto& frame =
        prefix.empty()
            ? graph_.add_hidden(Kind::kModel, element.text("name"), element, outside)
            : graph_.add(Kind::kModel, prefix.substr(0, prefix.size() - 2), element, outside);
    set_pose(element, frame, log_);
    const auto& scope = graph_.add_scope(prefix, frame);
    refuse_twins(element);
    if (const auto state = element.child("model_state"))
      log_.warn(state->where(), "model_state is not read, joints start at zero");
    Node* canonical = nullptr;
    for (const auto& child : element.children("link")) {
      Node& link = add_link(child, scope, is_static);
      if (canonical == nullptr) canonical = &link;
    }
    for (const auto& child : element.children("model")) {
      Node* inner = read_model(child, scope, prefix + child.text("name") + "::", is_static);
      if (canonical == nullptr) canonical = inner;
    }
    read_content(element, scope);
    models_.emplace_back(&frame, &scope);
    const std::string named = element.text_or("canonical_link", "");
    if (!named.empty()) {
      canonical = &graph_.find(scope, named, "canonical_link", element);
      if (canonical->kind != Kind::kLink)
        element.fail("canonical_link \"" + named + "\" is no link");
    }
    // A model whose included models are left out, with a warning, may be empty.
    if (canonical == nullptr && !is_static && !element.child("include")) {
      element.fail("has no link");
    }
    frame.attached_to = canonical;
    return canonical;
  }

  Node& add_link(const XmlElement& element, const Scope& scope, bool is_static) {
    auto& node = add(Kind::kLink, element, scope);
    // "ground" is the engine's word for what stands still.
    if (node.name == kGround) node.name = "ground_link";
    BodyDescription body;
    body.where = element.where();
    body.name = node.name;
    read_inertial(element, body, log_);
    check_decay(element);
    if (read_flag(element, "kinematic", false))
      log_.warn(element.where(), "a kinematic link is simulated as one that forces move");
    mechanism_.add(body);
    read_visuals(element, body.name, looks_);
    links_.push_back(&node);
    graph_.remember_link(node);
    if (is_static) static_.insert(node.name);
    if (!read_flag(element, "gravity", true)) {
      carry_weight(body.name + "_without_gravity", body, 1.0, mechanism_);
    }
    return node;
  }

  void check_decay(const XmlElement& element) {
    const auto decay = element.child("velocity_decay");
    if (!decay) return;
    if (read_number(*decay, "linear", 0.0) != 0.0 || read_number(*decay, "angular", 0.0) != 0.0) {
      log_.warn(decay->where(), "velocity_decay is not simulated");
    }
  }

  // With a placement frame, the pose of a model is that of a frame in it. Inner models come first.
  void place_models() {
    for (const auto& [frame, scope] : models_) {
      const std::string name = frame->element->text_or("placement_frame", "");
      if (name.empty()) continue;
      Node& placed = graph_.find(*scope, name, "placement_frame", *frame->element);
      frame->X = compose(frame->X, inverse(graph_.pose_in(placed, *frame)));
    }
  }

  void add_joints() {
    JointReader reader(graph_, version_, mechanism_, log_);
    for (auto* node : joints_) reader.read(*node);
    for (auto* node : joints_) {
      if (node->element->text("type") == "gearbox") reader.read_gearbox(*node);
      reader.read_mimics(*node);
    }
    for (const auto& [element, scope] : welds_) reader.read_weld(element, *scope);
  }

  void hold_static_links() {
    for (const auto* link : links_) {
      if (!static_.contains(link->name)) continue;
      JointDescription joint;
      joint.where = link->element->where();
      joint.name = link->name + "_static";
      joint.type = JointType::kFixed;
      joint.parent = kGround;
      joint.child = link->name;
      joint.at_parent = link->X_W;
      mechanism_.add(joint);
    }
  }

  XmlElement root_;
  std::filesystem::path file_;
  const ImportOptions& options_;
  ImportLog& log_;
  ImportedLooks& looks_;
  Version version_;
  FrameGraph graph_;
  Mechanism mechanism_;
  std::vector<Node*> links_, joints_;
  std::vector<std::pair<Node*, const Scope*>> models_;
  std::vector<std::pair<XmlElement, const Scope*>> welds_;
  std::set<std::string> static_;
};

}  // namespace
}  // namespace sdf

Mechanism read_sdf(XmlDocument& document, const std::filesystem::path& file,
                   const ImportOptions& options, ImportLog& log, ImportedLooks& looks) {
  sdf::include_models(document, file, options, log);
  return sdf::Reader(document.root(), file, options, log, looks).read();
}

}  // namespace hamiltree
