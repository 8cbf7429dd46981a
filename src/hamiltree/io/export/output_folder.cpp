#include "hamiltree/io/export/output_folder.hpp"

#include <ostream>
#include <system_error>

#include "hamiltree/io/export/csv.hpp"
#include "hamiltree/io/export/hdf5_file.hpp"
#include "hamiltree/io/export/pending_file.hpp"
#include "hamiltree/io/export/report.hpp"
#include "hamiltree/io/export/summary.hpp"
#include "hamiltree/io/export/trajectory_hdf5.hpp"

namespace hamiltree {

namespace fs = std::filesystem;

void write_output_folder(const Recording& recording, const fs::path& folder, const Model* model,
                         bool hdf5, const std::function<void()>& publish_tables,
                         const ModelLooks& looks, const LeftOut* left_out) {
  if (hdf5) check_hdf5();
  make_folder(folder);
  PendingFile report(folder / "report.html", to_report(recording, model, looks, left_out));
  PendingFile summary(folder / "summary.json", to_json(recording.summary));
  if (hdf5) {
    PendingFile(folder / "trajectory.h5", [&](const fs::path& path) {
      write_hdf5(recording, path);
    }).publish();
  }
  std::error_code ignored;
  fs::remove(folder / "summary.json", ignored);  // no whole set until the last of it
  report.publish();
  publish_tables();
  summary.publish();
  for (const auto* name : kRunFiles) remove_pending(folder / name);
}

void write_output_folder(const Recording& recording, const fs::path& folder, const Model* model,
                         bool hdf5, const ModelLooks& looks) {
  if (hdf5) check_hdf5();
  make_folder(folder);
  PendingFile trajectory(folder / "trajectory.csv",
                         [&](std::ostream& out) { write_csv(recording, out); });
  PendingFile steps(folder / "steps.csv",
                    [&](std::ostream& out) { write_steps_csv(recording, out); });
  write_output_folder(
      recording, folder, model, hdf5,
      [&] {
        trajectory.publish();
        steps.publish();
      },
      looks);
}

}  // namespace hamiltree
