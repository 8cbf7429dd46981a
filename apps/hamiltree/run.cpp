#include "run.hpp"

#include <unistd.h>

#include <cerrno>
#include <exception>
#include <iostream>
#include <limits>
#include <system_error>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/io/export/hdf5_file.hpp"
#include "hamiltree/io/export/output_folder.hpp"
#include "hamiltree/io/export/report.hpp"
#include "hamiltree/io/export/summary.hpp"
#include "hamiltree/io/export/thin_recording.hpp"
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

void check_holds_no_run(const fs::path& folder, const std::string& instead) {
  check_holds_no_saved_run(folder, ", " + instead);
  if (fs::exists(folder / "summary.json"))
    throw std::runtime_error(folder.string() + " holds a run already: " + instead);
}

namespace {

// Gives samples and steps to the disk and to the report, where there is a folder for them; of fixed
// steps, which are all alike, the last before each sample and each checkpoint.
class Collector final : public Recorder {
 public:
  Collector(RunSaver* saver, bool fixed_steps, bool keeps_all)
      : saver_(saver),
        fixed_steps_(fixed_steps),
        shown_(keeps_all ? std::numeric_limits<std::size_t>::max() : ThinRecording::kMost) {}

  void begin(const RecordingHeader& header) override {
    if (saver_ != nullptr) saver_->begin(header);
    shown_.begin(header);
  }
  void sample(const Sample& sample) override {
    if (saver_ == nullptr) return;
    keep_last_step();
    saver_->sample(sample);
    shown_.sample(sample);
  }
  void step(const StepRecord& step) override {
    if (saver_ == nullptr) return;
    last_step_ = step;
    if (!fixed_steps_) keep_last_step();
  }
  void finish(const Summary& summary) override { shown_.finish(summary); }

  void keep_last_step() {
    if (!last_step_) return;
    saver_->step(*last_step_);
    shown_.step(*last_step_);
    last_step_.reset();
  }
  ThinRecording& shown() { return shown_; }

 private:
  RunSaver* saver_;
  bool fixed_steps_;
  std::optional<StepRecord> last_step_;
  ThinRecording shown_;
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

std::vector<std::string> controller_command() { return {"/proc/self/exe", "run-controller"}; }

void carry_out(Simulation& simulation, const SavedRun& run, bool is_resumed, double until,
               const OutputArguments& output, RunSaver* saver,
               std::optional<double> checkpoint_every,
               const std::function<void(Recorder&)>& integrate,
               const std::shared_ptr<Controllers>& controllers) {
  if (output.hdf5) check_hdf5();
  if (output.hdf5 && !output.folder) throw UsageError("--hdf5 needs --out, where the file is kept");
  const fs::path folder(output.folder.value_or(""));
  Collector collector(saver, step_of(run.checkpoint.options.integrator).has_value(), output.hdf5);
  if (is_resumed) {
    recover_tables(run, folder);
    replay_recording(run, simulation.model(), folder, collector.shown());
    saver->go_on(run);
  }
  const auto save = [&](const Checkpoint& checkpoint) {
    auto now = run;
    now.checkpoint = checkpoint;
    now.hdf5 = output.hdf5;
    if (controllers) now.controllers = controllers->save(checkpoint.state.t);
    collector.keep_last_step();
    saver->save(now);
  };
  if (checkpoint_every) simulation.on_checkpoint(*checkpoint_every, save);
  std::exception_ptr failure;
  {
    const InterruptGuard guard;
    Progress progress(until, !output.quiet);
    simulation.on_step([&](double t) {
      progress.step(t, simulation.worst_residual());
      if (interrupted()) throw Interrupted{t, {}, {}};
    });
    try {
      integrate(collector);
    } catch (const SimulationError&) {
      failure = std::current_exception();
    } catch (Interrupted& stop) {
      if (!output.folder) throw;
      if (controllers) stop.why_not_saved = controllers->why_not_saved();
      if (!stop.why_not_saved.empty()) {
        remove_saved_run(folder);
        throw;
      }
      // The last checkpoint on time stands: to go on from there is to go on bit for bit.
      if (!checkpoint_every) save(simulation.checkpoint());
      stop.folder = *output.folder;
      throw;
    } catch (...) {
      if (saver != nullptr && saver->is_begun() && !has_saved_run(folder)) remove_saved_run(folder);
      throw;
    }
  }
  const Recording recording = collector.shown().recording();
  if (output.folder) {
    const LeftOut left_out = collector.shown().left_out();
    write_output_folder(
        recording, folder, &simulation.model(), output.hdf5, [&] { saver->publish(); },
        run.looks(output.files_elsewhere), &left_out);
    remove_saved_run(folder);
  }
  print_run(recording.summary, output);
  if (failure) std::rethrow_exception(failure);
  std::string failed;
  for (const auto& gate : recording.summary.failed_gates)
    failed += (failed.empty() ? "" : "; ") + gate;
  if (!failed.empty()) throw GateFailed(failed);
}

}  // namespace hamiltree::app
