#include "hamiltree/io/export/compared_run.hpp"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "hamiltree/io/export/csv.hpp"
#include "hamiltree/io/export/summary.hpp"

namespace hamiltree {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path.string() + " cannot be read: not the folder of a run");
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

const std::vector<double>& ComparedRun::column(const std::string& name) const {
  const auto* found = trajectory.find(name);
  if (found == nullptr) throw std::runtime_error(label + ": its trajectory has no column " + name);
  return *found;
}

ComparedRun to_compared(const std::string& label, const Recording& recording) {
  std::stringstream csv;
  write_csv(recording, csv);
  ComparedRun run{label, to_json(recording.summary), read_csv_table(csv, label), {}};
  const auto& h = recording.header;
  for (const auto* channels : {&h.q, &h.outside_q, &h.v, &h.outside_v, &h.sensors}) {
    for (const auto& channel : *channels) run.units[channel.name] = channel.unit;
  }
  return run;
}

ComparedRun read_compared(const std::filesystem::path& folder) {
  const auto path = folder / "trajectory.csv";
  std::stringstream csv(content(path));
  ComparedRun run{
      folder.string(), content(folder / "summary.json"), read_csv_table(csv, path.string()), {}};
  if (!nlohmann::json::accept(run.summary))
    throw std::runtime_error((folder / "summary.json").string() + " is not JSON");
  return run;
}

}  // namespace hamiltree
