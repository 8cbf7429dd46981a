// DifferentiableRun: runs whose samples can be differentiated.
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "callbacks.hpp"
#include "hamiltree/analysis/start_at_time.hpp"
#include "hamiltree/base/counted.hpp"
#include "hamiltree/integrators/chosen_method.hpp"
#include "hamiltree/sensitivity/differentiable_run.hpp"
#include "pickled.hpp"
#include "signals.hpp"

namespace py = pybind11;

namespace hamiltree::bindings {
namespace {

using sensitivity::Columns;
using sensitivity::RunChange;
using sensitivity::RunOptions;
using sensitivity::RunSamples;
using Names = std::vector<std::string>;
using OptionalArray = std::optional<Array>;

// The sweeps of a run share their buffers: one at a time.
struct LockedRun final : sensitivity::DifferentiableRun {
  using sensitivity::DifferentiableRun::DifferentiableRun;
  std::mutex sweep;
};

Eigen::VectorXd vector_or_none(const OptionalArray& array) {
  return array ? to_vector(*array) : Eigen::VectorXd();
}
Columns columns_or_none(const char* name, const OptionalArray& array) {
  if (!array) return {};
  if (array->ndim() != 2)
    throw UsageError(std::string(name) + " is an array with two axes, not with " +
                     std::to_string(array->ndim()));
  return Eigen::Map<const Columns>(array->data(), array->shape(0), array->shape(1));
}

std::unique_ptr<LockedRun> make_run(const Model& model, double until, const OptionalArray& samples,
                                    const OptionalArray& q, const OptionalArray& v, double start,
                                    const Names& parameters, const Names& controls,
                                    const OptionalArray& efforts, const std::string& integrator,
                                    std::optional<double> step, std::optional<double> rtol,
                                    std::optional<double> atol, const std::string& formulation,
                                    std::size_t checkpoints) {
  RunOptions options;
  options.formulation = formulation;
  options.integrator = chosen_method(integrator, rtol, atol, step);
  options.from = start;
  options.until = until;
  if (samples) {
    const auto times = to_vector(*samples);
    options.samples.assign(times.begin(), times.end());
    if (options.samples.empty()) throw UsageError("samples are empty");
  }
  options.parameters = parameters;
  options.controls = controls;
  options.efforts = columns_or_none("efforts", efforts);
  options.checkpoints = checkpoints;
  options.on_step = raise_signals_now_and_then();
  std::optional<InitialState> initial;
  if (!q)
    initial = without_lock([&] { return analysis::state_at_time(model, start, options.on_step); });
  const Eigen::VectorXd at_q = q ? to_vector(*q) : initial->q;
  const Eigen::VectorXd at_v = v   ? to_vector(*v)
                               : q ? Eigen::VectorXd(Eigen::VectorXd::Zero(model.velocity_count()))
                                   : initial->v;
  return without_lock([&] { return std::make_unique<LockedRun>(model, options, at_q, at_v); });
}

RunChange gradient(LockedRun& run, const OptionalArray& q, const OptionalArray& v,
                   const OptionalArray& p, const OptionalArray& readings) {
  RunSamples cotangents;
  cotangents.q = columns_or_none("q", q);
  cotangents.v = columns_or_none("v", v);
  cotangents.p = columns_or_none("p", p);
  cotangents.readings = columns_or_none("readings", readings);
  for (const auto& [name, x] :
       {std::pair("q", &cotangents.q), std::pair("v", &cotangents.v), std::pair("p", &cotangents.p),
        std::pair("readings", &cotangents.readings)}) {
    if (!x->allFinite())
      throw UsageError(std::string("derivatives with respect to ") + name + " are not finite");
  }
  return without_lock([&] {
    const std::scoped_lock one_at_a_time(run.sweep);
    return run.gradient(cotangents);
  });
}

RunSamples tangents(LockedRun& run, const OptionalArray& q, const OptionalArray& v,
                    const OptionalArray& parameters, const OptionalArray& efforts) {
  const RunChange direction{vector_or_none(q), vector_or_none(v), vector_or_none(parameters),
                            columns_or_none("efforts", efforts)};
  return without_lock([&] {
    const std::scoped_lock one_at_a_time(run.sweep);
    return run.tangents(direction);
  });
}

void bind_data(py::module_& m) {
  py::class_<RunSamples>(m, "RunSamples", "Of every sample a row; or how these change.")
      .def_readonly("t", &RunSamples::t, "s")
      .def_readonly("q", &RunSamples::q, "(samples, coordinates), rad, m")
      .def_readonly("v", &RunSamples::v, "(samples, velocities), rad/s, m/s")
      .def_readonly("p", &RunSamples::p, "(samples, velocities)")
      .def_readonly("readings", &RunSamples::readings, "(samples, readings) of sensors")
      .def(pickled<RunSamples>());
  // Copies, which may be written to: SciPy's L-BFGS-B takes no other gradients.
  py::class_<RunChange>(m, "RunChange",
                        "A change of what a run depends on: the gradient of an objective.")
      .def_property_readonly(
          "q", [](const RunChange& c) { return c.q; }, "(coordinates,) of the start")
      .def_property_readonly(
          "v", [](const RunChange& c) { return c.v; }, "(velocities,) of the start")
      .def_property_readonly(
          "parameters", [](const RunChange& c) { return c.parameters; }, "(parameters,)")
      .def_property_readonly(
          "efforts", [](const RunChange& c) { return c.efforts; }, "(parts, controls)")
      .def(pickled<RunChange>());
}

}  // namespace

void bind_sensitivity(py::module_& m) {
  bind_data(m);
  const auto none = py::none();
  py::class_<LockedRun>(
      m, "DifferentiableRun",
      "A run whose samples can be differentiated with respect to the start (q, v), to parameters "
      "of the model and to efforts at controls: exactly for the steps taken, loops closed after "
      "each. samples: ascending times (None: after every step). efforts: (parts, controls), a row "
      "held for each of equal parts of the run. The start (None: the model's; v alone None: at "
      "rest) is brought onto the loops. integrator: one with fixed steps, implicit ones included, "
      "or dormand_prince, whose accepted steps are held. checkpoints: states kept at a time (0: "
      "all), which changes no bit. Events are not looked for, and end no run. "
      "Throws SimulationError where the run passes near a singular pose.")
      .def(py::init(&make_run), py::arg("model"), py::arg("until"), py::kw_only(),
           py::arg("samples") = none, py::arg("q") = none, py::arg("v") = none,
           py::arg("start") = 0.0, py::arg("parameters") = Names(), py::arg("controls") = Names(),
           py::arg("efforts") = none, py::arg("integrator") = "rk4", py::arg("step") = none,
           py::arg("rtol") = none, py::arg("atol") = none, py::arg("formulation") = "auto",
           py::arg("checkpoints") = 0)
      .def_property_readonly("model", &LockedRun::model)
      .def_property_readonly("samples", &LockedRun::samples,
                             py::return_value_policy::reference_internal)
      .def_property_readonly(
          "t", [](const LockedRun& r) { return r.samples().t; }, "s")
      .def_property_readonly("q", [](const LockedRun& r) { return r.samples().q; })
      .def_property_readonly("v", [](const LockedRun& r) { return r.samples().v; })
      .def_property_readonly("p", [](const LockedRun& r) { return r.samples().p; })
      .def_property_readonly("readings", [](const LockedRun& r) { return r.samples().readings; })
      .def_property_readonly("reading_names", &LockedRun::reading_names,
                             "Channels of the sensors, those of reactions left out.")
      .def_property_readonly("weights", &LockedRun::weights,
                             "(samples,), s: trapezoidal; weights @ x is the integral of x.")
      .def_property_readonly("start_q", &LockedRun::start_q, "as it was given")
      .def_property_readonly("start_v", &LockedRun::start_v)
      .def_property_readonly("steps", &LockedRun::steps)
      .def_property_readonly("kept_bytes", &LockedRun::kept_bytes,
                             "Memory of the states that are kept.")
      .def("gradient", &gradient, py::kw_only(), py::arg("q") = none, py::arg("v") = none,
           py::arg("p") = none, py::arg("readings") = none,
           "The RunChange that is the gradient of an objective, from its derivatives with respect "
           "to the samples; None: 0.")
      .def("tangents", &tangents, py::kw_only(), py::arg("q") = none, py::arg("v") = none,
           py::arg("parameters") = none, py::arg("efforts") = none,
           "RunSamples: the samples' derivatives along one change; None: 0.")
      .def("__repr__",
           [](const LockedRun& run) {
             return "<DifferentiableRun of \"" + run.model().name() + "\", " +
                    counted(static_cast<long>(run.steps()), "step") + ">";
           })
      .def("__getstate__", [](const LockedRun&) -> py::object {
        throw py::type_error(
            "a DifferentiableRun keeps the steps of its run and cannot be pickled, nor a Gradient "
            "with its run: pickle the samples, or value, q, v, parameters and efforts");
      });
}

}  // namespace hamiltree::bindings
