#include "studies/precision/spectrum.hpp"

#include <functional>
#include <random>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree::studies::round_off {
namespace {

constexpr int kIterations = 60;

using Operator = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

double norm(const Operator& apply, Eigen::Index size) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Eigen::VectorXd x(size);
  for (auto& value : x) value = uniform(random);
  double growth = 0.0;
  for (int i = 0; i < kIterations; ++i) {
    x = apply(x.normalized());
    growth = x.norm();
  }
  return growth;
}

template <class Space>
double mass_norm(const System<Space>& system, const Eigen::VectorXd& q) {
  Kinematics<Space> kin(system);
  place(system, 0.0, q.data(), kin);
  const auto apply = [&](const Eigen::VectorXd& v) {
    Eigen::VectorXd p(system.velocities);
    move(system, v.data(), kin);
    momenta(system, kin, p.data());
    return p;
  };
  return norm(apply, system.velocities);
}

double mobility_norm(const Model& model, const Eigen::VectorXd& q) {
  const auto formulation = make_formulation("recursive", model);
  const auto workspace = formulation->make_workspace();
  const auto apply = [&](const Eigen::VectorXd& p) {
    formulation->velocities({0.0, q.data(), p.data()}, nullptr, *workspace);
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(workspace->v.data(), p.size()));
  };
  return norm(apply, model.velocity_count());
}

}  // namespace

Spectrum spectrum(const Model& model, const Eigen::VectorXd& q) {
  return {model.visit([&](const auto& system) { return mass_norm(system, q); }),
          mobility_norm(model, q)};
}

}  // namespace hamiltree::studies::round_off
