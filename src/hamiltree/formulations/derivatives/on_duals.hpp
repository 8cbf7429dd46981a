// Systems on dual numbers with eight directions; compiled once, in tangents.cpp.
#pragma once

#include "hamiltree/math/dual.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree {

extern template System<Planar<Duals>> System<Planar<double>>::cast<Duals>() const;
extern template Kinematics<Planar<Duals>>::Kinematics(const System<Planar<Duals>>&);
extern template System<Spatial<Duals>> System<Spatial<double>>::cast<Duals>() const;
extern template Kinematics<Spatial<Duals>>::Kinematics(const System<Spatial<Duals>>&);

}  // namespace hamiltree
