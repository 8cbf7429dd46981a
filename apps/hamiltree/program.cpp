#include "program.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <sstream>
#include <stdexcept>

#include "exit_code.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/base/listed.hpp"
#include "hamiltree/base/printable.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/base/version.hpp"
#include "hamiltree/io/import/suggestion.hpp"
#include "interrupt.hpp"
#include "run.hpp"

namespace hamiltree::app {
namespace {

std::string version_text(const std::string& program) {
  return program + " " + kVersion + " (" + kCompiler + ", " + kBuildType + ", Eigen " +
         kEigenVersion + ", SUNDIALS " + kSundialsVersion + ")";
}

constexpr const char* kExitCodes =
    "\n"
    "Exit codes: 0 ok, 1 simulation failed, 2 usage, 3 file or model error, 4 a gate failed,\n"
    "130 interrupted.";

// The examples of one command.
std::string examples_of(const Program& program, const std::string& command) {
  std::string found;
  std::istringstream lines(program.examples);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  " + program.name + " " + command + " ")) found += line + "\n";
  }
  return found;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

int complain(const Program& program, ExitCode code, const std::string& sentence) {
  std::cout.flush();
  std::cerr << program.name + ": " + printable(sentence) + '\n';  // at once: ranks share the screen
  return code;
}

// "commands are simulate, resume and view", of those that help lists.
std::string commands_text(const Program& program, const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : listed_commands(app)) names.push_back(command->get_name());
  return "commands are " + listed(names) + " (" + program.name + " --help says more)" +
         (program.elsewhere.empty() ? "" : "; " + program.elsewhere);
}

// Whether it is one, also one that help does not list.
bool is_command(const CLI::App& app, const std::string& word) {
  const auto named = [&](const CLI::App* command) { return command->get_name() == word; };
  return !app.get_subcommands(named).empty();
}

// The refusal of a first word that is no command: a slip of the pen, an option without its dashes
// or the file of a model.
std::string not_a_command(const Program& program, const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const auto* command : listed_commands(app)) names.push_back(command->get_name());
  const auto option = "--" + word;
  const bool is_option = app.get_option_no_throw(option) != nullptr;
  const auto meant = is_option ? option : closest(word, names);
  const auto refusal = quoted(word) + " is not a command";
  if (!meant.empty())
    return refusal + ", did you mean " + quoted(meant) + "? (" + program.name +
           " --help says more)";
  if (is_command(app, "simulate") && std::filesystem::is_regular_file(word))
    return refusal + "; " + program.name + " simulate " + word + " simulates a model";
  return refusal + "; " + commands_text(program, app);
}

// A message of CLI11 as the rest of a sentence.
std::string sentence_of(const CLI::ParseError& error) {
  std::string text = error.what();
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  return text;
}

// The first argument that a program or command did not expect, as the rest of a sentence; nothing
// where there is none.
std::string unexpected_argument(const CLI::App& app) {
  const auto extra = app.remaining();
  const auto first = std::ranges::find_if(extra, [](const auto& text) { return text != "--"; });
  if (first == extra.end()) return {};
  if (!first->starts_with('-')) {
    return quoted(*first) + " is one argument too many for " + app.get_name();
  }
  std::vector<std::string> known;
  for (const auto* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::string name = first->substr(0, first->find('='));
  const auto begun = std::ranges::find_if(known, [&](const std::string& option) {
    return name.size() > 2 && (name.starts_with(option) || option.starts_with(name));
  });
  const std::string meant = begun != known.end() ? *begun : closest(name, known);
  return quoted(name) + " is not an option of " + app.get_name() +
         (meant.empty() ? "" : ", did you mean " + quoted(meant) + "?");
}

int run(const Program& program, int argc, const char* const* argv) {
  CLI::App app(program.about, program.name);
  app.set_version_flag("--version", version_text(program.name),
                       "print the version and how it was built");
  app.set_help_flag("--help,-h", "print this text");
  app.footer("Examples:\n" + program.examples + kExitCodes);
  app.get_formatter()->column_width(34);
  std::vector<Command> commands;
  for (const auto& add : program.commands) {
    auto* command = commands.emplace_back(add(app)).parser;
    const auto examples = examples_of(program, command->get_name());
    if (command->get_footer() == app.get_footer())
      command->footer((examples.empty() ? "" : "Examples:\n" + examples) + kExitCodes);
  }
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    if (argc > 1 && argv[1][0] != '-' && !is_command(app, argv[1]))
      return complain(program, kUsage, not_a_command(program, app, argv[1]));
    const auto command = chosen.empty() ? "" : chosen.front()->get_name() + " ";
    std::string sentence = unexpected_argument(app);
    if (sentence.empty() && !chosen.empty()) sentence = unexpected_argument(*chosen.front());
    if (sentence.empty()) sentence = sentence_of(error);
    return complain(program, kUsage,
                    sentence + " (" + program.name + " " + command + "--help says more)");
  }
  const auto chosen = std::ranges::find_if(
      commands, [](const Command& command) { return command.parser->parsed(); });
  if (chosen == commands.end()) {
    return complain(program, kUsage, "a command is missing; " + commands_text(program, app));
  }
  chosen->run();
  if (!std::cout.flush()) throw std::runtime_error("cannot write to standard output");
  return kOk;
}

}  // namespace

std::vector<const CLI::App*> listed_commands(const CLI::App& app) {
  std::vector<const CLI::App*> shown;
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) shown.push_back(command);
  }
  return shown;
}

int run_program(const Program& program, int argc, const char* const* argv) {
  // A closed pipe and a file that may not grow are errors to tell, not the end of a run.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return run(program, argc, argv);
  } catch (const UsageError& error) {
    return complain(program, kUsage, error.what());
  } catch (const ModelError& error) {
    return complain(program, kInput, error.what());
  } catch (const SimulationError& error) {
    return complain(program, kFailed, error.what());
  } catch (const AllSamplesFailed& error) {
    return complain(program, kFailed, error.what());
  } catch (const GateFailed& error) {
    return complain(program, kGate, error.what());
  } catch (const Interrupted& stop) {
    return complain(
        program, kInterrupted,
        "interrupted at t = " + to_text(stop.time) + " s; " +
            (!stop.why_not_saved.empty() ? "there is no checkpoint: " + stop.why_not_saved
             : stop.folder.empty()       ? "nothing was written (--out keeps a checkpoint)"
                                         : "go on with: hamiltree resume " + stop.folder));
  } catch (const InterruptedSweep& stop) {
    return complain(program, kInterrupted, stop.sentence);
  } catch (const std::bad_alloc&) {
    return complain(program, kFailed, "out of memory");
  } catch (const std::runtime_error& error) {
    return complain(program, kInput, error.what());
  } catch (const std::exception& error) {
    return complain(program, kFailed,
                    std::string("an error of the program itself: ") + error.what());
  }
}

}  // namespace hamiltree::app
