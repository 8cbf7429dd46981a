// hamiltree._native: what Python sees of the engine. Names are those of C++, docs/conventions.md.
#include <set>
#include <string>

#include "bindings.hpp"
#include "hamiltree/base/version.hpp"

namespace {

// __all__ of the module: what the package hands on as it is.
pybind11::list names_of(const pybind11::module_& m) {
  const std::set<std::string> wrapped{"Model",           "RawRecording",  "Simulation",
                                      "SweepWorker",     "begin_sweep",   "check_threads",
                                      "has_controllers", "load_with_log", "run_controller",
                                      "run_sweep",       "show_modes"};
  pybind11::list names;
  for (const auto& [key, value] : m.attr("__dict__").cast<pybind11::dict>()) {
    const auto name = key.cast<std::string>();
    if (name.front() != '_' && !wrapped.contains(name)) names.append(name);
  }
  return names;
}

}  // namespace

PYBIND11_MODULE(_native, m) {
  namespace bindings = hamiltree::bindings;
  m.doc() = "The engine itself; import hamiltree instead.";
  m.attr("__version__") = hamiltree::kVersion;
  bindings::bind_errors(m);
  bindings::bind_callbacks(m);
  bindings::bind_mechanism(m);
  bindings::bind_forces(m);
  bindings::bind_sensors(m);
  bindings::bind_model(m);
  bindings::bind_formulation(m);
  bindings::bind_recording(m);
  bindings::bind_simulation(m);
  bindings::bind_analysis(m);
  bindings::bind_sensitivity(m);
  bindings::bind_batch(m);
  bindings::bind_sweep(m);
  m.attr("__all__") = names_of(m);
}
