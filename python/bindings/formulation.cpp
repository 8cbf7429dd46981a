// Formulation with a workspace of its own: rates, velocities, accelerations, reactions.
#include "hamiltree/formulations/formulation.hpp"

#include <pybind11/stl.h>

#include <cmath>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "callbacks.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/codegen/generated.hpp"
#include "hamiltree/formulations/derivatives/derivatives.hpp"
#include "hamiltree/formulations/not_finite.hpp"
#include "hamiltree/formulations/select.hpp"
#include "hamiltree/model/parameters.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/state.hpp"

namespace py = pybind11;

namespace hamiltree::bindings {
namespace {

// The model's start; at rest at q where this is given.
InitialState start_of(const Model& model, const py::object& q) {
  if (q.is_none()) return initial_state(model);
  InitialState start;
  start.q = to_vector(q.cast<Array>());
  if (!start.q.allFinite()) throw UsageError("q must be finite");
  start.v = Eigen::VectorXd::Zero(model.velocity_count());
  start.p = momenta_of(model, 0.0, start.q, start.v);
  return start;
}

// An evaluation of many states, one after the other. One thread at a time: there is one workspace.
class Evaluator {
 public:
  Evaluator(Model model, const std::string& name, double baumgarte, const py::object& q)
      : Evaluator(model, name, baumgarte, start_of(model, q)) {}

  Evaluator(Model model, const std::string& name, double baumgarte, const InitialState& initial)
      : model_(std::move(model)),
        formulation_(make_formulation(chosen(name, model_, initial.q), model_, {baumgarte})),
        workspace_(formulation_->make_workspace()) {
    const auto& u = formulation_->form() == StateForm::kMomenta ? initial.p : initial.v;
    redundancy_ = without_lock([&] {
      return formulation_->analyse({0.0, initial.q.data(), u.data()}, *workspace_);
    });
  }

  const Model& model() const { return model_; }
  const Formulation& formulation() const { return *formulation_; }
  const Workspace& workspace() const { return *workspace_; }
  const Redundancy& redundancy() const { return redundancy_; }

  Rows rows(const Array& q, const Array& u) const {
    const auto of_q = rows_of(q, "q", model_.coordinate_count());
    const auto of_u = rows_of(u, "the second half of the state", model_.velocity_count());
    if (of_q.batched != of_u.batched || of_q.count != of_u.count)
      throw UsageError("both halves of the state must have the same batch axis");
    return of_q;
  }

  // Calls evaluate(state) at each state, then take(row, its status).
  template <class Evaluate, class Take>
  void visit(const Array& q, const Array& u, double t, const Rows& rows, Evaluate evaluate,
             Take take) {
    const double* q_data = q.data();
    const double* u_data = u.data();
    without_lock([&] {
      const std::scoped_lock one_at_a_time(mutex_);
      for (py::ssize_t k = 0; k < rows.count; ++k) {
        const StateView state{t, q_data + k * model_.coordinate_count(),
                              u_data + k * model_.velocity_count()};
        formulation_->prepare(state, *workspace_);
        const auto status = evaluate(state);
        if (status == Status::kNotFinite) refuse(k, rows, t);
        take(k, status);
      }
      return true;
    });
  }
  Status rate(const StateView& state) { return formulation_->rate(state, *workspace_); }
  Status velocities(const StateView& state) {
    return formulation_->velocities(state, nullptr, *workspace_);
  }
  Status accelerations(const StateView& state) {
    return formulation_->accelerations(state, *workspace_);
  }
  // After accelerations() with this status.
  Reaction reaction(int joint, Status status) const {
    return status == Status::kSingular ? unknown_reaction()
                                       : formulation_->reaction(joint, *workspace_);
  }
  Status jacobians(const StateView& state, Jacobians& result) {
    return unless_masked(derivatives().jacobians(state, *workspace_, result));
  }
  Status along(const StateView& state, const RateDirections& directions, int count,
               RateDerivatives& result) {
    return unless_masked(derivatives().of_rates(state, directions, count, *workspace_, result));
  }
  // Made when first asked for. Throws UsageError where there are none.
  Derivatives& derivatives() {
    if (!derivatives_) derivatives_.emplace(model_, *formulation_);
    return *derivatives_;
  }

 private:
  // Where rows are masked, rates are those of the motion, and their derivatives are not.
  Status unless_masked(Status status) const {
    const bool is_masked = status == Status::kOk && formulation_->least_pivot(*workspace_) == 0.0;
    return is_masked ? Status::kSingular : status;
  }
  static std::string chosen(const std::string& name, const Model& model, const Eigen::VectorXd& q) {
    check_formulation_choice(kernel_of(name));
    return name == kAutoFormulation ? select_formulation(model, q).name : name;
  }
  [[noreturn]] void refuse(py::ssize_t k, const Rows& rows, double t) const {
    std::string text = "the rates";
    if (rows.batched) text += " of state " + std::to_string(k);
    text += " are not finite";
    const auto b = first_not_finite(model_, *workspace_);
    if (b) text += " (first at joint \"" + model_.joint_name(*b) + "\")";
    throw SimulationError(t, text, b ? model_.body_name(*b) : "");
  }

  Model model_;
  std::unique_ptr<Formulation> formulation_;
  std::unique_ptr<Workspace> workspace_;
  Redundancy redundancy_;
  std::optional<Derivatives> derivatives_;
  std::mutex mutex_;
};

void copy(std::span<const double> from, double* to, py::ssize_t row) {
  std::copy(from.begin(), from.end(), to + row * static_cast<py::ssize_t>(from.size()));
}

// The caller's array, written in place, or a new one.
Array result(const py::object& out, const Rows& rows, py::ssize_t size, const char* name) {
  if (out.is_none()) return make_array(rows, {size});
  if (!Array::check_(out)) throw UsageError(std::string(name) + " is no contiguous float64 array");
  auto array = py::reinterpret_borrow<Array>(out);
  const auto given = rows_of(array, name, static_cast<int>(size));
  if (given.count != rows.count || given.batched != rows.batched || !array.writeable())
    throw UsageError(std::string(name) + " does not have the shape of the states, or is read-only");
  return array;
}

py::tuple rates(Evaluator& e, const Array& q, const Array& u, double t, const py::object& out) {
  const auto rows = e.rows(q, u);
  if (!out.is_none() && !py::isinstance<py::tuple>(out) && !py::isinstance<py::list>(out))
    throw UsageError("out is a pair of arrays");
  if (!out.is_none() && py::len(out) != 2)
    throw UsageError("out is a pair of arrays, not " + std::to_string(py::len(out)));
  const auto outs = out.is_none() ? std::pair(py::object(py::none()), py::object(py::none()))
                                  : out.cast<std::pair<py::object, py::object>>();
  auto q_dot = result(outs.first, rows, e.model().coordinate_count(), "out[0]");
  auto u_dot = result(outs.second, rows, e.model().velocity_count(), "out[1]");
  double* to_q = q_dot.mutable_data();
  double* to_u = u_dot.mutable_data();
  e.visit(
      q, u, t, rows, [&](const StateView& state) { return e.rate(state); },
      [&](py::ssize_t k, Status) {
        copy(e.workspace().q_dot, to_q, k);
        copy(e.workspace().u_dot, to_u, k);
      });
  return py::make_tuple(q_dot, u_dot);
}

Array velocities(Evaluator& e, const Array& q, const Array& u, double t) {
  const auto rows = e.rows(q, u);
  auto v = make_array(rows, {e.model().velocity_count()});
  double* to = v.mutable_data();
  e.visit(
      q, u, t, rows, [&](const StateView& state) { return e.velocities(state); },
      [&](py::ssize_t k, Status) { copy(e.workspace().v, to, k); });
  return v;
}

Array accelerations(Evaluator& e, const Array& q, const Array& u, double t) {
  const auto rows = e.rows(q, u);
  auto v_dot = make_array(rows, {e.model().velocity_count()});
  double* to = v_dot.mutable_data();
  const auto n = e.model().velocity_count();
  e.visit(
      q, u, t, rows, [&](const StateView& state) { return e.accelerations(state); },
      [&](py::ssize_t k, Status status) {
        copy(e.workspace().v_dot, to, k);
        if (status == Status::kSingular) std::fill_n(to + k * n, n, unknown_reaction().drive);
      });
  return v_dot;
}

Array reactions(Evaluator& e, const Array& q, const Array& u, double t, const std::string& axes) {
  if (axes != "world" && axes != "joint")
    throw UsageError("axes are \"world\" or \"joint\", not \"" + axes + "\"");
  const auto rows = e.rows(q, u);
  const int joints = e.model().joint_count();
  auto all = make_array(rows, {joints, 6});
  double* to = all.mutable_data();
  e.visit(
      q, u, t, rows, [&](const StateView& state) { return e.accelerations(state); },
      [&](py::ssize_t k, Status status) {
        for (int j = 0; j < joints; ++j) {
          const auto r = e.reaction(j, status);
          Eigen::Map<Eigen::Matrix<double, 6, 1>> here(to + 6 * (k * joints + j));
          if (axes == "world") {
            here << r.force, r.moment;
          } else {
            here << r.joint_force, r.joint_moment;
          }
        }
      });
  return all;
}

Array driving_efforts(Evaluator& e, const Array& q, const Array& u, double t) {
  const auto rows = e.rows(q, u);
  const int joints = e.model().joint_count();
  auto all = make_array(rows, {joints});
  double* to = all.mutable_data();
  e.visit(
      q, u, t, rows, [&](const StateView& state) { return e.accelerations(state); },
      [&](py::ssize_t k, Status status) {
        for (int j = 0; j < joints; ++j) to[k * joints + j] = e.reaction(j, status).drive;
      });
  return all;
}

// Derivatives as arrays (..., rows, columns).
struct JacobianArrays {
  Array v, q_dot, p_dot;

  JacobianArrays(const Rows& rows, const Model& model, py::ssize_t columns)
      : v(make_array(rows, {model.velocity_count(), columns})),
        q_dot(make_array(rows, {model.coordinate_count(), columns})),
        p_dot(make_array(rows, {model.velocity_count(), columns})) {}
  explicit JacobianArrays(const py::tuple& arrays)
      : v(arrays[0].cast<Array>()),
        q_dot(arrays[1].cast<Array>()),
        p_dot(arrays[2].cast<Array>()) {}

  // Copies row k from RateDerivatives or a part of Jacobians; NaN at singular states.
  template <class From>
  void take(const From& from, py::ssize_t k, Status status) {
    const auto copy_one = [&](const auto& columns, Array& to) {
      Eigen::Map<Columns> row(to.mutable_data() + k * columns.size(), columns.rows(),
                              columns.cols());
      row = columns;
      if (status == Status::kSingular) row.fill(std::nan(""));
    };
    copy_one(from.v, v);
    copy_one(from.q_dot, q_dot);
    copy_one(from.p_dot, p_dot);
  }
};

struct JacobiansOfState {
  JacobianArrays q, p, t;
};

JacobiansOfState jacobians(Evaluator& e, const Array& q, const Array& u, double t) {
  const auto rows = e.rows(q, u);
  e.derivatives();
  JacobiansOfState all{{rows, e.model(), e.model().coordinate_count()},
                       {rows, e.model(), e.model().velocity_count()},
                       {rows, e.model(), 1}};
  Jacobians now;
  e.visit(
      q, u, t, rows, [&](const StateView& state) { return e.jacobians(state, now); },
      [&](py::ssize_t k, Status status) {
        all.q.take(now.q, k, status);
        all.p.take(now.p, k, status);
        all.t.take(now.t, k, status);
      });
  return all;
}

// The unit directions of parameters by name.
RateDirections directions_of(const Model& model, const std::vector<std::string>& names) {
  const auto all = parameters(model);
  RateDirections directions;
  directions.parameters =
      Columns::Zero(static_cast<Eigen::Index>(all.size()), static_cast<Eigen::Index>(names.size()));
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto same = [&](const Parameter& parameter) { return parameter.name == names[k]; };
    const auto found = std::ranges::find_if(all, same);
    if (found == all.end())
      throw UsageError("\"" + names[k] + "\" is not a parameter of " + model.name());
    if (std::find_if(found + 1, all.end(), same) != all.end())
      throw UsageError("\"" + names[k] + "\" names more than one parameter of " + model.name());
    directions.parameters(found - all.begin(), static_cast<Eigen::Index>(k)) = 1.0;
  }
  return directions;
}

JacobianArrays parameter_jacobians(Evaluator& e, const Array& q, const Array& u,
                                   const std::vector<std::string>& names, double t) {
  const auto rows = e.rows(q, u);
  e.derivatives();
  const auto directions = directions_of(e.model(), names);
  const int count = static_cast<int>(names.size());
  JacobianArrays all(rows, e.model(), count);
  RateDerivatives now;
  e.visit(
      q, u, t, rows, [&](const StateView& state) { return e.along(state, directions, count, now); },
      [&](py::ssize_t k, Status status) { all.take(now, k, status); });
  return all;
}

void bind_jacobians(py::module_& m) {
  py::class_<JacobianArrays>(m, "RateJacobian",
                             "Derivatives of rates: arrays (..., rows, columns).")
      .def_readonly("v", &JacobianArrays::v, "of the joint velocities")
      .def_readonly("q_dot", &JacobianArrays::q_dot)
      .def_readonly("p_dot", &JacobianArrays::p_dot)
      .def(py::pickle([](const JacobianArrays& x) { return py::make_tuple(x.v, x.q_dot, x.p_dot); },
                      [](const py::tuple& arrays) { return JacobianArrays(arrays); }));
  py::class_<JacobiansOfState>(m, "Jacobians",
                               "Derivatives of rates with respect to the state and the time, such "
                               "as jacobians.q.p_dot: d(p_dot)/dq.")
      .def_readonly("q", &JacobiansOfState::q, "by coordinates")
      .def_readonly("p", &JacobiansOfState::p, "by momenta")
      .def_readonly("t", &JacobiansOfState::t, "by time, one column")
      .def(py::pickle([](const JacobiansOfState& x) { return py::make_tuple(x.q, x.p, x.t); },
                      [](const py::tuple& x) {
                        return JacobiansOfState{x[0].cast<JacobianArrays>(),
                                                x[1].cast<JacobianArrays>(),
                                                x[2].cast<JacobianArrays>()};
                      }));
}

}  // namespace

void bind_formulation(py::module_& m) {
  m.attr("formulation_names") = formulation_names();
  bind_jacobians(m);
  py::class_<Evaluator>(
      m, "Formulation",
      "One way to compute a model's equations of motion: \"recursive\", \"hdca\", "
      "\"dense\"; \"auto\", the fastest of these that keeps the digits; and with velocities v in "
      "place of momenta p \"dca\" and "
      "\"aba\". What depends on a pose is decided at q (None: the initial one): which formulation "
      "\"auto\" is, and redundant_constraints. Arrays are (n,) or (B, n), float64; contiguous ones "
      "are used in "
      "place. Evaluations run without the interpreter's lock.")
      .def(py::init<Model, std::string, double, py::object>(), py::arg("model"),
           py::arg("name") = "auto", py::kw_only(), py::arg("baumgarte") = 0.0,
           py::arg("q") = py::none())
      .def_property_readonly("name",
                             [](const Evaluator& e) { return std::string(e.formulation().name()); })
      .def_property_readonly("model", &Evaluator::model)
      .def_property_readonly(
          "plan", [](const Evaluator& e) { return e.formulation().plan(); }, "One line.")
      .def_property_readonly(
          "momenta",
          [](const Evaluator& e) { return e.formulation().form() == StateForm::kMomenta; },
          "Whether the second half of the state is p; else it is v.")
      .def_property_readonly(
          "redundant_constraints", [](const Evaluator& e) { return e.redundancy().redundant; },
          "Constraint rows that others already imply, at the pose q.")
      .def("rates", &rates, py::arg("q"), py::arg("p"), py::arg("t") = 0.0, py::kw_only(),
           py::arg("out") = py::none(),
           "(q_dot, p_dot) at coordinates q (rad, m) and momenta p; with \"dca\" and \"aba\" "
           "(q_dot, v_dot) at (q, v). out: a pair of arrays to write to. Throws SimulationError "
           "where a rate is not finite.")
      .def("velocities", &velocities, py::arg("q"), py::arg("p"), py::arg("t") = 0.0,
           "Joint velocities v, rad/s, m/s.")
      .def(
          "accelerations", &accelerations, py::arg("q"), py::arg("p"), py::arg("t") = 0.0,
          "Joint accelerations v_dot, rad/s^2, m/s^2; nan next to a singular pose, where rows that "
          "hold the motion are masked.")
      .def(
          "reactions", &reactions, py::arg("q"), py::arg("p"), py::arg("t") = 0.0, py::kw_only(),
          py::arg("axes") = "world",
          "(..., joints, 6): force (N) and moment (N m) that each joint transmits to its child, at "
          "its origin there, in the axes of the \"world\" or the \"joint\"; joints in the order "
          "of Model.joint_names. nan where accelerations are.")
      .def("driving_efforts", &driving_efforts, py::arg("q"), py::arg("p"), py::arg("t") = 0.0,
           "(..., joints): effort that each driven joint needs along its coordinate, N m or N.")
      .def("jacobians", &jacobians, py::arg("q"), py::arg("p"), py::arg("t") = 0.0,
           "Jacobians: exact derivatives of the rates with respect to q, p and t, with the loops' "
           "rows in use held; nan where accelerations are. Throws UsageError for a model with "
           "callbacks.")
      .def("parameter_jacobians", &parameter_jacobians, py::arg("q"), py::arg("p"),
           py::arg("parameters"), py::arg("t") = 0.0,
           "RateJacobian: the same with respect to parameters of these names, see "
           "Model.parameters.")
      .def("__repr__", [](const Evaluator& e) {
        return "<Formulation " + std::string(e.formulation().name()) + " of \"" + e.model().name() +
               "\">";
      });
}

}  // namespace hamiltree::bindings
