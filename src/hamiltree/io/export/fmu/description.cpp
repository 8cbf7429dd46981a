#include "hamiltree/io/export/fmu/description.hpp"

#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <string_view>

#include "hamiltree/base/text.hpp"
#include "hamiltree/base/version.hpp"

namespace hamiltree::fmu {
namespace {

// A unit as powers of kg, m, s and rad.
struct Unit {
  const char* name;
  int kg, m, s, rad;
};

constexpr std::array kUnits{
    Unit{"s", 0, 0, 1, 0},         Unit{"m", 0, 1, 0, 0},        Unit{"rad", 0, 0, 0, 1},
    Unit{"m/s", 0, 1, -1, 0},      Unit{"rad/s", 0, 0, -1, 1},   Unit{"1/s", 0, 0, -1, 0},
    Unit{"m/s^2", 0, 1, -2, 0},    Unit{"rad/s^2", 0, 0, -2, 1}, Unit{"kg m/s", 1, 1, -1, 0},
    Unit{"kg m^2/s", 1, 2, -1, 0}, Unit{"N", 1, 1, -2, 0},       Unit{"N m", 1, 2, -2, 0},
    Unit{"J", 1, 2, -2, 0},        Unit{"W", 1, 2, -3, 0},
};

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}
void set(pugi::xml_node node, const char* name, const char* value) {
  node.append_attribute(name).set_value(value);
}
void set(pugi::xml_node node, const char* name, int value) {
  set(node, name, std::to_string(value));
}

std::string text_of(const pugi::xml_document& document) {
  std::ostringstream out;
  document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
  return out.str();
}

pugi::xml_node begin(pugi::xml_document& document, const char* root) {
  auto declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  return document.append_child(root);
}

const char* word(Causality causality) {
  switch (causality) {
    case Causality::kIndependent:
      return "independent";
    case Causality::kParameter:
    case Causality::kTunableParameter:
      return "parameter";
    case Causality::kInput:
      return "input";
    case Causality::kOutput:
      return "output";
    case Causality::kLocal:
      break;
  }
  return "local";
}

const char* variability(const Variable& v) {
  if (v.causality == Causality::kParameter) return "fixed";
  if (v.causality == Causality::kTunableParameter) return "tunable";
  return v.is_discrete ? "discrete" : "continuous";
}

bool is_calculated(const Variable& v) { return !v.start && v.causality != Causality::kIndependent; }

void append_units(pugi::xml_node root, const std::vector<Variable>& variables) {
  std::set<std::string_view> used;
  for (const auto& v : variables) used.insert(v.unit);
  auto definitions = root.append_child("UnitDefinitions");
  for (const auto& unit : kUnits) {
    if (!used.contains(unit.name)) continue;
    auto node = definitions.append_child("Unit");
    set(node, "name", unit.name);
    auto base = node.append_child("BaseUnit");
    for (const auto& [name, power] :
         {std::pair{"kg", unit.kg}, {"m", unit.m}, {"s", unit.s}, {"rad", unit.rad}}) {
      if (power != 0) set(base, name, power);
    }
  }
}

// Attributes that both versions of the standard have; `initial` is left out for inputs and the
// independent variable, where it has one value only.
void describe(pugi::xml_node node, const Variable& v) {
  set(node, "name", v.name);
  set(node, "valueReference", v.reference);
  if (!v.description.empty()) set(node, "description", v.description);
  set(node, "causality", word(v.causality));
  set(node, "variability", variability(v));
  if (v.causality != Causality::kInput && v.causality != Causality::kIndependent) {
    set(node, "initial", v.start ? "exact" : "calculated");
  }
}

void describe_number(pugi::xml_node node, const Variable& v, bool has_loops) {
  if (!v.unit.empty()) set(node, "unit", v.unit);
  if (v.minimum) set(node, "min", to_text(*v.minimum));
  if (v.nominal) set(node, "nominal", to_text(*v.nominal));
  if (v.start) set(node, "start", to_text(*v.start));
  if (v.is_state && has_loops) set(node, "reinit", "true");
}

// The lists of ModelStructure, by what they hold.
template <class Append>
void for_structure(const std::vector<Variable>& variables, const Append& append) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].causality == Causality::kOutput) append("output", i);
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].derivative_of >= 0) append("derivative", i);
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const auto& v = variables[i];
    const bool is_unknown = v.causality == Causality::kOutput || v.is_state || v.derivative_of >= 0;
    if (is_unknown && is_calculated(v)) append("initial", i);
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].is_event_indicator) append("indicator", i);
  }
}

// The head of both versions, which call the token by another name.
pugi::xml_node begin_description(pugi::xml_document& document, const Described& fmu,
                                 const char* version, const char* token) {
  auto root = begin(document, "fmiModelDescription");
  set(root, "fmiVersion", version);
  set(root, "modelName", fmu.name);
  set(root, token, fmu.token);
  set(root, "generationTool", std::string("hamiltree ") + kVersion);
  set(root, "variableNamingConvention", "flat");
  return root;
}

// Units, log categories and the default experiment, between interfaces and variables in both.
void append_surroundings(pugi::xml_node root, const Described& fmu,
                         const std::vector<Variable>& variables) {
  append_units(root, variables);
  auto categories = root.append_child("LogCategories");
  set(categories.append_child("Category"), "name", "logStatusError");
  auto experiment = root.append_child("DefaultExperiment");
  set(experiment, "startTime", "0");
  set(experiment, "stopTime", "1");
  set(experiment, "stepSize", to_text(fmu.step));
}

}  // namespace

std::string description_2(const Described& fmu, const std::vector<Variable>& variables) {
  pugi::xml_document document;
  auto root = begin_description(document, fmu, "2.0", "guid");
  set(root, "numberOfEventIndicators",
      static_cast<int>(std::ranges::count_if(variables, &Variable::is_event_indicator)));
  for (const char* kind : {"ModelExchange", "CoSimulation"}) {
    auto node = root.append_child(kind);
    set(node, "modelIdentifier", fmu.identifier);
    set(node, "canGetAndSetFMUstate", "true");
    set(node, "canSerializeFMUstate", "true");
    if (fmu.has_derivatives) set(node, "providesDirectionalDerivative", "true");
    if (kind == std::string_view("CoSimulation")) {
      set(node, "canHandleVariableCommunicationStepSize", "true");
    } else if (!fmu.has_loops && !fmu.has_events) {
      set(node, "completedIntegratorStepNotNeeded", "true");
    }
    auto files = node.append_child("SourceFiles");
    for (const auto& source : fmu.sources) set(files.append_child("File"), "name", source);
  }
  append_surroundings(root, fmu, variables);
  auto list = root.append_child("ModelVariables");
  for (const auto& v : variables) {
    auto node = list.append_child("ScalarVariable");
    describe(node, v);
    auto real = node.append_child("Real");
    describe_number(real, v, fmu.has_loops);
    if (v.derivative_of >= 0) set(real, "derivative", v.derivative_of + 1);
  }
  auto structure = root.append_child("ModelStructure");
  for_structure(variables, [&](std::string_view kind, std::size_t i) {
    if (kind == "indicator") return;  // there they have a number only
    const char* name = kind == "output"       ? "Outputs"
                       : kind == "derivative" ? "Derivatives"
                                              : "InitialUnknowns";
    auto group = structure.child(name);
    if (!group) group = structure.append_child(name);
    set(group.append_child("Unknown"), "index", static_cast<int>(i + 1));
  });
  return text_of(document);
}

std::string description_3(const Described& fmu, const std::vector<Variable>& variables) {
  pugi::xml_document document;
  auto root = begin_description(document, fmu, "3.0", "instantiationToken");
  for (const char* kind : {"ModelExchange", "CoSimulation"}) {
    auto node = root.append_child(kind);
    set(node, "modelIdentifier", fmu.identifier);
    set(node, "canGetAndSetFMUState", "true");
    set(node, "canSerializeFMUState", "true");
    if (fmu.has_derivatives) set(node, "providesDirectionalDerivatives", "true");
    if (kind == std::string_view("CoSimulation")) {
      set(node, "canHandleVariableCommunicationStepSize", "true");
      if (fmu.has_events) {
        set(node, "mightReturnEarlyFromDoStep", "true");
        set(node, "hasEventMode", "true");
      }
    } else if (fmu.has_loops || fmu.has_events) {
      set(node, "needsCompletedIntegratorStep", "true");
    }
  }
  append_surroundings(root, fmu, variables);
  auto list = root.append_child("ModelVariables");
  for (const auto& v : variables) {
    auto node = list.append_child("Float64");
    describe(node, v);
    describe_number(node, v, fmu.has_loops);
    if (v.derivative_of >= 0) {
      set(node, "derivative", variables[static_cast<std::size_t>(v.derivative_of)].reference);
    }
  }
  auto structure = root.append_child("ModelStructure");
  for_structure(variables, [&](std::string_view kind, std::size_t i) {
    const char* name = kind == "output"       ? "Output"
                       : kind == "derivative" ? "ContinuousStateDerivative"
                       : kind == "indicator"  ? "EventIndicator"
                                              : "InitialUnknown";
    set(structure.append_child(name), "valueReference", variables[i].reference);
  });
  return text_of(document);
}

std::string build_description_3(const Described& fmu) {
  pugi::xml_document document;
  auto root = begin(document, "fmiBuildDescription");
  set(root, "fmiVersion", "3.0");
  auto build = root.append_child("BuildConfiguration");
  set(build, "modelIdentifier", fmu.identifier);
  auto files = build.append_child("SourceFileSet");
  set(files, "language", "C99");
  for (const auto& source : fmu.sources) set(files.append_child("SourceFile"), "name", source);
  auto library = build.append_child("Library");
  set(library, "name", "m");
  set(library, "external", "true");
  return text_of(document);
}

}  // namespace hamiltree::fmu
