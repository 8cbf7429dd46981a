// The passes compiled for every instruction set: one system, and eight instances at a time.
#pragma once

#include "hamiltree/formulations/dh_frames/chain_block_work.hpp"
#include "hamiltree/formulations/dh_frames/floating_work.hpp"
#include "hamiltree/formulations/dh_frames/passes.hpp"
#include "hamiltree/formulations/dh_frames/request.hpp"
#include "hamiltree/formulations/dh_frames/tree.hpp"

namespace hamiltree::dh_frames {

// In space or in the plane: the other one is empty.
template <class T>
class WorkIn {
 public:
  void resize(bool is_planar, std::size_t revolutes, std::size_t slots, int branchings,
              std::size_t free_roots) {
    const auto resize = [&](auto& work) {
      work.resize(revolutes, slots, at(branchings), free_roots);
    };
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
  work.resize(tree.is_planar, tree.revolutes.size(), tree.sign.size(), tree.branchings,
              tree.free_roots.size());
  return work;
}

struct TreeWork {
  explicit TreeWork(const Tree& tree, int threads = 1)
      : revolutes(work_of<double>(tree)), lane_groups(tree.lane_groups.size()) {
    for (std::size_t k = 0; k < lane_groups.size(); ++k) {
      const auto& group = tree.lane_groups[k];
      lane_groups[k].resize(tree.is_planar, group.revolutes.size(), group.revolutes.size(),
                            group.branchings, 0);
    }
    for (std::size_t i = 0; i < tree.revolutes.size(); ++i) {
      if (is_root(tree.revolutes[i].link_case)) roots.push_back(i);
    }
    if (!tree.chain) return;
    const auto resize = [&](auto& work) {
      work.chain_blocks.resize(tree.chain->chain_blocks.size());
      work.joined.resize(tree.chain->joins.size());
      for (std::size_t k = 0; k < work.chain_blocks.size(); ++k)
        work.chain_blocks[k].steps.resize(tree.chain->chain_blocks[k].revolutes.size());
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

  WorkIn<double> revolutes;
  std::vector<WorkIn<Pack>> lane_groups;
  ChainWork<false> spatial_chain;
  ChainWork<true> planar_chain;
  std::vector<std::size_t> roots;  // among the revolutes
  double potential = 0.0;          // J, under gravity, less a constant
};

// A chain: all chain blocks in, joined two by two, closed, parted, and out.
template <bool kPlanar>
struct ChainBlockKernels {
  FirstRevolute (*first_revolute)(const ChainBlock&, const Request<double>&);
  void (*in)(const ChainBlock&, const FirstRevolute& beyond, const Request<double>&,
             ChainBlockWork<kPlanar>&);
  void (*join)(Outside<kPlanar>&, const Outside<kPlanar>&, JoinedChainBlocks<kPlanar>&);
  void (*close)(const Outside<kPlanar>&, const Vector3& gravity, Inside<kPlanar>&);
  void (*part)(const JoinedChainBlocks<kPlanar>&, Inside<kPlanar>&, Inside<kPlanar>&);
  void (*out)(const ChainBlock&, const Request<double>&, ChainBlockWork<kPlanar>&,
              MovingSteps<kPlanar>&);
};

// A chain in floating segments: all of it; or chain_blocks, each in, joined as others are, its
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
  ChainBlockKernels<true> planar_chain_blocks;
  ChainBlockKernels<false> spatial_chain_blocks;

  template <bool kPlanar>
  const ChainBlockKernels<kPlanar>& chain_blocks() const {
    if constexpr (kPlanar) {
      return planar_chain_blocks;
    } else {
      return spatial_chain_blocks;
    }
  }
};

// Kernels of the best set that this machine has.
const Kernels& kernels();

}  // namespace hamiltree::dh_frames
