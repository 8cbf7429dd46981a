// The study file as a SweepStudy.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/limits.hpp"
#include "hamiltree/formulations/select.hpp"
#include "hamiltree/integrators/chosen_method.hpp"
#include "hamiltree/io/import/option_error.hpp"
#include "hamiltree/io/import/overrides.hpp"
#include "hamiltree/io/import/read_text.hpp"
#include "hamiltree/io/import/toml_reader.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "hamiltree/sweep/study.hpp"

namespace hamiltree {
namespace {

constexpr int kStudyFormat = 1;

// The value of a word under `key`, of which the table knows all.
template <class Value, std::size_t kCount>
Value choose(TomlReader& reader, const char* key,
             const std::array<std::pair<const char*, Value>, kCount>& words) {
  const auto word = reader.text(key);
  std::vector<std::string> known;
  for (const auto& [name, value] : words) {
    if (word == name) return value;
    known.emplace_back(name);
  }
  reader.fail_unknown(key, word, known);
}

bool read_flag(TomlReader& reader, const char* key, bool fallback) {
  if (!reader.has(key)) return fallback;
  return choose<bool, 2>(reader, key, {{{"on", true}, {"off", false}}});
}

std::optional<double> read_positive(TomlReader& reader, const char* key) {
  return reader.has(key) ? std::optional(reader.positive(key)) : std::nullopt;
}

// The text of a UsageError about a part of the file, with its place.
template <class F>
auto placed(const TomlReader& reader, const char* key, const F& f) {
  try {
    return f();
  } catch (const UsageError& error) {
    reader.fail(key, error.what());
  }
}

std::size_t read_count(TomlReader& reader) {
  const auto count = reader.integer("count");
  if (count < 1) reader.fail("count", "count must be 1 or more");
  if (static_cast<std::size_t>(count) > kSamples.value)
    reader.fail("count", "count is more than " + to_text(kSamples));
  return static_cast<std::size_t>(count);
}

struct Samples {
  SampleMethod method = SampleMethod::kGrid;
  std::size_t count = 0;
  std::uint64_t seed = 0;

  bool drawn() const {
    return method == SampleMethod::kRandom || method == SampleMethod::kLatinHypercube;
  }
};

Samples read_samples(TomlReader& root) {
  auto reader = root.table("sample");
  if (!reader) root.fail("sample", "sample is missing: the table that says how to sample");
  Samples samples;
  samples.method = choose<SampleMethod, 4>(*reader, "method",
                                           {{{"grid", SampleMethod::kGrid},
                                             {"list", SampleMethod::kList},
                                             {"random", SampleMethod::kRandom},
                                             {"latin_hypercube", SampleMethod::kLatinHypercube}}});
  if (samples.drawn()) {
    samples.count = read_count(*reader);
    samples.seed = static_cast<std::uint64_t>(reader->integer("seed"));
  }
  reader->finish();
  return samples;
}

// `from`, `to` and what lies in between of a grid or list.
std::vector<double> evenly(TomlReader& reader, const Distribution& d) {
  const auto count = read_count(reader);
  if (count == 1 && *d.from != *d.to)
    reader.fail("count", "count must be 2 or more, or from the same as to");
  std::vector<double> values(count, *d.from);
  for (std::size_t i = 1; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    values[i] = i + 1 == count ? *d.to : quantile(d, share);
  }
  return values;
}

Distribution read_distribution(TomlReader& reader, const Samples& samples) {
  Distribution d;
  if (reader.has("values")) {
    const auto values = reader.numbers("values");
    if (values.size() == 0) reader.fail("values", "values are missing");
    d.values.assign(values.begin(), values.end());
    return d;
  }
  if (samples.drawn() && reader.has("mean")) {
    d.mean = reader.number("mean");
    d.deviation = reader.number("deviation");
    if (*d.deviation < 0.0) reader.fail("deviation", "deviation must not be negative");
    return d;
  }
  d.from = reader.number("from");
  d.to = reader.number("to");
  if (reader.has("scale")) {
    d.logarithmic = choose<bool, 2>(reader, "scale", {{{"linear", false}, {"logarithmic", true}}});
    if (d.logarithmic && !(*d.from > 0.0 && *d.to > 0.0))
      reader.fail("scale", "a logarithmic scale needs from and to that are more than 0");
  }
  if (samples.drawn()) return d;
  d.values = evenly(reader, d);
  return d;
}

struct Parameters {
  std::vector<std::string> names;
  std::vector<SourceLocation> places;
  std::vector<Distribution> distributions;
  std::vector<StudySetting> settings;  // of those with a path
};

// The place under `path`.
StudySetting read_path(TomlReader& reader, Expression value) {
  const auto path = reader.text_as_it_stands("path");
  placed(reader, "path", [&] { return NumberAt(path); });
  return {path, std::move(value), reader.where("path"), reader.element()};
}

Parameters read_parameters(TomlReader& root, const std::string& file, const Samples& samples) {
  Parameters parameters;
  int position = 0;
  for (const auto* table : root.tables("parameter")) {
    TomlReader reader(*table, file, "parameter number " + std::to_string(++position));
    const auto path = reader.has("path") ? reader.text_as_it_stands("path") : std::string();
    const auto name = reader.has("name") ? reader.text("name") : path;
    if (name.empty()) reader.fail("name", "name or path is missing");
    reader.set_element("parameter \"" + name + "\"");
    if (std::ranges::find(parameters.names, name) != parameters.names.end())
      reader.fail("name", "there are two parameters of this name");
    if (name == "sample" || name == "failure")
      reader.fail("name", "a column of the results has this name");
    parameters.distributions.push_back(read_distribution(reader, samples));
    if (std::ranges::find(parameters.settings, path, &StudySetting::path) !=
        parameters.settings.end())
      reader.fail("path", "there are two parameters of this path");
    if (!path.empty())
      parameters.settings.push_back(
          read_path(reader, Expression::of_name(parameters.names.size())));
    parameters.names.push_back(name);
    parameters.places.push_back(reader.where());
    reader.finish();
  }
  if (parameters.names.empty()) root.fail("parameter", "the study has no [[parameter]]");
  return parameters;
}

std::vector<StudySetting> read_settings(TomlReader& root, const std::string& file,
                                        const Parameters& parameters) {
  auto settings = parameters.settings;
  int position = 0;
  for (const auto* table : root.tables("set")) {
    TomlReader reader(*table, file, "set number " + std::to_string(++position));
    const auto text = reader.text("value");
    auto setting = read_path(
        reader, placed(reader, "value", [&] { return Expression(text, parameters.names); }));
    reader.finish();
    if (std::ranges::find(settings, setting.path, &StudySetting::path) != settings.end())
      reader.fail("path", "a parameter or another [[set]] has this path");
    settings.push_back(std::move(setting));
  }
  return settings;
}

// What is set from outside would be set anew for each sample.
void require_others(const std::vector<std::string>& overrides,
                    const std::vector<StudySetting>& settings) {
  for (const auto& text : overrides) {
    const auto path = text.substr(0, text.find('='));
    if (std::ranges::find(settings, path, &StudySetting::path) == settings.end()) continue;
    throw OptionError("--set " + text, "the study gives this path a value in each sample");
  }
}

void require_use(const Parameters& parameters, const std::vector<StudySetting>& settings) {
  for (std::size_t i = 0; i < parameters.names.size(); ++i) {
    if (std::ranges::any_of(settings, [&](const auto& s) { return s.value.uses(i); })) continue;
    const auto element = "parameter \"" + parameters.names[i] + "\"";
    throw ModelError(parameters.places[i], element,
                     element + " has no path, and no [[set]] uses it: nothing would change");
  }
}

void read_run(TomlReader& root, SweepStudy& study) {
  auto reader = root.table("run");
  if (!reader) return;
  study.run = reader->where();
  auto& options = study.options;
  if (reader->has("formulation")) {
    options.formulation = reader->text("formulation");
    const auto& known = formulation_choices();
    if (std::ranges::find(known, options.formulation) == known.end())
      reader->fail_unknown("formulation", options.formulation, known);
  }
  const auto rtol = read_positive(*reader, "rtol"), atol = read_positive(*reader, "atol"),
             step = read_positive(*reader, "step");
  const auto name =
      reader->has("integrator") ? reader->text("integrator") : to_name(options.integrator);
  options.integrator =
      placed(*reader, "integrator", [&] { return chosen_method(name, rtol, atol, step); });
  if (reader->has("weights")) {
    if (step_of(options.integrator))
      reader->fail("weights", "weights do not go with " + name + ", which has a fixed step");
    options.weights = choose<Weights, 2>(
        *reader, "weights", {{{"inertia", Weights::kInertia}, {"equal", Weights::kEqual}}});
  }
  options.reset = read_flag(*reader, "reset", options.reset);
  options.projection = read_flag(*reader, "projection", options.projection);
  options.energy_scaling = read_flag(*reader, "energy_scaling", options.energy_scaling);
  options.dense_output = read_flag(*reader, "dense_output", options.dense_output);
  if (reader->has("leak")) options.leak = reader->number("leak");
  options.baumgarte = read_positive(*reader, "baumgarte").value_or(0.0);
  study.until = read_positive(*reader, "until").value_or(study.until);
  if (reader->has("every")) {
    study.every = reader->has_number("every")
                      ? reader->positive("every")
                      : choose<double, 1>(*reader, "every", {{{"step", kEveryStep}}});
  }
  study.trajectories = read_flag(*reader, "trajectories", false);
  reader->finish();
}

std::vector<StudyOutput> read_outputs(TomlReader& root, const std::string& file) {
  std::vector<StudyOutput> outputs;
  int position = 0;
  for (const auto* table : root.tables("output")) {
    TomlReader reader(*table, file, "output number " + std::to_string(++position));
    StudyOutput output;
    output.take = choose<Take, 5>(reader, "take",
                                  {{{"final", Take::kFinal},
                                    {"min", Take::kMinimum},
                                    {"max", Take::kMaximum},
                                    {"integral", Take::kIntegral},
                                    {"event", Take::kEvent}}});
    const char* key = output.take == Take::kEvent ? "event" : "channel";
    (output.take == Take::kEvent ? output.event : output.channel) = reader.text(key);
    output.where = reader.where(key);
    output.element = reader.element();
    reader.finish();
    outputs.push_back(std::move(output));
  }
  if (outputs.empty()) {
    for (const char* channel : {"q", "p"})
      outputs.push_back({Take::kFinal, channel, {}, {file, 0}, "outputs"});
  }
  return outputs;
}

}  // namespace

SweepStudy read_study(const std::filesystem::path& file, const ImportOptions& import,
                      ImportLog& log, const std::vector<std::string>& overrides) {
  const auto text = read_text(file);
  const auto document = parse_toml(text, file.string());
  TomlReader root(document, file.string(), "");
  if (const auto format = root.integer("format"); format != kStudyFormat) {
    root.fail("format", "format is " + std::to_string(format) + ", this program reads format " +
                            std::to_string(kStudyFormat));
  }
  const auto model = file.parent_path() / root.text("model");
  if (!std::filesystem::exists(model))
    root.fail("model", "there is no model file " + model.string());
  const auto samples = read_samples(root);
  auto parameters = read_parameters(root, file.string(), samples);
  auto settings = read_settings(root, file.string(), parameters);
  require_use(parameters, settings);
  require_others(overrides, settings);
  auto sampling = placed(root, "sample", [&] {
    return Sampling(samples.method, parameters.distributions, samples.count, samples.seed);
  });
  SweepStudy study{.file = file.string(),
                   .text = text,
                   .model = read_model(model, import, log),
                   .overrides = overrides,
                   .parameters = std::move(parameters.names),
                   .sampling = std::move(sampling),
                   .settings = std::move(settings),
                   .options = {},
                   .run = {file.string(), 0},
                   .controller_command = {},
                   .outputs = {}};
  read_run(root, study);
  study.outputs = read_outputs(root, file.string());
  root.finish();
  return study;
}

}  // namespace hamiltree
