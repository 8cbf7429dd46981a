"""Three parallel bars carry a beam where two would do: redundant constraints do the motion no harm."""

import hamiltree as ht

model = ht.load("mechanisms/parallelogram/model.toml")
run = ht.simulate(model, until=1.0, every=0.01)
about = run.summary["model"]
print("constraints", model.constraint_count)
print("redundant", about["redundant_constraints"])
print("degrees_of_freedom", about["degrees_of_freedom"])
for i in range(3):
    print(f"q{i}", run.q[-1, i])
