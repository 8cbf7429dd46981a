// The folders of a run and of a sweep.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "fuzz/checks.hpp"
#include "fuzz/targets.hpp"
#include "hamiltree/base/checksum.hpp"
#include "hamiltree/io/import/read_text.hpp"
#include "hamiltree/io/run_saver.hpp"
#include "hamiltree/io/saved_run.hpp"
#include "hamiltree/io/viewed_run.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "hamiltree/sweep/journal.hpp"
#include "hamiltree/sweep/study.hpp"
#include "support/tell.hpp"

namespace hamiltree::fuzz {
namespace {

using Json = nlohmann::ordered_json;

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

// The folder of a pendulum's run that goes on.
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
    RunSaver saver(folder());
    test::tell(so_far, saver);
    saver.save(run);
    state = read_text(folder() / "checkpoint.json");
    samples = read_text(folder() / "checkpoint.csv");
    steps = read_text(folder() / "checkpoint_steps.csv");
  }
};

const Run& pendulum() {
  static const Run run;
  return run;
}

// The part of a table that a checkpoint names, of which the table is all there is.
Json table(const Json& rows, std::string_view text) {
  return {{"rows", rows}, {"bytes", text.size()}, {"checksum", Checksum(text).text()}};
}

// With its checksum put right, so that what is behind it is read.
std::string sealed(Json state) {
  const auto text = [&] {
    return state.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
  };
  state.erase("checksum");
  state["checksum"] = Checksum(text()).text();
  return text();
}

// Text that is no JSON, or lies too deep, as it is.
Json parsed(std::string_view bytes) {
  constexpr int kDepth = 50;
  bool is_deep = false;
  const auto watch = [&](int depth, Json::parse_event_t, const Json&) {
    is_deep |= depth > kDepth;
    return !is_deep;
  };
  Json state = Json::parse(bytes, watch, false);
  return is_deep ? Json() : state;
}

bool is_run_read = false;

// As `hamiltree view` and `hamiltree resume` read it.
void read_run() {
  is_run_read = false;
  read_or_refuse([] {
    viewed_data(folder());
    is_run_read = true;
  });
}

}  // namespace

bool last_run_was_read() { return is_run_read; }

void checkpoint(std::string_view bytes) {
  if (repeats_often(bytes)) return;
  write(folder() / "checkpoint.csv", pendulum().samples);
  write(folder() / "checkpoint_steps.csv", pendulum().steps);
  auto state = parsed(bytes);
  const auto rows = [&](const char* name) {
    return state.contains(name) && state[name].is_object() ? state[name].value("rows", Json())
                                                           : Json();
  };
  if (state.is_object()) {
    if (rows("samples").is_number()) state["samples"] = table(rows("samples"), pendulum().samples);
    if (rows("steps").is_number()) state["steps"] = table(rows("steps"), pendulum().steps);
    write(folder() / "checkpoint.json", sealed(state));
  } else {
    write(folder() / "checkpoint.json", bytes);
  }
  read_run();
}

void recording(std::string_view bytes) {
  const auto end = std::min(bytes.find('\0'), bytes.size());
  const auto samples = bytes.substr(0, end), steps = bytes.substr(std::min(end + 1, bytes.size()));
  auto state = Json::parse(pendulum().state);
  state["samples"] = table(state["samples"]["rows"], samples);
  state["steps"] = table(state["steps"]["rows"], steps);
  write(folder() / "checkpoint.json", sealed(state));
  write(folder() / "checkpoint.csv", samples);
  write(folder() / "checkpoint_steps.csv", steps);
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
  const auto sum = Checksum(bytes).value();
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
