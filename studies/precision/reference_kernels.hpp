// The Reference over one space: long to compile, so each is a translation unit of its own.
#pragma once

#include <memory>

#include "hamiltree/formulations/aba/aba.hpp"
#include "hamiltree/formulations/recursive/choices.hpp"
#include "hamiltree/model/loops.hpp"
#include "studies/precision/reference.hpp"
#include "studies/scalar_kernels/scalar_kernels.hpp"

namespace hamiltree::studies::round_off {

template <class Space>  // of double
class ReferenceOf final : public Reference {
 public:
  using QuadSpace = typename Space::template Rebind<Quad>;

  ReferenceOf(const Model& model, const System<Space>& system, const ChainOptions& options)
      : options_(options),
        model_(model),
        rough_(system),
        momentum_(system.template cast<Quad>()),
        acceleration_(momentum_.system(), 0.0),
        momentum_work_(momentum_),
        acceleration_work_(acceleration_),
        kin_(momentum_.system()) {}

  JointState state(const RevoluteState& pins) override {
    const Model plain(chain({options_.space, options_.bodies, 0}));
    const auto chained = std::get<System<Space>>(system_of(plain)).template cast<Quad>();
    Kinematics<QuadSpace> kin(chained);
    const QuadVector angles = widened(pins.angles);
    const QuadVector rates = widened(pins.rates);
    place(chained, Quad(0.0), angles.data(), kin);
    move(chained, rates.data(), kin);

    JointState state{QuadVector(system().coordinates), QuadVector(system().velocities)};
    for (int b = 0; b < system().body_count(); ++b) {
      const auto& joint = system().joint(b);
      const int k = model_.described_body(b);
      if (joint.type == JointType::kFree) {
        const auto& X = kin.X_WB[at(k)];
        visit_joint<QuadSpace>(
            joint, [&](const auto& type) { type.coordinates(X, state.q.data() + joint.q); });
        state.v.segment(joint.v, joint.velocities) = unrotate<QuadSpace>(X.R, kin.V_WB[at(k)]);
      } else {
        state.q(joint.q) = angles(k);
        state.v(joint.v) = rates(k);
      }
    }
    return state;
  }

  void prepare(const Eigen::VectorXd& q) override {
    const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(system().velocities);
    typename Recursive<Space>::Work work(rough_);
    LoopChoices<Recursive<Space>>::analyse(rough_, {0.0, q.data(), at_rest.data()}, work);
    for (std::size_t c = 0; c < work.fronts.size(); ++c) {
      for (auto* fronts : {&momentum_work_.fronts, &acceleration_work_.fronts}) {
        (*fronts)[c].order = work.fronts[c].order;
        (*fronts)[c].mask = work.fronts[c].mask;
      }
    }
  }

  QuadVector momenta(const QuadVector& q, const QuadVector& v) override {
    QuadVector p(system().velocities);
    place(system(), Quad(0.0), q.data(), kin_);
    move(system(), v.data(), kin_);
    hamiltree::momenta(system(), kin_, p.data());
    return p;
  }

  MomentumRates rates(const QuadVector& q, const QuadVector& p) override {
    momentum_.velocities(Quad(0.0), q.data(), p.data(), nullptr, momentum_work_);
    momentum_.momentum_rates(Quad(0.0), q.data(), momentum_work_);
    const auto& result = momentum_work_.result;
    return {Eigen::Map<const QuadVector>(result.v.data(), system().velocities),
            Eigen::Map<const QuadVector>(result.p_dot.data(), system().velocities)};
  }

  QuadVector accelerations(const QuadVector& q, const QuadVector& v) override {
    acceleration_.velocities(Quad(0.0), q.data(), v.data(), nullptr, acceleration_work_);
    acceleration_.accelerations(Quad(0.0), q.data(), acceleration_work_);
    return Eigen::Map<const QuadVector>(acceleration_work_.result.v_dot.data(),
                                        system().velocities);
  }

  QuadVector pin_rates(const QuadVector& q, const QuadVector& v) override {
    place(system(), Quad(0.0), q.data(), kin_);
    move(system(), v.data(), kin_);
    QuadVector rates(options_.bodies);
    for (int j = 0; j < system().joint_count(); ++j) {
      const auto& joint = system().joint(j);
      if (joint.type == JointType::kFree) continue;
      const int body = joint.is_cut() ? joint.child : j;
      rates(model_.described_body(body)) = joint_rate(system(), kin_, j);
    }
    return rates;
  }

 private:
  static AnySystem system_of(const Model& model) {
    return model.visit([](const auto& system) { return AnySystem(system); });
  }
  const System<QuadSpace>& system() const { return momentum_.system(); }

  ChainOptions options_;
  Model model_;
  Recursive<Space> rough_;  // decides which rows are kept
  Recursive<QuadSpace> momentum_;
  Aba<QuadSpace> acceleration_;
  typename Recursive<QuadSpace>::Work momentum_work_;
  typename Aba<QuadSpace>::Work acceleration_work_;
  Kinematics<QuadSpace> kin_;
};

template <class Space>
std::unique_ptr<Reference> make_reference(const Model& model, const System<Space>& system,
                                          const ChainOptions& options) {
  return std::make_unique<ReferenceOf<Space>>(model, system, options);
}

}  // namespace hamiltree::studies::round_off
