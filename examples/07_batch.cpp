// Rates of a thousand states at once, eight in the lanes of the processor.
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "hamiltree/hamiltree.hpp"
#include "show.hpp"

int main() {
  constexpr std::size_t kBodies = 7, kCount = 1000;
  hamiltree::Mechanism chain;
  chain.name = "chain";
  chain.gravity = {0.0, 0.0, -9.81};
  std::string parent = hamiltree::kGround;
  for (std::size_t i = 0; i < kBodies; ++i) {
    hamiltree::BodyDescription link;
    link.name = "link_" + std::to_string(i);
    link.mass = 1.0;
    link.com = {0.15, 0.0, 0.0};
    link.inertia.diagonal() << 0.001, 0.01, 0.01;
    hamiltree::JointDescription pin;
    pin.name = "pin_" + std::to_string(i);
    pin.parent = parent;
    pin.child = link.name;
    pin.at_parent.position = {0.3, 0.0, 0.0};
    pin.at_parent.rotation =
        Eigen::AngleAxisd(0.5 * std::numbers::pi, Eigen::Vector3d::UnitX()).toRotationMatrix();
    chain.add(link).add(pin);
    parent = link.name;
  }
  const hamiltree::Model model(chain);

  std::vector<double> q(kCount * kBodies), p(q.size()), q_dot(q.size()), p_dot(q.size());
  for (std::size_t k = 0; k < kCount; ++k) {
    for (std::size_t i = 0; i < kBodies; ++i) {
      q[k * kBodies + i] = std::sin(static_cast<double>(k + i));
      p[k * kBodies + i] = 0.1 * std::cos(static_cast<double>(k + i));
    }
  }
  hamiltree::Batch batch(model);
  batch.rate(0.0, kCount, q.data(), p.data(), q_dot.data(), p_dot.data());
  show("in_lanes", batch.in_lanes());
  for (std::size_t i = 0; i < kBodies; ++i) show("q_dot", q_dot[500 * kBodies + i]);
  for (std::size_t i = 0; i < kBodies; ++i) show("p_dot", p_dot[500 * kBodies + i]);
}
