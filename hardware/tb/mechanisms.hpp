// The mechanisms of the co-simulation that have no model file.
#pragma once

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::hardware {

// n equal bars of 0.3 m on pins, hanging in a slight curve and moving.
Mechanism chain(int n);
// A trunk of three bars with two branches of two and three.
Mechanism tree();
// A slider on a rail that carries a pendulum of two bars.
Mechanism cart();

}  // namespace hamiltree::hardware
