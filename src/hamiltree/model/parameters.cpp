#include "hamiltree/model/parameters.hpp"

#include "hamiltree/model/parameter_visit.hpp"

namespace hamiltree {

std::vector<Parameter> parameters(const Model& model) {
  std::vector<Parameter> all;
  model.visit([&]<class Space>(System<Space> system) {
    ParameterVisit<Space>(model, system).all([&](const std::string& name, double value) {
      all.push_back({name, value});
    });
  });
  return all;
}

}  // namespace hamiltree
