#include "hamiltree/model/least_of_parameters.hpp"

#include <limits>

#include "hamiltree/model/parameter_visit.hpp"
#include "hamiltree/model/validate_force.hpp"

namespace hamiltree {
namespace {

// Whether a file may not give a force these numbers.
template <class Element>
bool is_refused(const Element& element) {
  try {
    check_numbers_of(element.described(), "");
  } catch (const RefusedElement&) {
    return true;
  }
  return false;
}

}  // namespace

std::map<std::string, double> least_of_parameters(const Model& model) {
  std::map<std::string, double> least;
  for (int b = 0; b < model.body_count(); ++b) least["body." + model.body_name(b) + ".mass"] = 0.0;
  model.visit([&]<class Space>(System<Space> system) {
    using Visit = ParameterVisit<Space>;
    Visit(model, system).each_force([&](const std::string& force, auto& element) {
      Visit::of_force(force, element, [&](const std::string& name, double& number) {
        const double value = number;
        number = -1.0;
        if (is_refused(element)) {
          number = 0.0;
          least[name] = is_refused(element) ? std::numeric_limits<double>::min() : 0.0;
        }
        number = value;
      });
    });
  });
  return least;
}

}  // namespace hamiltree
