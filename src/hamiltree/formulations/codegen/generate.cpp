#include "hamiltree/formulations/codegen/generate.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <type_traits>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/codegen/c_file.hpp"
#include "hamiltree/formulations/codegen/jacobians.hpp"
#include "hamiltree/formulations/codegen/recorders.hpp"
#include "hamiltree/formulations/codegen/tangent.hpp"

namespace hamiltree::codegen {
namespace {

struct Entry {
  const char* name;
  Recorded (*planar)(const Model&, const StateView&, const RecordOptions&);
  Recorded (*spatial)(const Model&, const StateView&, const RecordOptions&);
};

constexpr std::array kEntries{
    Entry{"hdca", record_planar_hdca, record_spatial_hdca},
    Entry{"recursive", record_planar_recursive, record_spatial_recursive},
};

const Entry& entry_of(const std::string& formulation) {
  for (const auto& entry : kEntries) {
    if (formulation == entry.name) return entry;
  }
  throw UsageError("formulation \"" + formulation +
                   "\" cannot be generated (hdca and recursive can)");
}

// The tracing scalar cannot follow a function of the user's.
void refuse_callbacks(const Model& model) {
  for (const auto& force : model.mechanism().forces) {
    std::visit(
        [&]<class Force>(const Force& f) {
          if constexpr (std::is_same_v<Force, EffortCallback> ||
                        std::is_same_v<Force, LoadCallback> || std::is_same_v<Force, Controller>) {
            throw ModelError(
                f.where, f.name,
                "force \"" + f.name + "\" is a callback, which generated code cannot contain");
          }
        },
        force);
  }
}

void add_tangents(std::vector<Routine>& routines) {
  const std::map<std::string, std::vector<std::string>> shown{{"rates", {"v", "q_dot", "p_dot"}},
                                                              {"energy", {"energy"}},
                                                              {"power", {"power"}},
                                                              {"sensors", {"sensor"}},
                                                              {"project", {"phi"}},
                                                              {"pivots", {"ratio"}}};
  const auto count = routines.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto& routine = routines[i];
    const auto outputs = shown.find(routine.name);
    if (outputs == shown.end()) continue;
    auto tangent = tangent_of(routine, outputs->second);
    if (!tangent.outputs.empty()) routines.push_back(std::move(tangent));
  }
}

}  // namespace

const std::vector<std::string>& formulations() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& entry : kEntries) list.emplace_back(entry.name);
    return list;
  }();
  return names;
}

Inputs inputs_of(const std::string& words) {
  Inputs inputs;
  if (words == "none") return inputs;
  std::istringstream list(words + ",");  // with an empty word where there is nothing
  for (std::string word; std::getline(list, word, ',');) {
    bool* const kind = word == "efforts"    ? &inputs.efforts
                       : word == "drives"   ? &inputs.drives
                       : word == "wrenches" ? &inputs.wrenches
                                            : nullptr;
    if (kind == nullptr)
      throw UsageError("inputs: \"" + word +
                       "\" is not efforts, drives or wrenches, nor none alone");
    *kind = true;
  }
  return inputs;
}

void check(const Model& model, const std::string& formulation) {
  entry_of(formulation);
  refuse_callbacks(model);
  if (model.velocity_count() == 0) {
    throw ModelError(model.mechanism().where, model.name(),
                     "model \"" + model.name() +
                         "\" has nothing that moves freely, so there is nothing to generate");
  }
}

CFile generate(const Model& model, const StateView& start, const GenerateOptions& options,
               const std::string& header_name) {
  check(model, options.formulation);
  const auto& entry = entry_of(options.formulation);
  const auto record = model.visit([&]<class Space>(const System<Space>&) {
    return Space::kIsPlanar ? entry.planar : entry.spatial;
  });
  const RecordOptions what{options.pass_parameters, options.inputs, options.sensors};
  auto recorded = record(model, start, what);
  if (options.derivatives) {
    const auto& rates = *std::ranges::find(recorded.routines, "rates", &Routine::name);
    recorded.routines.push_back(jacobians_of(rates));
  }
  if (options.tangents) add_tangents(recorded.routines);
  return write_c(model, start, recorded, options, header_name);
}

}  // namespace hamiltree::codegen
