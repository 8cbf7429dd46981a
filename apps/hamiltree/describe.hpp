// The manual page and the completion of the shell, from the definition of the command line itself.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace hamiltree::app {

struct DescribeArguments {
  std::string what;  // man, bash
};

// A command that no help lists: packages are made by it.
CLI::App* add_describe(CLI::App& app, DescribeArguments& arguments);
// Prints to stdout.
void describe(const CLI::App& app, const DescribeArguments& arguments);

}  // namespace hamiltree::app
