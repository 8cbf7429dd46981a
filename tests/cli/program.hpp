// Runs the real program and catches all that it says.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace hamiltree::test {

namespace fs = std::filesystem;

struct Outcome {
  int exit_code = -1;  // 128 + number if a signal ended it
  std::string out, err;
};

// The shipped model of this name.
inline std::string mechanism(const std::string& name) {
  return std::string(HAMILTREE_MECHANISMS) + "/" + name + "/model.toml";
}

// Each test gets a folder of its own, in which the program runs.
class Cli : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  Outcome run(const std::vector<std::string>& arguments) const;
  // With stdout into a file or device of this name.
  Outcome run_into(const fs::path& out, const std::vector<std::string>& arguments) const;
  // With no file of more than so many bytes, as on a disk that is full.
  Outcome run_with_small_files(std::size_t bytes, const std::vector<std::string>& arguments) const;
  // Killed so many seconds after `ready` has come true, unless it has ended.
  Outcome run_and_kill(const std::function<bool()>& ready, double seconds,
                       const std::vector<std::string>& arguments) const;
  // Ctrl-C when `ready` has come true, unless it has ended.
  Outcome run_and_interrupt(const std::function<bool()>& ready,
                            const std::vector<std::string>& arguments) const;
  // With stderr on a terminal of 100 columns, and more environment ("NAME=value"). Ctrl-C is
  // pressed so many times, each after something has appeared on the terminal.
  Outcome run_on_terminal(const std::vector<std::string>& arguments,
                          const std::vector<std::string>& environment = {},
                          int interrupts = 0) const;

  // Writes a file into the test's folder and returns its name.
  std::string write(const std::string& name, const std::string& text) const;
  std::string read(const fs::path& name) const;
  // The folders of two runs hold the same files, but for the time that it took.
  void expect_same_run(const fs::path& a, const fs::path& b) const;
  fs::path root() const { return root_; }

  const char* program_ = HAMILTREE_PROGRAM;

 private:
  Outcome run_child(const fs::path& out, const std::vector<std::string>& arguments,
                    const std::function<void()>& in_child,
                    const std::function<void(int child)>& meanwhile) const;

  fs::path root_;
};

// The same with hamiltree-lab.
class LabCli : public Cli {
 protected:
  LabCli() { program_ = HAMILTREE_LAB; }
};

// Whether this machine gives out pseudo-terminals.
bool has_terminals();

// One line that starts with "hamiltree: " or "hamiltree-lab: ".
testing::AssertionResult is_one_sentence(const std::string& err);

testing::AssertionResult contains(const std::string& text, const std::string& part);

}  // namespace hamiltree::test
