// Many states at a time.
#include "hamiltree/batch/batch.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "callbacks.hpp"
#include "hamiltree/base/counted.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/batch/rollout.hpp"
#include "hamiltree/integrators/chosen_method.hpp"
#include "signals.hpp"

namespace py = pybind11;

namespace hamiltree::bindings {
namespace {

Rows batch_rows(const Array& array, const char* name, int size) {
  const auto rows = rows_of(array, name, size);
  if (!rows.batched)
    throw UsageError(std::string(name) + " needs a batch axis: (B, " + std::to_string(size) + ")");
  return rows;
}

// Arrays of other libraries by DLPack, where they are on the processor; anything else as NumPy
// takes it.
Array array_of(const py::object& x) {
  const bool is_other = !py::isinstance<py::array>(x) && py::hasattr(x, "__dlpack__");
  const auto array =
      Array::ensure(is_other ? py::module_::import("numpy").attr("from_dlpack")(x) : x);
  if (!array) throw py::type_error("an array of numbers is needed");
  return array;
}

struct Sizes {
  std::string name;
  int coordinates, velocities;

  explicit Sizes(const Model& model)
      : name(model.name()),
        coordinates(model.coordinate_count()),
        velocities(model.velocity_count()) {}
  std::string text() const {
    return "\"" + name + "\": " + counted(coordinates, "coordinate") + ", " +
           counted(velocities, "velocity", "velocities");
  }
};

py::ssize_t check_states(const Array& q, const Array& p, const Sizes& sizes) {
  const auto rows = batch_rows(q, "q", sizes.coordinates);
  if (batch_rows(p, "p", sizes.velocities).count != rows.count)
    throw UsageError("q and p must have the same batch axis");
  return rows.count;
}

// What becomes of the others where a state cannot be computed.
bool others_go_on(const std::string& on_failure) {
  if (on_failure == "raise") return false;
  if (on_failure == "nan") return true;
  throw UsageError("on_failure is \"raise\" or \"nan\", not \"" + on_failure + "\"");
}

bool is_finite(const double* values, py::ssize_t count) {
  return std::all_of(values, values + count, [](double x) { return std::isfinite(x); });
}

class Rates {
 public:
  explicit Rates(const std::vector<Model>& models)
      : sizes_(models.front()), instances_(models.size()), batch_(models) {}

  bool in_lanes() const { return batch_.in_lanes(); }
  std::string text() const {
    const auto models = instances_ > 1 ? std::to_string(instances_) + " models such as " : "";
    return "<Batch of " + models + sizes_.text() +
           (in_lanes() ? ", eight states at a time>" : ", one state at a time>");
  }
  py::tuple rate(const py::object& q_given, const py::object& p_given, double t,
                 const std::string& on_failure) {
    const bool go_on = others_go_on(on_failure);
    const Array q = array_of(q_given), p = array_of(p_given);
    const auto count = check_states(q, p, sizes_);
    if (instances_ > 1 && static_cast<std::size_t>(count) != instances_)
      throw UsageError("there must be one state for each of the " + std::to_string(instances_) +
                       " models");
    Array q_dot({count, static_cast<py::ssize_t>(sizes_.coordinates)});
    Array p_dot({count, static_cast<py::ssize_t>(sizes_.velocities)});
    if (count == 0) return py::make_tuple(q_dot, p_dot);
    double* to_q = q_dot.mutable_data();
    double* to_p = p_dot.mutable_data();
    const double* from_q = q.data();
    const double* from_p = p.data();
    const auto status = without_lock([&] {
      const std::scoped_lock one_at_a_time(mutex_);
      return batch_.rate(t, static_cast<std::size_t>(count), from_q, from_p, to_q, to_p);
    });
    for (py::ssize_t k = 0; status != Status::kOk && k < count; ++k) {
      double* const q_row = to_q + k * sizes_.coordinates;
      double* const p_row = to_p + k * sizes_.velocities;
      if (is_finite(q_row, sizes_.coordinates) && is_finite(p_row, sizes_.velocities)) continue;
      if (!go_on)
        throw SimulationError(
            t, "the rates of state " + std::to_string(k) + " of the batch are not finite");
      std::fill_n(q_row, sizes_.coordinates, std::numeric_limits<double>::quiet_NaN());
      std::fill_n(p_row, sizes_.velocities, std::numeric_limits<double>::quiet_NaN());
    }
    return py::make_tuple(q_dot, p_dot);
  }

 private:
  Sizes sizes_;
  std::size_t instances_;
  Batch batch_;
  std::mutex mutex_;
};

class Rollouts {
 public:
  Rollouts(const Model& model, const std::string& integrator, std::optional<double> step,
           int threads)
      : sizes_(model),
        integrator_(integrator),
        rollout_(model, chosen_method(integrator, {}, {}, step), threads) {
    rollout_.on_step(raise_signals_now_and_then());
  }

  std::string text() const { return "<Rollout of " + sizes_.text() + ", by " + integrator_ + ">"; }
  // Paths of new arrays, or in those given.
  py::tuple run(const py::object& q_given, const py::object& p_given,
                const py::object& efforts_given, double interval, double t,
                const std::optional<Array>& q_path, const std::optional<Array>& p_path,
                const std::string& on_failure) {
    const bool go_on = others_go_on(on_failure);
    const Array q = array_of(q_given), p = array_of(p_given), efforts = array_of(efforts_given);
    const auto count = check_states(q, p, sizes_);
    if (efforts.ndim() != 3 || efforts.shape(0) != count || efforts.shape(2) != sizes_.velocities)
      throw UsageError("efforts must be (B, intervals, " + std::to_string(sizes_.velocities) + ")");
    const auto intervals = efforts.shape(1);
    const auto path = [&](const std::optional<Array>& given, const char* name, int size) {
      if (!given) return Array({count, intervals + 1, static_cast<py::ssize_t>(size)});
      if (given->ndim() != 3 || given->shape(0) != count || given->shape(1) != intervals + 1 ||
          given->shape(2) != size)
        throw UsageError(std::string(name) + " must be (B, intervals + 1, " + std::to_string(size) +
                         ")");
      return *given;
    };
    Array q_out = path(q_path, "q_path", sizes_.coordinates);
    Array p_out = path(p_path, "p_path", sizes_.velocities);
    const RolloutPaths paths{q_out.mutable_data(), p_out.mutable_data()};
    const double *from_q = q.data(), *from_p = p.data(), *efforts_data = efforts.data();
    without_lock([&] {
      const std::scoped_lock one_at_a_time(mutex_);
      q_end_.assign(from_q, from_q + q.size());
      p_end_.assign(from_p, from_p + p.size());
      rollout_.run(t, interval, static_cast<std::size_t>(intervals),
                   static_cast<std::size_t>(count), q_end_.data(), p_end_.data(), efforts_data,
                   paths, go_on ? &failures_ : nullptr);
      return true;
    });
    return py::make_tuple(q_out, p_out);
  }

  void advance(Array q, Array p, double duration, double t, const std::optional<Array>& efforts,
               const std::string& on_failure) {
    const bool go_on = others_go_on(on_failure);
    const auto count = check_states(q, p, sizes_);
    if (q.data() == p.data() && q.size() > 0)
      throw UsageError("q and p are the same array, and both are written in place");
    if (efforts && batch_rows(*efforts, "efforts", sizes_.velocities).count != count)
      throw UsageError("efforts must have the batch axis of the states");
    double* q_data = q.mutable_data();
    double* p_data = p.mutable_data();
    const double* efforts_data = efforts ? efforts->data() : nullptr;
    without_lock([&] {
      const std::scoped_lock one_at_a_time(mutex_);
      rollout_.advance(t, duration, static_cast<std::size_t>(count), q_data, p_data, efforts_data,
                       go_on ? &failures_ : nullptr);
      return true;
    });
  }

  const std::vector<RolloutFailure>& failures() const { return failures_; }

 private:
  Sizes sizes_;
  std::string integrator_;
  Rollout rollout_;
  std::vector<double> q_end_, p_end_;
  std::vector<RolloutFailure> failures_;
  std::mutex mutex_;
};

// Written in place, so nothing may be converted on the way.
Array in_place(const py::object& array, const char* name) {
  if (!Array::check_(array) || !py::reinterpret_borrow<Array>(array).writeable())
    throw UsageError(std::string(name) +
                     " is written in place: a contiguous float64 array is needed that is not "
                     "read-only");
  return py::reinterpret_borrow<Array>(array);
}

}  // namespace

void bind_batch(py::module_& m) {
  py::class_<Rates>(
      m, "Batch",
      "Rates of many states of one model, or of one state for each of as many models "
      "that differ in their dimensions. Eight at a time where they are trees of revolute joints "
      "or loops of revolute joints in a plane, and with AVX-512 of any other mechanism in space, "
      "of one model.")
      .def(py::init([](const Model& model) {
             return std::make_unique<Rates>(std::vector<Model>{model});
           }),
           py::arg("model"))
      .def(py::init([](const std::vector<Model>& models) {
             if (models.empty()) throw UsageError("a batch needs a model");
             return std::make_unique<Rates>(models);
           }),
           py::arg("model"))
      .def_property_readonly("in_lanes", &Rates::in_lanes,
                             "Whether eight states are evaluated at a time.")
      .def("rates", &Rates::rate, py::arg("q"), py::arg("p"), py::arg("t") = 0.0, py::kw_only(),
           py::arg("on_failure") = "raise",
           "(q_dot, p_dot) of states q (B, coordinates) and p (B, velocities): NumPy arrays, or "
           "those of another library by DLPack, on the processor. The results are NumPy arrays, "
           "which other libraries take by DLPack without a copy. A state whose rates are not "
           "finite raises SimulationError, or with on_failure = \"nan\" has rows of NaN.")
      .def("__repr__", &Rates::text);

  py::class_<RolloutFailure>(m, "RolloutFailure", "A state of a Rollout that could not go on.")
      .def_readonly("state", &RolloutFailure::state, "Its row.")
      .def_readonly("time", &RolloutFailure::time, "When, s.")
      .def_readonly("sentence", &RolloutFailure::sentence, "Why.")
      .def("__repr__", [](const RolloutFailure& failure) {
        return "<RolloutFailure of state " + std::to_string(failure.state) + " at " +
               to_text(failure.time) + " s: " + failure.sentence + ">";
      });

  py::class_<Rollouts>(
      m, "Rollout",
      "Many states of one model integrated together by a fixed step, each under efforts "
      "of its own: \"rk4\", \"semi_implicit_euler\" or \"euler\". Loops are closed after each "
      "step.")
      .def(py::init<const Model&, const std::string&, std::optional<double>, int>(),
           py::arg("model"), py::kw_only(), py::arg("integrator") = "rk4",
           py::arg("step") = py::none(), py::arg("threads") = 1)
      .def(
          "run",
          [](Rollouts& r, const py::object& q, const py::object& p, const py::object& efforts,
             double interval, double t, const py::object& q_path, const py::object& p_path,
             const std::string& on_failure) {
            const auto buffer = [](const py::object& array, const char* name) {
              return array.is_none() ? std::nullopt : std::optional(in_place(array, name));
            };
            return r.run(q, p, efforts, interval, t, buffer(q_path, "q_path"),
                         buffer(p_path, "p_path"), on_failure);
          },
          py::arg("q"), py::arg("p"), py::arg("efforts"), py::arg("interval"), py::kw_only(),
          py::arg("t") = 0.0, py::arg("q_path") = py::none(), py::arg("p_path") = py::none(),
          py::arg("on_failure") = "raise",
          "(q_path, p_path) of states q (B, coordinates) and p (B, velocities) under efforts (B, "
          "intervals, velocities), each held for interval s: (B, intervals + 1, coordinates) and "
          "(B, intervals + 1, velocities), the start first. Written into the arrays given, so "
          "that nothing is allocated. A state that cannot go on ends the run with SimulationError; "
          "with on_failure = \"nan\" its numbers are NaN from there on, `failures` says why, and "
          "the others go on.")
      .def(
          "advance",
          [](Rollouts& r, const py::object& q, const py::object& p, double duration, double t,
             const std::optional<Array>& efforts, const std::string& on_failure) {
            r.advance(in_place(q, "q"), in_place(p, "p"), duration, t, efforts, on_failure);
          },
          py::arg("q"), py::arg("p"), py::arg("duration"), py::kw_only(), py::arg("t") = 0.0,
          py::arg("efforts") = py::none(), py::arg("on_failure") = "raise",
          "Moves q (B, coordinates) and p (B, velocities) in place by duration s. Efforts (B, "
          "velocities), N m or N, are held and act along the joints' velocities. Where a state "
          "cannot go on, SimulationError leaves all as they were; with on_failure = \"nan\" its "
          "numbers become NaN, and the others go on.")
      .def_property_readonly("failures", &Rollouts::failures,
                             "Of the last run() or advance() with on_failure = \"nan\", by state.")
      .def("__repr__", &Rollouts::text);
}

}  // namespace hamiltree::bindings
