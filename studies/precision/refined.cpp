#include "studies/precision/refined.hpp"

#include "hamiltree/formulations/hdca/choices.hpp"
#include "hamiltree/formulations/hdca/hdca.hpp"

namespace hamiltree::studies::round_off {

RefinedRates refined_rates(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& p) {
  return model.visit([&]<class Space>(const System<Space>& system) {
    const Hdca<Space> kernel(system);
    typename Hdca<Space>::Work work(kernel);
    work.loses_digits = true;
    LoopChoices<Hdca<Space>>::analyse(kernel, {0.0, q.data(), p.data()}, work);
    kernel.velocities(0.0, q.data(), p.data(), nullptr, work);
    kernel.momentum_rates(0.0, q.data(), work);
    const auto& result = work.result;
    return RefinedRates{Eigen::Map<const Eigen::VectorXd>(result.v.data(), p.size()),
                        Eigen::Map<const Eigen::VectorXd>(result.p_dot.data(), p.size())};
  });
}

}  // namespace hamiltree::studies::round_off
