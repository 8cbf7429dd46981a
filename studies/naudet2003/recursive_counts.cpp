#include "hamiltree/formulations/recursive/recursive.hpp"
#include "studies/naudet2003/count_kernel.hpp"

namespace hamiltree::naudet2003 {

KernelCounts recursive_counts(const Model& model) {
  return count_kernel(
      model, []<class Space>(System<Space> system) { return Recursive<Space>(std::move(system)); },
      []<class Kernel, class Scalar>(const Kernel& kernel, const Scalar& t, const Scalar* q,
                                     const Scalar* p, typename Kernel::Work& work) {
        kernel.velocities(t, q, p, nullptr, work);
        kernel.momentum_rates(t, q, work);
        std::vector<Scalar> results = work.result.q_dot;
        const auto& p_dot = work.result.p_dot;
        results.insert(results.end(), p_dot.begin(), p_dot.end());
        return results;
      });
}

}  // namespace hamiltree::naudet2003
