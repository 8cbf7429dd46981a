// The parts of hamiltree._native; each file binds the folder of src/hamiltree that it is named
// after.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace hamiltree::bindings {

void bind_errors(pybind11::module_& m);
void bind_mechanism(pybind11::module_& m);
void bind_forces(pybind11::module_& m);
void bind_sensors(pybind11::module_& m);
void bind_callbacks(pybind11::module_& m);
void bind_model(pybind11::module_& m);
void bind_formulation(pybind11::module_& m);
void bind_recording(pybind11::module_& m);
void bind_simulation(pybind11::module_& m);
void bind_analysis(pybind11::module_& m);
void bind_sensitivity(pybind11::module_& m);
void bind_batch(pybind11::module_& m);
void bind_sweep(pybind11::module_& m);

// The interpreter runs controllers that are files, each in a process of its own.
std::vector<std::string> controller_command();

}  // namespace hamiltree::bindings
