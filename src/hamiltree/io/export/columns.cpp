#include "hamiltree/io/export/columns.hpp"

#include "hamiltree/simulation/sample_numbers.hpp"

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
  for (const auto& number : sample_numbers(header)) columns.push_back({number.name, number.unit});
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
  for (const auto& number : sample_numbers(header)) row.push_back(number.value(sample));
  add(sample.sensors);
}

}  // namespace hamiltree
