// Forces as the builder takes them, from what their descriptions say (model/forces/); their laws
// are at the head of each file in forces/.
#include <string>
#include <utility>
#include <variant>

#include "bindings.hpp"
#include "force_keywords.hpp"

namespace py = pybind11;

namespace hamiltree::bindings {
namespace {

template <class Force>
Force force_of(const py::kwargs& given) {
  Keywords keywords(Force::kClass, given);
  Force force;
  if constexpr (requires { force.name; }) {
    force.name = keywords.as<std::string>("name", keywords.require("name"));
  }
  Force::fields(force, KeywordReader(keywords));
  keywords.finish();
  return force;
}

template <class Force>
std::string signature_of() {
  const Force fresh{};
  KeywordSignature keywords;
  Force::fields(fresh, keywords);
  const std::string name = std::string(Force::kClass);
  const char* own_name = requires { fresh.name; }
  ? ", name: str" : "";
  return "__init__(self: hamiltree._native." + name + ", *" + own_name + keywords.text() +
         ") -> None";
}

template <class Force>
void bind(py::module_& m) {
  if constexpr (requires { Force::kClass; }) {
    py::options options;
    options.disable_function_signatures();  // which would know only that there are keywords
    py::class_<Force>(m, Force::kClass, Force::kHelp)
        .def(py::init(&force_of<Force>), signature_of<Force>().c_str());
  }
}

template <class... Forces>
void bind_all(py::module_& m, std::variant<Forces...>*) {
  (bind<Forces>(m), ...);
}

}  // namespace

void bind_forces(py::module_& m) { bind_all(m, static_cast<ForceDescription*>(nullptr)); }

}  // namespace hamiltree::bindings
