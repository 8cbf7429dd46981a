// A recording as arrays with time first.
#include "hamiltree/simulation/recording.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "hamiltree/io/export/columns.hpp"
#include "hamiltree/io/export/output_folder.hpp"
#include "hamiltree/io/export/report.hpp"
#include "hamiltree/io/export/summary.hpp"
#include "hamiltree/simulation/diagnostics.hpp"
#include "pickled.hpp"

namespace py = pybind11;

namespace hamiltree::bindings {
namespace {

// (samples, n): read(sample, numbers) fills a row.
template <class Records, class Read>
Array gather(const Records& records, std::size_t n, Read read) {
  Array rows({records.size(), n});
  double* to = rows.mutable_data();
  for (const auto& record : records) {
    read(record, to);
    to += n;
  }
  return rows;
}

auto vectors(Eigen::VectorXd Sample::*part, std::vector<Channel> RecordingHeader::*names) {
  return [part, names](const Recording& r) {
    return gather(r.samples, (r.header.*names).size(), [&](const Sample& s, double* to) {
      std::copy((s.*part).begin(), (s.*part).end(), to);
    });
  };
}

auto powers(Power Sample::*part) {
  return [part](const Recording& r) {
    return gather(r.samples, 3, [&](const Sample& s, double* to) {
      const Power& power = s.*part;
      to[0] = power.driven;
      to[1] = power.applied;
      to[2] = power.dissipated;
    });
  };
}

// Every number of every sample, (samples, columns).
Array table(const Recording& r) {
  std::vector<double> row;
  return gather(r.samples, columns_of(r.header).size(), [&](const Sample& s, double* to) {
    row.clear();
    append_row(r.header, s, row);
    std::ranges::copy(row, to);
  });
}

Array poses(const Recording& r) {
  const auto bodies = r.header.bodies.size();
  Array all({r.samples.size(), bodies, std::size_t{7}});
  double* to = all.mutable_data();
  for (const auto& sample : r.samples) {
    for (const auto& pose : sample.poses) {
      to = std::copy(pose.position.begin(), pose.position.end(), to);
      to = std::copy(pose.quat_wxyz.begin(), pose.quat_wxyz.end(), to);
    }
  }
  return all;
}

}  // namespace

void bind_recording(py::module_& m) {
  py::class_<Recording>(m, "RawRecording", "A run as the engine recorded it.")
      .def(pickled<Recording>())
      .def("times",
           [](const Recording& r) {
             Array t = make_array({}, {static_cast<py::ssize_t>(r.samples.size())});
             for (std::size_t k = 0; k < r.samples.size(); ++k)
               t.mutable_data()[k] = r.samples[k].t;
             return t;
           })
      .def("q", vectors(&Sample::q, &RecordingHeader::q))
      .def("v", vectors(&Sample::v, &RecordingHeader::v))
      .def("p", vectors(&Sample::p, &RecordingHeader::p))
      .def("outside_q", vectors(&Sample::outside_q, &RecordingHeader::outside_q))
      .def("outside_v", vectors(&Sample::outside_v, &RecordingHeader::outside_v))
      .def("energies",
           [](const Recording& r) {
             return gather(r.samples, 2, [](const Sample& s, double* to) {
               to[0] = s.kinetic_energy;
               to[1] = s.potential_energy;
             });
           })
      .def("relative_energy_errors",
           [](const Recording& r) {
             const auto errors = relative_energy_errors(r.samples, r.summary.energy.scale);
             Array array = make_array({}, {static_cast<py::ssize_t>(errors.size())});
             std::ranges::copy(errors, array.mutable_data());
             return array;
           })
      .def("residuals",
           [](const Recording& r) {
             return gather(r.samples, 2, [](const Sample& s, double* to) {
               to[0] = s.position_residual;
               to[1] = s.velocity_residual;
             });
           })
      .def("columns",
           [](const Recording& r) {
             std::vector<std::pair<std::string, std::string>> columns;
             for (const auto& c : columns_of(r.header)) columns.emplace_back(c.name, c.unit);
             return columns;
           })
      .def("table", &table)
      .def("power", powers(&Sample::power))
      .def("work", powers(&Sample::work))
      .def("poses", &poses)
      .def("steps",
           [](const Recording& r) {
             return gather(r.steps, 3, [](const StepRecord& s, double* to) {
               to[0] = s.t;
               to[1] = s.size;
               to[2] = s.order;
             });
           })
      .def("body_names",
           [](const Recording& r) {
             std::vector<std::string> names;
             for (const auto& body : r.header.bodies) names.push_back(body.name);
             return names;
           })
      .def("summary_json", [](const Recording& r) { return to_json(r.summary); })
      .def("report_html", [](const Recording& r, const Model& model,
                             const ModelLooks& looks) { return to_report(r, &model, looks); })
      .def("save", [](const Recording& r, const Model& model, const ModelLooks& looks,
                      const std::filesystem::path& folder) {
        write_output_folder(r, folder, &model, false, looks);
      });
}

}  // namespace hamiltree::bindings
