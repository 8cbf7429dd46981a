// The record of a run, independent of any file format: a header once, samples at the output
// times, a summary at the end. A Recorder receives them in that order.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <cstddef>
#include <string>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/integrators/integrator.hpp"

namespace hamiltree {

// One recorded quantity over time.
struct Channel {
  std::string name;  // as in the trajectory's header, for example "q.crank_pin" or "tip.position.x"
  std::string unit;  // "rad", "m", "kg m^2/s", ...; empty for quaternions
};

// J or W, from all sides.
inline double total(const Power& power) { return power.driven + power.applied + power.dissipated; }

// The shape of a body in the replay: the points where joints act on it, in the body's own frame
// (m).
struct BodyShape {
  std::string name;
  std::vector<Eigen::Vector3d> handles;
  Eigen::Vector3d com = Eigen::Vector3d::Zero();
};

struct RecordingHeader {
  std::string model;
  bool planar = false;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // m/s^2
  bool conservative = true;      // no power and no work: nothing acts from outside
  double length = 1.0;           // m, the mechanism's characteristic length
  std::vector<Channel> q, v, p;  // coordinates, velocities, momenta
  // Coordinates and velocities of joints that are not in the state: driven ones, then cuts.
  std::vector<Channel> outside_q, outside_v;
  std::vector<Channel> sensors;
  std::vector<BodyShape> bodies;
  std::vector<Eigen::Vector3d> ground_handles;  // m, world: where joints act on the ground
};

struct BodyPose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m, world: origin of the body's frame
  Eigen::Vector4d quat_wxyz{1.0, 0.0, 0.0, 0.0};       // turns body axes to world axes
};

struct Sample {
  double t = 0.0;  // s
  Eigen::VectorXd q, v, p;
  Eigen::VectorXd outside_q, outside_v;                 // angles go on beyond half a turn
  double kinetic_energy = 0.0, potential_energy = 0.0;  // J
  Power power = {}, work = {};     // W and J: of what changes the energy from outside
  double position_residual = 0.0;  // m: max |Phi| over all loops, angles times the length
  double velocity_residual = 0.0;  // m/s: max |Phidot|, angular rates times the length
  // All bodies together, in world axes, the latter about the world's origin; kg m/s, kg m^2/s.
  Eigen::Vector3d linear_momentum = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular_momentum = Eigen::Vector3d::Zero();
  Eigen::VectorXd sensors;
  std::vector<BodyPose> poses;  // one per body of the header
};

// A crossing of an event, where a sample has been recorded too.
struct EventRecord {
  std::string name;
  double t = 0.0;  // s
};

// One accepted step.
struct StepRecord {
  double t = 0.0;     // s, at its end
  double size = 0.0;  // s
  int order = 0;      // of the method
};

// Largest values over all accepted steps.
struct ConstraintSummary {
  double position_max = 0.0, velocity_max = 0.0;  // after projection and reset
  double velocity_max_near_singular = 0.0;        // the same, during passages
  double greatest_speed = 0.0;                    // m/s, of any body; turns times the length
  double position_max_before = 0.0, velocity_max_before = 0.0;  // as the integrator left them
};

struct EnergySummary {
  double initial = 0.0;    // J
  Power work;              // J: done from outside until the end
  double max_error = 0.0;  // J: max |E - E0 - W| over accepted steps
  // J: the energy that moves, the largest of the peak kinetic energy, the range of the potential
  // one and the works, but at least 1e-9 of the potential energy or of the weight by the length.
  double scale = 0.0;
  double max_relative_error = 0.0;  // what is not rounding of max_error, by the scale
  bool conservative = true;         // nothing does work from outside: W = 0
};

struct ModelSummary {
  std::string name, file, space;
  int bodies = 0, joints = 0, loops = 0;
  int degrees_of_freedom = 0;     // of the assembled mechanism: velocities minus constraint rank
  int redundant_constraints = 0;  // rows of the loops that others already imply
  double length = 1.0;            // m
};

struct IntegratorSummary {
  std::string name;                   // see to_name(Method)
  std::vector<MethodChange> changes;  // of auto, which begins with dormand_prince
  double rtol = 0.0, atol = 0.0;      // adaptive methods
  double step = 0.0;                  // s, fixed-step methods
  std::string weights;                // inertia or equal, adaptive methods
  bool reset = true, projection = true, energy_scaling = false;
  double leak = 0.0;       // 1/s, of the leaky gauge
  double baumgarte = 0.0;  // 1/s, of dca and aba
  LaneChoice lanes = LaneChoice::kAuto;
  bool plane = true;
  int segments = 0;  // bodies in one that floats; 0: none do
};

struct Summary {
  std::string status = "completed";  // or "failed"; "modes", of what is no run
  std::string error;                 // why it failed
  ModelSummary model;
  std::string formulation;
  std::string formulation_reason;  // why auto took it; empty where it was named
  IntegratorSummary integrator;
  std::string plan;  // one line, for example "balanced, 3 leaves, 2 joins, depth 2"
  double until = 0.0, reached = 0.0;  // s
  long steps = 0, rejected_steps = 0;
  long restarts = 0;          // of multistep methods: loops had drifted open, or rows changed
  long rate_evaluations = 0;  // full rates, without the solves counted next
  long velocity_solves = 0;   // velocity-only solves of projection, reset and diagnostics
  double wall_seconds = 0.0;
  EnergySummary energy;
  ConstraintSummary constraint;
  std::vector<EventRecord> events;        // in the order of time
  std::string stopped_by;                 // the event that ended the run before `until`
  std::vector<std::string> failed_gates;  // one sentence for each
  std::vector<std::string> notes;         // for example "near-singular at joint C, t = 0.71 s"
};

class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void begin(const RecordingHeader& header) = 0;
  virtual void sample(const Sample& sample) = 0;
  virtual void step(const StepRecord&) {}
  virtual void finish(const Summary& summary) = 0;
};

// A mode of a linearization, which samples of a recording show.
struct ShownMode {
  std::complex<double> eigenvalue;  // 1/s
  double frequency = 0.0;           // Hz, undamped
  double damping = 0.0;             // ratio
  double amplitude = 0.0;           // of the joint that moves most: rad, or lengths
  std::size_t first = 0, last = 0;  // samples: one period, which ends where it began
};

// Everything in memory.
struct Recording : Recorder {
  RecordingHeader header;
  std::vector<Sample> samples;
  std::vector<StepRecord> steps;
  Summary summary;
  std::vector<ShownMode> modes;  // empty: of a run

  Recording();
  Recording(const Recording&);
  Recording(Recording&&) noexcept;
  Recording& operator=(const Recording&);
  Recording& operator=(Recording&&) noexcept;
  ~Recording() override;

  void begin(const RecordingHeader& h) override;
  void sample(const Sample& s) override;
  void step(const StepRecord& s) override;
  void finish(const Summary& s) override;
};

}  // namespace hamiltree
