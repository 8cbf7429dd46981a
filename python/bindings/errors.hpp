// Errors of a run carry what it had reached.
#pragma once

#include <pybind11/pybind11.h>

#include "hamiltree/base/error.hpp"

namespace hamiltree::bindings {

[[noreturn]] void raise_simulation_error(const SimulationError& error,
                                         const pybind11::object& last_state,
                                         const pybind11::object& model,
                                         const pybind11::object& recording);

}  // namespace hamiltree::bindings
