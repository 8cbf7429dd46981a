// The engine's exceptions as those of hamiltree.errors.
#include "errors.hpp"

#include <system_error>

#include "bindings.hpp"
#include "hamiltree/base/error.hpp"

namespace py = pybind11;

namespace hamiltree::bindings {
namespace {

py::object class_named(const char* name) {
  return py::module_::import("hamiltree.errors").attr(name);
}

py::object or_none(const std::string& text) {
  return text.empty() ? py::object(py::none()) : py::object(py::str(text));
}

void set(const py::object& error) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
}

}  // namespace

[[noreturn]] void raise_simulation_error(const SimulationError& error, const py::object& last_state,
                                         const py::object& model, const py::object& recording) {
  set(class_named("SimulationError")(error.what(), error.time(), or_none(error.body()), last_state,
                                     model, recording));
  throw py::error_already_set();
}

void bind_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const ModelError& error) {
      const auto line = error.where().line;
      set(class_named("ModelError")(error.what(), or_none(error.where().file),
                                    line == 0 ? py::object(py::none()) : py::object(py::int_(line)),
                                    error.element()));
    } catch (const UsageError& error) {
      set(class_named("UsageError")(error.what()));
    } catch (const SimulationError& error) {
      set(class_named("SimulationError")(error.what(), error.time(), or_none(error.body())));
    } catch (const std::system_error& error) {  // FileNotFoundError and the like, by the number
      set(py::module_::import("builtins").attr("OSError")(error.code().value(), error.what()));
    }
  });
}

}  // namespace hamiltree::bindings
