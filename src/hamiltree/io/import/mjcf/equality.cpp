#include "hamiltree/io/import/mjcf/equality.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/io/import/number_by_name.hpp"

namespace hamiltree::mjcf {
namespace {

class EqualityReader {
 public:
  EqualityReader(const Tree& tree, const Tendons& tendons, Mechanism& mechanism)
      : tree_(tree),
        tendons_(tendons),
        mechanism_(mechanism),
        joints_(number_by_name(mechanism.joints)) {}

  void read(const XmlElement& element) {
    const std::string kind = element.name();
    if (kind == "connect") {
      add_connect(element);
    } else if (kind == "weld") {
      add_weld(element);
    } else if (kind == "joint") {
      add_joint(element);
    } else if (kind == "tendon") {
      add_tendon(element);
    } else {
      element.fail("an equality of this kind cannot be simulated");
    }
  }

 private:
  // The pose of the second body in the first, all joints at their reference.
  Frame at_start(const JointDescription& joint) const {
    return compose(inverse(tree_.at_start.at(joint.parent)), tree_.at_start.at(joint.child));
  }

  JointDescription between(const XmlElement& element) {
    JointDescription joint;
    joint.where = element.where();
    joint.name = name_of(element);
    if (element.has("site1") || element.has("site2")) {
      const auto& one = site(element, "site1");
      const auto& other = site(element, "site2");
      joint.parent = one.body;
      joint.child = other.body;
      joint.at_parent = one.X;
      joint.at_child = other.X;
    } else {
      joint.parent = body(element, "body1");
      joint.child = element.has("body2") ? body(element, "body2") : kGround;
    }
    if (joint.parent == joint.child) element.fail("ties a body to itself");
    return joint;
  }

  const Place& site(const XmlElement& element, const char* attribute) const {
    const auto found = tree_.sites.find(element.text(attribute));
    if (found == tree_.sites.end()) {
      element.fail("there is no site \"" + element.text(attribute) + "\"");
    }
    return found->second;
  }

  std::string body(const XmlElement& element, const char* attribute) const {
    const std::string name = body_name(element.text(attribute));
    if (!tree_.at_start.contains(name)) element.fail("there is no body \"" + name + "\"");
    return name;
  }

  std::string name_of(const XmlElement& element) {
    const std::string stem = element.text_or("name", element.name());
    std::string name = stem;
    for (int& i = last_of_stem_[stem]; joints_.contains(name);) {
      i = std::max(2, i + 1);
      name = stem + "_" + std::to_string(i);
    }
    return name;
  }

  // The engine's joints lead to a body, not to the ground.
  void add(JointDescription joint) {
    if (joint.child == kGround) reverse(joint);
    joints_.emplace(joint.name, mechanism_.joints.size());
    mechanism_.add(std::move(joint));
  }

  // A point of one body held to one of another; it has not turned at the start.
  void add_held_point(JointDescription joint) {
    joint.type = JointType::kSpherical;
    joint.at_parent.rotation.setIdentity();
    joint.at_child.rotation = at_start(joint).rotation.transpose();
    add(std::move(joint));
  }

  // The anchor is a point of the first body; that of the second is where it is at the start.
  void add_connect(const XmlElement& element) {
    auto joint = between(element);
    if (!element.has("site1")) {
      joint.at_parent.position = element.numbers("anchor", 3);
      joint.at_child.position = apply(inverse(at_start(joint)), joint.at_parent.position);
    }
    add_held_point(std::move(joint));
  }

  // The anchor is a point of the second body, `relpose` where the first one has it and how the
  // second is turned. Without torque scale only the anchor is held.
  void add_weld(const XmlElement& element) {
    auto joint = between(element);
    joint.type = JointType::kFixed;
    if (!element.has("site1")) {
      joint.at_child.position = element.vector_or("anchor", Eigen::Vector3d::Zero());
      joint.at_parent = compose(at_start(joint), joint.at_child);
      if (element.has("relpose")) {
        const Eigen::VectorXd pose = element.numbers("relpose", 7);
        if (!pose.tail<4>().isZero(0.0)) {
          joint.at_parent = {pose.head<3>(), from_quat_wxyz(pose.tail<4>())};
        }
      }
    } else if (element.has("anchor") || element.has("relpose")) {
      element.fail("anchor and relpose are those of bodies, not of sites");
    }
    if (element.number_or("torquescale", 1.0) == 0.0) return add_held_point(std::move(joint));
    add(std::move(joint));
  }

  JointDescription& joint(const XmlElement& element, const char* attribute) {
    const std::string name = element.text(attribute);
    const auto found = joints_.find(name);
    if (found == joints_.end()) element.fail("there is no joint \"" + name + "\"");
    auto& joint = mechanism_.joints[found->second];
    if (!has_one_freedom(joint)) element.fail("joint \"" + name + "\" is neither hinge nor slide");
    return joint;
  }

  double reference(const std::string& joint) const {
    const auto found = tree_.reference.find(joint);
    return found == tree_.reference.end() ? 0.0 : found->second;
  }

  // q1 - ref1 = c0 + c1 (q2 - ref2) + ...
  void add_joint(const XmlElement& element) {
    auto& follower = joint(element, "joint1");
    const bool alone = !element.has("joint2");
    const auto c = coefficients(element);
    if (alone || c.tail<4>().isZero(0.0)) return hold(follower, reference(follower.name) + c(0));
    const std::string leader = joint(element, "joint2").name;
    if (leader == follower.name) element.fail("couples a joint to itself");
    Coefficients along = of_line(c, 1.0, -reference(leader));
    along(0) += reference(follower.name);
    couple(element, follower.name, leader, along);
  }

  using Coefficients = Eigen::Vector<double, 5>;

  static Coefficients coefficients(const XmlElement& element) {
    Coefficients c = Coefficients::Zero();
    c(1) = 1.0;
    if (element.has("polycoef")) {
      const Eigen::VectorXd given = element.numbers("polycoef");
      const auto count = std::min<Eigen::Index>(given.size(), c.size());
      c.head(count) = given.head(count);
    }
    return c;
  }

  // The coefficients in x of the polynomial of (factor x + shift).
  static Coefficients of_line(const Coefficients& c, double factor, double shift) {
    Coefficients result = Coefficients::Zero();
    for (Eigen::Index k = c.size(); k-- > 0;) {
      const Coefficients before = result;
      result *= shift;
      result.tail<4>() += factor * before.head<4>();
      result(0) += c(k);
    }
    return result;
  }

  void couple(const XmlElement& element, const std::string& joint, const std::string& to,
              const Coefficients& c) {
    Coupling coupling{name_of_coupling(element), joint, to, 1.0, 0.0, element.where(), {}};
    coupling.set_polynomial({c.data(), static_cast<std::size_t>(c.size())});
    mechanism_.add(std::move(coupling));
  }

  static void hold(JointDescription& joint, double place) {
    joint.drive = Polynomial{{place}};
    joint.guess_q.reset();
    joint.armature = 0.0;
  }

  const FixedTendon& tendon(const XmlElement& element, const char* attribute) const {
    const auto found = tendons_.fixed.find(element.text(attribute));
    if (found == tendons_.fixed.end()) {
      element.fail("\"" + element.text(attribute) +
                   "\" is no fixed tendon; only equalities of these can be simulated");
    }
    return found->second;
  }

  // l1 - l1(start) = c0 + c1 (l2 - l2(start)), as the sum of coefficient times coordinate.
  void add_tendon(const XmlElement& element) {
    const auto& first = tendon(element, "tendon1");
    const bool alone = !element.has("tendon2");
    const auto c = coefficients(element);
    if (!alone && !c.tail<3>().isZero(0.0))
      return couple_along_curve(element, first, tendon(element, "tendon2"), c);
    std::vector<std::string> names;
    std::vector<double> factors;
    double sum = c(0);
    const auto add_length = [&](const FixedTendon& tendon, double factor) {
      sum += factor * tendon.at_start;
      for (std::size_t i = 0; i < tendon.joints.size(); ++i) {
        const auto known = std::ranges::find(names, tendon.joints[i]);
        const auto k = static_cast<std::size_t>(known - names.begin());
        if (known == names.end()) {
          names.push_back(tendon.joints[i]);
          factors.push_back(0.0);
        }
        factors[k] += factor * tendon.coefficients[i];
      }
    };
    add_length(first, 1.0);
    if (!alone) add_length(tendon(element, "tendon2"), -c(1));
    couple(element, names, factors, sum);
  }

  // a q1 - l1(start) = c0 + c1 (b q2 - l2(start)) + ...
  void couple_along_curve(const XmlElement& element, const FixedTendon& first,
                          const FixedTendon& second, const Coefficients& c) {
    if (first.joints.size() != 1 || second.joints.size() != 1 || first.joints == second.joints)
      element.fail(
          "couples tendons along a curve (polycoef beyond two numbers); only tendons over one "
          "joint each can be simulated");
    Coefficients along = of_line(c, second.coefficients.front(), -second.at_start);
    along(0) += first.at_start;
    couple(element, first.joints.front(), second.joints.front(),
           along / first.coefficients.front());
  }

  // sum of factor times coordinate = sum
  void couple(const XmlElement& element, const std::vector<std::string>& names,
              const std::vector<double>& factors, double sum) {
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (factors[i] != 0.0) used.push_back(i);
    }
    if (used.empty() || used.size() > 2) {
      element.fail("couples " + std::to_string(used.size()) +
                   " joints by tendons; only one or two can be simulated");
    }
    const double factor = factors[used[0]];
    if (used.size() == 1) return hold(mechanism_.joints[joints_.at(names[used[0]])], sum / factor);
    mechanism_.add(Coupling{name_of_coupling(element),
                            names[used[0]],
                            names[used[1]],
                            -factors[used[1]] / factor,
                            sum / factor,
                            element.where(),
                            {}});
  }

  std::string name_of_coupling(const XmlElement& element) const {
    return element.text_or("name", "coupling_" + std::to_string(mechanism_.couplings.size() + 1));
  }

  const Tree& tree_;
  const Tendons& tendons_;
  Mechanism& mechanism_;
  std::unordered_map<std::string, std::size_t> joints_;
  std::unordered_map<std::string, int> last_of_stem_;  // the number that ends the latest name
};

}  // namespace

void read_equalities(const XmlElement& root, const Settings& settings, const Tree& tree,
                     const Tendons& tendons, Mechanism& mechanism, ImportLog& log) {
  if (settings.disabled.contains("equality")) return;
  EqualityReader reader(tree, tendons, mechanism);
  for (const auto& section : root.children("equality")) {
    for (const auto& element : section.children()) {
      settings.defaults.complete(element, "");
      if (element.boolean_or("active", true)) {
        reader.read(element);
      } else {
        log.ignore("inactive equality");
      }
    }
  }
}

}  // namespace hamiltree::mjcf
