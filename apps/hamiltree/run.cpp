#include "run.hpp"

#include <unistd.h>

#include <cerrno>
#include <exception>
#include <iostream>
#include <system_error>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/io/export/hdf5_file.hpp"
#include "hamiltree/io/export/output_folder.hpp"
#include "hamiltree/io/export/report.hpp"
#include "hamiltree/io/export/summary.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "summary_text.hpp"

namespace hamiltree::app {

namespace fs = std::filesystem;

void add_output_flags(CLI::App& command, OutputArguments& output) {
  command.add_flag("--hdf5", output.hdf5, "write the results as an HDF5 file too")->group("Output");
  command.add_flag("--json", output.json, "print the summary as JSON, nothing else, on stdout")
      ->group("Output");
  command.add_flag("--quiet,-q", output.quiet, "no progress, no summary for people; errors only")
      ->group("Output");
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

namespace {

// Keeps samples and steps only where they will be written; of fixed steps, which are all alike, the
// last before each sample and each checkpoint.
class Collector final : public Recorder {
 public:
  Collector(Recording so_far, bool keeps, bool fixed_steps)
      : keeps_(keeps), fixed_steps_(fixed_steps), recording_(std::move(so_far)) {}

  void begin(const RecordingHeader& header) override { recording_.begin(header); }
  void sample(const Sample& sample) override {
    if (!keeps_) return;
    keep_last_step();
    recording_.sample(sample);
  }
  void step(const StepRecord& step) override {
    if (!keeps_) return;
    if (fixed_steps_) {
      last_step_ = step;
    } else {
      recording_.step(step);
    }
  }
  void finish(const Summary& summary) override { recording_.finish(summary); }

  void keep_last_step() {
    if (last_step_) recording_.step(*last_step_);
    last_step_.reset();
  }
  const Recording& recording() const { return recording_; }

 private:
  bool keeps_, fixed_steps_;
  std::optional<StepRecord> last_step_;
  Recording recording_;
};

void print_run(const Summary& summary, const OutputArguments& output) {
  if (output.json) {
    std::cout << to_json(summary);
  } else if (!output.quiet) {
    std::cout << summary_text(summary);
    if (output.folder) {
      std::cout << "\nReport: " << (fs::path(*output.folder) / "report.html").string() << '\n';
      if (!has_viewer())
        std::cout << "Its replay is the simple one; ./dev viewer builds the viewer.\n";
    }
  }
}

}  // namespace

void carry_out(Simulation& simulation, const SavedRun& run, Recording so_far, double until,
               const OutputArguments& output, std::optional<double> checkpoint_every,
               const std::function<void(Recorder&)>& integrate) {
  if (output.hdf5) check_hdf5();
  if (output.hdf5 && !output.folder) throw UsageError("--hdf5 needs --out, where the file is kept");
  Collector collector(std::move(so_far), output.folder.has_value(),
                      step_of(run.checkpoint.options.integrator).has_value());
  RunSaver saver(output.folder.value_or(""));
  const auto save = [&](const Checkpoint& checkpoint) {
    auto now = run;
    now.checkpoint = checkpoint;
    collector.keep_last_step();
    saver.save(now, collector.recording());
  };
  if (checkpoint_every) simulation.on_checkpoint(*checkpoint_every, save);
  std::exception_ptr failure;
  {
    const InterruptGuard guard;
    Progress progress(until, !output.quiet);
    simulation.on_step([&](double t) {
      progress.step(t, simulation.worst_residual());
      if (interrupted()) throw Interrupted{t, {}};
    });
    try {
      integrate(collector);
    } catch (const SimulationError&) {
      failure = std::current_exception();
    } catch (Interrupted& stop) {
      if (!output.folder) throw;
      // The last checkpoint on time stands: to go on from there is to go on bit for bit.
      if (!checkpoint_every) save(simulation.checkpoint());
      stop.folder = *output.folder;
      throw;
    }
  }
  const Recording& recording = collector.recording();
  if (output.folder) {
    write_output_folder(recording, *output.folder, &simulation.model(), output.hdf5,
                        run.looks(output.files_elsewhere));
    remove_saved_run(*output.folder);
  }
  print_run(recording.summary, output);
  if (failure) std::rethrow_exception(failure);
  std::string failed;
  for (const auto& gate : recording.summary.failed_gates)
    failed += (failed.empty() ? "" : "; ") + gate;
  if (!failed.empty()) throw GateFailed(failed);
}

}  // namespace hamiltree::app
