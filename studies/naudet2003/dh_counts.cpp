#include <cmath>
#include <limits>
#include <stdexcept>

#include "hamiltree/formulations/dh_frames/compile.hpp"
#include "hamiltree/formulations/dh_frames/passes.hpp"
#include "hamiltree/math/counting.hpp"
#include "hamiltree/math/tracing.hpp"
#include "studies/naudet2003/kernel_counts.hpp"

namespace hamiltree::naudet2003 {
namespace {

// As the paper: on common normals, wherever they lie.
constexpr double kAnyFoot = std::numeric_limits<double>::infinity();

dh_frames::Tree tree_of(const Model& model) {
  return model.visit([]<class Space>(const System<Space>& system) -> dh_frames::Tree {
    if constexpr (!Space::kIsPlanar) {
      if (auto tree = dh_frames::make_tree(system, kAnyFoot)) return *tree;
    }
    throw std::logic_error("the chains of [Naudet2003] are spatial ones of pins");
  });
}

// All rates of an evaluation, with angles, momenta and wrenches from `input`; sines are not among
// them, as in the paper.
template <dh_frames::Loads kLoads, class T, class Input>
std::vector<T> evaluate(const dh_frames::Tree& tree, const Input& input) {
  const std::size_t n = tree.revolutes.size();
  dh_frames::ScrewWork<T> work;
  work.resize(n, n, 0, 0);
  std::vector<T> p, v(n), p_dot(n);
  std::vector<dh_frames::Vector6<T>> wrench(n);
  for (std::size_t i = 0; i < n; ++i) {
    const T theta = input();
    using std::cos;
    using std::sin;
    work.s[i] = sin(theta);
    work.c[i] = cos(theta);
    p.push_back(input());
    if constexpr (kLoads == dh_frames::Loads::kWrenches)
      wrench[i] = {input(), input(), input(), input(), input(), input()};
  }
  dh_frames::inwards<kLoads>(tree.revolutes, p.data(), work, wrench.data());
  dh_frames::outwards<kLoads>(tree.revolutes, p.data(), tree.gravity, work, v.data(), p_dot.data());
  v.insert(v.end(), p_dot.begin(), p_dot.end());
  return v;
}

template <dh_frames::Loads kLoads>
KernelCounts count(const dh_frames::Tree& tree) {
  KernelCounts counts;
  {
    int k = 0;
    const CountOperations scope;
    evaluate<kLoads, Counted>(tree, [&] { return Counted(std::sin(1.0 + k++)); });
    counts.run = scope.count();
  }
  Trace trace;
  const TraceScope scope(trace);
  int k = 0;
  for (const auto& result :
       evaluate<kLoads, Traced>(tree, [&] { return trace.input(std::to_string(k++)); })) {
    trace.output("rate", result);
  }
  counts.needed = trace.count();
  counts.depth = trace.depth();
  return counts;
}

}  // namespace

KernelCounts dh_counts(const Model& model, Loads loads) {
  const auto tree = tree_of(model);
  switch (loads) {
    case Loads::kGravity:
      return count<dh_frames::Loads::kGravity>(tree);
    case Loads::kWrench:
      return count<dh_frames::Loads::kWrenches>(tree);
    default:
      return count<dh_frames::Loads::kNone>(tree);
  }
}

}  // namespace hamiltree::naudet2003
