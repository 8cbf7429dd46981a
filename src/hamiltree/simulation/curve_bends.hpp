// CurveBends: how soon joints come to where the curves of their springs bend. A step that goes no
// further misses nothing of a curve that is flat on both sides, such as a detent.
#pragma once

#include <vector>

#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree {

class CurveBends {
 public:
  CurveBends() = default;  // none
  explicit CurveBends(const Model& model);

  bool empty() const { return curves_.empty(); }
  // The time (s) to the next bend of any curve at the rates of now; infinite if there is none
  // ahead.
  double time_ahead(const Probe& probe) const;

 private:
  struct Curve {
    int joint;
    std::vector<double> bends;  // rad or m, coordinates of the joint
  };
  std::vector<Curve> curves_;
};

}  // namespace hamiltree
