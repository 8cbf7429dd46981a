#include "hamiltree/ensemble/rollout.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/integrators/integrator.hpp"

namespace hamiltree {

// y = coordinates of all states, then momenta of all.
class Rollout::Problem final : public OdeProblem {
 public:
  Problem(Rollout& rollout, std::size_t count, const double* efforts)
      : rollout_(rollout),
        count_(count),
        nq_(count * rollout.coordinates_),
        np_(count * rollout.velocities_),
        efforts_(efforts) {}

  int size() const override { return static_cast<int>(nq_ + np_); }
  int coordinates() const override { return static_cast<int>(nq_); }
  bool rate(double t, const double* y, double* y_dot) override {
    const auto status = rollout_.batch_.rate(t, count_, y, y + nq_, y_dot, y_dot + nq_);
    if (efforts_ != nullptr) {
      for (std::size_t i = 0; i < np_; ++i) y_dot[nq_ + i] += efforts_[i];
    }
    return status == Status::kOk;
  }
  void weights(const Tolerances&, const double*, double*) const override {}
  bool accept(double, double* y) override {
    for (std::size_t k = 0; k < count_; ++k)
      rollout_.probe_->normalise(y + k * rollout_.coordinates_);
    return true;
  }

 private:
  Rollout& rollout_;
  std::size_t count_, nq_, np_;
  const double* efforts_;
};

Rollout::Rollout(const Model& model, Method method)
    : method_(method),
      batch_(model),
      probe_(make_probe(model)),
      coordinates_(at(model.coordinate_count())),
      velocities_(at(model.velocity_count())) {
  const bool fits = std::holds_alternative<Euler>(method) ||
                    std::holds_alternative<SemiImplicitEuler>(method) ||
                    std::holds_alternative<RungeKutta4>(method);
  if (!fits) {
    throw UsageError(std::string("rollouts take euler, semi_implicit_euler or rk4, not ") +
                     to_name(method));
  }
  if (model.constraint_count() > 0) {
    throw UsageError("rollouts are for trees; simulate() keeps the loops of " + model.name() +
                     " closed");
  }
}

void Rollout::advance(double t, double duration, std::size_t count, double* q, double* p,
                      const double* efforts) {
  if (count == 0) return;
  if (!(duration >= 0.0)) throw UsageError("a rollout cannot go back in time");
  Problem problem(*this, count, efforts);
  const std::size_t nq = count * coordinates_;
  std::vector<double> y(q, q + nq);
  y.insert(y.end(), p, p + count * velocities_);
  const auto integrator = make_integrator(method_, problem, t, y.data());
  integrator->advance(t + duration);
  std::copy_n(integrator->y(), nq, q);
  std::copy_n(integrator->y() + nq, count * velocities_, p);
}

}  // namespace hamiltree
