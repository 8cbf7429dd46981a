// The three mechanisms of [Chadaj2017, sect. 3.1], and how they are run there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree::studies {

struct Case {
  std::string name;  // "case 1"
  std::string file;  // "case_1", in names of files
  Mechanism mechanism;
  Model model{mechanism};
};

std::vector<Case> chadaj_cases();

// The same bodies and pins in space, with the inertia diag(1, 1, 1) kg m^2 of the paper: three of
// the five equations of every loop then follow from the others.
Mechanism in_space(Mechanism planar);

// The tables of a planar model.
const System<Planar<double>>& planar_system(const Model& model);

// The paper's three integrators and ours in their place.
struct IntegratorPair {
  const char* paper;  // "ode45"
  const char* ours;   // "dormand_prince"
};
inline constexpr IntegratorPair kIntegrators[] = {
    {"ode45", "dormand_prince"}, {"ode113", "adams"}, {"ode23", "bogacki_shampine"}};

// Equal relative and absolute tolerance for all coordinates, velocities and momenta alike; loops
// are neither closed nor momenta reset.
SimulationOptions as_in_paper(std::string_view formulation, std::string_view method,
                              double tolerance);
// The same with all that keeps loops closed and sigma small.
SimulationOptions as_by_default(std::string_view formulation, std::string_view method,
                                double tolerance);

// A run; what was reached if it failed on its way. Output times are stepped to: kEveryStep leaves
// the steps to the integrator.
Recording run(const Model& model, const SimulationOptions& options, double until,
              double every = kEveryStep);

// |E - E_0| in J, of each sample.
std::vector<double> energy_errors(const Recording& recording);
std::vector<double> times(const Recording& recording);
// A sensor's channel by its name, of each sample. Throws std::logic_error if there is none.
std::vector<double> channel(const Recording& recording, std::string_view name);
std::vector<double> position_residuals(const Recording& recording);
std::vector<double> velocity_residuals(const Recording& recording);

// max over entries.
double largest(const std::vector<double>& values);

}  // namespace hamiltree::studies
