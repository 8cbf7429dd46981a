#include "hamiltree/formulations/choice/subsystems.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "hamiltree/base/index.hpp"

namespace hamiltree {
namespace {

void gather(const double* from, const std::vector<int>& numbers, std::vector<double>& to) {
  for (std::size_t i = 0; i < numbers.size(); ++i) to[i] = from[numbers[i]];
}
void scatter(std::span<const double> from, const std::vector<int>& numbers,
             std::vector<double>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[at(numbers[i])] = from[i];
}

struct PartWork {
  std::unique_ptr<Workspace> own;
  // The state at hand; allocated even where a part is empty.
  mutable std::vector<double> q, u;
  std::vector<double> phi;
};

struct WorkspaceOfAll final : Workspace {
  WorkspaceOfAll(const Model& model, std::vector<PartWork> works)
      : parts(std::move(works)),
        all_v(at(model.velocity_count())),
        all_q_dot(at(model.coordinate_count())),
        all_u_dot(all_v.size()),
        all_sigma(at(model.constraint_count())),
        all_v_dot(all_v.size()),
        all_lambda(all_sigma.size()) {
    v = all_v;
    q_dot = all_q_dot;
    u_dot = all_u_dot;
    sigma = all_sigma;
    v_dot = all_v_dot;
    lambda = all_lambda;
  }

  std::vector<PartWork> parts;
  std::vector<double> all_v, all_q_dot, all_u_dot, all_sigma, all_v_dot, all_lambda;
};

class OfSubsystems final : public GeneralKernel {
 public:
  OfSubsystems(const Model& model, std::vector<PartFormulation> parts)
      : model_(model), parts_(std::move(parts)), part_of_joint_(at(model.joint_count())) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto& joints = parts_[i].subsystem.joints;
      for (std::size_t j = 0; j < joints.size(); ++j)
        part_of_joint_[at(joints[j])] = {i, static_cast<int>(j)};
    }
  }

  StateForm form() const override { return formulation(0).form(); }

  std::unique_ptr<Workspace> make_workspace() const override {
    std::vector<PartWork> works;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto& part = parts_[i].subsystem;
      works.push_back({parts_[i].formulation->make_workspace(),
                       std::vector<double>(part.coordinates.size() + 1),
                       std::vector<double>(part.velocities.size() + 1),
                       std::vector<double>(part.rows.size() + 1)});
    }
    return std::make_unique<WorkspaceOfAll>(model_, std::move(works));
  }

  Redundancy analyse(const StateView& state, Workspace& workspace) const override {
    Redundancy sum;
    each(state, workspace, [&](const Formulation& part, const StateView& s, PartWork& work) {
      const auto own = part.analyse(s, *work.own);
      sum.constraints += own.constraints;
      sum.redundant += own.redundant;
    });
    return sum;
  }
  bool prepare(const StateView& state, Workspace& workspace) const override {
    bool is_new = false;
    each(state, workspace, [&](const Formulation& part, const StateView& s, PartWork& work) {
      is_new = part.prepare(s, *work.own) || is_new;
    });
    return is_new;
  }

  Answer velocities(const StateView& state, const double* phi,
                    Workspace& workspace) const override {
    auto& all = of(workspace);
    for (std::size_t i = 0; i < parts_.size() && phi != nullptr; ++i)
      gather(phi, subsystem(i).rows, all.parts[i].phi);
    const auto status = evaluate(
        state, workspace, [&](const Formulation& part, const StateView& s, PartWork& work) {
          return part.velocities(s, phi == nullptr ? nullptr : work.phi.data(), *work.own);
        });
    collect_velocities(all);
    return status;
  }
  Answer rate(const StateView& state, Workspace& workspace) const override {
    auto& all = of(workspace);
    const auto status = evaluate(state, workspace,
                                 [&](const Formulation& part, const StateView& s, PartWork& work) {
                                   return part.rate(s, *work.own);
                                 });
    collect_rates(all);
    return status;
  }
  Status accelerations(const StateView& state, Workspace& workspace) const override {
    auto& all = of(workspace);
    const auto status = evaluate(state, workspace,
                                 [&](const Formulation& part, const StateView& s, PartWork& work) {
                                   return part.accelerations(s, *work.own);
                                 });
    collect_rates(all);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      scatter(all.parts[i].own->v_dot, subsystem(i).velocities, all.all_v_dot);
      scatter(all.parts[i].own->lambda, subsystem(i).rows, all.all_lambda);
    }
    return status;
  }

  std::optional<Power> power(const StateView& state, Workspace& workspace) const override {
    Power sum;
    each(state, workspace, [&](const Formulation& part, const StateView& s, PartWork& work) {
      sum += part.power(s, *work.own);
    });
    return sum;
  }
  std::optional<WorkRate> work_rate(const StateView& state, Workspace& workspace) const override {
    WorkRate sum;
    each(state, workspace, [&](const Formulation& part, const StateView& s, PartWork& work) {
      const auto own = part.work_rate(s, *work.own);
      sum.power += own.power;
      if (own.stored) sum.stored = sum.stored.value_or(0.0) + *own.stored;
    });
    return sum;
  }
  std::optional<Energies> energies(const StateView& state,
                                   const Workspace& workspace) const override {
    const auto& all = static_cast<const WorkspaceOfAll&>(workspace);
    Energies sum;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto& work = all.parts[i];
      const auto own = formulation(i).energies(part_of(state, i, work), *work.own);
      if (!own) return std::nullopt;
      sum.kinetic += own->kinetic;
      sum.potential += own->potential;
    }
    return sum;
  }
  Reaction reaction(int joint, const Workspace& workspace) const override {
    const auto [part, own] = part_of_joint_[at(joint)];
    return formulation(part).reaction(
        own, *static_cast<const WorkspaceOfAll&>(workspace).parts[part].own);
  }
  std::optional<std::vector<int>> singular_joints(const Workspace& workspace) const override {
    std::vector<int> joints;
    const auto& all = static_cast<const WorkspaceOfAll&>(workspace);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (const int own : formulation(i).singular_joints(*all.parts[i].own))
        joints.push_back(subsystem(i).joints[at(own)]);
    }
    std::ranges::sort(joints);
    return joints;
  }
  std::optional<double> least_pivot(const Workspace& workspace) const override {
    double least = 1.0;
    const auto& all = static_cast<const WorkspaceOfAll&>(workspace);
    for (std::size_t i = 0; i < parts_.size(); ++i)
      least = std::min(least, formulation(i).least_pivot(*all.parts[i].own));
    return least;
  }
  void lower_mask(double share, Workspace& workspace) const override {
    auto& all = static_cast<WorkspaceOfAll&>(workspace);
    for (std::size_t i = 0; i < parts_.size(); ++i)
      formulation(i).lower_mask(share, *all.parts[i].own);
  }

 private:
  static WorkspaceOfAll& of(Workspace& workspace) {
    return static_cast<WorkspaceOfAll&>(workspace);
  }

  const Formulation& formulation(std::size_t part) const { return *parts_[part].formulation; }
  const Subsystem& subsystem(std::size_t part) const { return parts_[part].subsystem; }

  StateView part_of(const StateView& state, std::size_t part, const PartWork& work) const {
    gather(state.q, subsystem(part).coordinates, work.q);
    gather(state.u, subsystem(part).velocities, work.u);
    return {state.t, work.q.data(), work.u.data()};
  }

  // f(part, its state, its work) for each.
  template <class F>
  void each(const StateView& state, Workspace& workspace, const F& f) const {
    auto& all = of(workspace);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      auto& work = all.parts[i];
      work.own->leak = all.leak;
      f(formulation(i), part_of(state, i, work), work);
    }
  }
  template <class F>
  Status evaluate(const StateView& state, Workspace& workspace, const F& f) const {
    auto status = Status::kOk;
    each(state, workspace, [&](const Formulation& part, const StateView& s, PartWork& work) {
      if (f(part, s, work) != Status::kOk) status = Status::kNotFinite;
    });
    return status;
  }

  void collect_velocities(WorkspaceOfAll& all) const {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto& own = *all.parts[i].own;
      scatter(own.v, subsystem(i).velocities, all.all_v);
      scatter(own.q_dot, subsystem(i).coordinates, all.all_q_dot);
      scatter(own.sigma, subsystem(i).rows, all.all_sigma);
    }
  }
  void collect_rates(WorkspaceOfAll& all) const {
    collect_velocities(all);
    for (std::size_t i = 0; i < parts_.size(); ++i)
      scatter(all.parts[i].own->u_dot, subsystem(i).velocities, all.all_u_dot);
  }

  struct Place {
    std::size_t part = 0;
    int joint = 0;
  };

  Model model_;
  std::vector<PartFormulation> parts_;
  std::vector<Place> part_of_joint_;
};

}  // namespace

std::unique_ptr<GeneralKernel> make_of_subsystems(const Model& model,
                                                  std::vector<PartFormulation> parts) {
  return std::make_unique<OfSubsystems>(model, std::move(parts));
}

}  // namespace hamiltree
