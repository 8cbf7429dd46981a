// A rod on a pin, made by the builder: swing it, watch the energy.
#include "hamiltree/hamiltree.hpp"
#include "show.hpp"

int main() {
  hamiltree::Mechanism mechanism;
  mechanism.name = "pendulum";
  mechanism.space = hamiltree::SpaceKind::kPlanar;
  mechanism.gravity = {0.0, -9.81, 0.0};

  hamiltree::BodyDescription rod;
  rod.name = "rod";
  rod.mass = 1.0;                  // kg
  rod.com = {0.5, 0.0, 0.0};       // m, in the body frame
  rod.inertia(2, 2) = 1.0 / 12.0;  // kg m^2, about the com

  hamiltree::JointDescription pin;
  pin.name = "pin";
  pin.parent = hamiltree::kGround;
  pin.child = "rod";
  pin.initial_q = Eigen::VectorXd::Constant(1, 0.3);  // rad

  const hamiltree::Model model(mechanism.add(rod).add(pin));
  const auto run = hamiltree::Simulation(model).run_until(5.0);

  show("samples", static_cast<double>(run.samples.size()));
  show("angle", run.samples.back().q(0));
  show("momentum", run.samples.back().p(0));
  show("energy_error_below_1e-7", run.summary.energy.max_relative_error < 1e-7);
}
