#include "hamiltree/io/saved_run_document.hpp"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <type_traits>

#include "hamiltree/base/checksum.hpp"
#include "hamiltree/io/import/json_file.hpp"

namespace hamiltree {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kKind = "hamiltree checkpoint";
constexpr int kCheckpointFormat = 6;

Json to_array(const Eigen::VectorXd& values) {
  return std::vector<double>(values.begin(), values.end());
}

Eigen::VectorXd to_vector(const Json& array) {
  const auto values = array.get<std::vector<double>>();
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Json to_array(const Power& work) { return {work.driven, work.applied, work.dissipated}; }

Power to_power(const Json& array) { return {array.at(0), array.at(1), array.at(2)}; }

Json to_value(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

std::optional<double> to_optional(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

// A count is a whole number; what else JSON calls a number would become one in silence.
template <class Number>
Number to_number(const Json& value) {
  if constexpr (std::is_integral_v<Number>) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<Number>::max());
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMost)
      throw std::runtime_error("a count in it is no whole number");
  }
  return value.get<Number>();
}

Json to_saved_object(const SimulationOptions& o) {
  Json integrator{{"name", to_name(o.integrator)}};
  if (const auto tolerances = tolerances_of(o.integrator)) {
    integrator["rtol"] = tolerances->relative;
    integrator["atol"] = tolerances->absolute;
  } else {
    integrator["step"] = *step_of(o.integrator);
  }
  return {{"formulation", o.formulation},
          {"formulation_reason", o.formulation_reason},
          {"integrator", integrator},
          {"weights", o.weights == Weights::kInertia ? "inertia" : "equal"},
          {"reset", o.reset},
          {"projection", o.projection},
          {"leak", to_value(o.leak)},
          {"energy_scaling", o.energy_scaling},
          {"dense_output", o.dense_output},
          {"baumgarte", o.baumgarte},
          {"lanes", to_name(o.lanes)},
          {"plane", o.plane},
          {"segments", o.segments},
          {"max_energy_error", to_value(o.max_energy_error)},
          {"max_constraint_error", to_value(o.max_constraint_error)}};
}

SimulationOptions to_options(const Json& object) {
  SimulationOptions o;
  o.formulation = object.at("formulation");
  o.formulation_reason = object.value("formulation_reason", "");
  const auto& integrator = object.at("integrator");
  const std::string name = integrator.at("name");
  const auto method = method_from_name(name);
  if (!method) throw std::runtime_error("integrator \"" + name + "\" is not known");
  o.integrator = tolerances_of(*method)
                     ? with_tolerances(*method, {integrator.at("rtol"), integrator.at("atol")})
                     : with_step(*method, integrator.at("step"));
  o.weights = object.at("weights") == "equal" ? Weights::kEqual : Weights::kInertia;
  o.reset = object.at("reset");
  o.projection = object.at("projection");
  o.leak = to_optional(object.at("leak"));
  o.energy_scaling = object.at("energy_scaling");
  o.dense_output = object.value("dense_output", false);  // runs of old stepped to their outputs
  o.baumgarte = object.at("baumgarte");
  const std::string lanes = object.at("lanes");
  const auto choice = lane_choice_from_name(lanes);
  if (!choice) throw std::runtime_error("lanes \"" + lanes + "\" are not known");
  o.lanes = *choice;
  o.plane = object.at("plane");
  o.segments = to_number<int>(object.at("segments"));
  o.max_energy_error = to_optional(object.at("max_energy_error"));
  o.max_constraint_error = to_optional(object.at("max_constraint_error"));
  return o;
}

Json to_saved_object(const Schedule& s) {
  return {{"start", s.start},
          {"every", s.every},
          {"until", s.until},
          {"checkpoint_every", s.checkpoint_every},
          {"next_output", s.next_output},
          {"next_checkpoint", s.next_checkpoint},
          {"every_step", s.every_step}};
}

Schedule to_schedule(const Json& object) {
  return {object.at("start"),
          object.at("every"),
          object.at("until"),
          object.at("checkpoint_every"),
          to_number<long>(object.at("next_output")),
          to_number<long>(object.at("next_checkpoint")),
          object.at("every_step")};
}

// A field of Diagnostics and its name: one list for both ways.
template <class D, class Visit>
void each_number(D& d, const Visit& visit) {
  visit("initial_energy", d.energy.initial);
  visit("weight", d.energy.weight);
  visit("energy_error", d.energy.error);
  visit("peak_kinetic_energy", d.energy.peak_kinetic);
  visit("lowest_potential_energy", d.energy.lowest_potential);
  visit("highest_potential_energy", d.energy.highest_potential);
  visit("most_work", d.energy.most_work);
  visit("kinetic_energy", d.kinetic);
  visit("potential_energy", d.potential);
  visit("position_residual", d.position_residual);
  visit("velocity_residual", d.velocity_residual);
  visit("position_max", d.constraint.position_max);
  visit("velocity_max", d.constraint.velocity_max);
  visit("velocity_max_near_singular", d.constraint.velocity_max_near_singular);
  visit("greatest_speed", d.constraint.greatest_speed);
  visit("position_max_before", d.constraint.position_max_before);
  visit("velocity_max_before", d.constraint.velocity_max_before);
  visit("rate_evaluations", d.rate_evaluations);
  visit("velocity_solves", d.velocity_solves);
  visit("refused_steps", d.refused_steps);
  visit("unscaled_steps", d.unscaled_steps);
  visit("branch_passages", d.branch_passages);
  visit("branch_steps", d.branch_steps);
  visit("steps", d.counts.steps);
  visit("rejected_steps", d.counts.rejected);
  visit("restarts", d.counts.restarts);
  visit("substitutes", d.counts.substitutes);
  visit("wall_seconds", d.wall_seconds);
}

Json to_saved_object(const Diagnostics& d) {
  Json object;
  each_number(d, [&](const char* name, const auto& value) { object[name] = value; });
  object["near_singular"] = Json::array();
  for (const auto& near : d.near_singular_joints) {
    object["near_singular"].push_back(
        {near.joint, near.passages, near.now, near.since, near.first, near.last, near.longest});
  }
  object["events"] = Json::array();
  for (const auto& event : d.events) object["events"].push_back({event.name, event.t});
  object["method_changes"] = Json::array();
  for (const auto& change : d.method_changes)
    object["method_changes"].push_back({change.t, change.to});
  object["left_open"] = d.left_open;
  object["notes"] = d.notes;
  return object;
}

Diagnostics to_diagnostics(const Json& object) {
  Diagnostics d;
  each_number(d, [&]<class Number>(const char* name, Number& value) {
    value = to_number<Number>(object.at(name));
  });
  for (const auto& near : object.at("near_singular")) {
    d.near_singular_joints.push_back(
        {near.at(0), near.at(1), near.at(2), near.at(3), near.at(4), near.at(5), near.at(6)});
  }
  for (const auto& event : object.at("events")) d.events.push_back({event.at(0), event.at(1)});
  for (const auto& change : object.value("method_changes", Json::array()))
    d.method_changes.push_back({change.at(0), change.at(1)});
  d.left_open = object.value("left_open", "");
  object.at("notes").get_to(d.notes);
  return d;
}

Json to_saved_object(const SavedTable& table) {
  return {{"rows", table.rows}, {"bytes", table.bytes}, {"checksum", table.checksum}};
}

SavedTable table_of(const Json& object) {
  return {to_number<std::size_t>(object.at("rows")), to_number<std::size_t>(object.at("bytes")),
          object.at("checksum")};
}

std::string to_document(const Json& object) {
  return object.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

// With the checksum of the document without it.
Json sealed(Json object) {
  object["checksum"] = Checksum(to_document(object)).text();
  return object;
}

bool is_intact(Json object) {
  const Json written = object.value("checksum", Json());
  object.erase("checksum");
  return written == Checksum(to_document(object)).text();
}

Json to_saved_object(const SavedRun& run) {
  const auto& c = run.checkpoint;
  Json object{{"kind", kKind},
              {"format", kCheckpointFormat},
              {"model_file", run.model_file},
              {"model_text", run.model_text},
              {"overrides", run.overrides},
              {"samples", to_saved_object(run.samples)},
              {"steps", to_saved_object(run.steps)},
              {"plan", c.plan},
              {"options", to_saved_object(c.options)},
              {"schedule", to_saved_object(c.schedule)},
              {"t", c.state.t},
              {"q", to_array(c.state.q)},
              {"p", to_array(c.state.p)},
              {"v", to_array(c.v)},
              {"outside_q", to_array(c.outside_q)},
              {"work", to_array(c.work)},
              {"diagnostics", to_saved_object(c.diagnostics)}};
  if (run.controllers) object["controllers"] = to_json_of(*run.controllers);
  if (run.hdf5) object["hdf5"] = true;
  return object;
}

SavedRun to_saved_run(const Json& object) {
  if (!object.is_object() || object.value("kind", "") != kKind)
    throw std::runtime_error("it is no checkpoint");
  if (object.at("format") != kCheckpointFormat) {
    throw std::runtime_error("its format is not the one this program reads (" +
                             std::to_string(kCheckpointFormat) + ")");
  }
  if (!is_intact(object)) throw std::runtime_error("it is not what was written: it is damaged");
  SavedRun run;
  run.model_file = object.at("model_file");
  run.model_text = object.at("model_text");
  object.at("overrides").get_to(run.overrides);
  run.samples = table_of(object.at("samples"));
  run.steps = table_of(object.at("steps"));
  auto& c = run.checkpoint;
  c.plan = object.at("plan");
  c.options = to_options(object.at("options"));
  c.schedule = to_schedule(object.at("schedule"));
  c.state = {object.at("t"), to_vector(object.at("q")), to_vector(object.at("p"))};
  c.v = to_vector(object.at("v"));
  c.outside_q = to_vector(object.at("outside_q"));
  c.work = to_power(object.at("work"));
  c.diagnostics = to_diagnostics(object.at("diagnostics"));
  if (object.contains("controllers")) run.controllers = controllers_state(object["controllers"]);
  run.hdf5 = object.value("hdf5", false);
  return run;
}

}  // namespace

std::string saved_run_document(const SavedRun& run) {
  return to_document(sealed(to_saved_object(run)));
}

SavedRun read_saved_run(const std::filesystem::path& file) {
  try {
    return to_saved_run(read_json(file));
  } catch (const Json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

}  // namespace hamiltree
