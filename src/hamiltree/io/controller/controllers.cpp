#include "hamiltree/io/controller/controllers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "hamiltree/base/error.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree {
namespace {

constexpr double kRounding = 1e-9;  // of a period: by rounding

// The first multiple of a period after a time, which may be one but for rounding.
double next_multiple(double period, double now) {
  return period * (std::floor(now / period + kRounding) + 1.0);
}

std::vector<std::shared_ptr<ControllerFile>> files_of(const Model& model) {
  std::vector<std::shared_ptr<ControllerFile>> files;
  for (const auto& force : model.mechanism().forces) {
    const auto* controller = std::get_if<Controller>(&force);
    const auto* law = controller == nullptr ? nullptr : controller->law.target<HeldEfforts>();
    if (law != nullptr) files.push_back(law->controller);
  }
  return files;
}

// The numbers that a controller sees at a state.
std::vector<double> inputs_of(const Model& model, const ControllerFile& controller, double t,
                              const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  return model.visit([&]<class Space>(const System<Space>& system) {
    Kinematics<Space> kin(system);
    place(system, t, q.data(), kin);
    move(system, v.data(), kin);
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
                     "\" is a file: hamiltree simulate runs it, nothing else does");
  for (std::size_t i = 0; i < efforts.size(); ++i)
    controls.add_effort(static_cast<int>(i), efforts[i]);
}

bool has_controller_files(const Model& model) { return !files_of(model).empty(); }

Controllers::Controllers(const Model& model, const std::string& program) : model_(model) {
  for (auto& file : files_of(model_)) {
    check_inputs(model_, *file);
    processes_.push_back(std::make_unique<ControllerProcess>(std::move(file), program));
  }
  const auto start = initial_state(model_);
  ask(0.0, start.q, start.v);
}

void Controllers::drive(Simulation& simulation) {
  simulation.on_times(
      [this](double now) { return next(now); },
      [this](const State& state, const Eigen::VectorXd& v) { ask(state.t, state.q, v); });
}

double Controllers::next(double now) const {
  double first = std::numeric_limits<double>::infinity();
  for (const auto& process : processes_)
    first = std::min(first, next_multiple(process->controller().period, now));
  return first;
}

// Those of which a multiple of the period has come since the last time.
void Controllers::ask(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  for (const auto& process : processes_) {
    const auto& controller = process->controller();
    // Multiples of two periods that are one time differ by rounding.
    const bool is_due =
        next_multiple(controller.period, asked_until_) <= t + kRounding * controller.period;
    if (asked_until_ >= 0.0 && !is_due) continue;
    process->step(t, inputs_of(model_, controller, t, q, v));
  }
  asked_until_ = t;
}

}  // namespace hamiltree
