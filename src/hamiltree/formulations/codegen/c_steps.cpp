#include "hamiltree/formulations/codegen/c_steps.hpp"

#include <algorithm>

#include "hamiltree/base/listed.hpp"

namespace hamiltree::codegen {
namespace {

constexpr const char* kSemiImplicitEuler = "step_semi_implicit_euler";
constexpr const char* kRungeKutta = "step_rk4";
constexpr const char* kGapMeaning =
    "\n * gap[1] is raised to how far the loops were open before the projection, m and rad;\n"
    " * NaN if q or p is no longer finite.";

class StepWriter {
 public:
  StepWriter(const std::string& prefix, const std::vector<Routine>& routines, int coordinates,
             int velocities, bool in_lanes, bool gaps, const std::string& qualifier)
      : prefix_(prefix),
        routines_(routines),
        in_lanes_(in_lanes),
        gaps_(gaps),
        qualifier_(qualifier),
        nq_(std::to_string(coordinates * (in_lanes ? 8 : 1))),
        np_(std::to_string(velocities * (in_lanes ? 8 : 1))),
        changes_{{"q", coordinates, "coordinates"}, {"p", velocities, "momenta"}} {
    if (gaps) changes_.push_back({"gap", 1, "the largest opening of the loops, m and rad"});
  }

  StepFunctions both() const {
    StepFunctions text;
    add(text, "A step of semi-implicit Euler: the momenta first.", kSemiImplicitEuler,
        semi_implicit_euler());
    add(text, "A step of the classical Runge-Kutta method.", kRungeKutta, runge_kutta());
    return text;
  }

 private:
  void add(StepFunctions& text, const std::string& meaning, const std::string& name,
           const std::string& body) const {
    const std::string end = has("project") ? has("reset") ? ", then projection and reset"
                                                          : ", quaternions then of length 1"
                                           : "";
    const auto function = prefix_ + "_" + name + (in_lanes_ ? "_8" : "");
    std::vector<Argument> inputs;
    for (const auto& a : routines_.front().inputs) {
      if (is_held(a) || a.name == "t") inputs.push_back(a);
    }
    inputs.push_back({"h", 1, "length of the step, s", false, true});
    text.functions.push_back({function, in_lanes_, inputs, changes_, {}});
    const auto signature = qualifier_ + "void " + function + "(" + held_arguments() +
                           (in_lanes_ ? "const double *t" : "double t") +
                           ", double h, double *q, double *p" + (gaps_ ? ", double *gap)" : ")");
    text.declarations += "\n/* " + meaning + " From the time t by h, s, in place" + end + "." +
                         (gaps_ ? kGapMeaning : "") + " */\n" + signature + ";\n";
    text.definitions += "\n" + signature + "\n{\n" + body + finish() + watch() + "}\n";
  }

  bool has(const std::string& routine) const {
    return std::any_of(routines_.begin(), routines_.end(),
                       [&](const Routine& r) { return r.name == routine; });
  }
  // Whether an argument stays the same during a step.
  static bool is_held(const Argument& a) { return a.name != "t" && a.name != "q" && a.name != "p"; }
  std::string held_arguments() const {
    std::string text;
    for (const auto& a : routines_.front().inputs) {
      if (is_held(a)) text += "const double *" + a.name + ", ";
    }
    return text;
  }

  const Routine& routine(const std::string& name) const {
    return *std::find_if(routines_.begin(), routines_.end(),
                         [&](const Routine& r) { return r.name == name; });
  }

  // A call with these for t, q and p; outputs go to arrays of their own names.
  std::string call(const std::string& name, const std::string& t, const std::string& q,
                   const std::string& p) const {
    std::vector<std::string> arguments;
    for (const auto& a : routine(name).inputs)
      arguments.push_back(a.name == "t" ? t : a.name == "q" ? q : a.name == "p" ? p : a.name);
    for (const auto& a : routine(name).outputs) arguments.push_back(a.name);
    return prefix_ + "_" + name + (in_lanes_ ? "_8" : "") + "(" + listed(arguments) + ");\n";
  }

  // Arrays for what the routines give, each once.
  std::string arrays(const std::vector<std::string>& names) const {
    std::string text;
    for (const auto& name : names) {
      for (const auto& a : routine(name).outputs) {
        const auto line =
            "  double " + a.name + "[" + std::to_string(a.size * (in_lanes_ ? 8 : 1)) + "];\n";
        if (text.find(line) == std::string::npos) text += line;
      }
    }
    return text;
  }

  static std::string loop(const std::string& count, const std::string& statement,
                          const char* indent = "  ") {
    return std::string(indent) + "for (int i = 0; i < " + count + "; ++i) " + statement + "\n";
  }

  std::string later(const std::string& by) const {  // the time, of each lane
    return in_lanes_
               ? "    double t_then[8];\n" + loop("8", "t_then[i] = t[i] + " + by + ";", "    ")
               : "    const double t_then = t + " + by + ";\n";
  }

  //   p <- p + h pdot(t, q, p)        q <- q + h qdot(t, q, p)
  std::string semi_implicit_euler() const {
    return finish_arrays({"rates", "velocities"}) + "  " + call("rates", "t", "q", "p") +
           loop(np_, "p[i] += h * p_dot[i];") + "  " + call("velocities", "t", "q", "p") +
           loop(nq_, "q[i] += h * q_dot[i];");
  }

  //   k_i = f(t + c_i h, y + c_i h k_{i-1})        y <- y + sum_i h b_i k_i
  // in the order of operations of integrators/runge_kutta.hpp, for the same bits.
  std::string runge_kutta() const {
    return "  static const double c[4] = {0.0, 0.5, 0.5, 1.0};\n"
           "  static const double b[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};\n" +
           finish_arrays({"rates"}) + "  double q_then[" + nq_ + "], p_then[" + np_ + "], q_sum[" +
           nq_ + "], p_sum[" + np_ + "];\n" + loop(nq_, "q_sum[i] = q[i], q_dot[i] = 0.0;") +
           loop(np_, "p_sum[i] = p[i], p_dot[i] = 0.0;") +
           "  for (int stage = 0; stage < 4; ++stage) {\n"
           "    const double stage_h = c[stage] * h, sum_h = b[stage] * h;\n" +
           later("stage_h") + loop(nq_, "q_then[i] = q[i] + stage_h * q_dot[i];", "    ") +
           loop(np_, "p_then[i] = p[i] + stage_h * p_dot[i];", "    ") + "    " +
           call("rates", "t_then", "q_then", "p_then") +
           loop(nq_, "q_sum[i] += sum_h * q_dot[i];", "    ") +
           loop(np_, "p_sum[i] += sum_h * p_dot[i];", "    ") + "  }\n" +
           loop(nq_, "q[i] = q_sum[i];") + loop(np_, "p[i] = p_sum[i];");
  }

  std::string finish_arrays(std::vector<std::string> names) const {
    if (has("project")) names.emplace_back("project");
    if (has("reset")) names.emplace_back("reset");
    return arrays(names);
  }

  // After a step: positions onto the loops, momenta clean of their impulses.
  std::string finish() const {
    if (!has("project")) return "";
    std::string text = "  {\n" + later("h") + "    " + call("project", "t_then", "q", "p") +
                       loop(nq_, "q[i] = q_new[i];", "    ");
    if (has("reset")) {
      text += "    " + call("reset", "t_then", "q", "p") + loop(np_, "p[i] = p_new[i];", "    ");
    }
    return text + "  }\n";
  }

  // Infinity less itself is NaN.
  std::string watch() const {
    if (!gaps_) return "";
    const auto larger = [](const std::string& count, const std::string& value) {
      return loop(count, "gap[0] = larger(gap[0], " + value + ");");
    };
    const auto rows = has("project") ? routine("project").outputs.front() : Argument{};
    return (rows.name == "phi" ? larger(std::to_string(rows.size), "phi[i]") : "") +
           larger(nq_, "q[i] - q[i]") + larger(np_, "p[i] - p[i]");
  }

  const std::string& prefix_;
  const std::vector<Routine>& routines_;
  bool in_lanes_, gaps_;
  const std::string& qualifier_;
  std::string nq_, np_;
  std::vector<Argument> changes_;
};

}  // namespace

StepFunctions c_steps(const std::string& prefix, const std::vector<Routine>& routines,
                      int coordinates, int velocities, bool in_lanes, bool gaps,
                      const std::string& qualifier) {
  return StepWriter(prefix, routines, coordinates, velocities, in_lanes, gaps, qualifier).both();
}

std::string c_larger(const std::string& qualifier) {
  return "/* A gap, or the size of a value that is larger; NaN stays. */\nstatic inline " +
         qualifier +
         "double larger(double gap, double value)\n{\n"
         "  return fabs(value) > gap || value != value ? fabs(value) : gap;\n}\n";
}

}  // namespace hamiltree::codegen
