"""A chain of a hundred bodies: the plan that contracts it, formulations that agree, digits that are
left in its momenta."""

import hamiltree as ht

model = ht.load("mechanisms/chain_100/model.toml")
state = model.state()
for name in ("hdca", "recursive"):
    formulation = ht.Formulation(model, name)
    _, p_dot = formulation.rates(state.q, state.p)
    print("#", formulation.plan)
    print(f"{name}.first_p_dot", p_dot[0])
    print(f"{name}.last_p_dot", p_dot[-1])
print("estimated_digits", model.estimated_digits)
