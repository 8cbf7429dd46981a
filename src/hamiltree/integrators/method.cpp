#include "hamiltree/integrators/method.hpp"

#include <array>

#include "hamiltree/base/error.hpp"

namespace hamiltree {
namespace {

struct Entry {
  const char* name;
  Method method;
};

const auto& entries() {
  static const std::array table{Entry{"auto", Auto{}},
                                Entry{"bogacki_shampine", BogackiShampine{}},
                                Entry{"dormand_prince", DormandPrince{}},
                                Entry{"adams", Adams{}},
                                Entry{"bdf", Bdf{}},
                                Entry{"euler", Euler{}},
                                Entry{"semi_implicit_euler", SemiImplicitEuler{}},
                                Entry{"rk4", RungeKutta4{}},
                                Entry{"implicit_midpoint", Gauss{.stages = 1}},
                                Entry{"gauss_4", Gauss{.stages = 2}},
                                Entry{"gauss_6", Gauss{.stages = 3}},
                                Entry{"spark_1", Spark{.stages = 1}},
                                Entry{"spark_2", Spark{.stages = 2}},
                                Entry{"spark_3", Spark{.stages = 3}}};
  return table;
}

int stages_of(const Method& method) {
  return std::visit(
      [](const auto& m) {
        if constexpr (requires { m.stages; }) return m.stages;
        return 0;
      },
      method);
}

}  // namespace

const char* to_name(const Method& method) {
  for (const auto& entry : entries()) {
    if (entry.method.index() == method.index() && stages_of(entry.method) == stages_of(method)) {
      return entry.name;
    }
  }
  return "unknown";  // stages that make_integrator() refuses
}

std::optional<Method> method_from_name(std::string_view name) {
  for (const auto& entry : entries()) {
    if (name == entry.name) return entry.method;
  }
  return std::nullopt;
}

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& entry : entries()) list.emplace_back(entry.name);
    return list;
  }();
  return names;
}

std::optional<Tolerances> tolerances_of(const Method& method) {
  return std::visit(
      [](const auto& m) -> std::optional<Tolerances> {
        if constexpr (requires { m.rtol; }) return Tolerances{m.rtol, m.atol};
        return std::nullopt;
      },
      method);
}

std::optional<double> step_of(const Method& method) {
  return std::visit(
      [](const auto& m) -> std::optional<double> {
        if constexpr (requires { m.step; }) return m.step;
        return std::nullopt;
      },
      method);
}

Method with_tolerances(Method method, const Tolerances& tolerances) {
  std::visit(
      [&](auto& m) {
        if constexpr (requires { m.rtol; }) {
          m.rtol = tolerances.relative;
          m.atol = tolerances.absolute;
        }
      },
      method);
  return method;
}

Method with_step(Method method, double step) {
  std::visit(
      [&](auto& m) {
        if constexpr (requires { m.step; }) m.step = step;
      },
      method);
  return method;
}

bool has_explicit_steps(const Method& method) {
  return std::holds_alternative<Euler>(method) ||
         std::holds_alternative<SemiImplicitEuler>(method) ||
         std::holds_alternative<RungeKutta4>(method);
}

void require_explicit_steps(const Method& method, const std::string& who) {
  if (has_explicit_steps(method)) return;
  throw UsageError(who + " take euler, semi_implicit_euler or rk4, not " + to_name(method));
}

bool is_multistep(const Method& method) {
  return std::holds_alternative<Adams>(method) || std::holds_alternative<Bdf>(method);
}

bool is_symplectic(const Method& method) {
  return std::holds_alternative<Gauss>(method) || std::holds_alternative<Spark>(method);
}

}  // namespace hamiltree
