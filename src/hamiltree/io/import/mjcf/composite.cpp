#include "hamiltree/io/import/mjcf/composite.hpp"

#include <cmath>
#include <numbers>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "hamiltree/base/limits.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mjcf/defaults.hpp"
#include "hamiltree/io/import/mjcf/renaming.hpp"
#include "hamiltree/io/import/mjcf/words.hpp"

namespace hamiltree::mjcf {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kNothing = 1e-14;  // lengths below are zero, as MuJoCo has it

// As MuJoCo keeps vertices and the differences between them.
Vector3d in_single_precision(const Vector3d& x) { return x.cast<float>().cast<double>(); }

Vector3d edge(const std::vector<Vector3d>& vertices, std::size_t i) {
  return in_single_precision(vertices[i + 1] - vertices[i]);
}

Vector3d normalised(const Vector3d& x) {
  const double length = x.norm();
  return length < kNothing ? x : Vector3d(x / length);
}

// Turns x to the unit vector t. Along a straight line there is no normal to go by, and MuJoCo's
// quaternion of such a frame is this one.
Eigen::Vector4d quat_along(const Vector3d& t) {
  if (t.x() > 0.0) return {1.0 + t.x(), 0.0, -t.z(), t.y()};
  return {t.y(), t.z(), 0.0, 1.0 - t.x()};
}

// By a quaternion of length 1; another one stretches as well, here as in MuJoCo.
Vector3d turned(const Vector3d& x, const Eigen::Vector4d& quat_wxyz) {
  const Vector3d u = quat_wxyz.tail<3>();
  return x + 2.0 * u.cross(quat_wxyz(0) * x + u.cross(x));
}

// Frames along a polygon: x along each edge, y the normal of the first corner, turned at each
// corner no more than the edge.
std::vector<Matrix3d> frames_along(const std::vector<Vector3d>& vertices) {
  std::vector<Matrix3d> frames;
  Vector3d normal = Vector3d::Zero(), before = Vector3d::Zero();
  for (std::size_t i = 0; i + 1 < vertices.size(); ++i) {
    const Vector3d along = normalised(edge(vertices, i));
    if (i == 0 && vertices.size() > 2) {
      const Vector3d next = normalised(edge(vertices, 1));
      normal = normalised(normalised(along.cross(next)).cross(along));
    } else if (i > 0) {
      const Vector3d corner = before.cross(along);
      if (corner.norm() >= kNothing) {
        normal = turn(corner.normalized(), std::atan2(corner.norm(), before.dot(along))) * normal;
      }
    }
    Matrix3d R = from_quat_wxyz(quat_along(along));
    if (!normal.isZero(0.0)) R << along, normal, along.cross(normal);
    frames.push_back(R);
    before = along;
  }
  return frames;
}

class Cable {
 public:
  Cable(XmlDocument& document, const XmlElement& element)
      : document_(document), element_(element), prefix_(element.text_or("prefix", "")) {
    geom_ = element.child("geom");
    const std::string type = geom_ ? geom_->text_or("type", "sphere") : "sphere";
    if (type != "capsule" && type != "cylinder" && type != "box") {
      element.fail("needs a <geom> of type capsule, cylinder or box");
    }
    is_box_ = type == "box";
    initial_ = element.text_or("initial", "ball");
    if (initial_ != "ball" && initial_ != "free" && initial_ != "none") {
      element.fail("initial must be ball, free or none, not \"" + initial_ + "\"");
    }
    vertices_ = element.has("vertex") ? given_vertices() : vertices_on_curve();
    for (auto& vertex : vertices_) vertex = in_single_precision(vertex);
    for (std::size_t i = 0; i < pieces(); ++i) {
      if (length(i) < kNothing) {
        element.fail("two of its vertices in a row are the same point");
      }
    }
  }

  void expand() {
    const auto frames = frames_along(vertices_);
    std::optional<XmlElement> body;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      body = body ? document_.append(*body, "body", "") : document_.insert(element_, "body");
      set_attribute(*body, "name", prefix_ + "B_" + ordinal(i));
      if (i == 0) {
        set_numbers(*body, "pos", Vector3d(offset() + vertices_[0]));
        set_numbers(*body, "quat", to_quat_wxyz(frames[0]));
      } else {
        set_numbers(*body, "pos", Vector3d(length(i - 1), 0.0, 0.0));
        set_numbers(*body, "quat", to_quat_wxyz(frames[i - 1].transpose() * frames[i]));
      }
      add_joint(*body, i);
      add_geom(*body, i);
      if (i == 0 || i + 1 == frames.size()) add_site(*body, i);
      add_plugin(*body);
    }
    document_.remove(element_);
  }

 private:
  Vector3d offset() const { return element_.vector_or("offset", Vector3d::Zero()); }
  std::size_t pieces() const { return vertices_.size() - 1; }
  double length(std::size_t i) const { return edge(vertices_, i).norm(); }

  std::string ordinal(std::size_t i) const {
    return i == 0 ? "first" : i + 1 == pieces() ? "last" : std::to_string(i);
  }

  std::vector<Vector3d> given_vertices() const {
    if (element_.has("count")) element_.fail("has both vertex and count");
    const Eigen::VectorXd x = element_.numbers("vertex");
    if (x.size() < 6 || x.size() % 3 != 0) element_.fail("vertex needs three numbers a point");
    std::vector<Vector3d> vertices;
    for (Eigen::Index i = 0; i < x.size(); i += 3) vertices.push_back(x.segment<3>(i));
    return vertices;
  }

  std::vector<Vector3d> vertices_on_curve() const {
    const Eigen::VectorXd count = element_.numbers("count");
    const double n = count.size() > 0 ? count(0) : 0.0;
    if (!(n >= 2.0) || n != std::floor(n) || !count.tail(count.size() - 1).isOnes(0.0)) {
      element_.fail("count must be a whole number above 1, and 1 in other directions");
    }
    if (n > static_cast<double>(kDepth.value)) {
      element_.fail("has more bodies than elements may nest, " + to_text(kDepth));
    }
    Vector3d size = Vector3d::UnitX();
    if (element_.has("size")) {
      const Eigen::VectorXd given = element_.numbers("size");
      const auto known = std::min<Eigen::Index>(given.size(), 3);
      size.head(known) = given.head(known);
    }
    Eigen::Vector4d quat = Eigen::Vector4d::UnitX();
    if (element_.has("quat")) quat = element_.numbers("quat", 4);
    const auto shapes = curve();
    std::vector<Vector3d> vertices;
    for (int i = 0; i < static_cast<int>(n); ++i) {
      const double part = i / (n - 1.0);
      const double angle = std::numbers::pi * part * size.z();
      Vector3d x = Vector3d::Zero();
      for (std::size_t k = 0; k < shapes.size(); ++k) {
        auto& value = x(static_cast<Eigen::Index>(k));
        if (shapes[k] == "s") value = part * size.x();
        if (shapes[k] == "cos(s)") value = size.y() * std::cos(angle);
        if (shapes[k] == "sin(s)") value = size.y() * std::sin(angle);
      }
      vertices.push_back(turned(x, quat));
    }
    return vertices;
  }

  std::vector<std::string> curve() const {
    std::istringstream words(element_.text_or("curve", ""));
    std::vector<std::string> shapes;
    for (std::string word; words >> word;) {
      if (word != "s" && word != "cos(s)" && word != "sin(s)" && word != "0") {
        element_.fail("curve must be of s, cos(s), sin(s) and 0, not \"" + word + "\"");
      }
      shapes.push_back(word);
    }
    if (shapes.size() > 3) element_.fail("curve has more than three words");
    return shapes;
  }

  // Joints and geoms have nothing of the file's default classes, nor has MuJoCo.
  XmlElement add(const XmlElement& body, const char* name) {
    const auto element = document_.append(body, name, "");
    set_attribute(element, "class", kNoDefaults);
    return element;
  }

  void add_joint(const XmlElement& body, std::size_t i) {
    if (i == 0 && initial_ == "none") return;
    const auto joint = add(body, "joint");
    const bool is_free = i == 0 && initial_ == "free";
    set_attribute(joint, "name", prefix_ + "J_" + ordinal(i));
    set_attribute(joint, "type", is_free ? "free" : "ball");
    const auto given = element_.child("joint");
    if (!given) return;
    for (const char* attribute :
         {"stiffness", "damping", "armature", "frictionloss", "limited", "range"}) {
      const bool of_ball_only = attribute != std::string("stiffness");
      if (!given->has(attribute) || (is_free && of_ball_only)) continue;
      set_attribute(joint, attribute, given->text(attribute));
    }
  }

  void add_geom(const XmlElement& body, std::size_t i) {
    const auto geom = document_.append_copy(body, *geom_);
    set_attribute(geom, "class", kNoDefaults);
    set_attribute(geom, "name", prefix_ + "G" + std::to_string(i));
    if (!is_box_) {
      set_numbers(geom, "fromto", Eigen::Vector<double, 6>(0.0, 0.0, 0.0, length(i), 0.0, 0.0));
      return;
    }
    Eigen::VectorXd size = geom_->numbers("size", 3);
    size(0) = 0.5 * length(i);
    set_numbers(geom, "size", size);
    set_numbers(geom, "pos", Vector3d(0.5 * length(i), 0.0, 0.0));
  }

  void add_site(const XmlElement& body, std::size_t i) {
    const auto site = add(body, "site");
    set_attribute(site, "name", prefix_ + "S_" + ordinal(i));
    const bool is_last = i + 1 == pieces();
    set_numbers(site, "pos", Vector3d(is_last ? length(i) : 0.0, 0.0, 0.0));
  }

  // All bodies of a cable share an instance.
  void add_plugin(const XmlElement& body) {
    const auto given = element_.child("plugin");
    if (!given) return;
    const auto plugin = document_.append_copy(body, *given);
    if (!plugin.has("instance")) set_attribute(plugin, "instance", "composite" + prefix_);
  }

  XmlDocument& document_;
  XmlElement element_;
  std::string prefix_, initial_;
  std::optional<XmlElement> geom_;
  bool is_box_ = false;
  std::vector<Vector3d> vertices_;
};

std::optional<XmlElement> first_composite(const XmlElement& element) {
  for (const auto& child : element.children()) {
    if (child.name() == "composite") return child;
    if (const auto found = first_composite(child)) return found;
  }
  return std::nullopt;
}

}  // namespace

void expand_composites(XmlDocument& document, ImportLog& log) {
  while (const auto element = first_composite(document.root())) {
    const std::string type = element->text_or("type", "");
    if (type != "cable") {
      element->fail("of type \"" + type +
                    "\" is not read, nor by MuJoCo of today; only cables are");
    }
    check_vocabulary(*element, words(), log);
    Cable(document, *element).expand();
  }
}

}  // namespace hamiltree::mjcf
