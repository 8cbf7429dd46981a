// The passes compiled for every instruction set: one system, and eight instances at a time.
#pragma once

#include "hamiltree/formulations/screws/floating_work.hpp"
#include "hamiltree/formulations/screws/passes.hpp"
#include "hamiltree/formulations/screws/request.hpp"
#include "hamiltree/formulations/screws/segment_work.hpp"
#include "hamiltree/formulations/screws/tree.hpp"

namespace hamiltree::screws {

// In space or in the plane: the other one is empty.
template <class T>
class WorkIn {
 public:
  void resize(bool is_planar, std::size_t pins, std::size_t slots, int branchings,
              std::size_t free_roots) {
    const auto resize = [&](auto& work) { work.resize(pins, slots, at(branchings), free_roots); };
    is_planar ? resize(planar_) : resize(spatial_);
  }

  template <bool kPlanar>
  ScrewWork<T, Out<T, kPlanar>>& in() {
    if constexpr (kPlanar) {
      return planar_;
    } else {
      return spatial_;
    }
  }

 private:
  ScrewWork<T, T> spatial_;
  ScrewWork<T, Zero> planar_;
};

template <class T>
WorkIn<T> work_of(const TreeOf<T>& tree) {
  WorkIn<T> work;
  work.resize(tree.is_planar, tree.pins.size(), tree.sign.size(), tree.branchings,
              tree.free_roots.size());
  return work;
}

struct TreeWork {
  explicit TreeWork(const Tree& tree) : pins(work_of<double>(tree)), banks(tree.banks.size()) {
    for (std::size_t k = 0; k < banks.size(); ++k) {
      const auto& bank = tree.banks[k];
      banks[k].resize(tree.is_planar, bank.pins.size(), bank.pins.size(), bank.branchings, 0);
    }
    for (std::size_t i = 0; i < tree.pins.size(); ++i) {
      if (is_root(tree.pins[i].way)) roots.push_back(i);
    }
    if (!tree.segments) return;
    const auto steps = tree.segments->pins.size();
    tree.is_planar ? planar_segments.steps.resize(steps) : segments.steps.resize(steps);
  }

  WorkIn<double> pins;
  std::vector<WorkIn<Pack>> banks;
  SegmentWork<false> segments;
  SegmentWork<true> planar_segments;
  std::vector<std::size_t> roots;  // among the pins
  double potential = 0.0;          // J, under gravity, less a constant
};

// One set of instructions. False if a result is not finite.
struct Kernels {
  bool (*one)(const Tree&, const Request<double>&, TreeWork&);
  bool (*eight)(const TreeOf<Pack>&, const Request<Pack>&, WorkIn<Pack>&);
  bool (*floating)(const FloatingChain&, const FloatingRequest&, FloatingWork&);
};

// Of the best set that this machine has.
const Kernels& kernels();

}  // namespace hamiltree::screws
