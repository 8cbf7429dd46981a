// hamiltree describe: the manual page and the completion of the shell, from the definition of the
// command line itself.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "hamiltree/base/version.hpp"
#include "program.hpp"

namespace hamiltree::app {
namespace {

// "--quiet", "-q"
std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> all;
  for (const auto& name : option.get_lnames()) all.push_back("--" + name);
  for (const auto& name : option.get_snames()) all.push_back("-" + name);
  return all;
}

// The values that an option takes, "a|b|c" as words; none: anything, or nothing.
std::vector<std::string> choices(const CLI::Option& option) {
  std::vector<std::string> words;
  const auto type = option.get_type_name();
  for (std::size_t start = 0; start <= type.size();) {
    const auto end = std::min(type.find('|', start), type.size());
    words.push_back(type.substr(start, end - start));
    start = end + 1;
  }
  if (words.size() < 2) return {};
  std::erase_if(words,
                [](const auto& w) { return w.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 0; });
  return words;
}

// ---- roff --------------------------------------------------------------------------------------

// A minus that can be copied, a backslash that is one, no request at the start of a line.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (out.empty() || out.back() == '\n') {
      if (c == '.' || c == '\'') out += "\\&";
    }
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

void man_options(const CLI::App& app, std::ostream& out) {
  for (const auto* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    std::string names;
    for (const auto& name : spellings(*option)) {
      names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
    }
    if (names.empty()) names = "\\fI" + roff(option->get_name()) + "\\fR";
    out << ".TP\n" << names;
    if (!option->get_type_name().empty()) out << " \\fI" << roff(option->get_type_name()) << "\\fR";
    out << '\n' << roff(option->get_description()) << '\n';
  }
}

void man_page(const CLI::App& app, std::ostream& out) {
  out << ".\\\" Made by the program from its own command line.\n"
      << ".TH HAMILTREE 1 \"\" \"hamiltree " << kVersion << "\" \"User Commands\"\n"
      << ".ad l\n"  // long words leave too few gaps to widen
      << ".SH NAME\nhamiltree \\- " << roff("multibody dynamics in Hamilton's canonical form")
      << '\n'
      << ".SH SYNOPSIS\n";
  for (const auto* command : listed_commands(app)) {
    out << ".B hamiltree " << roff(command->get_name()) << "\n";
    for (const auto* option : command->get_options()) {
      if (option->get_positional()) out << ".I " << roff(option->get_name()) << "\n";
    }
    out << ".RI [ OPTIONS ]\n.br\n";
  }
  out << ".SH DESCRIPTION\nData goes to standard output, progress and messages to standard error.\n"
      << ".SH OPTIONS\n";
  man_options(app, out);
  out << ".SH COMMANDS\n";
  for (const auto* command : listed_commands(app)) {
    out << ".SS " << roff(command->get_name()) << '\n' << roff(command->get_description()) << ".\n";
    man_options(*command, out);
  }
  out << ".SH NOTES\n.nf\n" << roff(app.get_footer()) << "\n.fi\n";
}

// ---- bash --------------------------------------------------------------------------------------

void bash_completion(const CLI::App& app, std::ostream& out) {
  std::string commands;
  for (const auto* command : listed_commands(app)) commands += command->get_name() + ' ';
  out << "# Made by the program from its own command line.\n"
      << "_hamiltree() {\n"
      << "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
      << "  if (( COMP_CWORD == 1 )); then\n"
      << "    mapfile -t COMPREPLY < <(compgen -W '" << commands
      << "--help --version' -- \"$word\")\n"
      << "    return\n  fi\n"
      << "  local options= values=\n"
      << "  case ${COMP_WORDS[1]} in\n";
  for (const auto* command : listed_commands(app)) {
    std::string options;
    std::string values;
    for (const auto* option : command->get_options()) {
      std::string names;
      for (const auto& name : spellings(*option)) {
        options += (options.empty() ? "" : " ") + name;
        names += (names.empty() ? "" : "|") + name;
      }
      const auto words = choices(*option);
      if (words.empty() || names.empty()) continue;
      values += "        " + names + ") values='";
      for (const auto& word : words) values += (&word == &words.front() ? "" : " ") + word;
      values += "' ;;\n";
    }
    out << "    " << command->get_name() << ")\n"
        << "      options='" << options << "'\n";
    if (!values.empty()) out << "      case $before in\n" << values << "      esac\n";
    out << "      ;;\n";
  }
  out << "  esac\n"
      << "  if [[ -n $values ]]; then\n"
      << "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\")\n"
      << "  elif [[ $word == -* ]]; then\n"
      << "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
      << "  fi\n"
      << "}\n"
      << "complete -o default -F _hamiltree hamiltree\n";
}

struct DescribeArguments {
  std::string what;  // man, bash
};

void describe(const CLI::App& app, const DescribeArguments& arguments) {
  if (arguments.what == "man") {
    man_page(app, std::cout);
  } else {
    bash_completion(app, std::cout);
  }
}

}  // namespace

Command add_describe(CLI::App& app) {
  const auto given = std::make_shared<DescribeArguments>();
  auto* command =
      app.add_subcommand("describe", "print the manual page, or the completion for bash");
  command->group("");
  command->add_option("WHAT", given->what, "man or bash")
      ->required()
      ->check(CLI::IsMember({"man", "bash"}));
  return {command, [given, &app] { describe(app, *given); }};
}

}  // namespace hamiltree::app
