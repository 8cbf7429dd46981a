#include "hamiltree/io/viewed_run.hpp"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "hamiltree/io/export/report_data.hpp"
#include "hamiltree/io/saved_run.hpp"
#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

fs::path checkpoint_of(const fs::path& run) { return run / "checkpoint.json"; }
fs::path report_of(const fs::path& run) {
  return fs::is_directory(run) ? run / "report.html" : run;
}

std::string read_page(const fs::path& path) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  if (!in || !(text << in.rdbuf())) {
    throw std::runtime_error("cannot read " + path.string() + ": " +
                             std::generic_category().message(errno != 0 ? errno : EIO));
  }
  return text.str();
}

// The page keeps its data in a script of its own, in which no "<" stands.
std::string data_of_report(const fs::path& path) {
  const std::string page = read_page(path);
  const std::string head = "<script id=\"data\" type=\"application/json\">";
  const auto begin = page.find(head);
  const auto end = page.find("</script>", begin);
  if (begin == std::string::npos || end == std::string::npos) {
    throw std::runtime_error(path.string() + " is not a report of a run: it holds no recording");
  }
  return page.substr(begin + head.size(), end - begin - head.size());
}

// As the run stood at its last checkpoint.
std::string data_of_checkpoint(const fs::path& run, bool files_elsewhere) {
  const SavedRun saved = load_run(run);
  const Model model = saved.model();
  Recording so_far = load_recording(saved, model, run);
  auto here = Simulation::from_checkpoint(model, saved.checkpoint);
  const auto now = here.run_until(saved.checkpoint.state.t);
  so_far.header = now.header;
  so_far.summary = now.summary;
  so_far.summary.status = "unfinished";
  so_far.summary.until = saved.checkpoint.schedule.until;
  return to_report_data(so_far, &model, saved.looks(files_elsewhere));
}

}  // namespace

std::string viewed_data(const fs::path& run, bool files_elsewhere) {
  if (!fs::exists(run)) {
    throw std::runtime_error("cannot view " + run.string() + ": there is no such folder or file");
  }
  if (fs::exists(checkpoint_of(run))) {
    try {
      return data_of_checkpoint(run, files_elsewhere);
    } catch (const std::runtime_error&) {
      if (fs::exists(checkpoint_of(run))) throw;  // else the run has just come to its end
    }
  }
  if (!fs::exists(report_of(run))) {
    throw std::runtime_error("cannot view " + run.string() +
                             ": there is no report.html, and no checkpoint of a run that goes on "
                             "(simulate --checkpoint)");
  }
  return data_of_report(report_of(run));
}

std::string viewed_tag(const fs::path& run) {
  std::error_code gone;
  for (const auto& path : {checkpoint_of(run), report_of(run)}) {
    const auto written = fs::last_write_time(path, gone);
    if (!gone) return path.filename().string() + std::to_string(written.time_since_epoch().count());
  }
  return {};
}

}  // namespace hamiltree
