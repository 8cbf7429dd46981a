// hamiltree._native: what Python sees of the engine. Names are those of C++, docs/conventions.md.
#include "bindings.hpp"
#include "hamiltree/base/version.hpp"

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
}
