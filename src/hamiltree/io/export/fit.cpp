#include "hamiltree/io/export/fit.hpp"

#include <stdexcept>
#include <string>

#include "hamiltree/base/text.hpp"

namespace hamiltree {
namespace {

template <class Values, class Names>
void check_size(const Values& values, const Names& names, const char* what, double t) {
  const auto size = static_cast<std::size_t>(values.size());
  if (size == names.size()) return;
  throw std::invalid_argument("the sample at t = " + to_short(t) + " s holds " +
                              std::to_string(size) + " values of " + what +
                              ", the recording's header has " + std::to_string(names.size()));
}

}  // namespace

void check_fit(const Recording& recording) {
  const RecordingHeader& header = recording.header;
  for (const Sample& sample : recording.samples) {
    check_size(sample.q, header.q, "q", sample.t);
    check_size(sample.v, header.v, "v", sample.t);
    check_size(sample.outside_q, header.outside_q, "q outside the state", sample.t);
    check_size(sample.outside_v, header.outside_v, "v outside the state", sample.t);
    check_size(sample.p, header.p, "p", sample.t);
    check_size(sample.sensors, header.sensors, "the sensors", sample.t);
    check_size(sample.poses, header.bodies, "the poses", sample.t);
  }
}

}  // namespace hamiltree
