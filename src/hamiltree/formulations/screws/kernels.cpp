// Compiled once for each instruction set, with HAMILTREE_SET its name. All that it calls is
// inlined: nothing compiled for one set may be linked where another is wanted.
#include "hamiltree/formulations/screws/kernels.hpp"

#include "hamiltree/formulations/screws/kernel_sets.hpp"
#include "hamiltree/math/sincos.hpp"

namespace hamiltree::screws {
namespace {

[[gnu::always_inline]] inline void turn_all(std::size_t count, ScrewWork<double>& work) {
  for (std::size_t i = 0; i < count; i += kLanes) {
    Pack s, c;
    sin_cos(Pack::load(work.theta.data() + i), s, c);
    s.store(work.s.data() + i);
    c.store(work.c.data() + i);
  }
}
[[gnu::always_inline]] inline void turn_all(std::size_t count, ScrewWork<Pack>& work) {
  for (std::size_t i = 0; i < count; ++i) sin_cos(work.theta[i], work.s[i], work.c[i]);
}

[[gnu::always_inline]] inline bool is_zero(double sum) { return sum == 0.0; }
[[gnu::always_inline]] inline bool is_zero(const Pack& sum) {
  bool zero = true;
  for (int lane = 0; lane < kLanes; ++lane) zero = zero && sum[lane] == 0.0;
  return zero;
}

template <class T>
[[gnu::flatten]] bool evaluate(const Tree& tree, bool gravity, const Request<T>& asked,
                               ScrewWork<T>& work) {
  const std::size_t n = tree.pins.size();
  for (std::size_t i = 0; i < n; ++i) {
    const auto b = at(tree.body[i]);
    work.theta[i] = T(tree.sign[i]) * asked.q[b] + T(tree.offset[i]);
    work.p[i] = T(tree.sign[i]) * asked.p[b];
  }
  turn_all(n, work);
  const T g[3] = {T(tree.gravity[0]), T(tree.gravity[1]), T(tree.gravity[2])};
  const auto both_passes = [&]<Loads kLoads>() {
    inwards<kLoads, T, double>(tree.pins, work.p.data(), nullptr, work);
    outwards<kLoads, T, double>(tree.pins, g, work, work.v.data(), work.p_dot.data());
  };
  if (gravity) {
    both_passes.template operator()<Loads::kGravity>();
  } else {
    both_passes.template operator()<Loads::kNone>();
  }
  T sum(0.0);  // of zeros, unless something is not finite
  for (std::size_t i = 0; i < n; ++i) {
    const auto b = at(tree.body[i]);
    asked.q_dot[b] = T(tree.sign[i]) * work.v[i];
    asked.p_dot[b] = T(tree.sign[i]) * work.p_dot[i];
    sum += (work.v[i] + work.p_dot[i]) * T(0.0);
  }
  return is_zero(sum);
}

}  // namespace

const Kernels HAMILTREE_SET = {evaluate<double>, evaluate<Pack>};

}  // namespace hamiltree::screws
