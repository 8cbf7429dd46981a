// A chain of a hundred bodies: the plan that contracts it, formulations that agree, digits that are
// left in its momenta.
#include <algorithm>
#include <cmath>

#include "hamiltree/formulations/digits.hpp"
#include "hamiltree/hamiltree.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "show.hpp"

int main() {
  const auto model = hamiltree::load("mechanisms/chain_100/model.toml");
  const auto start = hamiltree::initial_state(model);
  const hamiltree::StateView state{0.0, start.q.data(), start.p.data()};
  for (const char* name : {"hdca", "recursive"}) {
    const auto formulation = hamiltree::make_formulation(name, model);
    const auto workspace = formulation->make_workspace();
    formulation->analyse(state, *workspace);
    formulation->prepare(state, *workspace);
    formulation->rate(state, *workspace);
    std::cout << "# " << formulation->plan() << '\n';
    show(std::string(name) + ".first_p_dot", workspace->u_dot.front());
    show(std::string(name) + ".last_p_dot", workspace->u_dot.back());
  }
  show("estimated_digits", hamiltree::estimated_digits(model, start.q).value());
}
