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
#include "hamiltree/base/error.hpp"
#include "hamiltree/io/export/report.hpp"
#include "hamiltree/io/viewed_run.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "viewer_server.hpp"

namespace hamiltree::app {
namespace {

constexpr int kLargestPort = 65535;

struct ViewArguments {
  std::vector<std::string> runs;
  int port = 0;  // 0: any that is free
  bool files_elsewhere = false;
};

void view(const ViewArguments& arguments) {
  if (arguments.port > kLargestPort)
    throw UsageError("--port must be at most " + std::to_string(kLargestPort) + ", it is " +
                     std::to_string(arguments.port));
  if (arguments.runs.size() > 2)
    throw UsageError("view shows one RUN or two, not " + std::to_string(arguments.runs.size()));
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
  command
      ->add_option("RUN", arguments.runs,
                   "the --out folder of a run, or its report.html; a second one is overlaid")
      ->required()
      ->type_name("");
  add_count(*command, "--port", arguments.port, "port to listen on; default 0, any that is free");
  add_files_elsewhere(*command, arguments.files_elsewhere);
  return {command, [given] { view(*given); }};
}

}  // namespace hamiltree::app
