#include "hamiltree/formulations/choice/in_plane.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/sees_motion.hpp"

namespace hamiltree {
namespace {

struct WorkspaceOf final : Workspace {
  WorkspaceOf(std::unique_ptr<Workspace> for_plane, std::unique_ptr<Workspace> for_general)
      : plane(std::move(for_plane)),
        general(std::move(for_general)),
        impulses(general->sigma.size()),
        gaps(plane->sigma.size() + 1) {
    v = plane->v;
    q_dot = plane->q_dot;
    u_dot = plane->u_dot;
    sigma = impulses;
    v_dot = general->v_dot;
    lambda = general->lambda;
  }

  std::unique_ptr<Workspace> plane, general;
  std::vector<double> impulses;  // of all rows
  std::vector<double> gaps;      // phi of the planar rows; there even if these are none
};

class InPlaneFormulation final : public Formulation, public SeesMotion {
 public:
  InPlaneFormulation(const InPlane& plane, std::string plan, std::unique_ptr<Formulation> in_plane,
                     std::unique_ptr<Formulation> general)
      : Formulation(in_plane->name(), StateForm::kMomenta, std::move(plan)),
        rows_(plane.rows),
        plane_(std::move(in_plane)),
        sees_motion_(dynamic_cast<const SeesMotion*>(plane_.get())),
        general_(std::move(general)) {}

  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<WorkspaceOf>(plane_->make_workspace(), general_->make_workspace());
  }

  Redundancy analyse(const StateView& state, Workspace& workspace) const override {
    auto& own = of(workspace);
    plane_->analyse(state, *own.plane);
    return general_->analyse(state, *own.general);
  }
  bool prepare(const StateView& state, Workspace& workspace) const override {
    return plane_->prepare(state, *of(workspace).plane);
  }

  Status velocities(const StateView& state, const double* phi,
                    Workspace& workspace) const override {
    auto& own = of(workspace);
    own.plane->leak = own.leak;
    if (phi != nullptr) {
      std::ranges::fill(own.gaps, 0.0);
      for (const auto& r : rows_) own.gaps[at(r.in_plane)] += r.part * phi[r.row];
    }
    const auto status =
        plane_->velocities(state, phi == nullptr ? nullptr : own.gaps.data(), *own.plane);
    spread_impulses(own);
    return status;
  }
  Status rate(const StateView& state, Workspace& workspace) const override {
    auto& own = of(workspace);
    own.plane->leak = own.leak;
    const auto status = plane_->rate(state, *own.plane);
    spread_impulses(own);
    return status;
  }
  // The rates too, so that what power() reads is of the same state.
  Status accelerations(const StateView& state, Workspace& workspace) const override {
    auto& own = of(workspace);
    if (rate(state, workspace) != Status::kOk) return Status::kNotFinite;
    const auto status = general_->accelerations(state, *own.general);
    if (!general_->prepare(state, *own.general)) return status;
    return general_->accelerations(state, *own.general);  // with the rows that serve better here
  }
  // Poses are those of the plane.
  const Kinematics<Spatial<double>>* placed(const StateView&, Workspace&) const override {
    return nullptr;
  }
  const Kinematics<Spatial<double>>* moved(Workspace&) const override { return nullptr; }
  bool reset(const StateView& state, double* p, Workspace& workspace) const override {
    auto& own = of(workspace);
    own.plane->leak = own.leak;
    if (sees_motion_ == nullptr || !sees_motion_->reset(state, p, *own.plane)) return false;
    spread_impulses(own);
    return true;
  }
  Power power(const StateView& state, Workspace& workspace) const override {
    return plane_->power(state, *of(workspace).plane);
  }
  WorkRate work_rate(const StateView& state, Workspace& workspace) const override {
    return plane_->work_rate(state, *of(workspace).plane);
  }
  std::optional<Energies> energies(const StateView& state,
                                   const Workspace& workspace) const override {
    return plane_->energies(state, *of(workspace).plane);
  }
  Reaction reaction(int joint, const Workspace& workspace) const override {
    return general_->reaction(joint, *of(workspace).general);
  }
  std::vector<int> singular_joints(const Workspace& workspace) const override {
    return plane_->singular_joints(*of(workspace).plane);
  }
  double least_pivot(const Workspace& workspace) const override {
    return plane_->least_pivot(*of(workspace).plane);
  }
  void lower_mask(double share, Workspace& workspace) const override {
    plane_->lower_mask(share, *of(workspace).plane);
  }

 private:
  static WorkspaceOf& of(Workspace& workspace) { return static_cast<WorkspaceOf&>(workspace); }
  static const WorkspaceOf& of(const Workspace& workspace) {
    return static_cast<const WorkspaceOf&>(workspace);
  }

  void spread_impulses(WorkspaceOf& own) const {
    std::ranges::fill(own.impulses, 0.0);
    for (const auto& r : rows_)
      own.impulses[at(r.row)] += r.part * own.plane->sigma[at(r.in_plane)];
  }

  std::vector<RowPart> rows_;
  std::unique_ptr<Formulation> plane_;
  const SeesMotion* sees_motion_;  // plane_, if it does
  std::unique_ptr<Formulation> general_;
};

}  // namespace

std::unique_ptr<Formulation> make_in_plane(const InPlane& plane, std::string plan,
                                           std::unique_ptr<Formulation> in_plane,
                                           std::unique_ptr<Formulation> general) {
  return std::make_unique<InPlaneFormulation>(plane, std::move(plan), std::move(in_plane),
                                              std::move(general));
}

}  // namespace hamiltree
