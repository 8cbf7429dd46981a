#include "hamiltree/io/export/csv.hpp"

#include <ostream>
#include <string>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/fit.hpp"

namespace hamiltree {
namespace {

// A field as RFC 4180 wants it: in quotes where it holds a comma, a quote or a line break.
std::string to_field(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string field = "\"";
  for (const char c : name) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

void append_names(const std::vector<Channel>& channels, std::string& line) {
  for (const Channel& channel : channels) line += ',' + to_field(channel.name);
}

void append_values(const Eigen::VectorXd& values, std::string& line) {
  for (const double value : values) line += ',' + to_text(value);
}

std::string to_header_line(const RecordingHeader& header) {
  std::string line = "t";
  append_names(header.q, line);
  append_names(header.v, line);
  append_names(header.p, line);
  line += ",kinetic_energy,potential_energy,total_energy,position_residual,velocity_residual";
  append_names(header.sensors, line);
  return line + '\n';
}

std::string to_row(const Sample& sample) {
  std::string line = to_text(sample.t);
  append_values(sample.q, line);
  append_values(sample.v, line);
  append_values(sample.p, line);
  for (const double value : {sample.kinetic_energy, sample.potential_energy,
                             sample.kinetic_energy + sample.potential_energy,
                             sample.position_residual, sample.velocity_residual}) {
    line += ',' + to_text(value);
  }
  append_values(sample.sensors, line);
  return line + '\n';
}

}  // namespace

void write_csv(const Recording& recording, std::ostream& out) {
  check_fit(recording);
  out << to_header_line(recording.header);
  for (const Sample& sample : recording.samples) out << to_row(sample);
}

}  // namespace hamiltree
