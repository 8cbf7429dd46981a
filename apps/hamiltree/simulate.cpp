#include "simulate.hpp"

#include <unistd.h>

#include <cerrno>
#include <exception>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <system_error>

#include "hamiltree/hamiltree.hpp"
#include "hamiltree/io/export/summary.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "summary_text.hpp"

namespace hamiltree::app {
namespace {

namespace fs = std::filesystem;

constexpr double kUntil = 10.0;  // s

// The method by its name, with its tolerances or its step; what does not go with it is refused.
Method method_of(const SimulateArguments& arguments) {
  const auto name = arguments.integrator.value_or(to_name(DormandPrince{}));
  auto method = *method_from_name(name);
  const auto refuse = [&](const char* option, const char* has) {
    throw UsageError(std::string(option) + " does not go with --integrator " + name +
                     ", which has " + has);
  };
  std::visit(
      [&](auto& m) {
        if constexpr (requires { m.step; }) {
          for (const auto& [given, option] : {std::pair{arguments.rtol.has_value(), "--rtol"},
                                              {arguments.atol.has_value(), "--atol"},
                                              {arguments.weights.has_value(), "--weights"}}) {
            if (given) refuse(option, "a fixed --step");
          }
          m.step = arguments.step.value_or(m.step);
        } else {
          if (arguments.step) refuse("--step", "tolerances, --rtol and --atol");
          m.rtol = arguments.rtol.value_or(m.rtol);
          m.atol = arguments.atol.value_or(m.atol);
        }
      },
      method);
  return method;
}

SimulationOptions options_of(const SimulateArguments& arguments) {
  SimulationOptions options;
  options.formulation = arguments.formulation.value_or(options.formulation);
  options.integrator = method_of(arguments);
  if (arguments.weights == "equal") options.weights = Weights::kEqual;
  options.reset = arguments.reset;
  options.projection = arguments.projection;
  options.leak = arguments.leak;
  options.energy_scaling = arguments.energy_scaling;
  options.baumgarte = arguments.baumgarte.value_or(0.0);
  return options;
}

// Refuses a folder that could not be written to, before anything is simulated. Creates nothing.
void check_folder(const fs::path& folder) {
  const auto fail = [&](const fs::path& path, int error) {
    throw std::runtime_error("cannot write to " + folder.string() + ": " + path.string() + ": " +
                             std::generic_category().message(error));
  };
  fs::path nearest = fs::absolute(folder);
  std::error_code ignored;
  while (!fs::exists(nearest, ignored) && nearest.has_relative_path())
    nearest = nearest.parent_path();
  if (!fs::is_directory(nearest, ignored)) fail(nearest, ENOTDIR);
  if (access(nearest.c_str(), W_OK | X_OK) != 0) fail(nearest, errno);
}

// Keeps the samples only where they will be written, and ends the run after Ctrl-C.
class Collector final : public Recorder {
 public:
  explicit Collector(bool keeps_samples) : keeps_samples_(keeps_samples) {}

  void begin(const RecordingHeader& header) override { recording_.begin(header); }
  void sample(const Sample& sample) override {
    if (interrupted()) throw Interrupted{sample.t};
    if (keeps_samples_) recording_.sample(sample);
  }
  void finish(const Summary& summary) override { recording_.finish(summary); }

  const Recording& recording() const { return recording_; }

 private:
  bool keeps_samples_;
  Recording recording_;
};

// Returns the SimulationError that ended the run early, if one did.
std::exception_ptr run(Simulation& simulation, const SimulateArguments& arguments,
                       Collector& collector) {
  const double until = arguments.until.value_or(kUntil);
  const InterruptGuard guard;
  Progress progress(until, !arguments.quiet);
  simulation.on_step([&progress](double t) { progress.step(t); });
  try {
    simulation.run_until(until, arguments.every.value_or(0.0), collector);
  } catch (const SimulationError&) {
    return std::current_exception();
  }
  return nullptr;
}

}  // namespace

CLI::App* add_simulate(CLI::App& app, SimulateArguments& arguments) {
  auto* command = app.add_subcommand("simulate", "move a mechanism and write what happened");
  auto& c = *command;
  add_model(c, arguments.model);
  add_choice(c, "--formulation", arguments.formulation, formulation_names(),
             "equations of motion; default hdca")
      ->group("Method");
  add_choice(c, "--integrator", arguments.integrator, method_names(),
             "method; default dormand_prince")
      ->group("Method");
  add_positive(c, "--rtol", arguments.rtol, "relative tolerance of adaptive methods; default 1e-9")
      ->group("Method");
  add_positive(c, "--atol", arguments.atol, "absolute tolerance of adaptive methods; default 1e-9")
      ->group("Method");
  add_positive(
      c, "--step", arguments.step,
      "step in s of other methods; default 1e-2 of symplectic ones, 1e-3 of rk4, 1e-4 of eulers")
      ->group("Method");
  add_choice(c, "--weights", arguments.weights, {"inertia", "equal"},
             "how adaptive methods weigh errors of momenta; default inertia")
      ->group("Method");
  add_switch(c, "--reset", arguments.reset,
             "keep momenta, or velocities, clean of what loops leave in them; default on")
      ->group("Method");
  add_switch(c, "--projection", arguments.projection, "close loops after every step; default on")
      ->group("Method");
  c.add_option("--leak", arguments.leak,
               "rate in 1/s at which impulses of loops leak out of momenta; default of multistep "
               "methods: from the motion")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->group("Method");
  add_switch(c, "--energy-scaling", arguments.energy_scaling,
             "scale momenta after every step to hold the energy; default off")
      ->group("Method");
  add_positive(c, "--baumgarte", arguments.baumgarte,
               "rate in 1/s at which dca and aba pull loops closed; default none")
      ->group("Method");
  add_positive(c, "--until", arguments.until, "end time in s; default 10")->group("Output");
  add_positive(c, "--every", arguments.every, "output interval in s; default 1/500 of --until")
      ->group("Output");
  c.add_option("--out", arguments.out,
               "folder for summary.json, trajectory.csv and report.html; made if missing")
      ->type_name("FOLDER")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->group("Output");
  c.add_flag("--json", arguments.json, "print the summary as JSON, nothing else, on stdout")
      ->group("Output");
  c.add_flag("--quiet,-q", arguments.quiet, "no progress, no summary for people; errors only")
      ->group("Output");
  return command;
}

void simulate(const SimulateArguments& arguments) {
  const auto options = options_of(arguments);
  if (arguments.out && arguments.out->empty()) throw UsageError("--out needs the name of a folder");
  const Model model = load(arguments.model.file, arguments.model.overrides);
  Simulation simulation(model, options);
  if (arguments.out) check_folder(*arguments.out);

  Collector collector(arguments.out.has_value());
  const auto failure = run(simulation, arguments, collector);
  const Recording& recording = collector.recording();
  if (arguments.out) write_output_folder(recording, *arguments.out);
  if (arguments.json) {
    std::cout << to_json(recording.summary);
  } else if (!arguments.quiet) {
    std::cout << summary_text(recording.summary);
    if (arguments.out)
      std::cout << "\nReport: " << (fs::path(*arguments.out) / "report.html").string() << '\n';
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace hamiltree::app
