// The passes compiled for every instruction set: one system, and eight instances at a time.
#pragma once

#include "hamiltree/formulations/screws/passes.hpp"
#include "hamiltree/formulations/screws/request.hpp"
#include "hamiltree/formulations/screws/segment_work.hpp"
#include "hamiltree/formulations/screws/tree.hpp"

namespace hamiltree::screws {

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
    if (tree.segments) segments.steps.resize(tree.segments->pins.size());
  }

  ScrewWork<double> pins;
  std::vector<ScrewWork<Pack>> banks;
  SegmentWork segments;
};

// One set of instructions. False if a result is not finite.
struct Kernels {
  bool (*one)(const Tree&, const Request<double>&, TreeWork&);
  bool (*eight)(const TreeOf<Pack>&, const Request<Pack>&, ScrewWork<Pack>&);
};

// Of the best set that this machine has.
const Kernels& kernels();

}  // namespace hamiltree::screws
