// The mechanisms that are timed. Dimensions, masses and states are drawn at random, always the
// same ones; every joint says where it starts and how fast.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::benchmarks {

Mechanism chain(int bodies);         // pins, their axes anywhere
Mechanism planar_chain(int bodies);  // the same in the plane
Mechanism arm();                     // seven pins at right angles, as arms of industry have them
Mechanism binary_tree(int bodies);   // two bodies hang on every body, but for the last ones
Mechanism planar_tree(int bodies);   // the same in the plane
Mechanism humanoid();                // 27 pins on a floating base
Mechanism geared_humanoid();         // the same, a rotor behind a gear of 9:1 at each pin
// Four-bar linkages in a row: cranks on the ground, couplers between their tips, all bars alike.
// In space its pins are redundant: three of the five rows of every loop are implied by others.
Mechanism ladder(int loops, SpaceKind space);
// In the plane, n x n nodes above the ground, bars between neighbours, those of a row parallel: n
// degrees of freedom and n (n - 1) loops.
Mechanism grid(int n);
// Legs after Theo Jansen in the plane, all on one crank: three loops and six bodies each.
Mechanism legs(int count);
// In the plane, on a torso that floats: 19 bodies, two legs of three parallelograms each.
Mechanism biped();

}  // namespace hamiltree::benchmarks
