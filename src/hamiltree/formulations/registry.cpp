#include "hamiltree/formulations/registry.hpp"

#include <array>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/codegen/generated.hpp"
#include "hamiltree/formulations/in_plane.hpp"
#include "hamiltree/formulations/subsystems.hpp"

namespace hamiltree {
namespace {

struct Entry {
  const char* name;
  bool takes_baumgarte;
  std::unique_ptr<Formulation> (*make)(const Model&, const FormulationOptions&);
};

constexpr std::array kFormulations{
    Entry{"hdca", false, make_hdca},   Entry{"recursive", false, make_recursive},
    Entry{"dense", false, make_dense}, Entry{"dca", true, make_dca},
    Entry{"aba", true, make_aba},
};

constexpr int kMostThreads = 1024;

[[noreturn]] void refuse_lanes(std::string_view name) {
  throw UsageError("formulation " + std::string(name) + " has no lanes to choose (recursive has)");
}

}  // namespace

const std::vector<std::string>& formulation_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& entry : kFormulations) list.emplace_back(entry.name);
    return list;
  }();
  return names;
}

std::unique_ptr<Formulation> make_formulation(std::string_view name, const Model& model,
                                              const FormulationOptions& options) {
  if (options.threads < 0 || options.threads > kMostThreads) {
    throw UsageError("threads must be a whole number up to " + std::to_string(kMostThreads) +
                     ", not " + std::to_string(options.threads));
  }
  const auto kernel = kernel_of(name);
  if (const auto plane = plane_for(name, model, options)) {
    auto in_space = options;
    in_space.plane = false;
    return make_in_plane(*plane, make_formulation(name, plane->model, options),
                         make_formulation(kernel, model, in_space));
  }
  if (auto subsystems = subsystems_for(name, model, options); !subsystems.empty()) {
    std::vector<std::unique_ptr<Formulation>> parts;
    for (const auto& part : subsystems)
      parts.push_back(make_formulation(name, part.model, options));
    return make_of_subsystems(model, std::move(subsystems), std::move(parts));
  }
  if (kernel != name) {
    if (options.lanes != LaneChoice::kAuto) refuse_lanes(name);
    return make_generated(kernel, model, options);
  }
  std::string known;
  for (const auto& entry : kFormulations) {
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
    if (name != entry.name) continue;
    if (options.baumgarte != 0.0 && !entry.takes_baumgarte) {
      throw UsageError("formulation " + std::string(name) +
                       " keeps velocities on the loops exactly and takes no Baumgarte terms (dca "
                       "and aba do)");
    }
    if (options.lanes != LaneChoice::kAuto && name != "recursive") refuse_lanes(name);
    return entry.make(model, options);
  }
  throw UsageError("formulation \"" + std::string(name) + "\" is not known (" + known + ")");
}

}  // namespace hamiltree
