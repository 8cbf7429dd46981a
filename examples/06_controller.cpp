// Forces that the user's own code computes: drag on a body, and a controller that holds it up.
#include "hamiltree/hamiltree.hpp"
#include "show.hpp"

int main() {
  hamiltree::Mechanism mechanism;
  mechanism.name = "held_up";
  mechanism.space = hamiltree::SpaceKind::kPlanar;
  mechanism.gravity = {0.0, -9.81, 0.0};
  hamiltree::BodyDescription rod;
  rod.name = "rod";
  rod.mass = 1.0;
  rod.com = {0.5, 0.0, 0.0};
  rod.inertia(2, 2) = 1.0 / 12.0;
  hamiltree::JointDescription pin;
  pin.name = "pin";
  pin.parent = hamiltree::kGround;
  pin.child = "rod";

  const auto drag = [](double, const hamiltree::BodyState& body) {
    return hamiltree::BodyLoad{-0.2 * body.velocity.norm() * body.velocity};
  };
  const auto law = [](hamiltree::Controls& controls) {
    const int joint = controls.index("pin");
    const double error = 1.5 - controls.position(joint);
    controls.add_effort(0, 40.0 * error - 8.0 * controls.rate(joint));
  };
  mechanism.add(rod).add(pin);
  mechanism.add(hamiltree::LoadCallback{"drag", "rod", drag, {}});
  mechanism.add(hamiltree::Controller{"hold", {"pin"}, law, {}});

  const hamiltree::Model model(mechanism);
  const auto run = hamiltree::Simulation(model).run_until(3.0, 0.01);
  show("angle", run.samples.back().q(0));
  show("work", run.samples.back().work.applied);
}
