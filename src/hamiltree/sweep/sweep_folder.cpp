#include "hamiltree/sweep/sweep_folder.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/version.hpp"
#include "hamiltree/io/export/pending_file.hpp"
#include "hamiltree/io/import/json_file.hpp"

namespace hamiltree {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

fs::path path_of(const fs::path& folder) { return folder / "sweep.json"; }

// All that the samples depend on.
Json description(const SamplePlan& plan) {
  const auto& study = plan.study();
  return {{"format", kFormat},
          {"hamiltree", kVersion},
          {"study_file", study.file},
          {"study", study.text},
          {"model_file", study.model.file},
          {"model", study.model.text},
          {"controllers", plan.controllers()},
          {"overrides", study.overrides},
          {"samples", study.sampling.count()},
          {"status", "running"}};
}

Json read(const fs::path& folder) {
  try {
    return read_json(path_of(folder));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot read " + path_of(folder).string() + ": " + error.what());
  }
}

void write(const Json& json, const fs::path& folder) {
  PendingFile(path_of(folder), json.dump(2) + '\n').publish();
}

}  // namespace

void open_sweep_folder(const SamplePlan& plan, const fs::path& folder) {
  make_folder(folder);
  const auto expected = description(plan);
  if (!fs::exists(path_of(folder))) return write(expected, folder);
  const auto found = read(folder);
  const std::pair<const char*, const char*> parts[] = {
      {"format", "another format"},     {"hamiltree", "another hamiltree"},
      {"study", "another study"},       {"model", "another model"},
      {"overrides", "other overrides"}, {"controllers", "other controllers"}};
  for (const auto& [key, difference] : parts) {
    if (found.contains(key) && found[key] == expected[key]) continue;
    throw UsageError(folder.string() + " holds a sweep with " + difference +
                     "; choose another folder, or remove it");
  }
}

std::optional<std::size_t> failed_of_complete(const fs::path& folder) {
  const auto json = read(folder);
  if (json.value("status", "") != "completed") return std::nullopt;
  return json.value("failed", std::size_t{0});
}

void mark_complete(const SamplePlan& plan, const fs::path& folder, const SweepSummary& summary) {
  auto json = description(plan);
  json["status"] = "completed";
  json["failed"] = summary.failed;
  write(json, folder);
}

}  // namespace hamiltree
