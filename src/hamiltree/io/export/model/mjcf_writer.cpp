#include "hamiltree/io/export/model/mjcf_writer.hpp"

#include <algorithm>
#include <array>

#include "hamiltree/io/export/model/at_start.hpp"
#include "hamiltree/io/export/model/lifted.hpp"
#include "hamiltree/io/export/model/written_tree.hpp"
#include "hamiltree/io/export/model/xml_text.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mass.hpp"
#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree {
namespace {

using xml_text::set;

// One <joint>: MJCF makes the others of several.
struct Part {
  const char* type;
  int axis;  // of the joint's frame
};

std::vector<Part> parts_of(const JointDescription& joint) {
  return visit_joint<Spatial<double>>(joint.type, joint.pitch, []<class J>(const J&) {
    std::vector<Part> parts;
    if constexpr (J::kCoordinates != J::kVelocities) {
      parts = {{J::kVelocities == 3 ? "ball" : "free", 2}};
    } else {
      for (const int i : J::kMotion) {
        parts.push_back(i < 3 ? Part{"slide", i} : Part{"hinge", i - 3});
      }
    }
    if constexpr (requires(J j) { j.pitch; }) parts.push_back({"slide", 2});
    return parts;
  });
}

class MjcfWriter {
 public:
  explicit MjcfWriter(const Mechanism& mechanism)
      : mechanism_(lifted(at_start(mechanism))), tree_(written_tree(mechanism_)) {}

  std::string text() {
    refuse_bodies_called_world(mechanism_, "MJCF");
    for (const auto& force : tree_.others) {
      std::visit([&](const auto& f) { take(f); }, force);
    }
    auto root = document_.append_child("mujoco");
    set(root, "model", mechanism_.name);
    auto compiler = root.append_child("compiler");
    set(compiler, "angle", std::string("radian"));
    set(compiler, "autolimits", std::string("true"));
    set(root.append_child("option"), "gravity", Eigen::VectorXd(mechanism_.gravity));
    nodes_[kGround] = root.append_child("worldbody");
    equality_ = root.append_child("equality");
    tendon_ = root.append_child("tendon");
    for (const auto& joint : tree_.joints) add_body(joint);
    for (const auto& cut : tree_.cuts) close(cut);
    for (const auto& coupling : mechanism_.couplings) couple(coupling);
    for (const auto& spring : springs_) add_tendon(spring);
    for (const auto& limits : limits_) add_tendon(limits);
    if (starts_elsewhere_) {
      auto key = root.append_child("keyframe").append_child("key");
      set(key, "name", std::string("start"));
      set(key, "qpos",
          Eigen::Map<const Eigen::VectorXd>(qpos_.data(), static_cast<Eigen::Index>(qpos_.size())));
    }
    if (!equality_.first_child()) root.remove_child(equality_);
    if (!tendon_.first_child()) root.remove_child(tendon_);
    return xml_text::text_of(document_);
  }

 private:
  void take(const PointSpringDamper& f) { springs_.push_back(f); }
  void take(const TendonLimits& f) {
    if (!f.lower || !f.upper)
      refuse_to_write("force", f.name, f.where, "a single stop cannot be written as MJCF");
    for (const auto& joint : f.joints) check_in_tree("force", f, joint);
    limits_.push_back(f);
  }
  // A damper in all directions of a joint, as importers make it, goes by the joint's name.
  void take(const Bushing& f) {
    const auto joint = std::ranges::find(tree_.joints, f.name, &JointDescription::name);
    const double damping = f.rotational_damping.x();
    const Eigen::Vector3d all = Eigen::Vector3d::Constant(damping);
    const bool fits =
        joint != tree_.joints.end() && f.rotational_damping == all && acts_in(f, *joint) &&
        (joint->type == JointType::kSpherical ||
         (joint->type == JointType::kFree && f.translational_damping == all &&
          f.at_b.position.isZero(0.0))) &&
        f.rotational_stiffness.isZero(0.0) && f.translational_stiffness.isZero(0.0) &&
        f.turn_stiffness.isZero(0.0) && (f.angle_stiffness == 0.0 || rests_at_zero(f, *joint));
    if (!fits) refuse_to_write("force", f.name, f.where, "a bushing cannot be written as MJCF");
    tree_.forces[joint->name].damping += damping;
    tree_.forces[joint->name].stiffness = f.angle_stiffness;
  }
  // Whether its frames lie on each other where the joint is at zero, as springs of balls do.
  static bool rests_at_zero(const Bushing& f, const JointDescription& joint) {
    const Eigen::Matrix3d rest = f.at_a.rotation * f.at_b.rotation.transpose();
    const Eigen::Matrix3d zero = joint.at_parent.rotation * joint.at_child.rotation.transpose();
    const bool same_way = f.body_a == joint.parent;
    return joint.type == JointType::kSpherical &&
           (same_way ? rest : Eigen::Matrix3d(rest.transpose())).isApprox(zero, 1e-12);
  }
  template <class Other>
  void take(const Other& f) {
    if constexpr (requires { f.name; }) {
      refuse_to_write("force", f.name, f.where, "cannot be written as MJCF");
    }
  }

  static void set_pose(pugi::xml_node node, const Frame& X) {
    if (!X.position.isZero(0.0)) set(node, "pos", Eigen::VectorXd(X.position));
    if (!X.rotation.isIdentity(0.0)) set(node, "quat", Eigen::VectorXd(to_quat_wxyz(X.rotation)));
  }

  // A body without mass that only one joint leads on from is no body of its own: its joints stand
  // in the next one. Everything is said in the pose where all coordinates are zero.
  bool is_passed_on(const std::string& body) const {
    const auto& described = *std::ranges::find(mechanism_.bodies, body, &BodyDescription::name);
    const auto leads_on = [&](const JointDescription& j) {
      return j.parent == body && j.type != JointType::kFree;
    };
    const auto touches = [&](const JointDescription& j) {
      return j.parent == body || j.child == body;
    };
    const bool sprung = std::ranges::any_of(springs_, [&](const PointSpringDamper& s) {
      return std::ranges::find(s.points, body, &RopePoint::body) != s.points.end();
    });
    return is_massless(described) && std::ranges::count_if(tree_.joints, leads_on) == 1 &&
           std::ranges::none_of(tree_.cuts, touches) && !sprung;
  }

  void add_body(const JointDescription& joint) {
    if (joint.type == JointType::kFree && joint.parent != kGround) {
      refuse_to_write("joint", joint.name, joint.where,
                      "is free between two bodies, which MJCF cannot say");
    }
    const Frame X = compose(joint.at_parent, inverse(joint.at_child));
    auto& before = waiting_[joint.parent];
    std::vector<JointDescription> joints;
    // Seen from the new body, at rest.
    for (auto earlier : before.joints) {
      earlier.at_child = compose(inverse(X), earlier.at_child);
      joints.push_back(std::move(earlier));
    }
    joints.push_back(joint);
    const Frame X_outer = compose(before.X, X);
    const std::string outer = before.joints.empty() ? joint.parent : before.outer;
    if (is_passed_on(joint.child) && joint.type != JointType::kFree) {
      waiting_[joint.child] = {joints, X_outer, outer};
      return;
    }
    auto node = nodes_.at(outer).append_child("body");
    nodes_[joint.child] = node;
    set(node, "name", joint.child);
    set_pose(node, joint.type == JointType::kFree ? start_of(joint) : X_outer);
    for (const auto& each : joints) add_joint(node, each);
    add_inertial(node, joint.child);
  }

  // What a joint of several parts adds must not go by the name of another joint.
  std::string free_name(std::string name) const {
    const auto is_taken = [&](const JointDescription& joint) { return joint.name == name; };
    while (std::ranges::any_of(mechanism_.joints, is_taken)) name += '_';
    return name;
  }

  static Frame start_of(const JointDescription& joint) {
    const auto& q = joint.initial_q ? joint.initial_q : joint.guess_q;
    Frame at_q;
    if (q) at_q = {q->head<3>(), from_quat_wxyz(q->tail<4>())};
    return compose(compose(joint.at_parent, at_q), inverse(joint.at_child));
  }

  void add_joint(pugi::xml_node body, const JointDescription& joint) {
    const auto parts = parts_of(joint);
    const auto& forces = tree_.forces[joint.name];
    for (std::size_t i = 0; i < parts.size(); ++i) {
      auto node = body.append_child("joint");
      set(node, "name", i == 0 ? joint.name : free_name(joint.name + "_" + std::to_string(i + 1)));
      set(node, "type", std::string(parts[i].type));
      if (joint.type != JointType::kFree) {
        if (!joint.at_child.position.isZero(0.0)) {
          set(node, "pos", Eigen::VectorXd(joint.at_child.position));
        }
        set(node, "axis", Eigen::VectorXd(joint.at_child.rotation.col(parts[i].axis)));
      }
      // The slide of a screw only follows its turn.
      if (joint.type == JointType::kHelical && i == 1) continue;
      if (forces.damping != 0.0) set(node, "damping", forces.damping);
      if (forces.stiffness != 0.0) {
        set(node, "stiffness", forces.stiffness);
        set(node, "springref", forces.rest);
      }
      if (forces.friction != 0.0) {
        if (JointFriction::takes(joint.type) && !joint.at_child.rotation.isIdentity(0.0))
          refuse_to_write("joint", joint.name, joint.where,
                          "friction about axes that are not those of the child cannot be written "
                          "as MJCF");
        set(node, "frictionloss", forces.friction);
      }
      if (joint.armature != 0.0) set(node, "armature", joint.armature);
      if (forces.upper && (forces.lower || joint.type == JointType::kSpherical)) {
        set(node, "range",
            Eigen::VectorXd(Eigen::Vector2d(forces.lower.value_or(0.0), *forces.upper)));
      } else if (forces.lower || forces.upper) {
        refuse_to_write("joint", joint.name, joint.where,
                        "a single stop cannot be written as MJCF");
      }
    }
    if (joint.type == JointType::kHelical)
      tie({{}, free_name(joint.name + "_2"), joint.name, joint.pitch, 0.0, {}, {}});
    add_start(joint);
  }

  void add_start(const JointDescription& joint) {
    const auto& given = joint.initial_q ? joint.initial_q : joint.guess_q;
    if (joint.type == JointType::kFree) {
      const Frame X = start_of(joint);
      qpos_.insert(qpos_.end(), X.position.begin(), X.position.end());
      const Eigen::Vector4d quat = to_quat_wxyz(X.rotation);
      qpos_.insert(qpos_.end(), quat.begin(), quat.end());
      return;
    }
    if (joint.type == JointType::kSpherical) {
      // MuJoCo turns the body where ours turns the joint's frame.
      const Eigen::Matrix3d& Rc = joint.at_child.rotation;
      const Eigen::Matrix3d R = given
                                    ? Eigen::Matrix3d(Rc * from_quat_wxyz(*given) * Rc.transpose())
                                    : Eigen::Matrix3d(Eigen::Matrix3d::Identity());
      const Eigen::Vector4d quat = to_quat_wxyz(R);
      qpos_.insert(qpos_.end(), quat.begin(), quat.end());
      starts_elsewhere_ = starts_elsewhere_ || (given && !R.isIdentity(0.0));
      return;
    }
    const auto count = parts_of(joint).size();
    const std::size_t start = qpos_.size();
    qpos_.resize(start + count, 0.0);
    if (!given || given->isZero(0.0)) return;
    starts_elsewhere_ = true;
    if (joint.type == JointType::kHelical) {
      qpos_[start] = (*given)(0);
      qpos_[start + 1] = joint.pitch * (*given)(0);
    } else {
      std::copy(given->begin(), given->end(), qpos_.begin() + static_cast<std::ptrdiff_t>(start));
    }
  }

  // The largest moment of a flat body is the sum of the others; MuJoCo takes none that rounding has
  // put above it.
  static void make_flat(Eigen::Vector3d& moments) {
    Eigen::Index largest = 0;
    moments.maxCoeff(&largest);
    const double others = moments((largest + 1) % 3) + moments((largest + 2) % 3);
    if (moments(largest) > others && moments(largest) < others * (1.0 + 1e-12))
      moments(largest) = others;
  }

  void add_inertial(pugi::xml_node node, const std::string& name) {
    const auto& body = *std::ranges::find(mechanism_.bodies, name, &BodyDescription::name);
    if (is_massless(body)) return;
    auto inertial = node.append_child("inertial");
    auto [moments, axes] = xml_text::right_handed_axes(body.inertia);
    make_flat(moments);
    set(inertial, "pos", Eigen::VectorXd(body.com));
    set(inertial, "mass", body.mass);
    set(inertial, "diaginertia", Eigen::VectorXd(moments));
    if (!axes.isIdentity(0.0)) set(inertial, "quat", Eigen::VectorXd(to_quat_wxyz(axes)));
  }

  std::string add_site(const std::string& body, const std::string& name, const Frame& X) {
    auto site = nodes_.at(body).append_child("site");
    set(site, "name", name);
    set_pose(site, X);
    return name;
  }

  pugi::xml_node tie_sites(const char* kind, const std::string& name, const JointDescription& cut,
                           const Eigen::Vector3d& point) {
    const Frame offset{point, Eigen::Matrix3d::Identity()};
    auto node = equality_.append_child(kind);
    set(node, "name", name);
    set(node, "site1", add_site(cut.parent, name + "_parent", compose(cut.at_parent, offset)));
    set(node, "site2", add_site(cut.child, name + "_child", compose(cut.at_child, offset)));
    return node;
  }

  void close(const JointDescription& cut) {
    const auto& forces = tree_.forces[cut.name];
    if (cut.armature != 0.0 || forces.damping != 0.0 || forces.stiffness != 0.0 ||
        forces.friction != 0.0 || forces.lower || forces.upper) {
      refuse_to_write("joint", cut.name, cut.where,
                      "closes a loop and has forces, which MJCF cannot say");
    }
    if (cut.type == JointType::kFixed) {
      tie_sites("weld", cut.name, cut, Eigen::Vector3d::Zero());
    } else if (cut.type == JointType::kSpherical) {
      tie_sites("connect", cut.name, cut, Eigen::Vector3d::Zero());
    } else if (cut.type == JointType::kRevolute) {
      tie_sites("connect", cut.name, cut, Eigen::Vector3d::Zero());
      tie_sites("connect", free_name(cut.name + "_axis"), cut,
                kPinLength * Eigen::Vector3d::UnitZ());
    } else {
      refuse_to_write("joint", cut.name, cut.where,
                      std::string("a ") + to_name(cut.type) +
                          " joint that closes a loop cannot be written as MJCF");
    }
  }

  void tie(const Coupling& coupling) {
    auto node = equality_.append_child("joint");
    set(node, "joint1", coupling.joint);
    set(node, "joint2", coupling.to);
    const auto c = coupling.polynomial();
    Eigen::VectorXd polynomial = Eigen::VectorXd::Zero(kMostCoefficients);
    std::ranges::copy(c, polynomial.begin());
    set(node, "polycoef", polynomial);
  }

  template <class Element>
  void check_in_tree(const char* kind, const Element& element, const std::string& name) const {
    const auto joint = std::ranges::find(tree_.joints, name, &JointDescription::name);
    if (joint == tree_.joints.end())
      refuse_to_write(kind, element.name, element.where,
                      "joint \"" + name + "\" closes a loop, so this cannot be written as MJCF");
  }

  void couple(const Coupling& coupling) {
    for (const auto& name : {coupling.joint, coupling.to})
      check_in_tree("coupling", coupling, name);
    if (coupling.polynomial().size() > kMostCoefficients)
      refuse_to_write("coupling", coupling.name, coupling.where,
                      "is of a degree above 4, which MJCF cannot say");
    tie(coupling);
  }

  void add_tendon(const PointSpringDamper& f) {
    auto node = tendon_.append_child("spatial");
    set(node, "name", f.name);
    set(node, "stiffness", f.stiffness);
    set(node, "damping", f.damping);
    if (f.slack) {
      const double shortest = std::max(0.0, f.rest_length - *f.slack);
      set(node, "springlength", Eigen::VectorXd(Eigen::Vector2d(shortest, f.rest_length)));
    } else {
      set(node, "springlength", f.rest_length);
    }
    add_rope(node, f.name, f.points);
  }

  void add_tendon(const TendonLimits& f) {
    auto node = tendon_.append_child(f.points.empty() ? "fixed" : "spatial");
    set(node, "name", f.name);
    set(node, "range", Eigen::VectorXd(Eigen::Vector2d(*f.lower, *f.upper)));
    if (!f.points.empty()) return add_rope(node, f.name, f.points);
    for (std::size_t i = 0; i < f.joints.size(); ++i) {
      auto joint = node.append_child("joint");
      set(joint, "joint", f.joints[i]);
      set(joint, "coef", f.ratios[i]);
    }
  }

  void add_rope(pugi::xml_node node, const std::string& name,
                const std::vector<RopePoint>& points) {
    // A ratio is a pulley before a point; a line that does not count ends a branch.
    std::vector<std::string> sites;
    for (const auto& point : points) {
      sites.push_back(add_site(point.body, name + "_" + std::to_string(sites.size() + 1),
                               {point.position, Eigen::Matrix3d::Identity()}));
    }
    const auto site = [&](std::size_t i) { set(node.append_child("site"), "site", sites[i]); };
    double ratio = 1.0;
    bool connected = false;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const double own = points[i].ratio;
      const bool counts = own != 0.0;
      if (counts && (own != ratio || (!connected && i > 0))) {
        set(node.append_child("pulley"), "divisor", 1.0 / own);
        ratio = own;
        connected = false;
      }
      if (counts && !connected) site(i);
      if (counts) site(i + 1);
      connected = counts;
    }
  }

  static constexpr double kPinLength = 0.1;            // m, between the two points of a pin
  static constexpr std::size_t kMostCoefficients = 5;  // of a polynomial

  struct Chain {
    std::vector<JointDescription> joints;  // seen from the last body
    Frame X;                               // of the last body in `outer`
    std::string outer;
  };

  Mechanism mechanism_;
  WrittenTree tree_;
  std::vector<PointSpringDamper> springs_;
  std::vector<TendonLimits> limits_;
  std::map<std::string, pugi::xml_node> nodes_;
  std::map<std::string, Chain> waiting_;
  std::vector<double> qpos_;
  bool starts_elsewhere_ = false;
  pugi::xml_document document_;
  pugi::xml_node equality_, tendon_;
};

}  // namespace

std::string to_mjcf(const Mechanism& mechanism) { return MjcfWriter(mechanism).text(); }

}  // namespace hamiltree
