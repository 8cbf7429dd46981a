// Arguments and results shared by several bindings.
#pragma once

#include <pybind11/pybind11.h>

#include "arrays.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/state.hpp"

namespace hamiltree::bindings {

// The model's own initial state, or one of the user's; `q` and `v` may be None.
State make_state(const Model& model, double t, const pybind11::object& q,
                 const pybind11::object& v);

}  // namespace hamiltree::bindings
