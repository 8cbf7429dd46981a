#include "hamiltree/formulations/uniqueness.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/random.hpp"
#include "hamiltree/forces/joint_effort.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree {
namespace {

constexpr double kPart = 1e-8;  // of the largest component: what is smaller counts as none
constexpr int kDraws = 2;       // one would do, but for components that are small by chance

template <class Space>
class NullImpulses {
 public:
  NullImpulses(const System<Space>& system, const StateView& state)
      : system_(system),
        state_(state),
        kin_(system),
        on_bodies_(system.bodies.size()),
        wrench_(system.joints.size()),
        p_(at(system.velocities)) {
    place(system_, state.t, state.q, kin_);
  }

  // Impulses e at random, less the part that moves something: the impulses sigma that answer the
  // momenta A^T e stop all of the motion, so n = e + sigma has A^T n = 0. What no null impulse acts
  // on is unique, and one at random acts on all that any does.
  void run(const Formulation& formulation, Workspace& workspace,
           std::vector<UniqueReaction>& flags) {
    const std::vector<double> closed(at(system_.constraints), 0.0);
    std::mt19937_64 random(1);
    Eigen::VectorXd n(system_.constraints);
    for (int draw = 0; draw < kDraws; ++draw) {
      for (int row = 0; row < system_.constraints; ++row) {
        n(row) = about_zero(random) * system_.row_scales[at(row)];  // N s, moments over the length
      }
      spread(n);
      const StateView impulse{state_.t, state_.q, p_.data()};
      formulation.velocities(impulse, closed.data(), workspace);
      for (std::size_t i = 0; i < workspace.sigma.size(); ++i) {
        n(static_cast<Eigen::Index>(i)) += workspace.sigma[i];
      }
      spread(n);
      note(flags);
    }
  }

 private:
  // The wrenches on all joints that balance the impulses n of cuts and couplings, and the momenta p
  // that they would give to the tree.
  void spread(const Eigen::VectorXd& n) {
    for (auto& F : on_bodies_) F = Space::Force::Zero();
    std::fill(p_.begin(), p_.end(), 0.0);
    for (auto& F : wrench_) F = Space::Force::Zero();
    for (int c = system_.body_count(); c < system_.joint_count(); ++c) {
      const auto& joint = system_.joint(c);
      for (int i = 0; i < joint.constraints; ++i) {
        wrench_[at(c)](joint.constrained[at(i)]) += n(joint.row + i);
      }
    }
    for (std::size_t i = 0; i < system_.couplings.size(); ++i) {
      const auto& c = system_.couplings[i];
      wrench_[at(c.joint)](system_.joint(c.joint).along) += n(c.row);
      wrench_[at(c.to)](system_.joint(c.to).along) -= kin_.couplings[i].slope * n(c.row);
      for (const int j : {c.joint, c.to}) {
        const auto& joint = system_.joint(j);
        if (joint.has_velocity()) p_[at(joint.v)] = wrench_[at(j)](joint.along);
      }
    }
    for (int c = system_.body_count(); c < system_.joint_count(); ++c) {
      const auto& joint = system_.joint(c);
      apply_pair(kin_, joint.parent, joint.child, kin_.origin(c),
                 kin_.joint(c).to_world_force(wrench_[at(c)]), on_bodies_);
    }
    accumulate(system_, kin_, on_bodies_);
    for (int b = 0; b < system_.body_count(); ++b) {
      const auto F = kin_.joint(b).to_joint_force(at_joint(system_, kin_, b, on_bodies_[at(b)]));
      add_free(system_.joint(b), F, p_.data());
      wrench_[at(b)] = -F;
    }
  }

  // Marks every component that the impulses just spread have a part in.
  void note(std::vector<UniqueReaction>& flags) const {
    double largest = 0.0;
    for (const auto& F : wrench_) {
      for (int i = 0; i < Space::kDimension; ++i) largest = std::max(largest, size(F, i));
    }
    if (!(largest > kPart * system_.length)) return;  // there is none
    for (std::size_t j = 0; j < wrench_.size(); ++j) {
      const auto& joint = system_.joints[j];
      typename Space::Force F = wrench_[j];
      if (joint.at_parent) {
        const auto c = static_cast<int>(j);
        F = unrotate<Space>(seen_axes(system_, kin_, c), kin_.joint(c).to_world_force(F));
      }
      if (joint.velocities == 0 && joint.along != kNone && size(F, joint.along) > kPart * largest) {
        flags[j].drive = false;
      }
      from_screw_force<Space>(joint.pitch, F);
      for (int i = 0; i < Space::kDimension; ++i) {
        if (size(F, i) <= kPart * largest) continue;
        if (i < Space::kLinear) {
          flags[j].force[at(i)] = false;
        } else {
          flags[j].moment[at(i + 3 - Space::kDimension)] = false;
        }
      }
    }
  }
  double size(const typename Space::Force& F, int i) const {
    return std::abs(F(i)) / (i < Space::kLinear ? 1.0 : system_.length);
  }

  const System<Space>& system_;
  StateView state_;
  Kinematics<Space> kin_;
  std::vector<typename Space::Force> on_bodies_;  // world axes, at the bodies' origins
  std::vector<typename Space::Force> wrench_;     // of joints, in their coordinates
  std::vector<double> p_;
};

}  // namespace

std::vector<std::string> UniqueReaction::not_unique() const {
  std::vector<std::string> names;
  const auto add = [&](bool unique, const std::string& name) {
    if (!unique) names.push_back(name);
  };
  for (std::size_t i = 0; i < 3; ++i) add(force[i], std::string("force ") + "xyz"[i]);
  for (std::size_t i = 0; i < 3; ++i) add(moment[i], std::string("moment ") + "xyz"[i]);
  add(drive, "drive");
  return names;
}

std::vector<UniqueReaction> unique_reactions(const Model& model, const Formulation& formulation,
                                             const Redundancy& redundancy, const StateView& state,
                                             Workspace& workspace) {
  std::vector<UniqueReaction> flags(at(model.joint_count()));
  if (redundancy.redundant == 0) return flags;
  model.visit([&]<class Space>(const System<Space>& system) {
    NullImpulses<Space>(system, state).run(formulation, workspace, flags);
  });
  return flags;
}

}  // namespace hamiltree
