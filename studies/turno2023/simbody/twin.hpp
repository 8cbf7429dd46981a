// A planar mechanism of pins in Simbody. Plain C++17 between it and the rest of hamiltree:
// Simbody's headers are not C++20.
#pragma once

#include <string>
#include <vector>

namespace hamiltree::turno2023 {

constexpr int kTwinGround = -1;

struct TwinBody {
  double mass = 0.0;            // kg
  double com_x = 0, com_y = 0;  // m, in the body's frame
  double inertia = 0.0;         // kg m^2, about the centre of mass
};

struct TwinFrame {
  double x = 0, y = 0;  // m
  double angle = 0;     // rad
};

struct TwinRevolute {
  int parent = kTwinGround, child = 0;
  TwinFrame at_parent, at_child;
  bool closes_loop = false;  // holds the two points together; has no coordinate
  double q = 0.0;            // rad, at the start
};

struct TwinMechanism {
  double gravity_x = 0, gravity_y = 0;  // m/s^2
  std::vector<TwinBody> bodies;
  std::vector<TwinRevolute>
      pins;  // a pin's parent comes before its child; pins that close loops last
};

struct TwinSample {
  double t = 0.0;                  // s
  std::vector<double> q, v;        // rad and rad/s, of the pins that close no loop
  double kinetic = 0, energy = 0;  // J
};

std::string simbody_version();

// From rest. accuracy: relative, of the integrator and of the loops. Runge-Kutta-Merson, with
// projection.
std::vector<TwinSample> simbody_motion(const TwinMechanism& mechanism, double until, double every,
                                       double accuracy);

}  // namespace hamiltree::turno2023
