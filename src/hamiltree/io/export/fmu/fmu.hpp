// Fmu: a model as a Functional Mock-up Unit, for co-simulation and for model exchange: its
// generated C, the functions of the standard over it, and what modelDescription.xml says of both.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hamiltree/formulations/codegen/inputs.hpp"
#include "hamiltree/io/export/zip_file.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree {

struct FmuOptions {
  int version = 3;  // of the standard: 2 (2.0) or 3 (3.0)
  std::string formulation = "recursive";
  bool pass_parameters = false;  // masses, lengths and so on are parameters of the FMU
  double step = 1e-3;            // s: the longest of co-simulation
  bool binary = true;            // also a library for this platform, by the system's C compiler
  codegen::Inputs inputs{.efforts = true};
  bool derivatives = false;  // directional ones, exact; the equations are then thrice as long
};

struct Fmu {
  std::vector<ZipEntry> files;
  int inputs = 0, outputs = 0, parameters = 0, states = 0;
  std::string no_binary;  // why there is no library; empty where there is one
};

// Throws as codegen::generate(); std::runtime_error where the compiler is there and fails.
Fmu make_fmu(const Model& model, const FmuOptions& options);

// As an archive under its name, whole or not at all.
void write_fmu(const Fmu& fmu, const std::filesystem::path& file);

}  // namespace hamiltree
