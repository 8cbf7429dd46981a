#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "hamiltree/formulations/hdca/choices.hpp"
#include "hamiltree/formulations/hdca/hdca.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/probe.hpp"
#include "studies/turno2023/motion.hpp"

namespace hamiltree::turno2023 {
namespace {

// The kernel with its rows chosen in double at the start, as those of a scalar that cannot choose.
template <class Scalar>
class EulerIntegrator {
 public:
  using Kernel = Hdca<Planar<Scalar>>;

  EulerIntegrator(const System<Planar<double>>& system, const InitialState& start)
      : kernel_(system.template cast<Scalar>()), work_(kernel_) {
    const Hdca<Planar<double>> chooser(system);
    Hdca<Planar<double>>::Work choices(chooser);
    LoopChoices<Hdca<Planar<double>>>::analyse(chooser, {0.0, start.q.data(), start.p.data()},
                                               choices);
    for (std::size_t c = 0; c < choices.fronts.size(); ++c) {
      work_.fronts[c].order = choices.fronts[c].order;
      work_.fronts[c].mask = choices.fronts[c].mask;
    }
    for (const double x : start.q) q_.push_back(static_cast<Scalar>(x));
    for (const double x : start.p) p_.push_back(static_cast<Scalar>(x));
    if (system.joint_count() > system.body_count()) {
      place(kernel_.system(), Scalar(0), q_.data(), work_.kin);
      closing_angle_ = principal_angle();
    }
  }

  // qdot and pdot at the present state.
  void rates() {
    kernel_.velocities(Scalar(0), q_.data(), p_.data(), nullptr, work_);
    kernel_.momentum_rates(Scalar(0), q_.data(), work_);
  }
  // After rates().
  void step(Scalar h) {
    const auto& rate = work_.result;
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] += h * rate.q_dot[i];
    for (std::size_t i = 0; i < p_.size(); ++i) p_[i] += h * rate.p_dot[i];
    if (has_loop()) closing_angle_ += h * joint_rate(kernel_.system(), work_.kin, cut());
  }

  void record(double t, Probe& probe, Motion& motion) const {
    const Eigen::VectorXd q =
        Eigen::Map<const Eigen::VectorX<Scalar>>(q_.data(), static_cast<Eigen::Index>(q_.size()))
            .template cast<double>();
    const Eigen::VectorXd v =
        Eigen::Map<const Eigen::VectorX<Scalar>>(work_.result.v.data(), q.size())
            .template cast<double>();
    probe.set(t, q.data(), v.data());
    motion.t.push_back(t);
    motion.q.push_back(q);
    motion.v.push_back(v);
    motion.kinetic.push_back(probe.kinetic_energy());
    motion.energy.push_back(probe.kinetic_energy() + probe.potential_energy());
    motion.gap.push_back(probe.phi().norm());
    if (!has_loop()) return;
    motion.closing_angle.push_back(static_cast<double>(closing_angle_));
    motion.closing_principal.push_back(static_cast<double>(principal_angle()));
  }

 private:
  bool has_loop() const { return kernel_.system().joint_count() > cut(); }
  int cut() const { return kernel_.system().body_count(); }
  Scalar principal_angle() const {
    return joint_position(kernel_.system(), work_.kin, q_.data(), cut());
  }

  Kernel kernel_;
  typename Kernel::Work work_;
  std::vector<Scalar> q_, p_;
  Scalar closing_angle_ = Scalar(0);
};

}  // namespace

template <class Scalar>
Motion euler(const Model& model, double step, double until, double every) {
  const long steps = std::lround(until / step);
  const long stride = std::max(1L, std::lround(every / step));
  const auto start = initial_state(model);
  const auto probe = make_probe(model);
  Motion motion;
  model.visit([&]<class Space>(const System<Space>& system) {
    if constexpr (Space::kIsPlanar) {
      EulerIntegrator<Scalar> integrator(system, start);
      for (long k = 0; k <= steps; ++k) {
        integrator.rates();
        if (k % stride == 0) integrator.record(static_cast<double>(k) * step, *probe, motion);
        integrator.step(static_cast<Scalar>(step));
      }
    } else {
      throw std::logic_error("the mechanisms of [Turno2023] are planar");
    }
  });
  return motion;
}

template Motion euler<float>(const Model&, double, double, double);
template Motion euler<double>(const Model&, double, double, double);

}  // namespace hamiltree::turno2023
