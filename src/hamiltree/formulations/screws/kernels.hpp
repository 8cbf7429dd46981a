// The passes compiled for every instruction set: one system, and eight instances at a time.
#pragma once

#include "hamiltree/formulations/screws/floating_work.hpp"
#include "hamiltree/formulations/screws/passes.hpp"
#include "hamiltree/formulations/screws/request.hpp"
#include "hamiltree/formulations/screws/stretch_work.hpp"
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
  explicit TreeWork(const Tree& tree, int threads = 1)
      : pins(work_of<double>(tree)), banks(tree.banks.size()) {
    for (std::size_t k = 0; k < banks.size(); ++k) {
      const auto& bank = tree.banks[k];
      banks[k].resize(tree.is_planar, bank.pins.size(), bank.pins.size(), bank.branchings, 0);
    }
    for (std::size_t i = 0; i < tree.pins.size(); ++i) {
      if (is_root(tree.pins[i].way)) roots.push_back(i);
    }
    if (!tree.chain) return;
    const auto resize = [&](auto& work) {
      work.stretches.resize(tree.chain->stretches.size());
      work.joined.resize(tree.chain->joins.size());
      for (std::size_t k = 0; k < work.stretches.size(); ++k)
        work.stretches[k].steps.resize(tree.chain->stretches[k].pins.size());
      work.moving.resize(at(threads));
      for (auto& steps : work.moving) steps.resize(tree.chain->longest());
    };
    tree.is_planar ? resize(planar_chain) : resize(spatial_chain);
  }

  template <bool kPlanar>
  ChainWork<kPlanar>& chain() {
    if constexpr (kPlanar) {
      return planar_chain;
    } else {
      return spatial_chain;
    }
  }

  WorkIn<double> pins;
  std::vector<WorkIn<Pack>> banks;
  ChainWork<false> spatial_chain;
  ChainWork<true> planar_chain;
  std::vector<std::size_t> roots;  // among the pins
  double potential = 0.0;          // J, under gravity, less a constant
};

// Of a chain: all stretches in, joined two by two, closed, parted, and out.
template <bool kPlanar>
struct StretchKernels {
  FirstPin (*first_pin)(const Stretch&, const Request<double>&);
  void (*in)(const Stretch&, const FirstPin& beyond, const Request<double>&, StretchWork<kPlanar>&);
  void (*join)(Outside<kPlanar>&, const Outside<kPlanar>&, JoinedStretches<kPlanar>&);
  void (*close)(const Outside<kPlanar>&, const Vector3& gravity, Inside<kPlanar>&);
  void (*part)(const JoinedStretches<kPlanar>&, Inside<kPlanar>&, Inside<kPlanar>&);
  void (*out)(const Stretch&, const Request<double>&, StretchWork<kPlanar>&, MovingSteps<kPlanar>&);
};

// Of a chain in floating segments: all of it; or stretches, each in, joined as others are, its
// bases, and out.
struct FloatingKernels {
  bool (*all)(const FloatingChain&, const FloatingRequest&, FloatingWork&);
  BasePlace (*first_base)(const FloatingChain&, const double* q);
  void (*in)(const FloatingChain&, const FloatingRequest&, const BasePlace& beyond, FloatingWork&);
  void (*move_bases)(const FloatingChain&, FloatingWork&);
  bool (*out)(const FloatingChain&, const FloatingRequest&, const BaseMotion& beyond,
              FloatingWork&);
  void (*momenta)(const FloatingChain&, const double* q, const double* v, double* p, FloatingWork&);
  void (*follow_bases)(const FloatingChain&, double* q, FloatingWork&);
  void (*settle)(FloatingChain&, const double* q, const BasePlace& beyond, FloatingWork&);
};

// One set of instructions. False if a result is not finite.
struct Kernels {
  bool (*one)(const Tree&, const Request<double>&, TreeWork&);  // no chain
  bool (*eight)(const TreeOf<Pack>&, const Request<Pack>&, WorkIn<Pack>&);
  FloatingKernels floating;
  StretchKernels<true> planar_stretches;
  StretchKernels<false> spatial_stretches;

  template <bool kPlanar>
  const StretchKernels<kPlanar>& stretches() const {
    if constexpr (kPlanar) {
      return planar_stretches;
    } else {
      return spatial_stretches;
    }
  }
};

// Of the best set that this machine has.
const Kernels& kernels();

}  // namespace hamiltree::screws
