#include "hamiltree/formulations/dh_frames/evaluate.hpp"

#include <functional>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/dh_frames/chain_ends.hpp"

namespace hamiltree::dh_frames {
namespace {

template <bool kPlanar>
bool evaluate_chain(const ChainBlockKernels<kPlanar>& kernels, const Chain& chain,
                    const Vector3& gravity, const Request<double>& asked, ChainWork<kPlanar>& work,
                    Pool* pool) {
  const auto& chain_blocks = chain.chain_blocks;
  const std::size_t count = chain_blocks.size();
  const auto in = [&](int, std::size_t k) {
    const auto beyond =
        k + 1 < count ? kernels.first_revolute(chain_blocks[k + 1], asked) : FirstRevolute{};
    kernels.in(chain_blocks[k], beyond, asked, work.chain_blocks[k]);
  };
  const auto out = [&](int thread, std::size_t k) {
    kernels.out(chain_blocks[k], asked, work.chain_blocks[k], work.moving[at(thread)]);
  };
  const auto for_all = [&](const auto& f) {
    if (pool != nullptr) return pool->run(count, std::ref(f));
    for (std::size_t k = 0; k < count; ++k) f(0, k);
  };

  for_all(in);
  for (std::size_t k = 0; k < chain.joins.size(); ++k) {
    const auto [A, B] = chain.joins[k];
    kernels.join(work.chain_blocks[A].outside, work.chain_blocks[B].outside, work.joined[k]);
  }
  auto& first = work.chain_blocks.front();
  const Vector3 g =
      gravity_at(kernels.first_revolute(chain_blocks.front(), asked), chain.root, gravity);
  work.potential = potential(first.outside.moments, g);
  kernels.close(first.outside, g, first.inside);
  for (std::size_t k = chain.joins.size(); k-- > 0;) {
    const auto [A, B] = chain.joins[k];
    kernels.part(work.joined[k], work.chain_blocks[A].inside, work.chain_blocks[B].inside);
  }
  for_all(out);

  bool finite = true;
  for (std::size_t k = 0; k < count; ++k) {
    finite = finite && work.chain_blocks[k].finite;
    if (k > 0) turn_back_first(chain_blocks[k], work.chain_blocks[k - 1].last_turns, asked);
  }
  return finite;
}

}  // namespace

bool evaluate(const Kernels& kernels, const Tree& tree, const Request<double>& asked,
              TreeWork& work, Pool* pool) {
  if (!tree.chain) return kernels.one(tree, asked, work);
  const auto go = [&]<bool kPlanar>(ChainWork<kPlanar>& chain) {
    const bool finite = evaluate_chain(kernels.chain_blocks<kPlanar>(), *tree.chain, tree.gravity,
                                       asked, chain, pool);
    work.potential = chain.potential;
    return finite;
  };
  return tree.is_planar ? go(work.planar_chain) : go(work.spatial_chain);
}

}  // namespace hamiltree::dh_frames
