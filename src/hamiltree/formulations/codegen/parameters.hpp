// The parameters of a System as inputs of generated code. Zeros are structure and stay folded, and
// so is what is no parameter, and the choices made at generation.
#pragma once

#include <string>
#include <vector>

#include "hamiltree/formulations/codegen/routine.hpp"
#include "hamiltree/math/tracing.hpp"
#include "hamiltree/model/parameter_visit.hpp"
#include "hamiltree/model/parameters.hpp"

namespace hamiltree::codegen {

// Calls visit(name, number) for those that are not zero.
template <class Space, class Visit>
void visit_nonzero(const Model& model, System<Space>& system, const Visit& visit) {
  ParameterVisit<Space> parameters(model, system);
  parameters.all([&](const std::string& name, typename Space::Scalar& number) {
    if (to_double(number) != 0.0) visit(name, number);
  });
  parameters.complete_inertias();
}

// Those of a model, with its values.
template <class Space>
std::vector<Parameter> parameters_of(const Model& model, System<Space> system) {
  std::vector<Parameter> all;
  visit_nonzero(model, system, [&](const std::string& name, const double& value) {
    all.push_back({name, value});
  });
  return all;
}

// Makes them inputs of a trace, in the same order.
template <class Space>
void take_parameters(const Model& model, System<Space>& system, Trace& trace) {
  visit_nonzero(model, system,
                [&](const std::string& name, Traced& number) { number = trace.input(name); });
}

}  // namespace hamiltree::codegen
