#include "hamiltree/formulations/screws/evaluate.hpp"

#include <functional>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/screws/chain_ends.hpp"

namespace hamiltree::screws {
namespace {

template <bool kPlanar>
bool evaluate_chain(const StretchKernels<kPlanar>& kernels, const Chain& chain,
                    const Vector3& gravity, const Request<double>& asked, ChainWork<kPlanar>& work,
                    Pool* pool) {
  const auto& stretches = chain.stretches;
  const std::size_t count = stretches.size();
  const auto in = [&](int, std::size_t k) {
    const auto beyond = k + 1 < count ? kernels.first_pin(stretches[k + 1], asked) : FirstPin{};
    kernels.in(stretches[k], beyond, asked, work.stretches[k]);
  };
  const auto out = [&](int thread, std::size_t k) {
    kernels.out(stretches[k], asked, work.stretches[k], work.moving[at(thread)]);
  };
  const auto for_all = [&](const auto& f) {
    if (pool != nullptr) return pool->run(count, std::ref(f));
    for (std::size_t k = 0; k < count; ++k) f(0, k);
  };

  for_all(in);
  for (std::size_t k = 0; k < chain.joins.size(); ++k) {
    const auto [A, B] = chain.joins[k];
    kernels.join(work.stretches[A].outside, work.stretches[B].outside, work.joined[k]);
  }
  auto& first = work.stretches.front();
  const Vector3 g = gravity_at(kernels.first_pin(stretches.front(), asked), chain.root, gravity);
  work.potential = potential(first.outside.moments, g);
  kernels.close(first.outside, g, first.inside);
  for (std::size_t k = chain.joins.size(); k-- > 0;) {
    const auto [A, B] = chain.joins[k];
    kernels.part(work.joined[k], work.stretches[A].inside, work.stretches[B].inside);
  }
  for_all(out);

  bool finite = true;
  for (std::size_t k = 0; k < count; ++k) {
    finite = finite && work.stretches[k].finite;
    if (k > 0) turn_back_first(stretches[k], work.stretches[k - 1].last_turns, asked);
  }
  return finite;
}

}  // namespace

bool evaluate(const Kernels& kernels, const Tree& tree, const Request<double>& asked,
              TreeWork& work, Pool* pool) {
  if (!tree.chain) return kernels.one(tree, asked, work);
  const auto go = [&]<bool kPlanar>(ChainWork<kPlanar>& chain) {
    const bool finite =
        evaluate_chain(kernels.stretches<kPlanar>(), *tree.chain, tree.gravity, asked, chain, pool);
    work.potential = chain.potential;
    return finite;
  };
  return tree.is_planar ? go(work.planar_chain) : go(work.spatial_chain);
}

}  // namespace hamiltree::screws
