// WholeMotion: the motion of a model as it was given, while it is computed in floating segments.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "hamiltree/simulation/probe.hpp"
#include "hamiltree/simulation/segments.hpp"
#include "hamiltree/simulation/state.hpp"

namespace hamiltree {

class WholeMotion {
 public:
  explicit WholeMotion(std::unique_ptr<Segments> segments);

  const Segments& segments() const { return *segments_; }
  // Where see() put it last.
  Probe& probe() { return *probe_; }
  const Eigen::VectorXd& v() const { return v_; }
  const Eigen::VectorXd& impulses() const { return impulses_; }

  // From coordinates and velocities of the whole to those in segments.
  void part(const State& state, const Eigen::VectorXd& v, double* q_cut, double* v_cut);
  // From those in segments to the state of the whole, its momenta included.
  State join(double t, const double* q_cut, const double* v_cut);
  // To coordinates and velocities alone.
  void see(double t, const double* q_cut, const double* v_cut);
  // See Segments.
  void follow(double t, const Probe& cut) { segments_->follow(t, cut); }
  // From the impulses of all joints and couplings in segments: those between segments stand in
  // between.
  void take_impulses(const Eigen::VectorXd& cut);

 private:
  std::unique_ptr<Segments> segments_;
  std::unique_ptr<Probe> probe_;
  Eigen::VectorXd q_, v_, impulses_;
};

// Nothing where no segments are asked for, or there is nothing to cut.
std::unique_ptr<WholeMotion> make_whole_motion(const Model& model, int bodies);

}  // namespace hamiltree
