// The passes compiled for every instruction set: one system, and eight instances at a time.
#pragma once

#include "hamiltree/formulations/screws/passes.hpp"
#include "hamiltree/formulations/screws/tree.hpp"

namespace hamiltree::screws {

// Of one system: theta and p by link, with room for whole packs behind theta; v and p_dot by link.
// Gravity acts, or nothing.
struct Request {
  const double* theta = nullptr;
  const double* p = nullptr;
  double* v = nullptr;
  double* p_dot = nullptr;
};
void evaluate(const Tree& tree, bool gravity, const Request& request, ScrewWork<double>& work);

// The same of eight systems.
struct PackRequest {
  const Pack* theta = nullptr;
  const Pack* p = nullptr;
  Pack* v = nullptr;
  Pack* p_dot = nullptr;
};
void evaluate(const Tree& tree, bool gravity, const PackRequest& request, ScrewWork<Pack>& work);

}  // namespace hamiltree::screws
