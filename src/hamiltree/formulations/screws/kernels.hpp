// The passes compiled for every instruction set: one system, and eight instances at a time.
#pragma once

#include "hamiltree/formulations/screws/passes.hpp"
#include "hamiltree/formulations/screws/tree.hpp"

namespace hamiltree::screws {

// Coordinates and momenta in, rates out, by body.
template <class T>
struct Request {
  const T* q = nullptr;
  const T* p = nullptr;
  T* q_dot = nullptr;
  T* p_dot = nullptr;
};

// One set of instructions. Gravity acts, or nothing. False if a result is not finite.
struct Kernels {
  bool (*one)(const Tree&, bool gravity, const Request<double>&, ScrewWork<double>&);
  bool (*eight)(const Tree&, bool gravity, const Request<Pack>&, ScrewWork<Pack>&);
};

// Of the best set that this machine has.
const Kernels& kernels();

}  // namespace hamiltree::screws
