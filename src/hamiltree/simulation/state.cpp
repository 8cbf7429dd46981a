#include "hamiltree/simulation/state.hpp"

#include <cmath>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/formulations/select.hpp"
#include "hamiltree/model/check_quaternions.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree {
namespace {

void check(const Model& model, const char* what, const Eigen::VectorXd& x, int size) {
  if (x.size() != size) {
    throw UsageError(std::string(what) + " has " + std::to_string(x.size()) + " numbers, but " +
                     model.name() + " has " + std::to_string(size));
  }
  for (Eigen::Index i = 0; i < size; ++i) {
    if (!std::isfinite(x[i]))
      throw UsageError(std::string(what) + "[" + std::to_string(i) + "] is " + to_text(x[i]));
  }
}

void check_coordinates(const Model& model, const Eigen::VectorXd& q) {
  check(model, "q", q, model.coordinate_count());
  check_quaternions(model, q);
}

void check_time(double t) {
  if (!std::isfinite(t)) throw UsageError("t is " + to_text(t));
}

}  // namespace

Eigen::VectorXd momenta_of(const Model& model, double t, const Eigen::VectorXd& q,
                           const Eigen::VectorXd& v) {
  check_time(t);
  check_coordinates(model, q);
  check(model, "v", v, model.velocity_count());
  const auto probe = make_probe(model);
  probe->set(t, q.data(), v.data());
  Eigen::VectorXd p(model.velocity_count());
  probe->momenta(p.data());
  return p;
}

Eigen::VectorXd velocities_of(const Model& model, const State& state) {
  check_time(state.t);
  check_coordinates(model, state.q);
  check(model, "p", state.p, model.velocity_count());
  const auto formulation = make_formulation(select_formulation(model, state.q).name, model);
  const auto workspace = formulation->make_workspace();
  formulation->analyse(state.view(), *workspace);
  formulation->prepare(state.view(), *workspace);
  if (formulation->velocities(state.view(), nullptr, *workspace) != Status::kOk)
    throw UsageError("the momenta given have no finite velocities");
  return Eigen::Map<const Eigen::VectorXd>(workspace->v.data(), model.velocity_count());
}

}  // namespace hamiltree
