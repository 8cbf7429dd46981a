#include "hamiltree/io/export/csv.hpp"

#include <ostream>
#include <string>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/csv_field.hpp"
#include "hamiltree/io/export/fit.hpp"

namespace hamiltree {
namespace {

void append_names(const std::vector<Channel>& channels, std::string& line) {
  for (const Channel& channel : channels) line += ',' + csv_field(channel.name);
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
  if (!header.conservative) {
    for (const char* kind : {"power", "work"}) {
      for (const char* part : {"driven", "applied", "dissipated"}) {
        line += std::string(",") + kind + '.' + part;
      }
    }
  }
  append_names(header.sensors, line);
  return line + '\n';
}

std::string to_row(const Sample& sample, bool conservative) {
  std::string line = to_text(sample.t);
  append_values(sample.q, line);
  append_values(sample.v, line);
  append_values(sample.p, line);
  for (const double value : {sample.kinetic_energy, sample.potential_energy,
                             sample.kinetic_energy + sample.potential_energy,
                             sample.position_residual, sample.velocity_residual}) {
    line += ',' + to_text(value);
  }
  if (!conservative) {
    for (const auto& [driven, applied, dissipated] : {sample.power, sample.work}) {
      for (const double value : {driven, applied, dissipated}) line += ',' + to_text(value);
    }
  }
  append_values(sample.sensors, line);
  return line + '\n';
}

}  // namespace

void write_csv(const Recording& recording, std::ostream& out, std::size_t from) {
  check_fit(recording);
  if (from == 0) out << to_header_line(recording.header);
  for (std::size_t i = from; i < recording.samples.size(); ++i) {
    out << to_row(recording.samples[i], recording.header.conservative);
  }
}

void write_steps_csv(const Recording& recording, std::ostream& out, std::size_t from) {
  if (from == 0) out << "t,size,order\n";
  for (std::size_t i = from; i < recording.steps.size(); ++i) {
    const auto& step = recording.steps[i];
    out << to_text(step.t) << ',' << to_text(step.size) << ',' << step.order << '\n';
  }
}

}  // namespace hamiltree
