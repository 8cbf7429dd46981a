#include "hamiltree/io/export/fmu/c_layout.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/listed.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/model/least_of_parameters.hpp"
#include "hamiltree/simulation/breakpoints.hpp"
#include "hamiltree/simulation/step_guard.hpp"
#include "hamiltree/simulation/watched_events.hpp"

namespace hamiltree::fmu {
namespace {

std::string enumerator(std::string name) {
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return "FMU_" + name;
}

std::string c_array(const std::string& name, const std::vector<double>& values) {
  std::string text = "static const double " + name + "[" +
                     std::to_string(std::max(values.size(), std::size_t{1})) + "] = {";
  if (values.empty()) text += "0";
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += (i == 0 ? "" : ",") + std::string(i % 4 == 0 ? "\n  " : " ") + to_text(values[i]);
  }
  return text + "\n};\n";
}

// Direction: 1 rising, -1 falling, 0 any.
std::string c_events(const Model& model, const std::vector<WatchedEvent>& events) {
  std::string text =
      "static const struct {\n  int channel, direction, is_stop, is_angle, quaternion;\n  double "
      "value;\n} "
      "fmu_events[" +
      std::to_string(std::max(events.size(), std::size_t{1})) + "] = {\n";
  for (const auto& event : events) {
    const int direction = event.crossing == Crossing::kAny      ? 0
                          : event.crossing == Crossing::kRising ? 1
                                                                : -1;
    text += "  {" + std::to_string(event.channel) + ", " + std::to_string(direction) + ", " +
            std::to_string(int{model.mechanism().events[at(event.event)].stops}) + ", " +
            std::to_string(int{event.wraps}) + ", " + std::to_string(event.quaternion) + ", " +
            to_text(event.value) + "},\n";
  }
  return text + (events.empty() ? "  {0, 0, 0, 0, -1, 0.0}\n};\n\n" : "};\n\n");
}

// Calls of the generated functions with the array's entries.
class Calls {
 public:
  explicit Calls(const codegen::CFile& file) : file_(file) {}

  // A function of this name in the FMU; does `otherwise` where the model has none.
  std::string text(const std::string& name, const std::string& otherwise) const {
    return "static void fmu_" + name + "(double *x) { " +
           (find(name) == nullptr ? otherwise : call(*find(name), "x[FMU_T]")) + "; }\n";
  }
  // By how much its results change with the entries of x: dx has both changes.
  std::string tangent(const std::string& name) const {
    const auto* function = find(name + "_tangent");
    if (function == nullptr) return "";
    return "  " + call(*function, "x[FMU_T]") + ";\n";
  }
  std::string step() const {
    return "static void fmu_step(double *x, double t, double h)\n{\n  " +
           call(*find("step_rk4"), "t") + ";\n}\n";
  }

 private:
  const codegen::CFunction* find(const std::string& name) const {
    for (const auto& function : file_.functions) {
      if (function.name == file_.prefix + "_" + name) return &function;
    }
    return nullptr;
  }
  // The state changes in place: functions take all inputs before they give an output.
  static std::string place(const std::string& name) {
    if (name.starts_with("d_")) return "dx + " + enumerator(name.substr(2));
    return "x + " + enumerator(name == "p_new" ? "p" : name);
  }
  static std::string call(const codegen::CFunction& function, const std::string& t) {
    std::vector<std::string> arguments;
    for (const auto& a : function.inputs)
      arguments.push_back(a.is_array ? place(a.name) : a.name == "t" ? t : a.name);
    for (const auto& a : function.outputs) arguments.push_back(place(a.name));
    return function.name + "(" + listed(arguments) + ")";
  }

  const codegen::CFile& file_;
};

}  // namespace

std::string c_layout(const Model& model, const codegen::CFile& file, const Layout& layout,
                     const std::vector<double>& start, const std::vector<double>& nominals,
                     const std::string& token) {
  std::string text =
      "/* variables.h: where the array of an instance has what, and the model's functions on it. "
      "*/\n"
      "#define FMU_TOKEN \"" +
      token + "\"\n\nenum {\n";
  for (const auto& block : layout.blocks()) {
    text += "  " + enumerator(block.name) + " = " + std::to_string(block.first) + ",\n";
  }
  const auto constant = [&](const char* name, int value, const char* end = ",\n") {
    text += "  FMU_" + std::string(name) + " = " + std::to_string(value) + end;
  };
  constant("SIZE", layout.size());
  constant("FIRST_RATE", layout["v"].first);
  constant("FIRST_OTHER", layout["energy"].first);
  constant("PARAMETER_COUNT", layout["parameters"].count);
  constant("FIRST_INPUT", layout["effort"].first);
  constant("INPUT_COUNT", layout["q"].first - layout["effort"].first);
  constant("DRIVE_COUNT", layout["drive"].count);
  constant("COORDINATES", model.coordinate_count());
  constant("VELOCITIES", model.velocity_count());
  const auto events = watched_events(model, false);
  constant("EVENTS", static_cast<int>(events.size()));
  const Breakpoints breakpoints(model.mechanism());
  constant("BREAKPOINTS", static_cast<int>(breakpoints.times().size()));
  constant("ROWS", model.constraint_count(), "\n};\n\n");
  std::vector<double> least;  // of parameters
  const auto known = least_of_parameters(model);
  for (const auto& parameter : file.parameters) {
    const auto found = known.find(parameter.name);
    least.push_back(found != known.end() ? found->second : std::numeric_limits<double>::lowest());
  }
  text += c_array("fmu_start", start) + c_array("fmu_nominal", nominals) +
          c_array("fmu_breakpoints", breakpoints.times()) + c_array("fmu_least", least);
  model.visit([&](const auto& system) {
    text += c_array("fmu_row_scale", system.row_scales) +
            "static const double fmu_length = " + to_text(system.length) + ";\n";
  });
  SimulationOptions steps;
  steps.integrator = RungeKutta4{};
  text += "static const double fmu_most_open = " + to_text(StepGuard(model, steps).most_open()) +
          ";  /* m, a loop after a step */\n\n";
  text += c_events(model, events);
  const Calls calls(file);
  for (const char* name : {"rates", "energy", "power", "sensors", "pivots", "momenta", "reset"}) {
    text += calls.text(name, "(void)x");
  }
  text += calls.text("project", "memcpy(x + FMU_Q_NEW, x + FMU_Q, FMU_COORDINATES * sizeof *x)");
  std::string tangents;
  for (const char* name : {"rates", "energy", "power", "sensors", "project", "pivots"})
    tangents += calls.tangent(name);
  if (!tangents.empty()) {
    text += "#define FMU_HAS_TANGENTS\nstatic void fmu_tangents(const double *x, double *dx)\n{\n" +
            tangents + "}\n";
  }
  return text + calls.step();
}

}  // namespace hamiltree::fmu
