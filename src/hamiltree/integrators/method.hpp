// Methods of integration as data: which one, and how accurate or how fine.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hamiltree {

// dormand_prince until steps are limited by stability, then bdf, and back where that ends.
struct Auto {
  double rtol = 1e-9;
  double atol = 1e-9;
};
// Bogacki-Shampine 3(2) with adaptive steps, by SUNDIALS' ARKODE.
struct BogackiShampine {
  double rtol = 1e-9;
  double atol = 1e-9;
};
// Dormand-Prince 5(4) with adaptive steps, by SUNDIALS' ARKODE.
struct DormandPrince {
  double rtol = 1e-9;
  double atol = 1e-9;
};
// Adams-Moulton methods of adaptive order 1 to 12 and step, by SUNDIALS' CVODE: few rates a step,
// the ode113 of [Chadaj2017].
struct Adams {
  double rtol = 1e-9;
  double atol = 1e-9;
};
// Backward differentiation of adaptive order 1 to 5 and step, by SUNDIALS' CVODE: for stiff springs
// and dampers. Newton's method with a dense matrix of difference quotients.
struct Bdf {
  double rtol = 1e-9;
  double atol = 1e-9;
};

// Explicit Euler with a fixed step in s, the method of [Turno2023].
struct Euler {
  double step = 1e-4;
};
// Momenta by explicit Euler, then coordinates with the new momenta; order 1.
struct SemiImplicitEuler {
  double step = 1e-4;
};
// The classical Runge-Kutta method of order 4 with a fixed step in s.
struct RungeKutta4 {
  double step = 1e-3;
};
// Gauss collocation with 1 to 3 stages, of order 2 (the implicit midpoint rule), 4 and 6, with a
// fixed step in s: symplectic and symmetric. For trees.
struct Gauss {
  int stages = 2;
  double step = 1e-2;
};
// SPARK methods with 1 to 3 stages, of order 2, 4 and 6, with a fixed step in s: Gauss methods
// whose loops are closed exactly at Lobatto's nodes. Symplectic and symmetric; Gauss on trees.
struct Spark {
  int stages = 2;
  double step = 1e-2;
};

using Method = std::variant<Auto, BogackiShampine, DormandPrince, Adams, Bdf, Euler,
                            SemiImplicitEuler, RungeKutta4, Gauss, Spark>;

// "auto"; "bogacki_shampine", "dormand_prince", "adams", "bdf"; "euler", "semi_implicit_euler",
// "rk4", "implicit_midpoint", "gauss_4", "gauss_6", "spark_1", "spark_2", "spark_3".
const char* to_name(const Method& method);
std::optional<Method> method_from_name(std::string_view name);
const std::vector<std::string>& method_names();

// A method has either tolerances, relative and absolute, or a fixed step.
struct Tolerances {
  double relative = 0.0, absolute = 0.0;
};
std::optional<Tolerances> tolerances_of(const Method& method);
std::optional<double> step_of(const Method& method);
// The method with others; one that has none of them is left as it is.
Method with_tolerances(Method method, const Tolerances& tolerances);
Method with_step(Method method, double step);

// Whether steps are explicit and of a fixed size: euler, semi_implicit_euler, rk4.
bool has_explicit_steps(const Method& method);
// Throws UsageError where they are not: `who` ("rollouts") take no other methods.
void require_explicit_steps(const Method& method, const std::string& who);
// Whether steps rest on earlier ones, so that the state may not be moved between them.
bool is_multistep(const Method& method);
// Whether the method keeps the structure of Hamilton's equations: in canonical variables, and as
// long as nothing else moves the state.
bool is_symplectic(const Method& method);

}  // namespace hamiltree
