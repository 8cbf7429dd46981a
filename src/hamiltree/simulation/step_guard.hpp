// StepGuard: judges a step that left loops open, or changed the energy without work. What would
// follow is the motion of another mechanism: the step is taken again, shorter, or ends the run.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "hamiltree/integrators/method.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/diagnostics.hpp"
#include "hamiltree/simulation/options.hpp"

namespace hamiltree {

struct Balance {
  double kinetic, potential, work;  // J
};

// Questions about the loops after a step that does not stand: which is open the most, as the
// subject of a sentence, and whether redundant rows that contradict others leave it open.
struct OpenLoops {
  std::function<std::string()> widest = [] { return std::string(); };
  std::function<bool()> contradict = [] { return false; };
};

class StepGuard {
 public:
  StepGuard(const Model& model, const SimulationOptions& options);

  double weight() const { return weight_; }  // J, that of the whole mechanism over its length
  // J, of all its bodies turned about a point that is its length away, at 1 rad/s
  double turning() const { return 0.5 * inertia_; }
  // m; a loop that is open by more after a step and its projection is not closed.
  double most_open() const;

  // Each returns a sentence without a full stop; empty: the step may stand.

  // Projection closes loops after every step, unless the pose is singular: the widest gap, in m, is
  // none that it leaves.
  std::string open_loop(double gap, const OpenLoops& loops) const;
  // A method with tolerances keeps the energy of each step (s) within them.
  std::string jump(double step, const Balance& before, const Balance& now,
                   const OpenLoops& loops = {}) const;
  // And that of all steps so far, which may be lost a little in each. `work`: J, given and taken.
  std::string drift(long steps, const EnergyWatch& energy, double work,
                    const OpenLoops& loops = {}) const;
  // Steps that become ever shorter would not end: as many as kStretch took `now`, and at most
  // `before` until then (s).
  static constexpr long kStretch = 10000;
  static std::string standstill(double now, double before);

 private:
  double tolerance(double kinetic, double potential, double work) const;
  std::string why_energy_changes(const OpenLoops& loops) const;

  std::optional<Tolerances> tolerances_;
  bool projects_, conserves_;
  double most_jump_;
  std::string contradiction_;  // of redundant rows, with advice
  bool is_long_chain_;
  // The scale of the mechanism's energies: all its bodies turned about a point, or lifted by its
  // length.
  double length_;   // m
  double inertia_;  // kg m^2
  double longest_;  // length of all bodies in a chain, in length_
  double weight_;   // J
  double of_work_;  // J, what the absolute tolerance allows of the work, which is integrated along
};

}  // namespace hamiltree
