#include "hamiltree/integrators/integrator.hpp"

#include <cmath>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/integrators/arkode.hpp"
#include "hamiltree/integrators/fixed_step.hpp"

namespace hamiltree {
namespace {

void check_positive(double value, const char* what) {
  if (!(value > 0.0) || !std::isfinite(value)) {
    throw UsageError(std::string(what) + " must be a positive number, it is " + to_text(value));
  }
}

struct Maker {
  OdeProblem& problem;
  double t;
  const double* y;

  std::unique_ptr<Integrator> operator()(const DormandPrince& method) const {
    check_positive(method.rtol, "rtol");
    check_positive(method.atol, "atol");
    return std::make_unique<Arkode>(problem, t, y);
  }
  std::unique_ptr<Integrator> operator()(const RungeKutta4& method) const {
    check_positive(method.step, "step");
    return std::make_unique<FixedStep>(runge_kutta_4(), method.step, problem, t, y);
  }
  std::unique_ptr<Integrator> operator()(const Euler& method) const {
    check_positive(method.step, "step");
    return std::make_unique<FixedStep>(explicit_euler(), method.step, problem, t, y);
  }
};

}  // namespace

const char* to_name(const Method& method) {
  if (std::holds_alternative<DormandPrince>(method)) return "dormand_prince";
  return std::holds_alternative<RungeKutta4>(method) ? "rk4" : "euler";
}

std::unique_ptr<Integrator> make_integrator(const Method& method, OdeProblem& problem, double t,
                                            const double* y) {
  return std::visit(Maker{problem, t, y}, method);
}

}  // namespace hamiltree
