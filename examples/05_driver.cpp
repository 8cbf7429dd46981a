// A crank that is driven, and the effort that this takes.
#include "hamiltree/hamiltree.hpp"
#include "show.hpp"

int main() {
  hamiltree::Mechanism mechanism;
  mechanism.name = "driven_arm";
  mechanism.space = hamiltree::SpaceKind::kPlanar;
  mechanism.gravity = {0.0, -9.81, 0.0};
  for (const char* name : {"crank", "bob"}) {
    hamiltree::BodyDescription body;
    body.name = name;
    body.mass = 1.0;
    body.com = {0.2, 0.0, 0.0};
    body.inertia(2, 2) = 0.01;
    mechanism.add(body);
  }
  hamiltree::JointDescription motor;
  motor.name = "motor";
  motor.parent = hamiltree::kGround;
  motor.child = "crank";
  motor.drive = hamiltree::SmoothStep{.from = 0.0, .to = 3.0, .start = 0.5, .duration = 2.0};
  hamiltree::JointDescription pin;
  pin.name = "pin";
  pin.parent = "crank";
  pin.child = "bob";
  pin.at_parent.position = {0.4, 0.0, 0.0};
  mechanism.add(motor).add(pin).add(hamiltree::ReactionSensor{"motor", "motor", {}});

  const hamiltree::Model model(mechanism);
  const auto run = hamiltree::Simulation(model).run_until(3.0, 0.01);
  const auto& middle = run.samples[150];
  show("pin", run.samples.back().q(0));
  show("effort_of_the_motor", middle.sensors(middle.sensors.size() - 1));
  show("work_of_the_motor", run.samples.back().work.driven);
}
