// InverseRecorder: runs the inverse sweeps of one space on the tracing scalar.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/codegen/on_traced.hpp"
#include "hamiltree/formulations/derivatives/inverse.hpp"
#include "hamiltree/formulations/sensor_values.hpp"
#include "hamiltree/math/tracing.hpp"
#include "hamiltree/model/canonical.hpp"
#include "hamiltree/model/parameter_visit.hpp"
#include "hamiltree/sensitivity/recorded_inverse.hpp"

namespace hamiltree::sensitivity {

template <class Space>
class InverseRecorder {
  using On = typename Space::template Rebind<Traced>;
  using Work = derivatives::Inverse<On>;
  using Traces = std::vector<Traced>;

 public:
  InverseRecorder(const Model& model, const System<Space>& system,
                  const std::vector<int>& parameters)
      : model_(model), system_(system), parameters_(parameters) {}

  RecordedInverse all() const {
    RecordedInverse all;
    const auto momenta_and_rows = at(2 * system_.velocities + system_.constraints);
    const auto rows = at(system_.velocities + system_.constraints);
    all.motion =
        record([](Work& work, Trace& trace) { record_motion(work, trace); }, momenta_and_rows);
    all.projection = record([](Work& work, Trace& trace) { record_projection(work, trace); }, rows);
    all.normalised = record([](Work& work, Trace& trace) {
      normalise_coordinates(work.system, work.q.data());
      give(work.q, trace);
    });
    all.readings = record([&](Work& work, Trace& trace) { record_readings(work, trace); });
    return all;
  }

  RecordedOpenTree open_tree() const {
    RecordedOpenTree open;
    open.rates = record_canonical_rates();
    open.momenta = record_canonical_momenta();
    open.loops = record([](Work& work, Trace& trace) { record_loops(work, trace); },
                        at(system_.coordinates));
    return open;
  }

 private:
  static Traces inputs(const char* name, int size, Trace& trace) {
    Traces x;
    for (int i = 0; i < size; ++i) x.push_back(trace.input(name));
    return x;
  }

  template <class Body>
  TraceProgram record(const Body& body, std::size_t early = TraceProgram::kAll) const {
    Trace trace;
    const TraceScope scope(trace);
    const Traced t = trace.input("t");
    const auto q = inputs("q", system_.coordinates, trace);
    const auto v = inputs("v", system_.velocities, trace);
    const auto impulses = inputs("impulse", system_.constraints, trace);
    Work work(tables_with(inputs("parameter", static_cast<int>(parameters_.size()), trace)));
    work.t = t;
    work.q = q;
    work.v = v;
    work.impulses = impulses;
    body(work, trace);
    const auto moving = 1 + q.size();
    return TraceProgram(trace, early, {moving, moving + v.size() + impulses.size()});
  }

  System<On> tables_with(const Traces& inputs) const {
    auto tables = system_.template cast<Traced>();
    std::vector<Traced*> numbers;
    ParameterVisit<On> visit(model_, tables);
    visit.all([&](const std::string&, Traced& number) { numbers.push_back(&number); });
    for (std::size_t i = 0; i < inputs.size(); ++i) *numbers[at(parameters_[i])] = inputs[i];
    visit.complete_inertias();
    return tables;
  }

  static void give(const Traces& values, Trace& trace) {
    for (const auto& value : values) trace.output("", value);
  }

  static void record_motion(Work& work, Trace& trace) {
    derivatives::invert_velocities(work);
    Traces plain(work.generalized.size());
    momenta(work.system, work.kin, plain.data());
    give(plain, trace);
    give(work.generalized, trace);
    give(work.closing, trace);
    evaluate_rates(0.0, work);
    give(work.result.q_dot, trace);
    give(work.result.p_dot, trace);
  }

  static void record_projection(Work& work, Trace& trace) {
    const auto& system = work.system;
    work.kin.frozen = true;
    normalise_coordinates(system, work.q.data());
    derivatives::invert_velocities(work);
    Traces phi(work.closing.size());
    position_residual(system, work.kin, work.q.data(), phi.data());
    for (std::size_t i = 0; i < phi.size(); ++i) phi[i] += work.closing[i];
    give(work.generalized, trace);
    give(phi, trace);
    Traces moved(work.q.size());
    coordinate_rates(system, work.q.data(), work.v.data(), moved.data());
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += work.q[i];
    normalise_coordinates(system, moved.data());
    give(moved, trace);
  }

  static void record_loops(Work& work, Trace& trace) {
    const auto& system = work.system;
    place(system, work.t, work.q.data(), work.kin);
    Traces change(at(system.velocities), Traced(0.0));
    add_loop_impulses(system, Traced(1.0), work.impulses.data(), work.kin, change.data());
    Traces by_coordinate(at(system.coordinates)), phi(at(system.constraints));
    to_canonical(system, work.q.data(), change.data(), by_coordinate.data());
    position_residual(system, work.kin, work.q.data(), phi.data());
    give(by_coordinate, trace);
    give(phi, trace);
  }

  TraceProgram record_canonical_rates() const {
    Trace trace;
    const TraceScope scope(trace);
    const auto q = inputs("q", system_.coordinates, trace);
    const auto y = inputs("y", system_.coordinates, trace);
    const auto v = inputs("v", system_.velocities, trace);
    const auto p_dot = inputs("p_dot", system_.velocities, trace);
    const auto tables = system_.template cast<Traced>();
    Traces p(v.size()), y_dot(y.size());
    from_canonical(tables, q.data(), y.data(), p.data());
    canonical_rates(tables, q.data(), y.data(), p.data(), v.data(), p_dot.data(), y_dot.data());
    give(p, trace);
    give(y_dot, trace);
    return TraceProgram(trace, p.size());
  }

  TraceProgram record_canonical_momenta() const {
    Trace trace;
    const TraceScope scope(trace);
    const auto q = inputs("q", system_.coordinates, trace);
    const auto p = inputs("p", system_.velocities, trace);
    Traces y(q.size());
    to_canonical(system_.template cast<Traced>(), q.data(), p.data(), y.data());
    give(y, trace);
    return TraceProgram(trace);
  }

  void record_readings(Work& work, Trace& trace) const {
    const auto& system = work.system;
    place(system, work.t, work.q.data(), work.kin);
    move(system, work.v.data(), work.kin);
    const auto reaction = [](int, Traces&) {};
    const auto outside = [&](int j, Traces& out) { append_outside(system, work.kin, j, out); };
    Traces out;
    SensorReader<On, decltype(reaction), decltype(outside)> reader{
        model_, system, work.kin, work.q.data(), work.v.data(), reaction, outside, out};
    for (const auto& sensor : model_.mechanism().sensors) std::visit(reader, sensor);
    give(out, trace);
  }

  const Model& model_;
  const System<Space>& system_;
  const std::vector<int>& parameters_;
};

}  // namespace hamiltree::sensitivity
