#include "hamiltree/formulations/aba/aba.hpp"
#include "studies/naudet2003/count_kernel.hpp"

namespace hamiltree::naudet2003 {

KernelCounts aba_counts(const Model& model) {
  return count_kernel(
      model, []<class Space>(System<Space> system) { return Aba<Space>(std::move(system), 0.0); },
      []<class Kernel, class Scalar>(const Kernel& kernel, const Scalar& t, const Scalar* q,
                                     const Scalar* v, typename Kernel::Work& work) {
        kernel.velocities(t, q, v, nullptr, work);
        kernel.accelerations(t, q, work);
        return work.result.v_dot;
      });
}

}  // namespace hamiltree::naudet2003
