#include "hamiltree/io/controller/controllers.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>
#include <variant>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/callback.hpp"
#include "hamiltree/formulations/registry.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree {
namespace {

constexpr double kSameMultiple = 1e-9;  // of a period: by rounding

// The first multiple of a period after a time, which may be one but for rounding.
double next_multiple(double period, double now) {
  return period * (std::floor(now / period + kSameMultiple) + 1.0);
}

std::vector<std::shared_ptr<HeldController>> held_of(const Model& model) {
  std::vector<std::shared_ptr<HeldController>> held;
  for (const auto& force : model.mechanism().forces) {
    const auto* controller = std::get_if<Controller>(&force);
    const auto* law = controller == nullptr ? nullptr : controller->law.target<HeldEfforts>();
    if (law != nullptr) held.push_back(law->controller);
  }
  return held;
}

// The same controller, which nothing else runs until this pointer and its copies are gone.
std::shared_ptr<HeldController> take(const std::shared_ptr<HeldController>& held) {
  if (held->is_run.exchange(true))
    throw UsageError("controller \"" + held->name +
                     "\" drives another simulation of this model, which must end first");
  return {held.get(), [held](HeldController* controller) {
            controller->efforts.clear();
            controller->is_run = false;
          }};
}

// Takes the efforts of one law.
template <class Space>
struct EffortsOfJoints {
  const std::vector<int>& joints;
  std::vector<double>& efforts;

  void effort(ForceKind, int joint, double effort) {
    const auto i = std::ranges::find(joints, joint) - joints.begin();
    efforts[static_cast<std::size_t>(i)] += effort;
  }
};

// f(system, kin) with the bodies placed and moved.
template <class F>
std::vector<double> at_state(const Model& model, double t, const Eigen::VectorXd& q,
                             const Eigen::VectorXd& v, const F& f) {
  return model.visit([&]<class Space>(const System<Space>& system) {
    Kinematics<Space> kin(system);
    place(system, t, q.data(), kin);
    move(system, v.data(), kin);
    return f(system, kin);
  });
}

// The efforts that a law in this program gives at a state.
std::vector<double> efforts_of(const Model& model, const SampledLaw& sampled, double t,
                               const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  return at_state(model, t, q, v,
                  [&]<class Space>(const System<Space>& system, const Kinematics<Space>& kin) {
                    const Instant<Space> now{system, kin, t, q.data()};
                    auto law = *std::ranges::find_if(system.control_laws, [&](const auto& law) {
                      const auto* held = law.law.template target<HeldEfforts>();
                      return held != nullptr && held->controller.get() == &sampled;
                    });
                    law.law = sampled.law;
                    std::vector<double> efforts(law.joints.size());
                    EffortsOfJoints<Space> sink{law.joints, efforts};
                    exert(law, now, sink);
                    return efforts;
                  });
}

Eigen::VectorXd velocities_at(const Model& model, const State& state) {
  const auto kernel = general_kernel("recursive").make(model, {});
  const auto workspace = kernel->make_workspace();
  const StateView view{state.t, state.q.data(), state.p.data()};
  kernel->analyse(view, *workspace);
  kernel->velocities(view, nullptr, *workspace);
  return Eigen::Map<const Eigen::VectorXd>(workspace->v.data(),
                                           static_cast<Eigen::Index>(workspace->v.size()));
}

// The numbers that a controller sees at a state.
std::vector<double> inputs_of(const Model& model, const ControllerFile& controller, double t,
                              const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  return at_state(model, t, q, v, [&](const auto& system, const auto& kin) {
    std::vector<double> inputs;
    for (const auto& input : controller.inputs) {
      const int j = *model.find_joint(input.joint);
      inputs.push_back(input.is_rate ? joint_rate(system, kin, j)
                                     : joint_position(system, kin, q.data(), j));
    }
    return inputs;
  });
}

void check_inputs(const Model& model, const ControllerFile& controller) {
  for (const auto& input : controller.inputs) {
    const auto j = model.find_joint(input.joint);
    const bool has_one =
        j && model.visit([&](const auto& system) { return system.joint(*j).along != kNone; });
    if (has_one) continue;
    throw ModelError(controller.where, controller.name,
                     "controller \"" + controller.name + "\" sees joint \"" + input.joint +
                         "\", which " +
                         (j ? "has not one degree of freedom" : "is not in the model"));
  }
}

}  // namespace

void HeldEfforts::operator()(Controls& controls) const {
  const auto& efforts = controller->efforts;
  if (efforts.empty())
    throw UsageError("controller \"" + controller->name +
                     "\" is asked once a period: a simulation does that, nothing else");
  for (std::size_t i = 0; i < efforts.size(); ++i)
    controls.add_effort(static_cast<int>(i), efforts[i]);
}

Controller sampled(Controller controller, double period) {
  if (!(period > 0.0) || !std::isfinite(period))
    throw UsageError("controller \"" + controller.name + "\": period must be more than 0");
  auto held = std::make_shared<SampledLaw>();
  held->name = controller.name;
  held->period = period;
  held->where = controller.where;
  held->law = std::move(controller.law);
  controller.law = HeldEfforts{held};
  return controller;
}

bool has_controllers(const Model& model) { return !held_of(model).empty(); }

std::shared_ptr<Controllers> controllers_of(const Model& model,
                                            const std::vector<std::string>& command) {
  if (!has_controllers(model)) return nullptr;
  if (command.empty()) throw UsageError("a controller's file needs a command that runs it");
  return std::make_shared<Controllers>(model, command);
}

Controllers::Controllers(const Model& model, const std::vector<std::string>& command)
    : model_(model) {
  for (const auto& held : held_of(model_)) {
    auto taken = take(held);
    std::unique_ptr<ControllerProcess> process;
    if (const auto file = std::dynamic_pointer_cast<ControllerFile>(held)) {
      check_inputs(model_, *file);
      process = std::make_unique<ControllerProcess>(file, command);
    }
    all_.push_back({std::move(taken), std::move(process)});
  }
}

void Controllers::start(const std::optional<State>& state) {
  asked_until_ = -std::numeric_limits<double>::infinity();
  if (state) return ask(state->t, state->q, velocities_at(model_, *state));
  const auto initial = initial_state(model_);
  ask(0.0, initial.q, initial.v);
}

std::vector<std::string> Controllers::checksums() const {
  std::vector<std::string> checksums;
  for (const auto& [controller, process] : all_)
    checksums.push_back(process == nullptr ? "" : process->checksum());
  return checksums;
}

std::string Controllers::why_not_saved() const {
  for (const auto& [controller, process] : all_) {
    const auto why = process == nullptr ? "it is a law in this program" : process->why_not_saved();
    if (!why.empty())
      return "the state of controller \"" + controller->name + "\" cannot be saved: " + why;
  }
  return {};
}

ControllersState Controllers::save(double t) {
  ControllersState state{asked_until_, {}};
  for (const auto& [controller, process] : all_)
    state.all.push_back(
        {controller->name, process->checksum(), controller->efforts, process->save(t)});
  return state;
}

void Controllers::restore(double t, const ControllersState& state) {
  const auto is_of = [](const One& one, const ControllersState::One& saved) {
    return one.controller->name == saved.name && !saved.efforts.empty();
  };
  if (!std::ranges::equal(all_, state.all, is_of))
    throw std::runtime_error("the checkpoint has not the states of the model's controllers");
  for (std::size_t i = 0; i < all_.size(); ++i) {
    auto& [controller, process] = all_[i];
    if (process->checksum() != state.all[i].file)
      throw std::runtime_error(process->said() + " is not the file with which the run began");
    process->restore(t, state.all[i].bytes);
    controller->efforts = state.all[i].efforts;
  }
  asked_until_ = state.asked_until;
}

void Controllers::drive(const std::shared_ptr<Controllers>& controllers, Simulation& simulation) {
  simulation.on_times([controllers](double) { return controllers->next(); },
                      [controllers](const State& state, const Eigen::VectorXd& v) {
                        controllers->ask(state.t, state.q, v);
                      });
}

// After the last time at which they were asked.
double Controllers::next() const {
  double first = std::numeric_limits<double>::infinity();
  for (const auto& one : all_)
    first = std::min(first, next_multiple(one.controller->period, asked_until_));
  return first;
}

// Those of which a multiple of the period has come since the last time.
void Controllers::ask(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  for (const auto& [controller, process] : all_) {
    // Multiples of two periods that are one time differ by rounding.
    const double period = controller->period;
    if (next_multiple(period, asked_until_) > t + kSameMultiple * period) continue;
    if (process != nullptr) {
      process->step(t, inputs_of(model_, process->controller(), t, q, v));
      continue;
    }
    auto efforts = efforts_of(model_, dynamic_cast<const SampledLaw&>(*controller), t, q, v);
    if (!std::ranges::all_of(efforts, [](double x) { return std::isfinite(x); }))
      throw SimulationError(
          t, "controller \"" + controller->name + "\" gives an effort that is not finite");
    controller->efforts = std::move(efforts);
  }
  asked_until_ = t;
}

}  // namespace hamiltree
