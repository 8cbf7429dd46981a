// Sweeps: run_sweep() without the interpreter's lock, Ctrl-C between two steps.
#include "hamiltree/sweep/sweep.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bindings.hpp"
#include "callbacks.hpp"
#include "hamiltree/formulations/choice/check_options.hpp"
#include "hamiltree/sweep/study.hpp"
#include "hamiltree/sweep/sweep_tasks.hpp"
#include "signals.hpp"

namespace py = pybind11;

namespace hamiltree::bindings {
namespace {

// The thread that has called asks for Ctrl-C; the others see what it has seen.
class Signals {
 public:
  bool interrupted() {
    if (std::this_thread::get_id() == caller_ && clock_.is_due()) {
      const py::gil_scoped_acquire lock;
      if (PyErr_CheckSignals() != 0) seen_ = true;
    }
    return seen_;
  }
  bool seen() const { return seen_; }

 private:
  std::thread::id caller_ = std::this_thread::get_id();
  SignalClock clock_;
  std::atomic<bool> seen_ = false;
};

SweepStudy study_of(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  ImportLog log(false);
  auto study = read_study(file, {}, log, overrides);
  study.controller_command = controller_command();
  return study;
}

py::dict sweep(const std::filesystem::path& file, const std::filesystem::path& out, int threads,
               bool hdf5, const std::vector<std::string>& overrides) {
  const auto study = study_of(file, overrides);
  SweepOptions options;
  options.folder = out;
  options.threads = threads;
  options.hdf5 = hdf5;
  Signals signals;
  options.interrupted = [&] { return signals.interrupted(); };
  const auto summary = without_lock([&] { return run_sweep(study, options); });
  if (signals.seen()) throw py::error_already_set();
  py::dict result;
  result["parameters"] = study.parameters;
  result["samples"] = summary.samples;
  result["found"] = summary.found;
  result["lanes"] = summary.lanes;
  return result;
}

// A worker with the study that it is of.
class OwnWorker {
 public:
  OwnWorker(const std::filesystem::path& file, const std::filesystem::path& out,
            const std::vector<std::string>& overrides)
      : study_(study_of(file, overrides)), worker_(study_, out) {}

  void run(const std::vector<std::size_t>& samples, int session, int task) const {
    Signals signals;
    try {
      without_lock([&] {
        worker_.run(samples, session, task, [&] { return signals.interrupted(); });
        return true;
      });
    } catch (const SweepInterrupted&) {
      throw py::error_already_set();
    }
  }

 private:
  SweepStudy study_;
  SweepWorker worker_;
};

}  // namespace

void bind_sweep(py::module_& m) {
  m.def("check_threads", &check_threads, py::arg("threads"));
  m.def("run_sweep", &sweep, py::arg("study"), py::arg("out"), py::kw_only(),
        py::arg("threads") = 0, py::arg("hdf5") = false,
        py::arg("overrides") = std::vector<std::string>{});
  m.def(
      "begin_sweep",
      [](const std::filesystem::path& file, const std::filesystem::path& out, std::size_t most,
         const std::vector<std::string>& overrides) {
        const auto begun = begin_sweep(study_of(file, overrides), out, most);
        return std::pair(begun.tasks, begun.session);
      },
      py::arg("study"), py::arg("out"), py::kw_only(), py::arg("most"), py::arg("overrides"));
  py::class_<OwnWorker>(m, "SweepWorker")
      .def(py::init<const std::filesystem::path&, const std::filesystem::path&,
                    const std::vector<std::string>&>(),
           py::arg("study"), py::arg("out"), py::arg("overrides"))
      .def("run", &OwnWorker::run, py::arg("samples"), py::arg("session"), py::arg("task"));
}

}  // namespace hamiltree::bindings
