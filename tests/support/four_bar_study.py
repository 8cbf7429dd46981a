"""A study of four-bars, some of which cannot be closed."""

STUDY = """
format = 1
model = "{model}"
[sample]
method = "latin_hypercube"
count = {count}
seed = 3
[[parameter]]
path = "body.crank.mass"
from = 0.2
to = 1.0
[[parameter]]
path = "joint.D.at_parent.position.0"
from = 0.35
to = 1.5                  # some of them cannot be closed
[[parameter]]
path = "joint.A.initial.q"
from = 0.5
to = 1.2
[run]
{run}
"""
