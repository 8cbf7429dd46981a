// How a kernel is counted: the same evaluation on the counting scalar and on the tracing one.
#pragma once

#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "hamiltree/math/counting.hpp"
#include "hamiltree/math/tracing.hpp"
#include "studies/naudet2003/kernel_counts.hpp"
#include "studies/scalar_kernels/scalar_kernels.hpp"

namespace hamiltree::naudet2003 {

// Make(system) makes the kernel; Evaluate(kernel, t, q, u, work) returns its results.
template <class Make, class Evaluate>
KernelCounts count_kernel(const System<Spatial<double>>& system, const Make& make,
                          const Evaluate& evaluate) {
  KernelCounts counts;
  const auto size = static_cast<std::size_t>(system.coordinates + system.velocities);
  {
    const auto kernel = make(system.template cast<Counted>());
    typename std::remove_cvref_t<decltype(kernel)>::Work work(kernel);
    std::vector<Counted> state;
    for (std::size_t i = 0; i < size; ++i) state.emplace_back(std::sin(1.0 + double(i)));
    const CountOperations scope;
    evaluate(kernel, Counted(0.3), state.data(), state.data() + system.coordinates, work);
    counts.run = scope.count();
  }
  Trace trace;
  const TraceScope scope(trace);
  const auto kernel = make(system.template cast<Traced>());
  typename std::remove_cvref_t<decltype(kernel)>::Work work(kernel);
  const Traced t = trace.input("t");
  std::vector<Traced> state;
  for (std::size_t i = 0; i < size; ++i) state.push_back(trace.input(std::to_string(i)));
  for (const auto& result :
       evaluate(kernel, t, state.data(), state.data() + system.coordinates, work)) {
    trace.output("rate", result);
  }
  counts.needed = trace.count();
  counts.depth = trace.depth();
  return counts;
}

template <class Make, class Evaluate>
KernelCounts count_kernel(const Model& model, const Make& make, const Evaluate& evaluate) {
  return model.visit([&]<class Space>(const System<Space>& system) -> KernelCounts {
    if constexpr (Space::kIsPlanar) {
      throw std::logic_error("the chains of [Naudet2003] are spatial");
    } else {
      return count_kernel(system, make, evaluate);
    }
  });
}

}  // namespace hamiltree::naudet2003
