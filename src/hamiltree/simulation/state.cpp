#include "hamiltree/simulation/state.hpp"

#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/select.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree {
namespace {

void check_size(const Model& model, const char* what, const Eigen::VectorXd& x, int size) {
  if (x.size() == size) return;
  throw UsageError(std::string(what) + " has " + std::to_string(x.size()) + " numbers, but " +
                   model.name() + " has " + std::to_string(size));
}

}  // namespace

Eigen::VectorXd momenta_of(const Model& model, double t, const Eigen::VectorXd& q,
                           const Eigen::VectorXd& v) {
  check_size(model, "q", q, model.coordinate_count());
  check_size(model, "v", v, model.velocity_count());
  const auto probe = make_probe(model);
  probe->set(t, q.data(), v.data());
  Eigen::VectorXd p(model.velocity_count());
  probe->momenta(p.data());
  return p;
}

Eigen::VectorXd velocities_of(const Model& model, const State& state) {
  check_size(model, "q", state.q, model.coordinate_count());
  check_size(model, "p", state.p, model.velocity_count());
  const auto formulation = make_formulation(select_formulation(model, state.q).name, model);
  const auto workspace = formulation->make_workspace();
  formulation->analyse(state.view(), *workspace);
  formulation->prepare(state.view(), *workspace);
  if (formulation->velocities(state.view(), nullptr, *workspace) != Status::kOk)
    throw UsageError("the momenta given have no finite velocities");
  return Eigen::Map<const Eigen::VectorXd>(workspace->v.data(), model.velocity_count());
}

}  // namespace hamiltree
