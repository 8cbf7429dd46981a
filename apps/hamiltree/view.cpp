// hamiltree view: shows a run, or two over one another, in a browser, also while it goes on.
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "commands.hpp"
#include "hamiltree/io/export/report.hpp"
#include "hamiltree/io/viewed_run.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "viewer_server.hpp"

namespace hamiltree::app {
namespace {

struct ViewArguments {
  std::vector<std::string> runs;
  int port = 0;  // 0: any that is free
  bool files_elsewhere = false;
};

void view(const ViewArguments& arguments) {
  const std::vector<std::filesystem::path> runs(arguments.runs.begin(), arguments.runs.end());
  for (const auto& run : runs)
    viewed_data(run, arguments.files_elsewhere);  // complains before anything is served
  const InterruptGuard guard;
  const ViewerServer server(runs, arguments.port, arguments.files_elsewhere);
  if (!has_viewer()) {
    std::cerr << "hamiltree: the page has the simple replay, for this program was built without "
                 "the viewer (./dev viewer)\n";
  }
  std::cout << server.address() << std::endl;
  std::cerr << "Open this address in a browser on this machine; Ctrl-C ends it.\n";
  while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

}  // namespace

Command add_view(CLI::App& app) {
  const auto given = std::make_shared<ViewArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand("view", "show a run in a browser, or two overlaid");
  command->add_option("RUN", arguments.runs, "the --out folder of a run, or its report.html")
      ->required()
      ->expected(1, 2)
      ->type_name("FOLDER");
  command->add_option("--port", arguments.port, "port to listen on; default any that is free")
      ->type_name("N")
      ->check(CLI::Range(1, 65535))
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  add_files_elsewhere(*command, arguments.files_elsewhere);
  return {command, [given] { view(*given); }};
}

}  // namespace hamiltree::app
