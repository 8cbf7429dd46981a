#include "support/recorded.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace hamiltree::test {

SimulationOptions options(const std::string& formulation, double tolerance) {
  SimulationOptions options;
  options.formulation = formulation;
  options.integrator = DormandPrince{tolerance, tolerance};
  return options;
}

Recording run(const Model& model, const std::string& formulation, double tolerance, double until,
              double every) {
  return Simulation(model, options(formulation, tolerance)).run_until(until, every);
}

std::vector<double> column(const Recording& recording, const std::string& name) {
  const auto& header = recording.header;
  const auto find = [&](const std::vector<Channel>& channels, const Eigen::VectorXd Sample::*part) {
    std::vector<double> values;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (channels[i].name != name) continue;
      for (const auto& sample : recording.samples) {
        values.push_back((sample.*part)(static_cast<Eigen::Index>(i)));
      }
    }
    return values;
  };
  for (const auto& values :
       {find(header.q, &Sample::q), find(header.v, &Sample::v),
        find(header.outside_q, &Sample::outside_q), find(header.outside_v, &Sample::outside_v),
        find(header.sensors, &Sample::sensors)}) {
    if (!values.empty()) return values;
  }
  throw std::invalid_argument("no column " + name);
}

double difference(const Sample& a, const Sample& b) {
  double largest = (a.v - b.v).lpNorm<Eigen::Infinity>();
  for (std::size_t i = 0; i < a.poses.size(); ++i) {
    const auto& x = a.poses[i].quat_wxyz;
    const auto& y = b.poses[i].quat_wxyz;
    largest = std::max({largest, (a.poses[i].position - b.poses[i].position).norm(),
                        std::min((x - y).norm(), (x + y).norm())});
  }
  return largest;
}

bool has_note(const Recording& recording, const std::string& part) {
  return std::ranges::any_of(recording.summary.notes, [&](const std::string& note) {
    return note.find(part) != std::string::npos;
  });
}

}  // namespace hamiltree::test
