// Compiled once for each instruction set, with HAMILTREE_SET its name. All that it calls is
// inlined: nothing compiled for one set may be linked where another is wanted.
#include "hamiltree/base/inline_all.hpp"

HAMILTREE_INLINE_ALL_BEGIN

#include "hamiltree/formulations/dh_frames/floating_passes.hpp"
#include "hamiltree/formulations/dh_frames/join_chain_blocks.hpp"
#include "hamiltree/formulations/dh_frames/kernel_sets.hpp"
#include "hamiltree/formulations/dh_frames/kernels.hpp"
#include "hamiltree/formulations/dh_frames/lane_groups.hpp"
#include "hamiltree/formulations/dh_frames/potential.hpp"
#include "hamiltree/math/sincos_of_all.hpp"
#include "hamiltree/model/joints/quaternion_entries.hpp"

namespace hamiltree::dh_frames {
namespace {

template <class T, class O>
inline void take_state(const TreeOf<T>& tree, const Request<T>& asked, ScrewWork<T, O>& work) {
  const std::size_t slots = tree.sign.size();
  for (std::size_t i = 0; i < slots; ++i) {
    work.theta[i] = tree.sign[i] * asked.q[at(tree.coordinate[i])] + tree.offset[i];
    work.p[i] = tree.sign[i] * asked.p[at(tree.velocity[i])];
  }
  sin_cos_of_all(slots, work.theta.data(), work.s.data(), work.c.data());
  for (std::size_t k = 0; k < tree.free_roots.size(); ++k) {
    work.free_turns[k] =
        quaternion::rotation_entries(asked.q + at(tree.free_roots[k].coordinate) + 3);
  }
}

// Returns a sum of zeros, unless something is not finite.
template <class T, class O>
inline T give_rates(const TreeOf<T>& tree, const ScrewWork<T, O>& work, const Request<T>& asked) {
  T sum(0.0);
  for (std::size_t i = 0; i < tree.sign.size(); ++i) {
    const T v = tree.sign[i] * work.v[i], p_dot = tree.sign[i] * work.p_dot[i];
    asked.v[at(tree.velocity[i])] = v;
    asked.q_dot[at(tree.coordinate[i])] = v;
    asked.p_dot[at(tree.velocity[i])] = p_dot;
    sum += (v + p_dot) * T(0.0);
  }
  for (std::size_t k = 0; k < tree.free_roots.size(); ++k) {
    const auto& root = tree.free_roots[k];
    const T* q = asked.q + root.coordinate;
    T* q_dot = asked.q_dot + root.coordinate;
    const T* v = work.v.data() + root.slot;
    for (int i = 0; i < 3; ++i) q_dot[i] = v[i];
    rotate(q_dot[0], q_dot[1], q_dot[2], work.free_turns[k]);
    quaternion::rate(q + 3, v + 3, q_dot + 3);
  }
  return sum;
}

constexpr auto kLoads = Loads::kGravity;

// Each space's on its own: together in one function they are 5 % slower.
template <bool kPlanar>
HAMILTREE_FLAT [[gnu::noinline]] bool one_in(const Tree& tree, const Request<double>& asked,
                                             TreeWork& work) {
  auto& revolutes = work.revolutes.in<kPlanar>();
  take_state(static_cast<const TreeOf<double>&>(tree), asked, revolutes);
  if (!tree.lane_groups.empty()) {
    for (auto& sum : revolutes.sums) sum = {};
  }
  for (std::size_t k = 0; k < tree.lane_groups.size(); ++k) {
    auto& group = work.lane_groups[k].template in<kPlanar>();
    take_state(tree.lane_groups[k], asked, group);
    inwards<kLoads>(tree.lane_groups[k].revolutes, group.p.data(), group);
    hand_in(tree.lane_groups[k], group, revolutes);
  }
  inwards<kLoads>(tree.revolutes, revolutes.p.data(), revolutes);
  outwards<kLoads>(tree.revolutes, revolutes.p.data(), tree.gravity, revolutes, revolutes.v.data(),
                   revolutes.p_dot.data());
  work.potential = potential(tree, work.roots, asked.q, revolutes);
  double sum = give_rates(static_cast<const TreeOf<double>&>(tree), revolutes, asked);
  for (std::size_t k = 0; k < tree.lane_groups.size(); ++k) {
    auto& group = work.lane_groups[k].template in<kPlanar>();
    hand_out(tree.lane_groups[k], revolutes, group);
    outwards<kLoads>(tree.lane_groups[k].revolutes, group.p.data(), {}, group, group.v.data(),
                     group.p_dot.data());
    sum += give_rates(tree.lane_groups[k], group, asked);
  }
  return sum == 0.0;
}

template <bool kPlanar>
inline bool eight_in(const TreeOf<Pack>& tree, const Request<Pack>& asked, WorkIn<Pack>& work_in) {
  auto& work = work_in.in<kPlanar>();
  take_state(tree, asked, work);
  inwards<kLoads>(tree.revolutes, work.p.data(), work);
  outwards<kLoads>(tree.revolutes, work.p.data(), tree.gravity, work, work.v.data(),
                   work.p_dot.data());
  return sum_of_lanes(give_rates(tree, work, asked)) == 0.0;
}

HAMILTREE_FLAT FirstRevolute first_revolute_of(const ChainBlock& chain_block,
                                               const Request<double>& asked) {
  return first_revolute(chain_block, asked);
}
template <bool kPlanar>
HAMILTREE_FLAT void in(const ChainBlock& chain_block, const FirstRevolute& beyond,
                       const Request<double>& asked, ChainBlockWork<kPlanar>& work) {
  go_in(chain_block, beyond, asked, work);
}
template <bool kPlanar>
HAMILTREE_FLAT void join_two(Outside<kPlanar>& A, const Outside<kPlanar>& B,
                             JoinedChainBlocks<kPlanar>& joined) {
  join(A, B, joined);
}
template <bool kPlanar>
HAMILTREE_FLAT void close_all(const Outside<kPlanar>& all, const Vector3& gravity,
                              Inside<kPlanar>& inside) {
  close(all, gravity, inside);
}
template <bool kPlanar>
HAMILTREE_FLAT void part_two(const JoinedChainBlocks<kPlanar>& joined, Inside<kPlanar>& A,
                             Inside<kPlanar>& B) {
  part(joined, A, B);
}
template <bool kPlanar>
HAMILTREE_FLAT void out(const ChainBlock& chain_block, const Request<double>& asked,
                        ChainBlockWork<kPlanar>& work, MovingSteps<kPlanar>& steps) {
  go_out(chain_block, asked, work, steps);
}

template <bool kPlanar>
constexpr ChainBlockKernels<kPlanar> kChainBlocks = {first_revolute_of, in<kPlanar>,
                                                     join_two<kPlanar>, close_all<kPlanar>,
                                                     part_two<kPlanar>, out<kPlanar>};

bool one(const Tree& tree, const Request<double>& asked, TreeWork& work) {
  return tree.is_planar ? one_in<true>(tree, asked, work) : one_in<false>(tree, asked, work);
}

HAMILTREE_FLAT bool eight(const TreeOf<Pack>& tree, const Request<Pack>& asked,
                          WorkIn<Pack>& work) {
  return tree.is_planar ? eight_in<true>(tree, asked, work) : eight_in<false>(tree, asked, work);
}

HAMILTREE_FLAT bool floating(const FloatingChain& chain, const FloatingRequest& asked,
                             FloatingWork& work) {
  return move(chain, asked, work);
}
HAMILTREE_FLAT BasePlace first_base_of(const FloatingChain& chain, const double* q) {
  return first_base(chain, q);
}
HAMILTREE_FLAT void floating_in(const FloatingChain& chain, const FloatingRequest& asked,
                                const BasePlace& beyond, FloatingWork& work) {
  go_in(chain, asked, beyond, work);
}
HAMILTREE_FLAT void floating_bases(const FloatingChain& chain, FloatingWork& work) {
  move_bases(chain, work);
}
HAMILTREE_FLAT bool floating_out(const FloatingChain& chain, const FloatingRequest& asked,
                                 const BaseMotion& beyond, FloatingWork& work) {
  return go_out(chain, asked, beyond, work);
}
HAMILTREE_FLAT void floating_momenta(const FloatingChain& chain, const double* q, const double* v,
                                     double* p, FloatingWork& work) {
  find_momenta(chain, q, v, p, work);
}
HAMILTREE_FLAT void floating_follow(const FloatingChain& chain, double* q, FloatingWork& work) {
  follow_bases(chain, q, work);
}
HAMILTREE_FLAT void floating_settle(FloatingChain& chain, const double* q, const BasePlace& beyond,
                                    FloatingWork& work) {
  settle(chain, q, beyond, work);
}

}  // namespace

const Kernels HAMILTREE_SET = {one,
                               eight,
                               {floating, first_base_of, floating_in, floating_bases, floating_out,
                                floating_momenta, floating_follow, floating_settle},
                               kChainBlocks<true>,
                               kChainBlocks<false>};

}  // namespace hamiltree::dh_frames

HAMILTREE_INLINE_ALL_END
