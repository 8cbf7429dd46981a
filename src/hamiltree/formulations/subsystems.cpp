#include "hamiltree/formulations/subsystems.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/codegen/generated.hpp"
#include "hamiltree/formulations/in_plane.hpp"

namespace hamiltree {
namespace {

// Each is compiled once more to be looked at.
constexpr int kMostSubsystems = 64;

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

class OfSubsystems final : public Formulation {
 public:
  OfSubsystems(const Model& model, std::vector<Subsystem> subsystems,
               std::vector<std::unique_ptr<Formulation>> parts)
      : model_(model),
        subsystems_(std::move(subsystems)),
        parts_(std::move(parts)),
        part_of_joint_(at(model.joint_count())) {
    for (std::size_t i = 0; i < subsystems_.size(); ++i) {
      const auto& joints = subsystems_[i].joints;
      for (std::size_t j = 0; j < joints.size(); ++j)
        part_of_joint_[at(joints[j])] = {i, static_cast<int>(j)};
    }
  }

  std::string_view name() const override { return parts_.front()->name(); }
  StateForm form() const override { return parts_.front()->form(); }

  std::unique_ptr<Workspace> make_workspace() const override {
    std::vector<PartWork> works;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto& part = subsystems_[i];
      works.push_back({parts_[i]->make_workspace(),
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

  Status velocities(const StateView& state, const double* phi,
                    Workspace& workspace) const override {
    auto& all = of(workspace);
    for (std::size_t i = 0; i < parts_.size() && phi != nullptr; ++i)
      gather(phi, subsystems_[i].rows, all.parts[i].phi);
    const auto status = evaluate(
        state, workspace, [&](const Formulation& part, const StateView& s, PartWork& work) {
          return part.velocities(s, phi == nullptr ? nullptr : work.phi.data(), *work.own);
        });
    collect_velocities(all);
    return status;
  }
  Status rate(const StateView& state, Workspace& workspace) const override {
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
      scatter(all.parts[i].own->v_dot, subsystems_[i].velocities, all.all_v_dot);
      scatter(all.parts[i].own->lambda, subsystems_[i].rows, all.all_lambda);
    }
    return status;
  }

  Power power(const StateView& state, Workspace& workspace) const override {
    Power sum;
    each(state, workspace, [&](const Formulation& part, const StateView& s, PartWork& work) {
      const auto own = part.power(s, *work.own);
      sum.driven += own.driven;
      sum.applied += own.applied;
      sum.dissipated += own.dissipated;
    });
    return sum;
  }
  std::optional<Energies> energies(const StateView& state,
                                   const Workspace& workspace) const override {
    const auto& all = static_cast<const WorkspaceOfAll&>(workspace);
    Energies sum;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto& work = all.parts[i];
      const auto own = parts_[i]->energies(part_of(state, i, work), *work.own);
      if (!own) return std::nullopt;
      sum.kinetic += own->kinetic;
      sum.potential += own->potential;
    }
    return sum;
  }
  Reaction reaction(int joint, const Workspace& workspace) const override {
    const auto [part, own] = part_of_joint_[at(joint)];
    return parts_[part]->reaction(own,
                                  *static_cast<const WorkspaceOfAll&>(workspace).parts[part].own);
  }
  std::vector<int> singular_joints(const Workspace& workspace) const override {
    std::vector<int> joints;
    const auto& all = static_cast<const WorkspaceOfAll&>(workspace);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (const int own : parts_[i]->singular_joints(*all.parts[i].own))
        joints.push_back(subsystems_[i].joints[at(own)]);
    }
    std::ranges::sort(joints);
    return joints;
  }
  double least_pivot(const Workspace& workspace) const override {
    double least = 1.0;
    const auto& all = static_cast<const WorkspaceOfAll&>(workspace);
    for (std::size_t i = 0; i < parts_.size(); ++i)
      least = std::min(least, parts_[i]->least_pivot(*all.parts[i].own));
    return least;
  }
  void lower_mask(double share, Workspace& workspace) const override {
    auto& all = static_cast<WorkspaceOfAll&>(workspace);
    for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i]->lower_mask(share, *all.parts[i].own);
  }

  std::string plan() const override {
    std::string text = "subsystems: ";
    for (const auto& part : parts_) text += (&part == &parts_.front() ? "" : "; ") + part->plan();
    return text;
  }

 private:
  static WorkspaceOfAll& of(Workspace& workspace) {
    return static_cast<WorkspaceOfAll&>(workspace);
  }

  StateView part_of(const StateView& state, std::size_t part, const PartWork& work) const {
    gather(state.q, subsystems_[part].coordinates, work.q);
    gather(state.u, subsystems_[part].velocities, work.u);
    return {state.t, work.q.data(), work.u.data()};
  }

  // f(part, its state, its work) for each.
  template <class F>
  void each(const StateView& state, Workspace& workspace, const F& f) const {
    auto& all = of(workspace);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      auto& work = all.parts[i];
      work.own->leak = all.leak;
      f(*parts_[i], part_of(state, i, work), work);
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
      scatter(own.v, subsystems_[i].velocities, all.all_v);
      scatter(own.q_dot, subsystems_[i].coordinates, all.all_q_dot);
      scatter(own.sigma, subsystems_[i].rows, all.all_sigma);
    }
  }
  void collect_rates(WorkspaceOfAll& all) const {
    collect_velocities(all);
    for (std::size_t i = 0; i < parts_.size(); ++i)
      scatter(all.parts[i].own->u_dot, subsystems_[i].velocities, all.all_u_dot);
  }

  struct Place {
    std::size_t part = 0;
    int joint = 0;
  };

  Model model_;
  std::vector<Subsystem> subsystems_;
  std::vector<std::unique_ptr<Formulation>> parts_;
  std::vector<Place> part_of_joint_;
};

// Subsystems, by their numbers, that are computed together: in one plane, or without a normal in
// space.
struct Together {
  std::optional<Eigen::Vector3d> normal;
  std::vector<int> numbers;
};

bool are_parallel(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return a.cross(b).norm() <= kInPlane;
}

}  // namespace

std::vector<Subsystem> subsystems_for(std::string_view formulation, const Model& model,
                                      const FormulationOptions& options) {
  const auto kernel = kernel_of(formulation);
  if (!options.plane || (kernel != "recursive" && kernel != "hdca")) return {};
  if (std::holds_alternative<System<Planar<double>>>(model.tables())) return {};
  const auto numbers = subsystem_numbers(model);
  const int count = numbers.empty() ? 0 : std::ranges::max(numbers) + 1;
  if (count < 2 || count > kMostSubsystems) return {};
  const auto make = [&](const std::vector<int>& chosen) {
    std::vector<bool> bodies;
    for (const int number : numbers)
      bodies.push_back(std::ranges::find(chosen, number) != chosen.end());
    return make_subsystem(model, bodies);
  };

  std::vector<Together> groups;
  Together in_space;
  for (int k = 0; k < count; ++k) {
    const auto subsystem = make({k});
    if (!subsystem) return {};
    const auto plane = plane_for(formulation, subsystem->model, options);
    if (!plane) {
      in_space.numbers.push_back(k);
      continue;
    }
    const auto group = std::ranges::find_if(
        groups, [&](const Together& g) { return are_parallel(*g.normal, plane->normal); });
    if (group == groups.end()) {
      groups.push_back({plane->normal, {k}});
    } else {
      group->numbers.push_back(k);
    }
  }
  if (groups.empty()) return {};
  if (!in_space.numbers.empty()) groups.push_back(std::move(in_space));

  std::vector<Subsystem> subsystems;
  for (const auto& group : groups) {
    subsystems.push_back(make(group.numbers).value());
    // Planes that are parallel to the first may be too far from it together.
    if (group.normal && !plane_for(formulation, subsystems.back().model, options)) return {};
  }
  return subsystems;
}

std::unique_ptr<Formulation> make_of_subsystems(const Model& model,
                                                std::vector<Subsystem> subsystems,
                                                std::vector<std::unique_ptr<Formulation>> parts) {
  return std::make_unique<OfSubsystems>(model, std::move(subsystems), std::move(parts));
}

}  // namespace hamiltree
