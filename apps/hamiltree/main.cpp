// The hamiltree program: finds the command, and turns every error into one sentence on stderr and
// an exit code.
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>

#include "bench.hpp"
#include "chip.hpp"
#include "compare.hpp"
#include "convert.hpp"
#include "describe.hpp"
#include "exit_code.hpp"
#include "generate.hpp"
#include "giant.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/base/version.hpp"
#include "info.hpp"
#include "interrupt.hpp"
#include "resume.hpp"
#include "simulate.hpp"
#include "study.hpp"
#include "sweep.hpp"
#include "view.hpp"

namespace hamiltree::app {
namespace {

std::string version_text() {
  return std::string("hamiltree ") + kVersion + " (" + kCompiler + ", " + kBuildType + ", Eigen " +
         kEigenVersion + ", SUNDIALS " + kSundialsVersion + ")";
}

constexpr const char* kFooter =
    "Examples:\n"
    "  hamiltree info four_bar.toml\n"
    "  hamiltree simulate four_bar.toml --until 10 --out out/four_bar\n"
    "  hamiltree simulate four_bar.toml --set body.crank.mass=2 --json\n"
    "  hamiltree simulate robot.urdf --until 10 --out out/robot\n"
    "  hamiltree convert robot.urdf --out robot.toml\n"
    "  hamiltree view out/four_bar\n"
    "  hamiltree resume out/four_bar\n"
    "  hamiltree compare four_bar.toml --formulations hdca,dca\n"
    "  hamiltree study chadaj2017 --quick\n"
    "  hamiltree sweep study.toml --out out/study\n"
    "  hamiltree giant chain.toml --step 1e-5 --threads 2\n"
    "  hamiltree bench --quick\n"
    "  hamiltree chip four_bar.toml --out out/chip\n"
    "  hamiltree generate four_bar.toml -o four_bar.c\n"
    "\n"
    "Exit codes: 0 ok, 1 simulation failed, 2 usage, 3 file or model error, 4 a gate failed,\n"
    "130 interrupted.";

constexpr const char* kCommands =
    "commands are simulate, resume, view, info, convert, compare, sweep, giant, study, bench, chip "
    "and generate (hamiltree --help says more)";

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

int complain(ExitCode code, const std::string& sentence) {
  std::cout.flush();
  std::cerr << "hamiltree: " + sentence + '\n';  // at once: ranks share the screen
  return code;
}

// What CLI11 says, as the rest of a sentence.
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

int run(int argc, const char* const* argv) {
  CLI::App app("Multibody dynamics in Hamilton's canonical form.", "hamiltree");
  app.set_version_flag("--version", version_text(), "print the version and how it was built");
  app.set_help_flag("--help,-h", "print this text");
  app.footer(kFooter);
  app.get_formatter()->column_width(34);
  SimulateArguments simulate_arguments;
  ResumeArguments resume_arguments;
  ViewArguments view_arguments;
  InfoArguments info_arguments;
  ConvertArguments convert_arguments;
  CompareArguments compare_arguments;
  SweepArguments sweep_arguments;
  StudyArguments study_arguments;
  BenchArguments bench_arguments;
  ChipArguments chip_arguments;
  GenerateArguments generate_arguments;
  GiantArguments giant_arguments;
  DescribeArguments describe_arguments;
  auto* simulate_command = add_simulate(app, simulate_arguments);
  auto* resume_command = add_resume(app, resume_arguments);
  auto* view_command = add_view(app, view_arguments);
  auto* info_command = add_info(app, info_arguments);
  auto* convert_command = add_convert(app, convert_arguments);
  auto* compare_command = add_compare(app, compare_arguments);
  auto* sweep_command = add_sweep(app, sweep_arguments);
  auto* study_command = add_study(app, study_arguments);
  auto* bench_command = add_bench(app, bench_arguments);
  auto* chip_command = add_chip(app, chip_arguments);
  auto* generate_command = add_generate(app, generate_arguments);
  auto* giant_command = add_giant(app, giant_arguments);
  auto* describe_command = add_describe(app, describe_arguments);
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const bool unknown = chosen.empty() && argc > 1 && argv[1][0] != '-';
    if (unknown) return complain(kUsage, quoted(argv[1]) + " is not a command; " + kCommands);
    const auto command = chosen.empty() ? "" : chosen.front()->get_name() + " ";
    return complain(kUsage, sentence_of(error) + " (hamiltree " + command + "--help says more)");
  }
  if (simulate_command->parsed()) {
    simulate(simulate_arguments);
  } else if (resume_command->parsed()) {
    resume(resume_arguments);
  } else if (view_command->parsed()) {
    view(view_arguments);
  } else if (info_command->parsed()) {
    info(info_arguments);
  } else if (convert_command->parsed()) {
    convert(convert_arguments);
  } else if (compare_command->parsed()) {
    compare(compare_arguments);
  } else if (sweep_command->parsed()) {
    sweep(sweep_arguments);
  } else if (study_command->parsed()) {
    study(study_arguments);
  } else if (bench_command->parsed()) {
    bench(bench_arguments);
  } else if (chip_command->parsed()) {
    chip(chip_arguments);
  } else if (generate_command->parsed()) {
    generate(generate_arguments);
  } else if (giant_command->parsed()) {
    giant(giant_arguments);
  } else if (describe_command->parsed()) {
    describe(app, describe_arguments);
  } else {
    return complain(kUsage, std::string("a command is missing; ") + kCommands);
  }
  if (!std::cout.flush()) throw std::runtime_error("cannot write to standard output");
  return kOk;
}

int guarded(int argc, const char* const* argv) {
  try {
    return run(argc, argv);
  } catch (const UsageError& error) {
    return complain(kUsage, error.what());
  } catch (const ModelError& error) {
    return complain(kInput, error.what());
  } catch (const SimulationError& error) {
    return complain(kFailed, error.what());
  } catch (const AllSamplesFailed& error) {
    return complain(kFailed, error.what());
  } catch (const GateFailed& error) {
    return complain(kGate, error.what());
  } catch (const Interrupted& stop) {
    return complain(kInterrupted,
                    "interrupted at t = " + to_text(stop.time) + " s; " +
                        (stop.folder.empty() ? "nothing was written (--out keeps a checkpoint)"
                                             : "go on with: hamiltree resume " + stop.folder));
  } catch (const InterruptedSweep& stop) {
    return complain(kInterrupted, stop.sentence);
  } catch (const std::bad_alloc&) {
    return complain(kFailed, "out of memory");
  } catch (const std::runtime_error& error) {
    return complain(kInput, error.what());
  } catch (const std::exception& error) {
    return complain(kFailed, std::string("an error of the program itself: ") + error.what());
  }
}

}  // namespace
}  // namespace hamiltree::app

int main(int argc, char** argv) {
  // A closed pipe and a file that may not grow are errors to tell, not the end of a run.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  return hamiltree::app::guarded(argc, argv);
}
