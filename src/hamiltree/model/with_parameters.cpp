#include "hamiltree/model/with_parameters.hpp"

#include <cmath>
#include <concepts>
#include <cstddef>
#include <map>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/model/checks.hpp"
#include "hamiltree/model/parameter_visit.hpp"
#include "hamiltree/model/validate_force.hpp"

namespace hamiltree {

std::vector<int> parameter_numbers(const Model& model, const std::vector<std::string>& names) {
  const auto all = parameters(model);
  std::multimap<std::string, int> numbers;
  for (std::size_t i = 0; i < all.size(); ++i) numbers.emplace(all[i].name, static_cast<int>(i));
  std::vector<int> found;
  for (const auto& name : names) {
    const auto count = numbers.count(name);
    if (count == 0) throw UsageError("\"" + name + "\" is not a parameter of " + model.name());
    if (count > 1)
      throw UsageError("\"" + name + "\" names more than one parameter of " + model.name());
    found.push_back(numbers.find(name)->second);
  }
  return found;
}

namespace {

// Refuses numbers of forces that a description may not have either. Forces of which no parameter
// is named are as they were.
template <class Space>
class ForceCheck {
 public:
  ForceCheck(const System<Space>& system, const std::vector<Parameter>& values)
      : stops_(system.joint_stops), values_(values) {}

  template <class Element>
  void operator()(const std::string& force, const Element& element) const {
    std::string named;
    for (const auto& [name, value] : values_) {
      if (name.starts_with(force + "."))
        named += (named.empty() ? "\"" : ", \"") + name + "\" = " + to_text(value);
    }
    if (named.empty()) return;
    try {
      if constexpr (std::same_as<Element, JointStop<Space>>) {
        check_numbers_of(element.described(other_end(element)), named);
      } else {
        constexpr bool in_space = std::derived_from<Element, JointEnds<Space>>;
        check_numbers_of(element.described(), named, in_space);
      }
    } catch (const RefusedElement& refused) {
      throw UsageError(refused.what());
    }
  }

 private:
  // The stops of a way stand side by side, the lower one first.
  const JointStop<Space>* other_end(const JointStop<Space>& stop) const {
    const auto* other = stop.law.side > 0.0 ? &stop - 1 : &stop + 1;
    const bool is_there = other >= stops_.data() && other < stops_.data() + stops_.size();
    return is_there && other->joint == stop.joint && other->law.side != stop.law.side ? other
                                                                                      : nullptr;
  }

  const std::vector<JointStop<Space>>& stops_;
  const std::vector<Parameter>& values_;
};

}  // namespace

Model with_parameters(const Model& model, const std::vector<Parameter>& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) {
    names.push_back(name);
    if (!std::isfinite(value) || (value < 0.0 && name.ends_with(".mass"))) {
      throw UsageError("\"" + name + "\" cannot be " + to_text(value));
    }
  }
  const auto numbers = parameter_numbers(model, names);
  return model.visit([&]<class Space>(System<Space> system) {
    std::vector<double*> all;
    ParameterVisit<Space> visit(model, system);
    visit.all([&](const std::string&, double& number) { all.push_back(&number); });
    for (std::size_t i = 0; i < values.size(); ++i) *all[at(numbers[i])] = values[i].value;
    visit.each_force(ForceCheck<Space>(system, values));
    visit.complete_inertias();
    for (int b = 0; b < system.body_count(); ++b) {
      Eigen::Matrix3d J = Eigen::Matrix3d::Zero();
      J.template bottomRightCorner<Space::kAngular, Space::kAngular>() = system.body(b).J_com;
      if (const auto problem = inertia_problem(J, true))
        throw UsageError(titled("body", model.body_name(b)) + ": " + *problem);
    }
    return model.with_tables(std::move(system));
  });
}

}  // namespace hamiltree
