#include "hamiltree/io/import/mjcf/tendon.hpp"

#include "hamiltree/io/import/frames.hpp"

namespace hamiltree::mjcf {
namespace {

bool pulls(const XmlElement& tendon) {
  return tendon.has("stiffness") || tendon.has("damping") || tendon.has("frictionloss") ||
         tendon.has("range");
}

// Two sites and nothing else on the way, no limits, no range without tension.
bool is_straight_spring(const XmlElement& tendon) {
  if (tendon.name() != "spatial" || tendon.children("site").size() != 2 ||
      tendon.children().size() != 2 || tendon.has("frictionloss") || tendon.has("range")) {
    return false;
  }
  if (!tendon.has("springlength")) return true;
  const Eigen::VectorXd lengths = tendon.numbers("springlength");
  return lengths.size() == 1 || (lengths.size() == 2 && lengths(0) == lengths(1));
}

void add_spring(const XmlElement& tendon, const Tree& tree, Mechanism& mechanism) {
  PointSpringDamper spring;
  spring.where = tendon.where();
  spring.name = tendon.text_or("name", "tendon_" + std::to_string(mechanism.forces.size() + 1));
  const auto sites = tendon.children("site");
  const auto place = [&](const XmlElement& site) -> const Place& {
    const auto found = tree.sites.find(site.text("site"));
    if (found == tree.sites.end()) {
      site.fail("there is no site \"" + site.text("site") + "\"");
    }
    return found->second;
  };
  const Place& a = place(sites[0]);
  const Place& b = place(sites[1]);
  spring.body_a = a.body;
  spring.body_b = b.body;
  spring.point_a = a.X.position;
  spring.point_b = b.X.position;
  spring.stiffness = tendon.number_or("stiffness", 0.0);
  spring.damping = tendon.number_or("damping", 0.0);
  const double given = tendon.has("springlength") ? tendon.numbers("springlength")(0) : -1.0;
  spring.rest_length = given >= 0.0 ? given
                                    : (apply(tree.at_start.at(a.body), spring.point_a) -
                                       apply(tree.at_start.at(b.body), spring.point_b))
                                          .norm();
  mechanism.add(spring);
}

}  // namespace

void read_tendons(const XmlElement& root, const Settings& settings, const Tree& tree,
                  Mechanism& mechanism, ImportLog& log) {
  for (const auto& section : root.children("tendon")) {
    for (const auto& tendon : section.children()) {
      settings.defaults.complete(tendon, "");
      if (!pulls(tendon)) {
        log.ignore("tendon");
      } else if (is_straight_spring(tendon)) {
        add_spring(tendon, tree, mechanism);
      } else {
        log.warn(tendon.where(), "a tendon that is no spring between two sites is left out");
      }
    }
  }
}

}  // namespace hamiltree::mjcf
