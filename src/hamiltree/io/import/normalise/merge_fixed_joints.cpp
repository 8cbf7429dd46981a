#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mass.hpp"
#include "hamiltree/io/import/normalise/normalise.hpp"
#include "hamiltree/io/import/time_functions.hpp"
#include "hamiltree/model/force_ends.hpp"

namespace hamiltree {
namespace {

constexpr double kAgree = 1e-6;  // m or rad
constexpr int kMostTurns = 50;   // of Newton's method: the last digits take a few

bool is_rigid(const JointDescription& joint) {
  return joint.type == JointType::kFixed && !joint.parent_motion;
}

// Where each body is in the body, or the ground, that it becomes part of.
struct Place {
  std::string root;
  Frame X_RB;
};

class Merger {
 public:
  explicit Merger(Mechanism& mechanism) : mechanism_(mechanism) {
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
      const auto& joint = mechanism.joints[j];
      if (!is_rigid(joint)) continue;
      held_[joint.parent].push_back(j);
      held_[joint.child].push_back(j);
    }
    spread(kGround);
    for (const auto& body : mechanism.bodies) {
      if (!places_.contains(body.name)) spread(body.name);
    }
  }

  const Place& place(const std::string& body) const { return places_.at(body); }

  void merge(Looks& looks, ImportLog& log) {
    merge_bodies();
    for (auto& visual : looks) move_end(visual.body, visual.at);
    merge_joints(log);
    hold_partners(log);
    for (auto& force : mechanism_.forces) {
      move(force);
      keep_sums(force);
    }
    std::erase_if(mechanism_.forces, is_idle);
  }

 private:
  // Everything rigidly held to `root`, breadth first.
  void spread(const std::string& root) {
    places_[root] = {root, {}};
    std::vector<std::string> waiting{root};
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      const std::string at = waiting[i];
      const auto held = held_.find(at);
      if (held == held_.end()) continue;
      for (const std::size_t j : held->second) {
        const auto& joint = mechanism_.joints[j];
        Frame X = compose(joint.at_parent, inverse(joint.at_child));
        const bool outward = joint.parent == at;
        if (!outward) X = inverse(X);
        const std::string& next = outward ? joint.child : joint.parent;
        const Frame X_RB = compose(places_.at(at).X_RB, X);
        const auto known = places_.find(next);
        if (known == places_.end()) {
          places_[next] = {root, X_RB};
          waiting.push_back(next);
        } else if (const double gap = distance(known->second.X_RB, X_RB); gap > kAgree) {
          const std::string element = "joint \"" + joint.name + "\"";
          throw ModelError(joint.where, element,
                           element + ": is fixed and contradicts other fixed joints by " +
                               to_short(gap) + " m or rad");
        }
      }
    }
  }

  void merge_bodies() {
    std::vector<BodyDescription> bodies;
    std::map<std::string, std::size_t> index;
    for (const auto& body : mechanism_.bodies) {
      if (place(body.name).root == body.name) {
        index[body.name] = bodies.size();
        bodies.push_back(body);
      }
    }
    for (const auto& body : mechanism_.bodies) {
      const auto& [root, X_RB] = place(body.name);
      if (root == body.name || root == kGround) continue;
      add_mass(bodies[index.at(root)], X_RB, body);
    }
    mechanism_.bodies = std::move(bodies);
  }

  void move_end(std::string& body, Frame& at) const {
    const auto& [root, X_RB] = place(body);
    at = compose(X_RB, at);
    body = root;
  }

  // Bodies that pins, slides and the like connect to the ground, by their roots.
  std::set<std::string> connected_to_ground() const {
    std::map<std::string, std::vector<std::string>> neighbours;
    for (const auto& joint : mechanism_.joints) {
      if (joint.type == JointType::kFree || joint.type == JointType::kSpherical) continue;
      const auto &parent = place(joint.parent).root, &child = place(joint.child).root;
      neighbours[parent].push_back(child);
      neighbours[child].push_back(parent);
    }
    std::set<std::string> reached{kGround};
    std::vector<std::string> waiting{kGround};
    while (!waiting.empty()) {
      const std::string body = std::move(waiting.back());
      waiting.pop_back();
      for (const auto& next : neighbours[body]) {
        if (reached.insert(next).second) waiting.push_back(next);
      }
    }
    return reached;
  }

  // A free joint asks for nothing: a body needs none that other joints connect to the ground, as
  // where it was welded to one, and no second one.
  void merge_joints(ImportLog& log) {
    auto connected = connected_to_ground();
    std::vector<JointDescription> joints;
    for (auto joint : mechanism_.joints) {
      if (is_rigid(joint)) {
        still_[joint.name] = 0.0;
        continue;
      }
      if (const auto place = joint.drive ? constant_value(*joint.drive) : std::nullopt)
        still_[joint.name] = *place;
      const bool is_root = joint.type == JointType::kFree && joint.parent == kGround;
      if (is_root && !connected.insert(place(joint.child).root).second) continue;
      const bool is_of_one = joint.parent == joint.child;
      move_end(joint.parent, joint.at_parent);
      move_end(joint.child, joint.at_child);
      if (joint.parent == joint.child) {
        log.warn(joint.where, "joint \"" + joint.name + "\" cannot move, " +
                                  (is_of_one ? "it connects a body to itself"
                                             : "its bodies are held together by fixed joints") +
                                  "; it is left out");
        still_[joint.name] = left_out_[joint.name] = coordinate_of(joint);
        continue;
      }
      if (joint.child == kGround) reverse(joint);
      joints.push_back(std::move(joint));
    }
    mechanism_.joints = std::move(joints);
  }

  // Of a joint that cannot move, on the turn on which its search would have started.
  static double coordinate_of(const JointDescription& joint) {
    const Frame X_FM = compose(inverse(joint.at_parent), joint.at_child);
    if (joint.type == JointType::kPrismatic) return X_FM.position.z();
    const double angle = std::atan2(X_FM.rotation(1, 0), X_FM.rotation(0, 0));
    if (!joint.guess_q || joint.guess_q->size() != 1) return angle;
    constexpr double kTurn = 2.0 * std::numbers::pi;
    return angle + kTurn * std::round(((*joint.guess_q)(0) - angle) / kTurn);
  }

  // Joints that are left out go on counting, where they stand, in sums over several joints.
  void keep_sums(ForceDescription& force) const {
    const auto sum_of = [&](const auto& f) {
      double sum = 0.0;
      for (std::size_t i = 0; i < f.joints.size(); ++i) {
        const auto joint = left_out_.find(f.joints[i]);
        if (joint != left_out_.end()) sum += f.ratios[i] * joint->second;
      }
      return sum;
    };
    if (auto* servo = std::get_if<Servo>(&force)) {
      const double effort = -servo->stiffness * sum_of(*servo);
      if (effort != 0.0) servo->effort = scaled(servo->effort, 1.0, effort);
    } else if (auto* limits = std::get_if<TendonLimits>(&force)) {
      for (auto* end : {&limits->lower, &limits->upper})
        if (*end) **end -= sum_of(*limits);
    }
  }

  // Where the joint that is followed puts the other one at `value`: the place that Newton's method
  // finds from where the search for its start begins.
  std::optional<double> where_at(const Coupling& coupling, double value) const {
    const auto joint = std::ranges::find(mechanism_.joints, coupling.to, &JointDescription::name);
    double q = 0.0;
    if (joint != mechanism_.joints.end() && joint->guess_q) q = (*joint->guess_q)(0);
    const auto coefficients = coupling.polynomial();
    for (int i = 0; i < kMostTurns; ++i) {
      double reached = 0.0, slope = 0.0;  // of the curve at q, by Horner's rule
      for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) {
        slope = slope * q + reached;
        reached = reached * q + *c;
      }
      if (reached == value || slope == 0.0) break;
      q -= (reached - value) / slope;
    }
    if (std::abs(value_at(coupling, q) - value) <= kAgree) return q;
    return {};
  }

  // A joint coupled to one that cannot move stands still as well, and so do those coupled to it.
  void hold_partners(ImportLog& log) {
    const auto stands = [&](const Coupling& coupling) {
      const auto joint = still_.find(coupling.joint), to = still_.find(coupling.to);
      if (joint == still_.end() && to == still_.end()) return false;
      if (joint == still_.end()) {
        hold(coupling.joint, value_at(coupling, to->second), coupling.to, log);
      } else if (to == still_.end()) {
        if (const auto place = where_at(coupling, joint->second)) {
          hold(coupling.to, *place, coupling.joint, log);
        } else {
          log.warn(coupling.where, "coupling \"" + coupling.name + "\" is left out, for joint \"" +
                                       coupling.joint + "\" stands where its curve does not come");
        }
      } else if (std::abs(value_at(coupling, to->second) - joint->second) > kAgree) {
        log.warn(coupling.where, "coupling \"" + coupling.name + "\" is left out, for joints \"" +
                                     coupling.joint + "\" and \"" + coupling.to +
                                     "\" are held elsewhere");
      }
      return true;
    };
    while (std::erase_if(mechanism_.couplings, stands) > 0) continue;
  }
  void hold(const std::string& name, double place, const std::string& still, ImportLog& log) {
    still_[name] = place;
    const auto joint = std::ranges::find(mechanism_.joints, name, &JointDescription::name);
    if (joint == mechanism_.joints.end()) return;
    joint->drive = Polynomial{{place}};
    joint->guess_q.reset();
    joint->armature = 0.0;
    log.note("joint \"" + name + "\" is held, for joint \"" + still +
             "\", to which it is coupled, cannot move");
  }

  void move_point(std::string& body, Eigen::Vector3d& point) const {
    const auto& [root, X_RB] = place(body);
    point = apply(X_RB, point);
    body = root;
  }
  // The points and frames of a force's fields.
  struct Move : IgnoreFields {
    const Merger& merger;

    explicit Move(const Merger& all) : merger(all) {}
    void point(const char*, Eigen::Vector3d& x, std::string& body) { merger.move_point(body, x); }
    void frame(const char*, Frame& X, std::string& body) { merger.move_end(body, X); }
    void rope(std::vector<RopePoint>& points) {
      for (auto& point : points) merger.move_point(point.body, point.position);
    }
    template <class Names, class Ratios>
    void pulled(Names&, Ratios&, std::vector<RopePoint>& points) {
      rope(points);
    }
  };
  void turn(AppliedWrench& f) const {
    if (f.axes == AppliedWrench::Axes::kWorld) return;
    const Eigen::Matrix3d R = place(f.body).X_RB.rotation;
    f.force = turned(R, f.force);
    f.moment = turned(R, f.moment);
  }
  void move(ForceDescription& force) const {
    if (auto* wrench = std::get_if<AppliedWrench>(&force)) turn(*wrench);
    std::visit([&](auto& f) { f.fields(f, Move(*this)); }, force);
  }

  // Between two points of one rigid body, or on the ground.
  static bool is_idle(const ForceDescription& force) {
    std::vector<std::string> bodies;
    for_each_body_name(force, [&](const std::string& body) { bodies.push_back(body); });
    if (bodies.size() == 1) return bodies.front() == kGround;
    return !bodies.empty() && std::ranges::count(bodies, bodies.front()) == std::ssize(bodies);
  }

  Mechanism& mechanism_;
  std::map<std::string, std::vector<std::size_t>> held_;
  std::map<std::string, Place> places_;
  // Coordinates, rad or m: of joints that cannot move, and of those of them that are left out.
  std::map<std::string, double> still_, left_out_;
};

}  // namespace

void merge_fixed_joints(Mechanism& mechanism, Looks& looks, ImportLog& log) {
  Merger(mechanism).merge(looks, log);
  drop_orphans(mechanism);
}

}  // namespace hamiltree
