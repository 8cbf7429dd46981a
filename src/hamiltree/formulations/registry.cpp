#include "hamiltree/formulations/registry.hpp"

#include <array>

#include "hamiltree/base/error.hpp"

namespace hamiltree {
namespace {

struct Entry {
  const char* name;
  bool takes_loops;
  std::unique_ptr<Formulation> (*make)(const Model&);
};

constexpr std::array kFormulations{
    Entry{"hdca", true, make_hdca},
    Entry{"recursive", false, make_recursive},
    Entry{"dense", true, make_dense},
};

}  // namespace

const std::vector<std::string>& formulation_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& entry : kFormulations) list.emplace_back(entry.name);
    return list;
  }();
  return names;
}

std::unique_ptr<Formulation> make_formulation(std::string_view name, const Model& model) {
  std::string known;
  for (const auto& entry : kFormulations) {
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
    if (name != entry.name) continue;
    if (!entry.takes_loops && model.loop_count() > 0) {
      throw UsageError("formulation " + std::string(name) +
                       " takes chains and trees only; joint \"" +
                       model.joint_name(model.body_count()) + "\" of " + model.name() +
                       " closes a loop (use hdca or dense)");
    }
    return entry.make(model);
  }
  throw UsageError("formulation \"" + std::string(name) + "\" is not known (" + known + ")");
}

}  // namespace hamiltree
