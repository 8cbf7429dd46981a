#include "hamiltree/io/export/columns.hpp"

#include <string>

namespace hamiltree {

std::vector<Channel> columns_of(const RecordingHeader& header) {
  std::vector<Channel> columns{{"t", "s"}};
  const auto add = [&](const std::vector<Channel>& channels) {
    columns.insert(columns.end(), channels.begin(), channels.end());
  };
  add(header.q);
  add(header.outside_q);
  add(header.v);
  add(header.outside_v);
  add(header.p);
  add({{"kinetic_energy", "J"},
       {"potential_energy", "J"},
       {"total_energy", "J"},
       {"position_residual", "m"},
       {"velocity_residual", "m/s"}});
  if (!header.conservative) {
    for (const auto& [kind, unit] : {std::pair{"power", "W"}, {"work", "J"}}) {
      for (const char* part : {"driven", "applied", "dissipated"})
        columns.push_back({std::string(kind) + '.' + part, unit});
    }
  }
  add(header.sensors);
  return columns;
}

void append_row(const RecordingHeader& header, const Sample& sample, std::vector<double>& row) {
  const auto add = [&](const Eigen::VectorXd& values) {
    row.insert(row.end(), values.begin(), values.end());
  };
  row.push_back(sample.t);
  add(sample.q);
  add(sample.outside_q);
  add(sample.v);
  add(sample.outside_v);
  add(sample.p);
  row.insert(row.end(), {sample.kinetic_energy, sample.potential_energy,
                         sample.kinetic_energy + sample.potential_energy, sample.position_residual,
                         sample.velocity_residual});
  if (!header.conservative) {
    for (const auto& [driven, applied, dissipated] : {sample.power, sample.work})
      row.insert(row.end(), {driven, applied, dissipated});
  }
  add(sample.sensors);
}

}  // namespace hamiltree
