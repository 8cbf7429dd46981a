#include "hamiltree/integrators/integrator.hpp"

#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/integrators/arkode.hpp"
#include "hamiltree/integrators/auto_steps.hpp"
#include "hamiltree/integrators/cvode.hpp"
#include "hamiltree/integrators/require_positive.hpp"
#include "hamiltree/integrators/runge_kutta.hpp"
#include "hamiltree/integrators/semi_implicit_euler.hpp"
#include "hamiltree/integrators/spark.hpp"

namespace hamiltree {
namespace {

void check_stages(int stages) {
  if (stages < 1 || stages > kMaxStages) {
    throw UsageError("stages must be from 1 to " + std::to_string(kMaxStages) + ", they are " +
                     std::to_string(stages));
  }
}

struct Maker {
  OdeProblem& problem;
  double t;
  const double* y;

  std::unique_ptr<Integrator> operator()(const Auto& m) const {
    return std::make_unique<AutoSteps>(m, problem, t, y);
  }
  std::unique_ptr<Integrator> operator()(const BogackiShampine& m) const {
    return std::make_unique<Arkode>(ArkodeTable::kBogackiShampine, Tolerances{m.rtol, m.atol},
                                    problem, t, y);
  }
  std::unique_ptr<Integrator> operator()(const DormandPrince& m) const {
    return std::make_unique<Arkode>(ArkodeTable::kDormandPrince, Tolerances{m.rtol, m.atol},
                                    problem, t, y);
  }
  std::unique_ptr<Integrator> operator()(const Adams& m) const {
    return std::make_unique<Cvode>(CvodeFamily::kAdams, Tolerances{m.rtol, m.atol}, problem, t, y);
  }
  std::unique_ptr<Integrator> operator()(const Bdf& m) const {
    return std::make_unique<Cvode>(CvodeFamily::kBdf, Tolerances{m.rtol, m.atol}, problem, t, y);
  }
  std::unique_ptr<Integrator> operator()(const Euler& m) const {
    return std::make_unique<RungeKutta>(explicit_euler(), m.step, problem, t, y);
  }
  std::unique_ptr<Integrator> operator()(const SemiImplicitEuler& m) const {
    return std::make_unique<SemiImplicitEulerSteps>(m.step, problem, t, y);
  }
  std::unique_ptr<Integrator> operator()(const RungeKutta4& m) const {
    return std::make_unique<RungeKutta>(runge_kutta_4(), m.step, problem, t, y);
  }
  std::unique_ptr<Integrator> operator()(const Gauss& m) const {
    check_stages(m.stages);
    if (problem.constraints() > 0) {
      throw UsageError(std::string(to_name(m)) + " is for mechanisms without loops; spark_" +
                       std::to_string(m.stages) + " is the same method with loops");
    }
    return std::make_unique<SparkSteps>(m.stages, m.step, problem, t, y);
  }
  std::unique_ptr<Integrator> operator()(const Spark& m) const {
    check_stages(m.stages);
    return std::make_unique<SparkSteps>(m.stages, m.step, problem, t, y);
  }
};

}  // namespace

std::unique_ptr<Integrator> make_integrator(const Method& method, OdeProblem& problem, double t,
                                            const double* y) {
  if (const auto tolerances = tolerances_of(method)) require_positive(*tolerances);
  return std::visit(Maker{problem, t, y}, method);
}

}  // namespace hamiltree
