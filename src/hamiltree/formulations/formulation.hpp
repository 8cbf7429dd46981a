// Formulation: one way to compute the equations of motion of a Model: Hamilton's, (q, p, t) ->
// (qdot, pdot), or for comparison those of the accelerations, (q, v, t) -> (qdot, vdot). Immutable
// and shared; whatever an evaluation writes lives in a Workspace, one per thread. Evaluations do
// not throw, and those of rates and velocities allocate nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hamiltree/formulations/lane_choice.hpp"
#include "hamiltree/formulations/state_form.hpp"
#include "hamiltree/model/in_plane.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree {

// A state as an integrator holds it; the arrays have the sizes of the Model.
struct StateView {
  double t = 0.0;  // s
  const double* q = nullptr;
  const double* u = nullptr;  // p or v, as the formulation's form says
};

// The load that a joint transmits to its child, the efforts along it included and less what its
// armature takes of them, in N and N m at the joint's origin O (the child's side, of a pin in a
// slot the pin). World axes, and those of the joint's own frame J: the child's joint frame, of a
// universal joint the cross, of a pin in a slot the slot.
struct Reaction {
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), moment = Eigen::Vector3d::Zero();
  Eigen::Vector3d joint_force = Eigen::Vector3d::Zero(), joint_moment = Eigen::Vector3d::Zero();
  double drive = 0.0;  // the effort that a driven joint needs along its coordinate, N m or N
};

// All of it NaN.
Reaction unknown_reaction();

struct FormulationOptions {
  // 1/s, of acceleration-level formulations: loops obey Phidotdot + 2 a Phidot + a^2 Phi = 0
  // (Baumgarte). 0: loops are left to drift.
  double baumgarte = 0.0;
  LaneChoice lanes = LaneChoice::kAuto;  // of recursive, for trees in DH frames
  // hdca and recursive compute spatial models that move in one plane there, see in_plane.hpp.
  bool plane = true;
  // Share one evaluation, where that is worth it, of hdca and of long chains by recursive; results
  // do not depend on how many there are. 0: one for each core.
  int threads = 1;
};

// Power fed to a mechanism from outside, W.
struct Power {
  double driven = 0.0;      // by drives and moving frames
  double applied = 0.0;     // by actuators and other forces without a potential
  double dissipated = 0.0;  // by dampers and friction, not above 0

  Power& operator+=(const Power& other) {
    driven += other.driven;
    applied += other.applied;
    dissipated += other.dissipated;
    return *this;
  }
};

// Power as integrators add it up. With `stored` the work of the drives is that, J, which stands in
// the momenta at any time, and the integral of `power.driven`, the rate of the rest.
struct WorkRate {
  Power power;
  std::optional<double> stored;
};

struct Energies {
  double kinetic = 0.0, potential = 0.0;  // J
};

enum class Status {
  kOk,
  kNotFinite,  // a result is not a number: the Workspace's v, u_dot show where
  // Of accelerations(): next to a singular pose a row that holds the motion is masked. Velocities
  // are those of the motion, accelerations and reactions are not.
  kSingular,
};

// The redundancy of the rows of the loops, after prepare().
struct Redundancy {
  int constraints = 0;  // rows of all cuts
  int redundant = 0;    // rows that others already imply
};

class Workspace {
 public:
  virtual ~Workspace() = default;

  // 1/s, of momentum form: p_dot gains leak A^T sigma, which does not change the motion; sigma then
  // follows lambda / leak instead of growing with the integral of lambda (leaky gauge).
  double leak = 0.0;

  std::span<const double> v;       // joint velocities
  std::span<const double> q_dot;   // rates of the coordinates
  std::span<const double> u_dot;   // rates of the second half of the state: p_dot or v_dot
  std::span<const double> sigma;   // impulses of cuts and couplings
  std::span<const double> v_dot;   // accelerations of the joints, after accelerations()
  std::span<const double> lambda;  // forces of cuts and couplings, after accelerations()
};

class RateKernel;
class GeneralKernel;
class EightStates;
template <class Space>
struct Kinematics;

// Kernels in the order in which they are asked: the specialised ones, which leave some states to
// the next, and the general one of the same formulation.
class Formulation {
 public:
  // The model in space, which moves in the plane where the kernels compute its rates.
  struct InSpace {
    std::vector<RowPart> rows;
    std::unique_ptr<GeneralKernel> general;  // accelerations and reactions
  };

  Formulation(std::string name, std::string plan,
              std::vector<std::unique_ptr<RateKernel>> specialised,
              std::unique_ptr<GeneralKernel> general, InSpace in_space = {});
  ~Formulation();

  std::string_view name() const { return name_; }
  StateForm form() const { return form_; }
  const std::string& plan() const { return plan_; }  // one line, the text of the Choice

  // Of momenta: whether redundant rows share the impulses of the rows that imply them, so that all
  // together are the least; otherwise they carry none.
  bool takes_least_impulses() const;

  std::unique_ptr<Workspace> make_workspace() const;

  // Once at the assembled initial pose: which constraint rows are independent. May allocate.
  Redundancy analyse(const StateView& state, Workspace& workspace) const;
  // At every step boundary: choices that are held through the step. True if they are new: off the
  // loops, rates are then no longer the same function of the state. Allocates nothing.
  bool prepare(const StateView& state, Workspace& workspace) const;
  // v, q_dot, sigma. With phi (null: none) time is frozen: drives rest, and the cuts and couplings
  // move by -phi; with u = 0 and phi = Phi(q) v is the mass-orthogonal Newton step onto the closed
  // loops.
  Status velocities(const StateView& state, const double* phi, Workspace& workspace) const;
  // v, q_dot, u_dot, sigma.
  Status rate(const StateView& state, Workspace& workspace) const;
  // v, q_dot, v_dot, lambda, and all reactions.
  Status accelerations(const StateView& state, Workspace& workspace) const;
  // At the last evaluation; after rate() or accelerations(). Overwrites what accelerations() gives.
  Power power(const StateView& state, Workspace& workspace) const;
  // After rate(). Needs no accelerations, as the power of drives does, where there is `stored`: at
  // all states then.
  WorkRate work_rate(const StateView& state, Workspace& workspace) const;
  // At the last velocities() or rate(), where they come for nothing; the potential one less a
  // constant.
  std::optional<Energies> energies(const StateView& state, const Workspace& workspace) const;
  // The reaction of a joint (Model's order), after accelerations().
  Reaction reaction(int joint, const Workspace& workspace) const;

  // Joints (Model's order) at which a pivot is masked at the last evaluation: near-singular.
  std::vector<int> singular_joints(const Workspace& workspace) const;
  // The smallest pivot of a loop's rows in use at the last evaluation, of the largest that belongs
  // to the same loops; 0 where one is masked, 1 without loops. It falls near singular poses with
  // the square of the distance. Costs next to nothing.
  double least_pivot(const Workspace& workspace) const;
  // After analyse(): from now on pivots are masked at this share of the usual threshold. Where the
  // inertias in a loop differ by orders of magnitude, so do its pivots in any pose.
  void lower_mask(double share, Workspace& workspace) const;
  // The number of the choice of rows in use, but for pivots that are masked in some pose: another
  // one for each choice of each Workspace, so that who knows the rows need not find them again. 0:
  // not known.
  std::uint64_t choice(const Workspace& workspace) const;

  // The end of a step, where a kernel does it for less than others would need. Whether one sees
  // the bodies and cleans momenta in rates, and whether one projects.
  bool sees_motion() const;
  bool projects() const;
  // All poses at the state. Null: not now.
  const Kinematics<Spatial<double>>* placed(const StateView& state, Workspace& workspace) const;
  // Poses and motions at the last evaluation. Null: not of that.
  const Kinematics<Spatial<double>>* moved(Workspace& workspace) const;
  // q after one Newton step onto the closed loops, with quaternions of length 1. False: not now.
  bool project(const StateView& state, double* q, Workspace& workspace) const;
  // After velocities() or rate() of the state: p becomes the momenta of the same motion without
  // impulses in the loops; where it sees_motion(), the workspace then has the rate there. False: it
  // does neither, but may overwrite p.
  bool reset(const StateView& state, double* p, Workspace& workspace) const;

  // With the choice of rows that analyse() made. Null where it would take longer than one state
  // after the other: by the pose that was analysed, or on this machine. The formulation must
  // outlive it.
  std::unique_ptr<EightStates> eight_states(const Workspace& workspace) const;

 private:
  struct Works;
  static Works& of(Workspace& workspace);
  static const Works& of(const Workspace& workspace);

  struct Taken;
  template <class F>
  Taken take(const Works& works, std::size_t first, const F& evaluate) const;
  template <class F, class Copy>
  Status answer(Works& works, const F& evaluate, const Copy& copy) const;
  Taken find_velocities(const StateView& state, const double* phi, const Works& works,
                        std::size_t first) const;
  void spread_impulses(Works& works) const;

  std::string name_, plan_;
  StateForm form_;
  std::vector<std::unique_ptr<RateKernel>> kernels_;
  const GeneralKernel& general_;  // the last of kernels_
  InSpace in_space_;
  const GeneralKernel& reactions_;
};

// "hdca", "recursive", "dense", "dca", "aba".
const std::vector<std::string>& formulation_names();

// Throws UsageError for an unknown name, or one that does not take the model or the options.
std::unique_ptr<Formulation> make_formulation(std::string_view name, const Model& model,
                                              const FormulationOptions& options = {});

}  // namespace hamiltree
