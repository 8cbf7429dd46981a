#include "hamiltree/io/export/trajectory_hdf5.hpp"

#include <array>
#include <string>
#include <vector>

#include "hamiltree/io/export/columns.hpp"
#include "hamiltree/io/export/fit.hpp"
#include "hamiltree/io/export/hdf5_file.hpp"
#include "hamiltree/io/export/summary.hpp"

namespace hamiltree {

void write_hdf5(const Recording& recording, const std::filesystem::path& path) {
  check_fit(recording);
  Hdf5File file(path);
  const auto columns = columns_of(recording.header);
  file.write_channels("trajectory", columns);
  file.start_table("trajectory/values", columns.size());
  std::vector<double> row;
  for (const auto& sample : recording.samples) {
    row.clear();
    append_row(recording.header, sample, row);
    file.append_row("trajectory/values", row);
  }
  file.write_channels("steps", {{"t", "s"}, {"size", "s"}, {"order", ""}});
  file.start_table("steps/values", 3);
  for (const auto& step : recording.steps) {
    const std::array values{step.t, step.size, static_cast<double>(step.order)};
    file.append_row("steps/values", values);
  }
  file.write("summary", std::vector{to_json(recording.summary)});
  file.close();
}

}  // namespace hamiltree
