#include "hamiltree/model/functions_of_time.hpp"

#include <algorithm>
#include <optional>
#include <variant>

namespace hamiltree {
namespace {

struct FunctionVisit : IgnoreFields {
  std::vector<const TimeFunction*> found;
  bool has_callback = false;

  void add(const std::optional<TimeFunction>& function) {
    if (function) found.push_back(&*function);
  }
  void function(const char*, const TimeFunction& function, Need) { found.push_back(&function); }
  void along_axes_in_time(const char*, const TimeVector& functions) {
    for (const auto& part : kTimeVectorParts) add(functions.*part.function);
  }
  void about_axes_in_time(const char* word, const TimeVector& functions) {
    along_axes_in_time(word, functions);
  }
  template <class Function>
  void callback(const char*, const Function&) {
    has_callback = true;
  }
};

FunctionVisit visited(const Mechanism& mechanism) {
  FunctionVisit visit;
  for (const auto& joint : mechanism.joints) {
    visit.add(joint.drive);
    if (!joint.parent_motion) continue;
    for (const auto& part : kFrameMotionParts) visit.add((*joint.parent_motion).*part.function);
  }
  for (const auto& force : mechanism.forces)
    std::visit([&](const auto& f) { f.fields(f, visit); }, force);
  return visit;
}

bool is_constant(const TimeFunction& function) {
  const auto* polynomial = std::get_if<Polynomial>(&function);
  return polynomial != nullptr && polynomial->coefficients.size() <= 1;
}

}  // namespace

std::vector<const TimeFunction*> functions_of_time(const Mechanism& mechanism) {
  return visited(mechanism).found;
}

bool depends_on_time(const Mechanism& mechanism) {
  const auto all = visited(mechanism);
  return all.has_callback || !std::ranges::all_of(
                                 all.found, is_constant, [](auto* f) -> auto& { return *f; });
}

}  // namespace hamiltree
