// What a run and a sweep leave in their folders.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "fuzz/checks.hpp"
#include "fuzz/targets.hpp"
#include "hamiltree/io/import/read_text.hpp"
#include "hamiltree/io/saved_run.hpp"
#include "hamiltree/io/viewed_run.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "hamiltree/sweep/journal.hpp"
#include "hamiltree/sweep/study.hpp"

namespace hamiltree::fuzz {
namespace {

std::filesystem::path corpus() { return HAMILTREE_FUZZ_CORPUS; }

// All errors that are part of the product are runtime errors that say something.
template <class F>
void read_or_refuse(const F& read) {
  try {
    read();
  } catch (const std::runtime_error& error) {
    require(std::string_view(error.what()).size() > 10, "an error says what is wrong");
  }
}

// What a run of a pendulum leaves while it goes on.
struct Run {
  std::string state, samples, steps;

  Run() {
    SavedRun run;
    run.model_file = "model.toml";
    run.model_text = read_text(corpus() / "native" / "pendulum");
    const Model model = run.model();
    Simulation simulation(model, {.integrator = with_step(*method_from_name("rk4"), 1e-3)});
    const auto so_far = simulation.run_until(2e-3, 1e-3);
    run.checkpoint = simulation.checkpoint();
    RunSaver(folder()).save(run, so_far);
    state = read_text(folder() / "checkpoint.json");
    samples = read_text(folder() / "checkpoint.csv");
    steps = read_text(folder() / "checkpoint_steps.csv");
  }
};

const Run& pendulum() {
  static const Run run;
  return run;
}

// As `hamiltree view` and `hamiltree resume` read it.
void read_run() {
  read_or_refuse([] { viewed_data(folder()); });
}

}  // namespace

void checkpoint(std::string_view bytes) {
  if (repeats_often(bytes)) return;
  write(folder() / "checkpoint.csv", pendulum().samples);
  write(folder() / "checkpoint_steps.csv", pendulum().steps);
  write(folder() / "checkpoint.json", bytes);
  read_run();
}

void recording(std::string_view bytes) {
  const auto end = std::min(bytes.find('\0'), bytes.size());
  write(folder() / "checkpoint.json", pendulum().state);
  write(folder() / "checkpoint.csv", bytes.substr(0, end));
  write(folder() / "checkpoint_steps.csv", bytes.substr(std::min(end + 1, bytes.size())));
  read_run();
}

void study(std::string_view bytes) {
  static const auto model = read_text(corpus() / "native" / "pendulum");
  write(folder() / "model.toml", model);
  write(folder() / "study.toml", bytes);
  ImportLog log;
  read_or_refuse([&] {
    const auto study = read_study(folder() / "study.toml", {}, log);
    require(study.sampling.count() > 0, "a study has samples");
    const auto values = study.sampling.values(study.sampling.count() - 1);
    require(values.size() == study.parameters.size(), "a value for each parameter");
    for (const auto& setting : study.settings) setting.value.value(values);
  });
}

void journal(std::string_view bytes) {
  constexpr std::size_t kSamples = 100;
  std::uint64_t sum = 14695981039346656037U;
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211U;
  char end[sizeof sum];
  std::memcpy(end, &sum, sizeof sum);
  write(journal_path(folder(), 0, 0, 0), std::string(bytes) + std::string(end, sizeof end));
  read_or_refuse([] {
    JournalIndex index(folder(), kSamples);
    std::size_t count = 0;
    for (std::size_t s = 0; s < kSamples; ++s) {
      if (!index.has(s)) continue;
      ++count;
      require(index.read(s).sample == s, "a record is found by its sample");
    }
    require(count == index.count(), "records are counted");
  });
}

}  // namespace hamiltree::fuzz
