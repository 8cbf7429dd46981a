// Co-simulation of the chip, case by case.
//   cosim MECHANISMS [--quick] [--fault] [CASE...]
//   cosim MECHANISMS --replay CASE STEPS FOLDER     writes what replay_chip.sv replays
// Exit code 0: all agree, 1: not, 77: no simulated chip. --fault: one bit of every program is
// wrong, and 0 means that all were found out.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "hamiltree/io/load.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hardware/compiler/compile_step.hpp"
#include "hardware/compiler/float32_model.hpp"
#include "hardware/compiler/lower.hpp"
#include "hardware/compiler/paper_assembly.hpp"
#include "hardware/tb/bus_recorder.hpp"
#include "hardware/tb/cosimulation.hpp"
#include "hardware/tb/mechanisms.hpp"
#include "hardware/tb/rate_errors.hpp"

namespace {

using namespace hamiltree;
using namespace hamiltree::hardware;

constexpr int kNoSimulator = 77;
constexpr double kStep = 1e-4;  // s

struct Case {
  std::string name;
  std::function<Model()> model;
  Update update = Update::kEuler;
  EngineShape shape = small_engine();
  int instances = 1;
  std::uint32_t steps = 10000;
  int most_cycles = 0;  // per instance, of the requirements; 0: none
};

std::vector<Case> cases(const std::string& mechanisms) {
  const auto file = [&](const std::string& name) {
    return [=] { return load(mechanisms + "/" + name + "/model.toml"); };
  };
  const auto of = [](Mechanism mechanism) { return [=] { return Model(mechanism); }; };
  std::vector<Case> all{
      {"double_pendulum", file("double_pendulum"), Update::kEuler, small_engine(), 1, 10000, 300},
      {"four_bar", file("four_bar"), Update::kEuler, small_engine(), 1, 10000, 520},
      {"chain_8", of(chain(8)), Update::kEuler, small_engine(), 1, 10000, 810},
      {"chain_64", of(chain(64)), Update::kEuler, large_engine(), 1, 1000, 2000},
      {"four_pendulums", file("double_pendulum"), Update::kEuler, small_engine(), 4, 2000, 140},
      {"semi_implicit", file("double_pendulum"), Update::kSemiImplicitEuler, small_engine(), 1,
       2000},
      {"semi_implicit_four_bar", file("four_bar"), Update::kSemiImplicitEuler, small_engine(), 1,
       2000},
      {"four_bar_4_lanes", file("four_bar"), Update::kEuler, large_engine(), 1, 2000},
      {"tree", of(tree()), Update::kEuler, small_engine(), 1, 2000},
      {"cart", of(cart()), Update::kEuler, small_engine(), 1, 2000}};
  return all;
}

std::string hex(std::uint32_t value) {
  char text[9];
  std::snprintf(text, sizeof text, "%08x", value);
  return text;
}

// The first subtraction of a program becomes an addition.
void plant_fault(Program& program) {
  const int bit = program.shape.subtract_at(0);
  for (auto& word : program.words) {
    auto& slice = word[static_cast<std::size_t>(bit / 32)];
    if ((slice >> bit % 32 & 1U) == 0) continue;
    slice ^= 1U << bit % 32;
    return;
  }
}

bool run(const Case& c, bool quick, bool faulty) {
  const Model model = c.model();
  auto step = compile_step(model, c.update, kStep, c.shape, c.instances);
  std::string missing;
  auto simulator = load_chip_simulator(c.shape, program_folder(), missing);
  if (!simulator) {
    std::printf("skipped: %s\n", missing.c_str());
    std::exit(kNoSimulator);
  }
  if (faulty) plant_fault(step.program);
  DrivenChip chip(std::move(simulator), step.program);
  const auto start = initial_state(model);
  std::vector<Word> state;
  for (int i = 0; i < c.instances; ++i) {  // instances start a little apart
    const Eigen::VectorXd p = start.p.array() + 0.001 * i;
    for (const double x : to_words(model, step.words, start.q.data(), p.data())) {
      state.push_back(bits_of(static_cast<float>(x)));
    }
  }
  const std::uint32_t steps = quick ? std::min(c.steps, 200U) : c.steps;
  const auto result = cosimulate(chip, step.graph, state, steps);
  const auto errors = rate_errors(model);
  const double cycles = static_cast<double>(step.report.cycles) / c.instances;
  std::printf("%-23s %7.1f %8u %9llu %5llu %4llu   %8.1e %8.1e\n", c.name.c_str(), cycles, steps,
              static_cast<unsigned long long>(result.words),
              static_cast<unsigned long long>(result.differences),
              static_cast<unsigned long long>(result.cpu_words), errors.momenta, errors.velocities);
  if (result.differences > 0) std::printf("  first: %s\n", result.first.c_str());
  const bool good = result.differences == 0 && result.cpu_words == 0 && result.snapshot_agrees &&
                    !result.flags &&
                    result.words == std::uint64_t{steps} * step.program.states.size() &&
                    result.cycles == std::uint64_t{steps} * step.program.words.size() + 1;
  const bool fast = c.most_cycles == 0 || cycles <= c.most_cycles;
  if (!good && !faulty) std::printf("  the chip does not do what its model does\n");
  if (!fast) std::printf("  more than %d cycles\n", c.most_cycles);
  std::fflush(stdout);
  return faulty ? result.differences > 0 : good && fast;
}

// The paper's assembly phase alone: what it is, and that it runs as its model does.
bool run_assembly() {
  const auto trace = trace_paper_assembly();
  const std::size_t outputs = trace.outputs().size();
  std::vector<Word> inputs;
  for (std::size_t i = outputs; i < trace.inputs().size(); ++i) {
    inputs.push_back(bits_of(1.0F + 0.37F * static_cast<float>(i * i % 11)));
  }
  const auto compiled = compile(lower(trace, {}, true, inputs), small_engine());
  std::string missing;
  auto simulator = load_chip_simulator(small_engine(), program_folder(), missing);
  if (!simulator) throw std::runtime_error(missing);
  DrivenChip chip(std::move(simulator), compiled.program);
  const auto result = cosimulate(chip, compiled.graph, std::vector<Word>(outputs, 0), 3);
  std::printf("paper's assembly alone  %7.1f %8d %9llu %5llu; %zu words in, %zu out\n",
              static_cast<double>(compiled.report.cycles), 3,
              static_cast<unsigned long long>(result.words),
              static_cast<unsigned long long>(result.differences), inputs.size(), outputs);
  return result.differences == 0 && result.snapshot_agrees && !result.flags;
}

// For a chip with 512 words of program: the driver's writes, and the state after every step.
void write_replay(const Case& c, std::uint32_t steps, const std::filesystem::path& folder) {
  const Model model = c.model();
  const EngineShape shape{1, 1, 9, 9, 8, {}};
  const auto step = compile_step(model, c.update, kStep, shape, c.instances);
  const auto start = initial_state(model);
  std::vector<Word> state;
  for (const double x : to_words(model, step.words, start.q.data(), start.p.data())) {
    state.push_back(bits_of(static_cast<float>(x)));
  }
  BusRecorder recorder(shape);
  recorder.load(step.program, state, steps);
  std::ofstream bus(folder / "bus.hex"), states(folder / "states.hex");
  for (const auto& [offset, value] : recorder.writes()) bus << hex(offset) << hex(value) << '\n';
  Float32Model chip(step.graph);
  for (std::uint32_t i = 0; i < steps; ++i) {
    chip.step(state);
    for (const Word word : state) states << hex(word) << '\n';
  }
  std::printf("+accesses=%zu +words=%zu +steps=%u\n", recorder.writes().size(), state.size(),
              steps);
  if (!bus || !states) throw std::runtime_error("cannot write to " + folder.string());
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool quick = std::erase(arguments, "--quick") > 0;
  const bool faulty = std::erase(arguments, "--fault") > 0;
  const bool replays = arguments.size() == 5 && arguments[1] == "--replay";
  if (arguments.empty()) {
    std::fprintf(stderr, "usage: cosim MECHANISMS [--quick] [--fault] [CASE...]\n");
    return 2;
  }
  if (replays) {
    for (const auto& c : cases(arguments.front())) {
      if (c.name != arguments[2]) continue;
      write_replay(c, static_cast<std::uint32_t>(std::stoul(arguments[3])), arguments[4]);
      return 0;
    }
    std::fprintf(stderr, "cosim: there is no case %s\n", arguments[2].c_str());
    return 2;
  }
  std::printf(
      "                        cycles    steps     words  diff  CPU   rate errors\n"
      "                        a step             compared      words  momenta velocities\n");
  bool good = true;
  try {
    for (const auto& c : cases(arguments.front())) {
      const auto end = arguments.end();
      const bool wanted = std::find(arguments.begin() + 1, end, c.name) != end;
      if (arguments.size() == 1 || wanted) good = run(c, quick, faulty) && good;
    }
    if (arguments.size() == 1 && !faulty) good = run_assembly() && good;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cosim: %s\n", error.what());
    return 1;
  }
  return good ? 0 : 1;
}
