// Exact: what a kernel computes in quadruple precision, with the rows of loops that it chooses at a
// start in double precision.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/math/quad.hpp"

namespace hamiltree::test {

// By the names of generated functions' outputs; wrenches as in the tables, world axes.
struct Outputs {
  std::vector<Quad> v, q_dot, p_dot, sigma, v_dot, lambda, wrench;
};

class Exact {
 public:
  virtual ~Exact() = default;
  virtual Outputs at(const StateView& state) = 0;
};

std::unique_ptr<Exact> make_exact_planar_hdca(const Model& model, const StateView& start);
std::unique_ptr<Exact> make_exact_spatial_hdca(const Model& model, const StateView& start);
std::unique_ptr<Exact> make_exact_planar_recursive(const Model& model, const StateView& start);
std::unique_ptr<Exact> make_exact_spatial_recursive(const Model& model, const StateView& start);

inline std::unique_ptr<Exact> make_exact(const Model& model, const std::string& formulation,
                                         const StateView& start) {
  const bool planar = model.space() == SpaceKind::kPlanar;
  if (formulation == "hdca") {
    return planar ? make_exact_planar_hdca(model, start) : make_exact_spatial_hdca(model, start);
  }
  return planar ? make_exact_planar_recursive(model, start)
                : make_exact_spatial_recursive(model, start);
}

}  // namespace hamiltree::test
