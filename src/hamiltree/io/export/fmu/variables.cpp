#include "hamiltree/io/export/fmu/variables.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/model/least_of_parameters.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/probe.hpp"
#include "hamiltree/simulation/recording_header.hpp"
#include "hamiltree/simulation/watched_events.hpp"

namespace hamiltree::fmu {
namespace {

// Gaps that model exchange lets stand until the next event, relative to the mechanism's length.
constexpr double kLoopTolerance = 1e-6;

int size_of(const codegen::CFile& file, const std::string& array) {
  int size = 0;
  for (const auto& function : file.functions) {
    for (const auto* list : {&function.inputs, &function.outputs}) {
      for (const auto& a : *list) {
        if (a.name == array) size = std::max(size, a.size);
      }
    }
  }
  return size;
}

struct Row {
  std::string name, description, unit;
};

// Gaps of the loops, in the order of Phi.
std::vector<Row> gaps_of(const Model& model) {
  return model.visit([&]<class Space>(const System<Space>& system) {
    std::vector<Row> rows;
    for (int c = system.body_count(); c < system.joint_count(); ++c) {
      const auto& joint = system.joint(c);
      for (int i = 0; i < joint.constraints; ++i) {
        rows.push_back(
            {"gap." + model.joint_name(c) + "." + std::to_string(i),
             "by how much the loop is open that joint " + model.joint_name(c) + " closes",
             joint.constrained[at(i)] < Space::kLinear ? "m" : "rad"});
      }
    }
    for (const auto& coupling : system.couplings) {
      const auto& joint = model.joint_name(coupling.joint);
      rows.push_back({"gap.coupling." + joint,
                      "by how much the coupling of joint " + joint + " is missed",
                      system.joint(coupling.joint).along < Space::kLinear ? "m" : "rad"});
    }
    return rows;
  });
}

std::string rate_unit(const std::string& unit) {
  if (unit == "kg m/s") return "N";
  if (unit == "kg m^2/s") return "N m";
  return unit.empty() ? "1/s" : unit + "/s";
}

bool is_slide(const Model& model, int joint) {
  return model.mechanism().joints[at(model.described_joint(joint))].type == JointType::kPrismatic;
}

// Appends variables, entry by entry.
class List {
 public:
  List(const Layout& layout, const std::vector<double>& start) : layout_(layout), start_(start) {}

  Variable& add(const std::string& block, int entry, const Row& row, Causality causality) {
    const int reference = layout_[block].first + entry;
    all.push_back({row.name, row.description, row.unit, reference, causality, {}, {}, {}});
    return all.back();
  }
  void settable(const std::string& block, int entry, const Row& row, Causality causality) {
    auto& variable = add(block, entry, row, causality);
    variable.start = start_[at(variable.reference)];
  }
  // One variable for each channel, as far as the block reaches.
  void channels(const std::string& block, const std::vector<Channel>& channels,
                const std::string& description) {
    for (int i = 0; i < layout_[block].count; ++i) {
      const auto& channel = channels[at(i)];
      add(block, i, {channel.name, description, channel.unit}, Causality::kOutput);
    }
  }

  std::vector<Variable> all;

 private:
  const Layout& layout_;
  const std::vector<double>& start_;
};

void list_inputs(const Model& model, const codegen::CFile& file, List& list) {
  const auto input = [&](const char* block, int entry, const Row& row) {
    list.settable(block, entry, row, Causality::kInput);
  };
  int entry = 0;
  for (const int j : file.inputs.efforts) {
    const auto& joint = model.joint_name(j);
    input("effort", entry++,
          {"effort." + joint, "on the child of joint " + joint + ", along its coordinate",
           is_slide(model, j) ? "N" : "N m"});
  }
  entry = 1;  // after their time
  for (const int j : file.inputs.drives) {
    const auto& joint = model.joint_name(j);
    const std::string unit = is_slide(model, j) ? "m" : "rad";
    const auto name = "drive." + joint;
    input("drive", entry++, {name + ".q", "coordinate of the driven joint " + joint, unit});
    input("drive", entry++, {name + ".v", "its rate", unit + "/s"});
    input("drive", entry++, {name + ".a", "the rate of that", unit + "/s^2"});
  }
  entry = 0;
  const bool is_planar =
      model.visit([]<class Space>(const System<Space>&) { return Space::kIsPlanar; });
  for (const int b : file.inputs.wrenches) {
    const auto& body = model.body_name(b);
    for (const char* axis : {"x", "y", "z"}) {
      if (is_planar && *axis == 'z') continue;
      input("load", entry++,
            {"force." + body + "." + axis, "at the body's origin, world axes", "N"});
    }
    for (const char* axis : {"x", "y", "z"}) {
      if (is_planar && *axis != 'z') continue;
      input("load", entry++, {"moment." + body + "." + axis, "on the body, world axes", "N m"});
    }
  }
}

// For each event an indicator, how often it has happened, and when the last time.
void list_events(const Model& model, const std::vector<Channel>& sensors, List& list) {
  const auto events = watched_events(model, false);
  const auto each = [&](const char* block, const Row& row, Causality causality,
                        const auto& complete) {
    int entry = 0;
    for (const auto& event : events) {
      const auto& described = model.mechanism().events[at(event.event)];
      auto& variable = list.add(block, entry++, row, causality);
      variable.name = "event." + described.name + row.name;
      complete(variable, described, sensors[at(event.channel)]);
    }
  };
  each("event", {}, Causality::kLocal,
       [](Variable& v, const EventDescription& event, const Channel& channel) {
         v.description = "by how much " + event.channel + " is above its value";
         v.unit = channel.unit;
         v.is_event_indicator = true;
       });
  const auto discrete = [](Variable& v, const auto&...) { v.is_discrete = true; };
  each("event_count", {".count", "how often it has happened", ""}, Causality::kOutput, discrete);
  each("event_time", {".time", "when it happened last; 0 before", "s"}, Causality::kOutput,
       discrete);
}

// Names of joints, sensors and events are free, and may give two variables the same.
void check_names(const std::vector<Variable>& variables) {
  std::set<std::string_view> names;
  for (const auto& variable : variables) {
    if (!names.insert(variable.name).second)
      throw UsageError("an FMU would have two variables \"" + variable.name +
                       "\": a joint, a sensor or an event needs another name");
  }
}

}  // namespace

Layout::Layout(const Model& model, const codegen::CFile& file) {
  const auto add = [&](const std::string& name, int count) {
    blocks_.push_back({name, blocks_.empty() ? 0 : size(), count});
  };
  for (const char* one : {"t", "step", "loop_tolerance"}) add(one, 1);
  add("parameters", static_cast<int>(file.parameters.size()));
  for (const char* input : {"effort", "drive", "load"}) add(input, size_of(file, input));
  add("q", model.coordinate_count());
  add("p", model.velocity_count());
  for (const char* of_rates : {"v", "q_dot", "p_dot", "sigma"})
    add(of_rates, size_of(file, of_rates));
  for (const char* other : {"energy", "power", "phi", "ratio", "sensor"}) {
    add(other, size_of(file, other));
  }
  const int events = static_cast<int>(model.mechanism().events.size());
  for (const char* of_events : {"event", "event_count", "event_time"}) add(of_events, events);
  add("q_new", model.coordinate_count());
}

const Block& Layout::operator[](const std::string& name) const {
  for (const auto& block : blocks_) {
    if (block.name == name) return block;
  }
  throw std::logic_error("no block " + name);
}

std::vector<double> start_of(const Model& model, const codegen::CFile& file, const Layout& layout,
                             double step) {
  std::vector<double> start(at(layout.size()));
  const auto put = [&](const char* block, const Eigen::VectorXd& values) {
    std::copy(values.begin(), values.end(), start.begin() + layout[block].first);
  };
  const auto initial = initial_state(model);
  put("q", initial.q);
  put("p", initial.p);
  put("v", initial.v);
  const double length = model.visit([](const auto& system) { return system.length; });
  start[at(layout["step"].first)] = step;
  start[at(layout["loop_tolerance"].first)] = kLoopTolerance * length;
  int entry = layout["parameters"].first;
  for (const auto& parameter : file.parameters) start[at(entry++)] = parameter.value;
  entry = layout["drive"].first + 1;
  model.visit([&](const auto& system) {
    for (const int j : file.inputs.drives) {
      const auto s = (*system.drives[at(system.joint(j).drive)].coordinate)(0.0);
      for (const double part : {s.value, s.rate, s.acceleration}) start[at(entry++)] = part;
    }
  });
  return start;
}

// Sizes of 1 rad, 1 m, and of the momenta that 1 rad/s or 1 m/s makes.
std::vector<double> nominals_of(const Model& model) {
  std::vector<double> nominals(at(model.coordinate_count()), 1.0);
  const auto initial = initial_state(model);
  const auto probe = make_probe(model);
  probe->set(0.0, initial.q.data(), initial.v.data());
  for (const double inertia : probe->joint_inertias()) {
    nominals.push_back(inertia > 0.0 ? inertia : 1.0);
  }
  return nominals;
}

std::vector<Variable> variables_of(const Model& model, const codegen::CFile& file,
                                   const Layout& layout, const std::vector<double>& start,
                                   const std::vector<double>& nominals) {
  const auto header = make_header(model);
  List list(layout, start);
  list.add("t", 0, {"time", "", "s"}, Causality::kIndependent);
  list.settable("step", 0, {"step", "longest step of co-simulation", "s"}, Causality::kParameter);
  list.all.back().minimum = 0.0;
  if (model.constraint_count() > 0) {
    list.settable(
        "loop_tolerance", 0,
        {"loop_tolerance", "gap at which model exchange closes the loops, at an event", "m"},
        Causality::kTunableParameter);
    list.all.back().minimum = 0.0;
  }
  const auto least = least_of_parameters(model);
  for (int i = 0; i < layout["parameters"].count; ++i) {
    const auto& name = file.parameters[at(i)].name;
    list.settable("parameters", i, {name, "of the model, SI units", ""},
                  Causality::kTunableParameter);
    if (const auto found = least.find(name); found != least.end())
      list.all.back().minimum = found->second;
  }
  list_inputs(model, file, list);
  const int states = static_cast<int>(list.all.size());
  const auto state = [&](const char* block, const Channel& channel, int entry,
                         const char* description, bool is_settable) {
    const Row row{channel.name, description, channel.unit};
    if (is_settable) {
      list.settable(block, entry, row, Causality::kOutput);
    } else {
      list.add(block, entry, row, Causality::kLocal);
    }
    list.all.back().is_state = true;
    list.all.back().nominal = nominals[at(entry + (is_settable ? 0 : model.coordinate_count()))];
  };
  for (int i = 0; i < model.coordinate_count(); ++i)
    state("q", header.q[at(i)], i, "coordinate", true);
  for (int i = 0; i < model.velocity_count(); ++i)
    state("p", header.p[at(i)], i, "momentum", false);
  for (int i = 0; i < model.velocity_count(); ++i) {
    list.settable("v", i, {header.v[at(i)].name, "velocity", header.v[at(i)].unit},
                  Causality::kOutput);
  }
  const auto rate = [&](const char* block, int entry, int of) {
    const auto& x = list.all[at(states + of)];
    list.add(block, entry, {"der(" + x.name + ")", "", rate_unit(x.unit)}, Causality::kLocal)
        .derivative_of = states + of;
  };
  for (int i = 0; i < model.coordinate_count(); ++i) rate("q_dot", i, i);
  for (int i = 0; i < model.velocity_count(); ++i) rate("p_dot", i, model.coordinate_count() + i);
  list.channels("energy", {{"kinetic_energy", "J"}, {"potential_energy", "J"}}, "");
  list.channels("power", {{"power.driven", "W"}, {"power.applied", "W"}, {"power.dissipated", "W"}},
                "what changes the energy from outside");
  const auto gaps = gaps_of(model);
  for (int i = 0; i < layout["phi"].count; ++i) list.add("phi", i, gaps[at(i)], Causality::kOutput);
  if (layout["ratio"].count > 0) {
    list.add("ratio", 0,
             {"pivot_ratio", "below 1e-3 the rows of the loops, chosen at export, lose digits", ""},
             Causality::kOutput);
  }
  list.channels("sensor", header.sensors, "sensor");
  list_events(model, header.sensors, list);
  check_names(list.all);
  return list.all;
}

}  // namespace hamiltree::fmu
