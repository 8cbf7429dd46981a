// Segments: a Model computed in floating segments, and the way between its states and those of the
// model as it was given.
#pragma once

#include <memory>
#include <utility>

#include "hamiltree/model/in_segments.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree {

class Segments {
 public:
  virtual ~Segments() = default;

  const Model& whole() const { return whole_; }
  const Model& cut() const { return cut_.model; }
  const InSegments& description() const { return cut_; }

  // From coordinates and velocities of the whole at time t to those in segments.
  virtual void part(double t, const double* q, const double* v, double* q_cut, double* v_cut) = 0;
  // And back. Angles of joints between segments are counted on from where part() or follow() last
  // saw them, by their rates in between.
  virtual void join(double t, const double* q_cut, const double* v_cut, double* q, double* v) = 0;
  // Observations of the probe of the model in segments at time t.
  virtual void follow(double t, const Probe& probe) = 0;

 protected:
  Segments(const Model& whole, InSegments cut) : whole_(whole), cut_(std::move(cut)) {}

  Model whole_;
  InSegments cut_;
};

// Nothing where there is nothing to cut.
std::unique_ptr<Segments> make_segments(const Model& model, int bodies);

}  // namespace hamiltree
