#include "support/rates.hpp"

#include <cstddef>
#include <stdexcept>

#include "hamiltree/model/kinematics.hpp"
#include "support/on_duals.hpp"

namespace hamiltree::test {

Eigen::VectorXd momentum_rates(const Model& model, double t, const Eigen::VectorXd& q,
                               const Eigen::VectorXd& v, const Eigen::VectorXd& q_dot,
                               const Eigen::VectorXd& v_dot) {
  return model.visit([&]<class Space>(const System<Space>& original) {
    const auto system = original.without_forces().template cast<Dual>();
    Kinematics<typename Space::template Rebind<Dual>> kin(system);
    place(system, Dual(t, 1.0), to_duals(q, q_dot).data(), kin);
    move(system, to_duals(v, v_dot).data(), kin);
    std::vector<Dual> p(static_cast<std::size_t>(system.velocities));
    momenta(system, kin, p.data());
    Eigen::VectorXd p_dot(system.velocities);
    for (Eigen::Index i = 0; i < p_dot.size(); ++i) {
      p_dot(i) = p[static_cast<std::size_t>(i)].derivative;
    }
    return p_dot;
  });
}

Rates rates(const std::string& formulation_name, const Model& model, double t,
            const Eigen::VectorXd& q, const Eigen::VectorXd& p, const FormulationOptions& options) {
  const auto formulation = make_formulation(formulation_name, model, options);
  const auto workspace = formulation->make_workspace();
  const auto evaluate = [&](const StateView& state) {
    formulation->analyse(state, *workspace);
    if (formulation->rate(state, *workspace) != Status::kOk) {
      throw std::runtime_error(formulation_name + ": a rate is not finite");
    }
  };
  if (formulation->form() == StateForm::kMomenta) {
    evaluate({t, q.data(), p.data()});
    return {to_vector(workspace->v), to_vector(workspace->q_dot), to_vector(workspace->u_dot),
            to_vector(workspace->sigma)};
  }
  // The others know no momenta: they are asked for the accelerations of the motion that p makes.
  if (model.constraint_count() > 0) {
    throw std::runtime_error(formulation_name + " has no momenta of which loops carry a part");
  }
  const Eigen::VectorXd v = rates("dense", model, t, q, p).v;
  evaluate({t, q.data(), v.data()});
  const auto q_dot = to_vector(workspace->q_dot);
  return {to_vector(workspace->v), q_dot,
          momentum_rates(model, t, q, v, q_dot, to_vector(workspace->u_dot)),
          to_vector(workspace->sigma)};
}

}  // namespace hamiltree::test
