// Everything a program needs: load a mechanism, simulate it, write what happened.
#pragma once

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/version.hpp"
#include "hamiltree/batch/batch.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/io/export/output_folder.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/math/eigen_layout.hpp"  // IWYU pragma: keep
#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/simulation.hpp"
