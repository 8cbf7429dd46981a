// Simulation: run_until() without the interpreter's lock, Ctrl-C between two steps.
#include "hamiltree/simulation/simulation.hpp"

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "bindings.hpp"
#include "callbacks.hpp"
#include "errors.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/integrators/chosen_method.hpp"
#include "hamiltree/io/controller/controllers.hpp"
#include "signals.hpp"
#include "state.hpp"

namespace py = pybind11;

namespace hamiltree::bindings {
namespace {

// Ends a run whose results nobody waits for any more.
struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("the run was stopped") {}
};

// After a step: the user's own observer, and now and then a look at Ctrl-C and at is_stopped().
std::function<void(double)> observer_of(const std::optional<Callable>& on_step,
                                        const std::optional<Callable>& is_stopped) {
  return [on_step, is_stopped, clock = SignalClock()](double t) mutable {
    const bool looks = clock.is_due();
    if (!on_step && !looks) return;
    const py::gil_scoped_acquire lock;
    if (looks && is_stopped && (**is_stopped)().cast<bool>()) throw Stopped();
    raise_signals();
    if (on_step) (**on_step)(t);
  };
}

// Keeps the recording, and shows each sample as it comes: its time, and the poses of the bodies as
// in Recording.poses.
class ShownRecorder final : public Recorder {
 public:
  ShownRecorder(Recording& recording, const Callable& show) : recording_(recording), show_(show) {}

  void begin(const RecordingHeader& header) override { recording_.begin(header); }
  void step(const StepRecord& step) override { recording_.step(step); }
  void finish(const Summary& summary) override { recording_.finish(summary); }
  void sample(const Sample& sample) override {
    recording_.sample(sample);
    const py::gil_scoped_acquire lock;
    py::array_t<double> poses({static_cast<py::ssize_t>(sample.poses.size()), py::ssize_t{7}});
    double* out = poses.mutable_data();
    for (const auto& pose : sample.poses) {
      for (const double x : pose.position) *out++ = x;
      for (const double x : pose.quat_wxyz) *out++ = x;
    }
    (*show_)(sample.t, std::move(poses));
  }

 private:
  Recording& recording_;
  const Callable& show_;
};

// A Simulation with a flag: one run_until() at a time.
struct OneRun final : Simulation {
  using Simulation::Simulation;
  std::atomic_flag running;
};

// Holds the flag while it lives. Throws UsageError if it is held already.
class Running {
 public:
  explicit Running(std::atomic_flag& running) : running_(running) {
    if (running_.test_and_set())
      throw UsageError("the simulation is running already: another thread, or a callback, calls");
  }
  ~Running() { running_.clear(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  std::atomic_flag& running_;
};

std::unique_ptr<OneRun> make_simulation(const Model& model, const SimulationOptions& options,
                                        const std::optional<State>& state) {
  const auto command = controller_command();
  return without_lock([&] {
    const auto controllers = controllers_of(model, command);
    if (controllers) controllers->start(state);
    auto simulation = state ? std::make_unique<OneRun>(model, options, *state)
                            : std::make_unique<OneRun>(model, options);
    if (controllers) Controllers::drive(controllers, *simulation);
    return simulation;
  });
}

std::unique_ptr<Recording> run_until(OneRun& simulation, double until, std::optional<double> every,
                                     std::optional<py::function> on_step,
                                     std::optional<py::function> on_sample,
                                     std::optional<py::function> is_stopped) {
  if (every && !(*every > 0.0))
    throw UsageError("every must be a positive number, it is " + to_text(*every));
  const Running running(simulation.running);
  std::optional<Callable> observer, show, stop;
  if (on_step) observer.emplace(std::move(*on_step));
  if (on_sample) show.emplace(std::move(*on_sample));
  if (is_stopped) stop.emplace(std::move(*is_stopped));
  simulation.on_step(observer_of(observer, stop));
  auto recording = std::make_unique<Recording>();
  std::optional<ShownRecorder> shown;
  if (show) shown.emplace(*recording, *show);
  Recorder& recorder = shown ? static_cast<Recorder&>(*shown) : *recording;
  try {
    without_lock([&] {
      simulation.run_until(until, every.value_or(0.0), recorder);
      return true;
    });
  } catch (const SimulationError& error) {
    raise_simulation_error(error, py::cast(simulation.state()), py::cast(simulation.model()),
                           py::cast(std::move(recording)));
  }
  return recording;
}

}  // namespace

std::vector<std::string> controller_command() {
  const auto native = py::module_::import("hamiltree._native").attr("__file__").cast<std::string>();
  return {py::module_::import("sys").attr("executable").cast<std::string>(), "-I", "-S",
          (std::filesystem::path(native).parent_path() / "run_controller.py").string()};
}

void bind_simulation(py::module_& m) {
  m.attr("integrator_names") = method_names();
  m.attr("every_step") = kEveryStep;
  m.def(
      "run_controller",
      [](std::string file, double period, std::vector<std::string> inputs,
         std::vector<std::string> outputs) {
        return host_controller({std::move(file), period, std::move(inputs), std::move(outputs)});
      },
      py::arg("file"), py::arg("period"), py::arg("inputs"), py::arg("outputs"),
      "The process in which a controller's file runs: its exit code.");
  m.def("has_controllers", &has_controllers, py::arg("model"),
        "Whether controllers with a period drive the model: one run at a time.");
  py::class_<OneRun>(m, "Simulation", "A model in motion, at a state that run_until() moves on.")
      .def(py::init([](const Model& model, std::optional<State> state, std::string formulation,
                       const std::string& integrator, std::optional<double> rtol,
                       std::optional<double> atol, std::optional<double> step,
                       const std::string& weights, bool reset, bool projection,
                       std::optional<double> leak, bool energy_scaling, bool dense_output,
                       double baumgarte, const std::string& lanes, bool plane, int segments,
                       int threads) {
             if (weights != "inertia" && weights != "equal")
               throw UsageError("weights are \"inertia\" or \"equal\", not \"" + weights + "\"");
             SimulationOptions options;
             options.formulation = std::move(formulation);
             options.integrator = chosen_method(integrator, rtol, atol, step);
             options.weights = weights == "inertia" ? Weights::kInertia : Weights::kEqual;
             options.reset = reset;
             options.projection = projection;
             options.leak = leak;
             options.energy_scaling = energy_scaling;
             options.dense_output = dense_output;
             options.baumgarte = baumgarte;
             const auto choice = lane_choice_from_name(lanes);
             if (!choice)
               throw UsageError("lanes \"" + lanes + "\" are not one of auto, never, always");
             options.lanes = *choice;
             options.plane = plane;
             options.segments = segments;
             options.threads = threads;
             return make_simulation(model, options, state);
           }),
           py::arg("model"), py::kw_only(), py::arg("state") = py::none(),
           py::arg("formulation") = "auto", py::arg("integrator") = "auto",
           py::arg("rtol") = py::none(), py::arg("atol") = py::none(), py::arg("step") = py::none(),
           py::arg("weights") = "inertia", py::arg("reset") = true, py::arg("projection") = true,
           py::arg("leak") = py::none(), py::arg("energy_scaling") = false,
           py::arg("dense_output") = true, py::arg("baumgarte") = 0.0, py::arg("lanes") = "auto",
           py::arg("plane") = true, py::arg("segments") = 0, py::arg("threads") = 1)
      // By value: a recording that has it keeps no simulation.
      .def_property_readonly("model", [](const OneRun& s) { return s.model(); })
      .def_property_readonly("state", &Simulation::state)
      .def_property_readonly(
          "step_impulses", [](const OneRun& s) { return to_array(s.step_impulses()); },
          "(constraints,), N s, N m s: impulses of the reactions in loops over the last step; nan "
          "after one through or beside a singular pose.")
      .def("run_until_raw", &run_until, py::arg("until"), py::kw_only(),
           py::arg("every") = py::none(), py::arg("on_step") = py::none(),
           py::arg("on_sample") = py::none(), py::arg("is_stopped") = py::none());
}

}  // namespace hamiltree::bindings
