// hamiltree-lab study: regenerates a paper, or answers a question about the engine.
#include "studies/study.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "document_output.hpp"
#include "hamiltree/base/error.hpp"
#include "lab_commands.hpp"
#include "options.hpp"
#include "print.hpp"
#include "progress.hpp"
#include "run.hpp"

namespace hamiltree::app {
namespace {

struct StudyArguments {
  std::string name;
  bool quick = false, quiet = false;
  std::optional<std::string> folder;
};

std::string names() {
  std::vector<std::string> all;
  for (const auto& study : studies::all_studies()) all.emplace_back(study.name);
  return listed(all);
}

void study(const StudyArguments& arguments) {
  const auto all = studies::all_studies();
  const auto found = std::ranges::find(all, arguments.name, &studies::Study::name);
  if (found == all.end())
    throw UsageError("\"" + arguments.name + "\" is not a study; there are " + names());
  const auto folder = arguments.folder.value_or("out/" + arguments.name);
  if (folder.empty()) throw UsageError("--out needs the name of a folder");
  check_folder(folder);
  check_holds_no_run(folder, "choose another --out folder for the report");
  Document document;
  {
    const StatusLine line(!arguments.quiet);
    studies::StudyOptions options;
    options.quick = arguments.quick;
    options.progress = [&](std::string_view doing) { line.show(std::string(doing)); };
    document = found->run(options);
  }
  write_and_tell(document, folder, arguments.quiet);
}

}  // namespace

Command add_study(CLI::App& app) {
  const auto given = std::make_shared<StudyArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand("study", "regenerate a paper, or measure the engine");
  command->add_option("NAME", arguments.name, "one of " + names())->required()->type_name("");
  command->add_flag("--quick", arguments.quick, "a small sample of everything, in seconds");
  command
      ->add_option("--out", arguments.folder,
                   "folder for report.html, report.md, tables and figures; default out/NAME")
      ->type_name("FOLDER")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  command->add_flag("--quiet,-q", arguments.quiet, "no progress, no statements; errors only");
  std::string about = "Studies:\n";
  for (const auto& study : studies::all_studies())
    about += "  " + std::string(study.name) + ": " + std::string(study.about) + "\n";
  command->footer(about);
  return {command, [given] { study(*given); }};
}

}  // namespace hamiltree::app
