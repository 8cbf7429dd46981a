// The numbers that a sample has beside those of joints and sensors: energies, residuals, momenta,
// power and work. Whatever the file or the language, they are written, read and shown by this list.
#pragma once

#include <string>
#include <vector>

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

struct SampleNumber {
  const char* name;  // as in the trajectory's header
  const char* unit;
  double (*value)(const Sample& sample);
  // Puts one that was read back into a sample; null: it follows from others.
  void (*restore)(Sample& sample, double value);
};

// Those of such a recording, in the order of the columns.
std::vector<SampleNumber> sample_numbers(const RecordingHeader& header);

// Whether a column has such a name, in whatever recording.
bool is_sample_number(const std::string& name);

}  // namespace hamiltree
