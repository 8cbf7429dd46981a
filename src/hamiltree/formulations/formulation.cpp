#include "hamiltree/formulations/formulation.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "hamiltree/formulations/eight_states.hpp"
#include "hamiltree/formulations/rate_kernel.hpp"

namespace hamiltree {
namespace {

// Least pivots below it leave less than ten digits.
constexpr double kLosesDigits = 1e-6;

}  // namespace

std::unique_ptr<EightStates> RateKernel::eight_states(const Workspace&) const { return nullptr; }

struct Formulation::Works final : Workspace {
  // The first kernel's, if it is a specialised one: its results are those of the formulation.
  RateWorkspace& results() { return static_cast<RateWorkspace&>(*first); }
  // The first kernel that is asked: the specialised ones do not refine.
  std::size_t first_asked() const { return refines ? kernels.size() - 1 : 0; }
  // The workspace of the kernel that computes accelerations and reactions.
  const Workspace& reactions() const { return in_space ? *in_space : *kernels.back(); }
  Workspace& reactions() { return in_space ? *in_space : *kernels.back(); }

  std::vector<std::unique_ptr<Workspace>> kernels;
  std::unique_ptr<Workspace> in_space;
  // For the shortest way to the first kernel: small mechanisms take 50 ns.
  const RateKernel* first_kernel = nullptr;
  Workspace* first = nullptr;
  std::size_t last = 0;                // the kernel that made the last evaluation
  bool refines = false;                // the general kernel makes all of them
  std::vector<double> impulses, gaps;  // of the rows in space, of those in the plane
};

Formulation::Works& Formulation::of(Workspace& workspace) { return static_cast<Works&>(workspace); }
const Formulation::Works& Formulation::of(const Workspace& workspace) {
  return static_cast<const Works&>(workspace);
}

Formulation::Formulation(std::string name, std::string plan,
                         std::vector<std::unique_ptr<RateKernel>> specialised,
                         std::unique_ptr<GeneralKernel> general, InSpace in_space)
    : name_(std::move(name)),
      plan_(std::move(plan)),
      form_(general->form()),
      kernels_(std::move(specialised)),
      general_(*general),
      in_space_(std::move(in_space)),
      reactions_(in_space_.general ? *in_space_.general : general_) {
  kernels_.push_back(std::move(general));
}
Formulation::~Formulation() = default;

bool Formulation::takes_least_impulses() const { return general_.takes_least_impulses(); }

std::unique_ptr<Workspace> Formulation::make_workspace() const {
  auto works = std::make_unique<Works>();
  for (const auto& kernel : kernels_) works->kernels.push_back(kernel->make_workspace());
  works->first_kernel = kernels_.front().get();
  works->first = works->kernels.front().get();
  const auto& first = *works->first;
  works->v = first.v;
  works->q_dot = first.q_dot;
  works->u_dot = first.u_dot;
  works->sigma = first.sigma;
  if (in_space_.general) {
    works->in_space = in_space_.general->make_workspace();
    works->impulses.resize(works->in_space->sigma.size());
    works->gaps.resize(first.sigma.size() + 1);  // there even if there are none
    works->sigma = works->impulses;
  }
  works->v_dot = works->reactions().v_dot;
  works->lambda = works->reactions().lambda;
  return works;
}

// The kernel that took a state.
struct Formulation::Taken {
  std::size_t kernel;
  Status status;
};

// evaluate(kernel, its workspace) by the first kernel from `first` on that takes the state.
template <class F>
Formulation::Taken Formulation::take(const Works& works, std::size_t first,
                                     const F& evaluate) const {
  for (auto k = first;; ++k) {
    auto& work = *works.kernels[k];
    work.leak = works.leak;
    if (const auto status = evaluate(*kernels_[k], work)) return {k, *status};
  }
}

// The same by all kernels; `copy` brings another one's results to those of the first.
template <class F, class Copy>
Status Formulation::answer(Works& works, const F& evaluate, const Copy& copy) const {
  works.first->leak = works.leak;
  works.last = works.first_asked();
  auto answer = works.last == 0 ? evaluate(*works.first_kernel, *works.first) : Answer();
  if (!answer) {
    const auto taken = take(works, std::max<std::size_t>(works.last, 1), evaluate);
    works.last = taken.kernel;
    (works.results().*copy)(*works.kernels[taken.kernel]);
    answer = taken.status;
  }
  if (works.in_space) spread_impulses(works);
  return *answer;
}

Formulation::Taken Formulation::find_velocities(const StateView& state, const double* phi,
                                                const Works& works, std::size_t first) const {
  return take(works, first, [&](const RateKernel& kernel, Workspace& work) {
    return kernel.velocities(state, phi, work);
  });
}

// Impulses of all rows from those in the plane.
void Formulation::spread_impulses(Works& works) const {
  const auto& in_plane = works.first->sigma;
  std::ranges::fill(works.impulses, 0.0);
  for (const auto& r : in_space_.rows)
    works.impulses[at(r.row)] += r.part * in_plane[at(r.in_plane)];
}

Redundancy Formulation::analyse(const StateView& state, Workspace& workspace) const {
  auto& works = of(workspace);
  const auto& of_general = *works.kernels.back();
  works.refines = general_.refine(false, *works.kernels.back());
  auto redundancy = general_.analyse(state, *works.kernels.back());
  works.last = kernels_.size() - 1;
  for (std::size_t k = works.last; k-- > 0;)
    if (kernels_[k]->take_rows(state, redundancy, of_general, *works.kernels[k])) works.last = k;
  if (works.in_space) redundancy = reactions_.analyse(state, *works.in_space);
  return redundancy;
}

bool Formulation::prepare(const StateView& state, Workspace& workspace) const {
  auto& works = of(workspace);
  const auto general = kernels_.size() - 1;
  auto& of_general = *works.kernels[general];
  if (works.refines) {
    works.refines = general_.refine(false, of_general);
    works.last = find_velocities(state, nullptr, works, 0).kernel;
  }
  const auto choose_rows = [&] {
    auto last = works.last;
    for (std::size_t k = 0; k < general; ++k) {
      if (last < k) last = find_velocities(state, nullptr, works, k).kernel;
      if (kernels_[k]->keeps_rows(state, *works.kernels[k])) return false;
    }
    if (last < general) general_.velocities(state, nullptr, of_general);
    if (!general_.prepare(state, of_general)) return false;
    for (std::size_t k = 0; k < general; ++k)
      kernels_[k]->change_rows(state, of_general, *works.kernels[k]);
    return true;
  };
  const bool are_new = choose_rows();
  works.refines = general_.refine(least_pivot(workspace) < kLosesDigits, of_general);
  if (works.refines) velocities(state, nullptr, workspace);
  return are_new;
}

Status Formulation::velocities(const StateView& state, const double* phi,
                               Workspace& workspace) const {
  auto& works = of(workspace);
  if (phi != nullptr && works.in_space) {
    std::ranges::fill(works.gaps, 0.0);
    for (const auto& r : in_space_.rows) works.gaps[at(r.in_plane)] += r.part * phi[r.row];
    phi = works.gaps.data();
  }
  const auto evaluate = [&](const RateKernel& kernel, Workspace& work) {
    return kernel.velocities(state, phi, work);
  };
  return answer(works, evaluate, &RateWorkspace::copy_velocities);
}

Status Formulation::rate(const StateView& state, Workspace& workspace) const {
  const auto evaluate = [&](const RateKernel& kernel, Workspace& work) {
    return kernel.rate(state, work);
  };
  return answer(of(workspace), evaluate, &RateWorkspace::copy_rates);
}

// In the plane the rates too, so that what power() reads is of the same state. Where rates take no
// part in it, rows are chosen that serve better here.
Status Formulation::accelerations(const StateView& state, Workspace& workspace) const {
  auto& works = of(workspace);
  if (works.in_space && rate(state, workspace) != Status::kOk) return Status::kNotFinite;
  auto& work = works.reactions();
  auto status = reactions_.accelerations(state, work);
  const bool chooses_rows = works.in_space || !kernels_.front()->depends_on_rows();
  if (chooses_rows && reactions_.prepare(state, work))
    status = reactions_.accelerations(state, work);
  if (!works.in_space && kernels_.size() > 1) works.results().copy_velocities(work);
  const bool is_masked = status == Status::kOk && *reactions_.least_pivot(work) == 0.0;
  return is_masked ? Status::kSingular : status;
}

Power Formulation::power(const StateView& state, Workspace& workspace) const {
  auto& works = of(workspace);
  const auto general = kernels_.size() - 1;
  for (auto k = works.first_asked(); k < general; ++k)
    if (const auto power = kernels_[k]->power(state, *works.kernels[k])) return *power;
  if (works.last < general) general_.velocities(state, nullptr, *works.kernels[general]);
  return *general_.power(state, *works.kernels[general]);
}

WorkRate Formulation::work_rate(const StateView& state, Workspace& workspace) const {
  auto& works = of(workspace);
  for (auto k = works.first_asked();; ++k)
    if (const auto rate = kernels_[k]->work_rate(state, *works.kernels[k])) return *rate;
}

std::optional<Energies> Formulation::energies(const StateView& state,
                                              const Workspace& workspace) const {
  const auto& works = of(workspace);
  if (works.first_asked() > 0) return {};
  return kernels_.front()->energies(state, *works.first);
}

Reaction unknown_reaction() {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Reaction r;
  for (auto* part : {&r.force, &r.moment, &r.joint_force, &r.joint_moment}) part->fill(kNan);
  r.drive = kNan;
  return r;
}

Reaction Formulation::reaction(int joint, const Workspace& workspace) const {
  return reactions_.reaction(joint, of(workspace).reactions());
}

std::vector<int> Formulation::singular_joints(const Workspace& workspace) const {
  const auto& works = of(workspace);
  for (auto k = works.first_asked();; ++k) {
    const auto& work = *works.kernels[k];
    if (auto joints = kernels_[k]->singular_joints(work)) return *std::move(joints);
    if (const auto state = kernels_[k]->masked_at(work))
      find_velocities(*state, nullptr, works, k + 1);
  }
}

double Formulation::least_pivot(const Workspace& workspace) const {
  const auto& works = of(workspace);
  for (auto k = works.first_asked();; ++k)
    if (const auto pivot = kernels_[k]->least_pivot(*works.kernels[k])) return *pivot;
}

void Formulation::lower_mask(double share, Workspace& workspace) const {
  auto& works = of(workspace);
  for (std::size_t k = 0; k < kernels_.size(); ++k)
    kernels_[k]->lower_mask(share, *works.kernels[k]);
  if (works.in_space) reactions_.lower_mask(share, *works.in_space);
}

std::uint64_t Formulation::choice(const Workspace& workspace) const {
  const auto& works = of(workspace);
  return works.first_asked() > 0 ? 0 : kernels_.front()->choice(*works.first);
}

bool Formulation::sees_motion() const {
  return in_space_.general || kernels_.front()->sees_motion();
}
bool Formulation::projects() const { return !in_space_.general && kernels_.front()->projects(); }

const Kinematics<Spatial<double>>* Formulation::placed(const StateView& state,
                                                       Workspace& workspace) const {
  return kernels_.front()->placed(state, *of(workspace).first);
}
const Kinematics<Spatial<double>>* Formulation::moved(Workspace& workspace) const {
  auto& works = of(workspace);
  return works.first_asked() > 0 ? nullptr : kernels_.front()->moved(*works.first);
}

bool Formulation::project(const StateView& state, double* q, Workspace& workspace) const {
  auto& works = of(workspace);
  if (!projects() || works.first_asked() > 0) return false;
  return kernels_.front()->project(state, q, *works.first);
}

bool Formulation::reset(const StateView& state, double* p, Workspace& workspace) const {
  auto& works = of(workspace);
  works.first->leak = works.leak;
  if (works.first_asked() > 0) return false;
  if (works.in_space && !works.first_kernel->sees_motion()) return false;
  if (!works.first_kernel->reset(state, p, *works.first)) return false;
  if (works.in_space) spread_impulses(works);
  return true;
}

std::unique_ptr<EightStates> Formulation::eight_states(const Workspace& workspace) const {
  return kernels_.front()->eight_states(*of(workspace).first);
}

}  // namespace hamiltree
