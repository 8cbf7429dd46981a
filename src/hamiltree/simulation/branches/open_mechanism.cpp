#include "hamiltree/simulation/branches/open_mechanism.hpp"

#include <algorithm>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/formulations/derivatives/inverse_reactions.hpp"

namespace hamiltree::branches {
namespace {

template <class Space>
class OpenMechanismOf final : public OpenMechanism {
 public:
  OpenMechanismOf(const Model& model, const System<Space>& system) : model_(model), work_(system) {}

  void place(double t, const Eigen::VectorXd& q) override {
    work_.t = t;
    std::ranges::copy(q, work_.q.begin());
    hamiltree::place(work_.system, t, work_.q.data(), work_.kin);
  }

  Eigen::VectorXd opening(const Eigen::VectorXd& v, Eigen::VectorXd& p) override {
    work_.kin.frozen = true;
    hamiltree::move(work_.system, v.data(), work_.kin);
    p.resize(v.size());
    momenta(work_.system, work_.kin, p.data());
    const auto rates = rates_of_rows();
    work_.kin.frozen = false;
    return rates;
  }

  Eigen::VectorXd opening_of_drives() override {
    const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(work_.system.velocities);
    hamiltree::move(work_.system, at_rest.data(), work_.kin);
    return rates_of_rows();
  }

  Eigen::VectorXd coordinate_rates(const Eigen::VectorXd& v) override {
    Eigen::VectorXd q_rate(work_.system.coordinates);
    hamiltree::coordinate_rates(work_.system, work_.q.data(), v.data(), q_rate.data());
    return q_rate;
  }

  Demand demand(const Eigen::VectorXd& v, const Eigen::VectorXd& v_dot) override {
    const auto& system = work_.system;
    invert(v, v_dot, Eigen::VectorXd::Zero(system.constraints));
    const auto forces = hamiltree::power(system, work_.kin, work_.t, work_.q.data());
    return {vector_of(work_.generalized),
            scaled(vector_of(work_.closing)),
            {power_of_drives(), forces.applied, forces.dissipated}};
  }

  std::vector<Reaction> reactions(const Eigen::VectorXd& v, const Eigen::VectorXd& v_dot,
                                  const Eigen::VectorXd& lambda) override {
    invert(v, v_dot, scaled(lambda));
    return derivatives::reactions(work_);
  }

 private:
  void invert(const Eigen::VectorXd& v, const Eigen::VectorXd& v_dot,
              const Eigen::VectorXd& impulses) {
    std::ranges::copy(v, work_.v.begin());
    std::ranges::copy(v_dot, work_.v_dot.begin());
    std::ranges::copy(impulses, work_.impulses.begin());
    derivatives::invert_accelerations(work_);
  }
  static Eigen::VectorXd vector_of(const std::vector<double>& values) {
    return Eigen::Map<const Eigen::VectorXd>(values.data(),
                                             static_cast<Eigen::Index>(values.size()));
  }
  Eigen::VectorXd scaled(Eigen::VectorXd rows) const {
    for (Eigen::Index r = 0; r < rows.size(); ++r)
      rows(r) *= work_.system.row_scales[static_cast<std::size_t>(r)];
    return rows;
  }
  Eigen::VectorXd rates_of_rows() {
    Eigen::VectorXd rates(work_.system.constraints);
    velocity_residual(work_.system, work_.kin, rates.data());
    return scaled(std::move(rates));
  }

  // All that the motion takes beside the forces. Loops give nothing to it, so drives do:
  //   sum_b V_b (M A + V x* (M V) - load) + sum_j v_j (armature v_dot_j - effort_j)
  double power_of_drives() const {
    const auto& system = work_.system;
    if (system.drives.empty()) return 0.0;
    double power = 0.0;
    for (int b = 0; b < system.body_count(); ++b) {
      const auto& R = work_.kin.pose(b).R;
      const typename Space::Motion A = unrotate<Space>(R, work_.A[at(b)]);
      const typename Space::Force asked = rotate<Space>(R, momentum<Space>(system.body(b), A)) -
                                          gyroscopic_load(system, work_.kin, b) -
                                          work_.loads.body[at(b)];
      power += work_.kin.velocity(b).dot(asked);
      const auto& joint = system.joint(b);
      if (!joint.has_velocity()) continue;
      if (joint.along != kNone) power -= work_.v[at(joint.v)] * work_.loads.effort[at(b)];
      for (int i = 0; joint.armature > 0.0 && i < joint.velocities; ++i)
        power += joint.armature * work_.v[at(joint.v + i)] * work_.v_dot[at(joint.v + i)];
    }
    return power;
  }

  Model model_;
  derivatives::Inverse<Space> work_;
};

}  // namespace

std::unique_ptr<OpenMechanism> make_open_mechanism(const Model& model) {
  return model.visit(
      [&]<class Space>(const System<Space>& system) -> std::unique_ptr<OpenMechanism> {
        return std::make_unique<OpenMechanismOf<Space>>(model, system);
      });
}

}  // namespace hamiltree::branches
