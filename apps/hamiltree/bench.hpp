// hamiltree bench: this engine beside others.
#pragma once

#include <string>

#include "options.hpp"

namespace hamiltree::app {

struct BenchArguments {
  bool quick = false, calibrate = false, json = false, quiet = false;
  std::string folder = "out/bench", only, peers;
};

CLI::App* add_bench(CLI::App& app, BenchArguments& arguments);

// Throws UsageError for an unknown family, GateFailed where an engine computes another motion,
// std::runtime_error for files that cannot be written.
void bench(const BenchArguments& arguments);

}  // namespace hamiltree::app
