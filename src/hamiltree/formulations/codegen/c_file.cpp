#include "hamiltree/formulations/codegen/c_file.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/listed.hpp"
#include "hamiltree/base/version.hpp"
#include "hamiltree/formulations/codegen/c_body.hpp"
#include "hamiltree/formulations/codegen/c_expression.hpp"
#include "hamiltree/formulations/codegen/c_many.hpp"
#include "hamiltree/formulations/codegen/c_sin_cos.hpp"
#include "hamiltree/formulations/codegen/c_steps.hpp"
#include "hamiltree/formulations/codegen/harmless.hpp"

namespace hamiltree::codegen {
namespace {

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// "t, q[3], p[3] -> v[3], ...", every argument with its meaning.
std::string comment(const Routine& routine, bool in_lanes) {
  std::string text = "/* " + routine.meaning + (in_lanes ? " Of eight states.\n" : "\n");
  const auto list = [&](const char* way, const std::vector<Argument>& arguments) {
    for (const auto& a : arguments) {
      text += std::string(" *   ") + way + " " + a.name;
      if (a.is_array || in_lanes) text += "[" + std::to_string(a.size * (in_lanes ? 8 : 1)) + "]";
      text += ": " + harmless(a.meaning) + "\n";
    }
  };
  list("in ", routine.inputs);
  list("out", routine.outputs);
  return text + " */\n";
}

std::string declaration(const std::string& prefix, const Routine& routine, bool in_lanes) {
  std::vector<std::string> parameters;
  const std::string pointer = in_lanes ? "*restrict " : "*";
  for (const auto& a : routine.inputs) {
    parameters.push_back((a.is_array || in_lanes ? "const double " + pointer : "double ") + a.name);
  }
  for (const auto& a : routine.outputs) parameters.push_back("double " + pointer + a.name);
  return "void " + prefix + "_" + routine.name + (in_lanes ? "_8" : "") + "(" + listed(parameters) +
         ")";
}

std::string without_restrict(std::string text) {
  const std::string word = "restrict ";
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word)) {
    text.erase(at, word.size());
  }
  return text;
}

std::string array(const std::string& name, const std::vector<double>& values) {
  std::string text = "const double " + name + "[" + std::to_string(values.size()) + "] = {";
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += (i == 0 ? "\n  " : ",\n  ") + c_number(values[i]).text;
  }
  return text + "\n};\n";
}

constexpr const char* kManyMeaning =
    "\n * Functions that end in _many take `count` states: entry i of state s is at [i * count + "
    "s] "
    "of every\n"
    " * array, t and gap have one entry a state, and h and steps are the same for all. Arrays are "
    "on the\n"
    " * device where nvcc compiled the file. They return a cudaError_t, 0 if nothing failed so "
    "far, "
    "and do\n"
    " * not wait: stream is a cudaStream_t or NULL. Steps go on by steps * h, t included.";

class FileWriter {
 public:
  FileWriter(const Model& model, const StateView& start, const Recorded& recorded,
             const GenerateOptions& options, const std::string& header_name)
      : model_(model),
        start_(start),
        recorded_(recorded),
        options_(options),
        header_name_(header_name),
        prefix_(c_prefix(model.name())),
        qualifier_(options.cuda ? kHostDevice : "") {}

  CFile file() {
    CFile file{prefix_,  {},      recorded_.parameters, recorded_.inputs, recorded_.redundancy,
               header(), source()};
    for (const auto& routine : recorded_.routines) {
      for (const bool in_lanes : ways()) file.functions.push_back(function(routine, in_lanes));
    }
    for (const bool in_lanes : ways()) {
      for (auto& function : steps(in_lanes).functions) file.functions.push_back(function);
    }
    return file;
  }

 private:
  CFunction function(const Routine& routine, bool in_lanes) const {
    return {prefix_ + "_" + routine.name + (in_lanes ? "_8" : ""), in_lanes, routine.inputs,
            routine.outputs, routine.trace.count()};
  }

  std::string title() const {
    return "/* " + harmless(model_.name()) + ": equations of motion, written by hamiltree " +
           kVersion + " from its kernel of " + options_.formulation + ".\n";
  }

  // The entries of q, p, sigma and the wrenches.
  std::string tables() const {
    std::string text;
    const auto list = [&](const char* name, const std::vector<std::string>& labels) {
      for (std::size_t i = 0; i < labels.size(); ++i) {
        text += std::string(" *   ") + name + "[" + std::to_string(i) + "]  " +
                harmless(labels[i]) + "\n";
      }
    };
    list("q", options_.q_labels);
    list("p", options_.p_labels);
    model_.visit([&](const auto& system) {
      for (int j = 0; j < system.joint_count(); ++j) {
        const auto& joint = system.joint(j);
        text += " *   joint " + std::to_string(j) + "  " + harmless(model_.joint_name(j));
        if (joint.is_cut()) {
          text += ", closes a loop: " + std::to_string(joint.constraints) + " rows from " +
                  std::to_string(joint.row);
        } else if (joint.velocities > 0) {
          text += ": v, p from " + std::to_string(joint.v) + ", q from " + std::to_string(joint.q);
        }
        text += "\n";
      }
    });
    const auto& [efforts, drives, wrenches] = recorded_.inputs;
    const auto entries = [&](const char* array, std::size_t first, const std::string& meaning) {
      text += " *   " + (array + ("[" + std::to_string(first))) + "]  " + harmless(meaning) + "\n";
    };
    for (std::size_t i = 0; i < efforts.size(); ++i)
      entries("effort", i, "along " + model_.joint_name(efforts[i]));
    if (!drives.empty()) entries("drive", 0, "the time of the motions");
    for (std::size_t i = 0; i < drives.size(); ++i)
      entries("drive", 1 + 3 * i, "and next: motion of " + model_.joint_name(drives[i]));
    const std::size_t size = model_.visit(
        []<class Space>(const System<Space>&) { return std::size_t{Space::kDimension}; });
    for (std::size_t i = 0; i < wrenches.size(); ++i)
      entries("load", size * i, "and next: on body " + model_.body_name(wrenches[i]));
    for (std::size_t i = 0; i < recorded_.parameters.size(); ++i) {
      text += " *   parameters[" + std::to_string(i) + "]  " +
              harmless(recorded_.parameters[i].name) + "\n";
    }
    return text;
  }

  std::string header() const {
    const std::string guard = upper(prefix_) + "_H";
    const std::string capital = upper(prefix_);
    std::string text = title();
    text += " * SI units. Entries:\n" + tables();
    text += " * Redundant rows of the loops were left out as found at the start.";
    if (options_.lanes) {
      text +=
          "\n * Functions that end in _8 take eight states: entry i of state k is at [8 * i + k], "
          "and no\n"
          " * two arrays may overlap.";
    }
    if (options_.cuda) text += kManyMeaning;
    text += " */\n#ifndef " + guard + "\n#define " + guard + "\n\n" +
            (options_.cuda ? c_host_device() + "\n" : "") +
            "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    text += "enum {\n  " + capital + "_COORDINATES = " + std::to_string(model_.coordinate_count()) +
            ",\n  " + capital + "_VELOCITIES = " + std::to_string(model_.velocity_count()) +
            ",\n  " + capital + "_ROWS = " + std::to_string(model_.constraint_count()) + ",\n  " +
            capital + "_JOINTS = " + std::to_string(model_.joint_count()) + ",\n  " + capital +
            "_PARAMETERS = " + std::to_string(recorded_.parameters.size()) +
            (recorded_.inputs.efforts.empty()
                 ? ""
                 : ",\n  " + capital +
                       "_EFFORTS = " + std::to_string(recorded_.inputs.efforts.size())) +
            "\n};\n\n";
    if (options_.start) text += start_declarations();
    if (!recorded_.parameters.empty()) {
      const auto count = std::to_string(recorded_.parameters.size());
      text += "\n/* The model's own parameters, and their names. */\nextern const double " +
              prefix_ + "_parameters[" + count + "];\nextern const char *const " + prefix_ +
              "_parameter_names[" + count + "];\n";
    }
    for (const auto& routine : recorded_.routines) {
      for (const bool in_lanes : ways()) {
        text += '\n';
        text += comment(routine, in_lanes) + qualifier_ +
                without_restrict(declaration(prefix_, routine, in_lanes)) + ";\n";
      }
    }
    for (const bool in_lanes : ways()) text += steps(in_lanes).declarations;
    if (options_.cuda) text += "\n/* The same of many states. */\n";
    for (const auto& function : many()) text += function.declaration;
    return text + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  }

  std::string start_declarations() const {
    std::string text =
        "/* The state that the file was generated at, at the time t = " + c_number(start_.t).text +
        " s. */\n";
    for (const char* part : {"q", "p"}) {
      text += "extern const double " + prefix_ + "_start_" + part + "[" +
              std::to_string(part[0] == 'q' ? model_.coordinate_count() : model_.velocity_count()) +
              "];\n";
    }
    return text;
  }

  std::string source() const {
    std::string text = title();
    text +=
        " * Constants are folded, and what functions have in common within themselves is computed "
        "once. */\n";
    text += "#include \"" + header_name_ + "\"\n\n#include <math.h>\n\n";
    const auto vector = [](const double* x, int size) { return std::vector<double>(x, x + size); };
    if (options_.start) {
      text += array(prefix_ + "_start_q", vector(start_.q, model_.coordinate_count()));
      text += array(prefix_ + "_start_p", vector(start_.u, model_.velocity_count()));
    }
    if (!recorded_.parameters.empty()) {
      std::vector<double> values;
      std::string names;
      for (const auto& parameter : recorded_.parameters) {
        values.push_back(parameter.value);
        names += (names.empty() ? "\n  \"" : ",\n  \"") + harmless(parameter.name) + "\"";
      }
      text += array(prefix_ + "_parameters", values);
      text += "const char *const " + prefix_ + "_parameter_names[" + std::to_string(values.size()) +
              "] = {" + names + "\n};\n";
    }
    std::string functions;
    for (const auto& routine : recorded_.routines) {
      for (const bool in_lanes : ways()) {
        functions += '\n';
        functions += qualifier_ + declaration(prefix_, routine, in_lanes) + "\n{\n" +
                     (in_lanes ? c_body_in_lanes(routine) : c_body(routine)) + "}\n";
      }
    }
    for (const bool in_lanes : ways()) functions += steps(in_lanes).definitions;
    for (const auto& function : many()) functions += function.definition;
    if (options_.cuda)
      text += c_once("HAMILTREE_MANY", c_many_macros() + "\n" + c_larger(qualifier_));
    if (functions.find(" sin_cos(") != std::string::npos) {
      const auto sin_cos = c_sin_cos(qualifier_);
      text += options_.cuda ? c_once("HAMILTREE_SIN_COS", sin_cos) : "\n" + sin_cos;
    }
    if (functions.find(" sin_cos_8(") != std::string::npos) text += "\n" + c_sin_cos_8();
    return text + functions;
  }

  std::vector<bool> ways() const {
    return options_.lanes ? std::vector<bool>{false, true} : std::vector<bool>{false};
  }

  StepFunctions steps(bool in_lanes) const {
    return c_steps(prefix_, recorded_.routines, model_.coordinate_count(), model_.velocity_count(),
                   in_lanes, options_.cuda, qualifier_);
  }

  std::vector<ManyFunction> many() const {
    std::vector<ManyFunction> functions;
    if (!options_.cuda) return functions;
    for (const auto& routine : recorded_.routines)
      functions.push_back(c_many(function(routine, false), false));
    for (const auto& step : steps(false).functions) functions.push_back(c_many(step, true));
    return functions;
  }

  const Model& model_;
  const StateView& start_;
  const Recorded& recorded_;
  const GenerateOptions& options_;
  const std::string& header_name_;
  std::string prefix_, qualifier_;
};

}  // namespace

std::string c_prefix(std::string_view name) {
  std::string prefix;
  for (const char c : name) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    prefix += fits ? c : '_';
  }
  const bool starts =
      !prefix.empty() && prefix[0] != '_' && !(prefix[0] >= '0' && prefix[0] <= '9');
  return starts ? prefix : "model_" + prefix;
}

CFile write_c(const Model& model, const StateView& start, const Recorded& recorded,
              const GenerateOptions& options, const std::string& header_name) {
  return FileWriter(model, start, recorded, options, header_name).file();
}

}  // namespace hamiltree::codegen
