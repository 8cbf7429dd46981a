// The hamiltree-lab program: the papers regenerated, this engine beside others, and the chip.
#include "commands.hpp"
#include "hardware/backend/chip_steps.hpp"
#include "lab_commands.hpp"
#include "program.hpp"

int main(int argc, char** argv) {
  using namespace hamiltree::app;
  return run_program(
      {"hamiltree-lab",
       "Studies of hamiltree: papers regenerated, benchmarks beside other engines, the chip.",
       "  hamiltree-lab study chadaj2017 --quick\n"
       "  hamiltree-lab bench --quick\n"
       "  hamiltree-lab chip four_bar.toml --out out/chip\n"
       "  hamiltree-lab simulate four_bar.toml --backend fpga-sim --until 1\n",
       {add_study, add_peer_bench, add_chip,
        [](CLI::App& app) { return add_simulate(app, hamiltree::hardware::chip_integrator); },
        add_run_controller},
       "all other commands are those of hamiltree"},
      argc, argv);
}
