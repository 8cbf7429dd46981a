// The passes compiled for every instruction set: one system, and eight instances at a time.
#pragma once

#include "hamiltree/formulations/screws/passes.hpp"
#include "hamiltree/formulations/screws/tree.hpp"

namespace hamiltree::screws {

// Coordinates and momenta in, velocities and rates out, as in a state.
template <class T>
struct Request {
  const T* q = nullptr;
  const T* p = nullptr;
  T* v = nullptr;  // may be q_dot where nothing floats
  T* q_dot = nullptr;
  T* p_dot = nullptr;
};

template <class T>
ScrewWork<T> work_of(const auto& tree) {
  ScrewWork<T> work;
  work.resize(tree.pins.size(), tree.sign.size(), at(tree.branchings), tree.free_roots.size());
  return work;
}

struct TreeWork {
  explicit TreeWork(const Tree& tree) : pins(work_of<double>(tree)), banks(tree.banks.size()) {
    for (std::size_t k = 0; k < banks.size(); ++k) {
      const auto& bank = tree.banks[k];
      banks[k].resize(bank.pins.size(), bank.pins.size(), at(bank.branchings), 0);
    }
  }

  ScrewWork<double> pins;
  std::vector<ScrewWork<Pack>> banks;
};

// One set of instructions. False if a result is not finite.
struct Kernels {
  bool (*one)(const Tree&, const Request<double>&, TreeWork&);
  bool (*eight)(const TreeOf<Pack>&, const Request<Pack>&, ScrewWork<Pack>&);
};

// Of the best set that this machine has.
const Kernels& kernels();

}  // namespace hamiltree::screws
