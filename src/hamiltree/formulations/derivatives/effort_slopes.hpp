// How the efforts of forces along the joints of a tree change with coordinates, velocities and
// time: each element is exerted once on dual numbers, whose lanes it gives out as it asks.
#pragma once

#include <array>
#include <vector>

#include "hamiltree/forces/elements.hpp"
#include "hamiltree/formulations/derivatives/on_duals.hpp"
#include "hamiltree/math/dual.hpp"
#include "hamiltree/model/system.hpp"
#include "hamiltree/space/planar.hpp"
#include "hamiltree/space/spatial.hpp"

namespace hamiltree::derivatives {

struct EffortSlope {
  enum class By { kCoordinate, kVelocity, kTime };
  int row = 0;  // of pdot
  By by = By::kTime;
  int column = 0;
  double slope = 0.0;
};

template <class Space>
class EffortSlopes {
  using On = typename Space::template Rebind<Duals>;

 public:
  // Whether every force acts so, or by loads on bodies (load_slopes.hpp).
  static bool takes(const System<Space>& system);

  explicit EffortSlopes(const System<Space>& system) : system_(system.template cast<Duals>()) {}

  const std::vector<EffortSlope>& at_state(double t, const double* q, const double* v);

  const std::vector<EffortSlope>& last() const { return slopes_; }

 private:
  struct Now;
  struct Sink;

  System<On> system_;
  std::vector<EffortSlope> slopes_;
};

extern template class EffortSlopes<Planar<double>>;
extern template class EffortSlopes<Spatial<double>>;

}  // namespace hamiltree::derivatives
