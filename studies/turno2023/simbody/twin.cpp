#include "studies/turno2023/simbody/twin.hpp"

#include <Simbody.h>

#include <cmath>

namespace hamiltree::turno2023 {
namespace {

SimTK::Transform transform(const TwinFrame& frame) {
  return {SimTK::Rotation(frame.angle, SimTK::ZAxis), SimTK::Vec3(frame.x, frame.y, 0.0)};
}

// It turns about z only: the other moments of inertia do not matter, but must be possible.
SimTK::Body::Rigid rigid_body(const TwinBody& body) {
  const SimTK::Vec3 com(body.com_x, body.com_y, 0.0);
  const SimTK::Inertia about_com(body.inertia, body.inertia, body.inertia);
  return SimTK::Body::Rigid(
      SimTK::MassProperties(body.mass, com, about_com.shiftFromMassCenter(com, body.mass)));
}

struct Twin {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  std::vector<SimTK::MobilizedBody> bodies;
  std::vector<SimTK::MobilizedBody::Pin> pins;

  explicit Twin(const TwinMechanism& mechanism) : bodies(mechanism.bodies.size()) {
    SimTK::Force::UniformGravity(forces, matter,
                                 SimTK::Vec3(mechanism.gravity_x, mechanism.gravity_y, 0.0));
    for (const auto& pin : mechanism.pins) pin.closes_loop ? close(pin) : add(pin, mechanism);
  }

  SimTK::MobilizedBody& body(int b) {
    return b == kTwinGround ? matter.Ground() : bodies[static_cast<std::size_t>(b)];
  }

  void add(const TwinRevolute& pin, const TwinMechanism& mechanism) {
    const auto child = static_cast<std::size_t>(pin.child);
    pins.emplace_back(body(pin.parent), transform(pin.at_parent),
                      rigid_body(mechanism.bodies[child]), transform(pin.at_child));
    bodies[child] = pins.back();
  }

  // The child's point stays on two planes of the parent.
  void close(const TwinRevolute& pin) {
    const SimTK::Vec3 on_child(pin.at_child.x, pin.at_child.y, 0.0);
    SimTK::Constraint::PointInPlane(body(pin.parent), SimTK::UnitVec3(SimTK::XAxis),
                                    pin.at_parent.x, body(pin.child), on_child);
    SimTK::Constraint::PointInPlane(body(pin.parent), SimTK::UnitVec3(SimTK::YAxis),
                                    pin.at_parent.y, body(pin.child), on_child);
  }
};

}  // namespace

std::string simbody_version() {
  int major = 0, minor = 0, patch = 0;
  SimTK_version_simbody(&major, &minor, &patch);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::vector<TwinSample> simbody_motion(const TwinMechanism& mechanism, double until, double every,
                                       double accuracy) {
  Twin twin(mechanism);
  SimTK::State start = twin.system.realizeTopology();
  for (std::size_t k = 0; k < twin.pins.size(); ++k) {
    twin.pins[k].setOneQ(start, 0, mechanism.pins[k].q);
  }
  SimTK::RungeKuttaMersonIntegrator integrator(twin.system);
  integrator.setAccuracy(accuracy);
  integrator.setConstraintTolerance(accuracy);
  SimTK::TimeStepper stepper(twin.system, integrator);
  stepper.initialize(start);
  std::vector<TwinSample> samples;
  const long last = std::lround(until / every);
  for (long i = 0; i <= last; ++i) {
    const double t = static_cast<double>(i) * every;
    if (i > 0) stepper.stepTo(t);
    const SimTK::State& state = stepper.getState();
    twin.system.realize(state, SimTK::Stage::Velocity);
    TwinSample sample;
    sample.t = t;
    for (const auto& pin : twin.pins) {
      sample.q.push_back(pin.getOneQ(state, 0));
      sample.v.push_back(pin.getOneU(state, 0));
    }
    sample.kinetic = twin.system.calcKineticEnergy(state);
    sample.energy = twin.system.calcEnergy(state);
    samples.push_back(sample);
  }
  return samples;
}

}  // namespace hamiltree::turno2023
