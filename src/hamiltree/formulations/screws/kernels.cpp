#include "hamiltree/formulations/screws/kernels.hpp"

#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/math/sincos.hpp"

namespace hamiltree::screws {
namespace {

[[gnu::always_inline]] inline void turn_all(std::size_t count, const double* theta,
                                            ScrewWork<double>& work) {
  for (std::size_t i = 0; i < count; i += kLanes) {
    Pack s, c;
    sin_cos(Pack::load(theta + i), s, c);
    s.store(work.s.data() + i);
    c.store(work.c.data() + i);
  }
}
[[gnu::always_inline]] inline void turn_all(std::size_t count, const Pack* theta,
                                            ScrewWork<Pack>& work) {
  for (std::size_t i = 0; i < count; ++i) sin_cos(theta[i], work.s[i], work.c[i]);
}

template <Loads kLoads, class T, class Asked>
[[gnu::always_inline]] inline void both_passes(const Tree& tree, const Asked& asked,
                                               ScrewWork<T>& work) {
  turn_all(tree.links.size(), asked.theta, work);
  inwards<kLoads, T, double>(tree.links, asked.p, nullptr, work);
  const auto& g = tree.gravity;
  outwards<kLoads, T, double>(tree.links, {T(g[0]), T(g[1]), T(g[2])}, work, asked.v, asked.p_dot);
}

template <class T, class Asked>
[[gnu::always_inline]] inline void run(const Tree& tree, bool gravity, const Asked& asked,
                                       ScrewWork<T>& work) {
  if (gravity) {
    both_passes<Loads::kGravity>(tree, asked, work);
  } else {
    both_passes<Loads::kNone>(tree, asked, work);
  }
}

#if defined(__x86_64__)
HAMILTREE_FOR_AVX2 void on_avx2(const Tree& tree, bool gravity, const Request& asked,
                                ScrewWork<double>& work) {
  run(tree, gravity, asked, work);
}
HAMILTREE_FOR_AVX512 void on_avx512(const Tree& tree, bool gravity, const Request& asked,
                                    ScrewWork<double>& work) {
  run(tree, gravity, asked, work);
}
HAMILTREE_FOR_AVX2 void on_avx2(const Tree& tree, bool gravity, const PackRequest& asked,
                                ScrewWork<Pack>& work) {
  run(tree, gravity, asked, work);
}
HAMILTREE_FOR_AVX512 void on_avx512(const Tree& tree, bool gravity, const PackRequest& asked,
                                    ScrewWork<Pack>& work) {
  run(tree, gravity, asked, work);
}
#endif

template <class T, class Asked>
void dispatch(const Tree& tree, bool gravity, const Asked& asked, ScrewWork<T>& work) {
#if defined(__x86_64__)
  switch (instruction_set()) {
    case InstructionSet::kAvx512:
      return on_avx512(tree, gravity, asked, work);
    case InstructionSet::kAvx2:
      return on_avx2(tree, gravity, asked, work);
    default:
      break;
  }
#endif
  run(tree, gravity, asked, work);
}

}  // namespace

void evaluate(const Tree& tree, bool gravity, const Request& request, ScrewWork<double>& work) {
  dispatch(tree, gravity, request, work);
}
void evaluate(const Tree& tree, bool gravity, const PackRequest& request, ScrewWork<Pack>& work) {
  dispatch(tree, gravity, request, work);
}

}  // namespace hamiltree::screws
