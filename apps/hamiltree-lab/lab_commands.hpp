// The commands of hamiltree-lab, each in the file of its name; they throw as those of hamiltree.
#pragma once

#include "command.hpp"

namespace hamiltree::app {

Command add_study(CLI::App& app);
Command add_peer_bench(CLI::App& app);
Command add_chip(CLI::App& app);

}  // namespace hamiltree::app
