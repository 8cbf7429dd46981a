#include "hamiltree/io/export/report_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "hamiltree/io/export/fit.hpp"
#include "hamiltree/io/export/html.hpp"
#include "hamiltree/io/export/json_text.hpp"
#include "hamiltree/io/export/report_looks.hpp"
#include "hamiltree/io/export/report_mechanism.hpp"
#include "hamiltree/io/export/summary.hpp"
#include "hamiltree/io/export/thin_recording.hpp"
#include "hamiltree/simulation/diagnostics.hpp"

namespace hamiltree {
namespace {

constexpr std::size_t kMaxSamples = 2000;       // what a plot or a replay can show
constexpr std::size_t kMinSamples = 200;        // even of a very large mechanism
constexpr std::size_t kMaxNumbers = 1'000'000;  // about 10 MB of page
constexpr int kPoseDigits = 6;                  // a drawing has fewer pixels

// --- thinning ---

std::size_t numbers_per_sample(const RecordingHeader& header, const Model* model) {
  return 6 + (model ? mechanism_numbers(*model) : 0) + header.q.size() + header.outside_q.size() +
         header.v.size() + header.outside_v.size() + header.p.size() + header.sensors.size() +
         header.bodies.size() * (header.planar ? 3 : 7);
}

// Evenly spread indices, first and last among them; of modes all.
std::vector<std::size_t> shown_samples(const Recording& recording, const Model* model) {
  const std::size_t recorded = recording.samples.size();
  const std::size_t budget = std::clamp(kMaxNumbers / numbers_per_sample(recording.header, model),
                                        kMinSamples, kMaxSamples);
  const std::size_t count = recording.modes.empty() ? std::min(recorded, budget) : recorded;
  std::vector<std::size_t> shown(count);
  for (std::size_t k = 0; k < count; ++k) {
    shown[k] = count == 1 ? 0 : k * (recorded - 1) / (count - 1);
  }
  return shown;
}

// --- the document's parts ---

class ReportData {
 public:
  ReportData(const Recording& recording, const Model* model, const ModelLooks& looks,
             const LeftOut* left_out)
      : recording_(recording),
        model_(model),
        looks_(looks),
        recorded_(left_out ? left_out->recorded : recording.samples.size()),
        peaks_(left_out ? left_out->peaks : recording.samples),
        shown_(shown_samples(recording, model)) {}

  std::string write() {
    out_ = "{\"format\":1,\n\"summary\":" + to_json(recording_.summary);
    append_shape();
    append_scalars();
    append_steps();
    append_groups();
    append_poses();
    append_modes();
    if (model_) {
      append_mechanism(*model_, recording_, shown_, out_);
      append_looks(*model_, looks_, out_);
    }
    out_ += '}';
    return std::move(out_);
  }

 private:
  void key(const char* name) { append_key(name, out_); }

  void append_points(const std::vector<Eigen::Vector3d>& points) {
    append_list(points.size(), out_, [&](std::size_t i) { append_vector(points[i], out_); });
  }

  void append_shape() {
    const RecordingHeader& header = recording_.header;
    key("model");
    append_string(header.model, out_);
    key("planar");
    out_ += header.planar ? "true" : "false";
    key("gravity");
    append_vector(header.gravity, out_);
    key("length");
    append_number(header.length, out_);
    key("recorded");
    out_ += std::to_string(recorded_);
    key("ground");
    append_points(header.ground_handles);
    key("bodies");
    append_list(header.bodies.size(), out_, [&](std::size_t i) {
      out_ += "{\"name\":";
      append_string(header.bodies[i].name, out_);
      out_ += ",\"com\":";
      append_vector(header.bodies[i].com, out_);
      out_ += ",\"handles\":";
      append_points(header.bodies[i].handles);
      out_ += '}';
    });
  }

  template <class Value>
  void append_column(Value&& value) {
    append_list(shown_.size(), out_,
                [&](std::size_t k) { append_number(value(recording_.samples[shown_[k]]), out_); });
  }

  // The largest of each interval between two shown samples, so no spike is thinned away.
  template <class Value>
  void append_peaks(Value&& value) {
    std::size_t next = 0;
    append_list(shown_.size(), out_, [&](std::size_t k) {
      double peak = 0.0;
      for (; next <= shown_[k]; ++next) {
        const double here = value(next);
        if (std::isnan(here) || here > peak) peak = here;  // NaN stays: nothing is greater
      }
      append_number(peak, out_);
    });
  }

  void append_scalars() {
    key("t");
    append_column([](const Sample& s) { return s.t; });
    key("kinetic_energy");
    append_column([](const Sample& s) { return s.kinetic_energy; });
    key("potential_energy");
    append_column([](const Sample& s) { return s.potential_energy; });
    key("energy_error");
    const std::vector<double> errors =
        relative_energy_errors(peaks_, recording_.summary.energy.scale);
    append_peaks([&](std::size_t i) { return errors[i]; });
    key("position_residual");
    append_peaks([&](std::size_t i) { return std::abs(peaks_[i].position_residual); });
    key("velocity_residual");
    append_peaks([&](std::size_t i) { return std::abs(peaks_[i].velocity_residual); });
  }

  // For each interval between two shown samples the smallest step, and the order of the last.
  void append_steps() {
    const auto& steps = recording_.steps;
    if (steps.empty()) return;
    std::vector<std::pair<double, int>> shown;
    std::size_t next = 0;
    for (const auto k : shown_) {
      std::pair<double, int> step =
          shown.empty() ? std::pair{steps[0].size, steps[0].order} : shown.back();
      bool first = true;
      for (; next < steps.size() && steps[next].t <= recording_.samples[k].t; ++next) {
        step = {first ? steps[next].size : std::min(step.first, steps[next].size),
                steps[next].order};
        first = false;
      }
      shown.push_back(step);
    }
    key("step_size");
    append_list(shown.size(), out_, [&](std::size_t k) { append_number(shown[k].first, out_); });
    key("step_order");
    append_list(shown.size(), out_, [&](std::size_t k) { append_number(shown[k].second, out_); });
  }

  // Curves of the three parts of power or work.
  void append_parts(const char* name, const char* unit, const Power Sample::*values) {
    key(name);
    const std::array<std::pair<const char*, double Power::*>, 3> parts{
        {{"driven", &Power::driven},
         {"applied", &Power::applied},
         {"dissipated", &Power::dissipated}}};
    append_list(parts.size(), out_, [&](std::size_t i) {
      out_ += std::string("{\"name\":\"") + name + '.' + parts[i].first + "\",\"unit\":\"" + unit +
              "\",\"values\":";
      append_column([&](const Sample& s) { return (s.*values).*parts[i].second; });
      out_ += '}';
    });
  }

  struct Group {
    const std::vector<Channel>& channels;
    Eigen::VectorXd Sample::*values;
  };
  void append_groups(const char* name, std::initializer_list<Group> groups) {
    key(name);
    std::size_t count = 0;
    for (const auto& group : groups) count += group.channels.size();
    auto group = groups.begin();
    std::size_t k = 0;  // of the group
    append_list(count, out_, [&](std::size_t) {
      for (; k == group->channels.size(); k = 0) ++group;
      append_channel(group->channels[k], group->values, k);
      ++k;
    });
  }
  void append_channel(const Channel& channel, Eigen::VectorXd Sample::*values, std::size_t k) {
    out_ += "{\"name\":";
    append_string(channel.name, out_);
    out_ += ",\"unit\":";
    append_string(channel.unit, out_);
    out_ += ",\"values\":";
    append_column([&](const Sample& s) { return (s.*values)[static_cast<Eigen::Index>(k)]; });
    out_ += '}';
  }

  void append_groups() {
    const auto& h = recording_.header;
    append_groups("q", {{h.q, &Sample::q}, {h.outside_q, &Sample::outside_q}});
    append_groups("v", {{h.v, &Sample::v}, {h.outside_v, &Sample::outside_v}});
    append_groups("p", {{h.p, &Sample::p}});
    append_groups("sensors", {{h.sensors, &Sample::sensors}});
    if (recording_.header.conservative) return;
    append_parts("power", "W", &Sample::power);
    append_parts("work", "J", &Sample::work);
  }

  // Far from the origin as many more as it takes to tell apart what lies side by side there.
  int pose_digits(double x) const {
    const double far = std::abs(x) / recording_.header.length;
    if (!(far > 100.0)) return kPoseDigits;
    return kPoseDigits + static_cast<int>(std::min(std::ceil(std::log10(far)) - 2.0, 11.0));
  }

  // Planar x, y, angle; spatial x, y, z, quat_wxyz: flat, sample after sample.
  void append_pose(const BodyPose& pose) {
    const Eigen::Vector3d& r = pose.position;
    const Eigen::Vector4d& e = pose.quat_wxyz;
    const bool planar = recording_.header.planar;
    const Eigen::Index lengths = planar ? 2 : 3;
    for (Eigen::Index i = 0; i < lengths; ++i) {
      append_number(r[i], out_, pose_digits(r[i]));
      out_ += ',';
    }
    const std::vector<double> turn =
        planar ? std::vector{2.0 * std::atan2(e[3], e[0])} : std::vector{e[0], e[1], e[2], e[3]};
    for (std::size_t i = 0; i < turn.size(); ++i) {
      if (i > 0) out_ += ',';
      append_number(turn[i], out_, kPoseDigits);
    }
  }

  void append_poses() {
    key("poses");
    append_list(recording_.header.bodies.size(), out_, [&](std::size_t body) {
      append_list(shown_.size(), out_, [&](std::size_t k) {
        append_pose(recording_.samples[shown_[k]].poses.at(body));
      });
    });
  }

  void append_modes() {
    const auto& modes = recording_.modes;
    if (modes.empty()) return;
    key("modes");
    append_list(modes.size(), out_, [&](std::size_t i) {
      const auto& mode = modes[i];
      out_ += "{\"eigenvalue\":[";
      append_number(mode.eigenvalue.real(), out_);
      out_ += ',';
      append_number(mode.eigenvalue.imag(), out_);
      out_ += "],\"frequency\":";
      append_number(mode.frequency, out_);
      out_ += ",\"damping\":";
      append_number(mode.damping, out_);
      out_ += ",\"amplitude\":";
      append_number(mode.amplitude, out_);
      out_ += ",\"first\":" + std::to_string(mode.first) +
              ",\"last\":" + std::to_string(mode.last) + '}';
    });
  }

  const Recording& recording_;
  const Model* model_;
  const ModelLooks& looks_;
  std::size_t recorded_;
  const std::vector<Sample>& peaks_;  // for each sample, energies and residuals at their worst
  std::vector<std::size_t> shown_;
  std::string out_;
};

}  // namespace

std::string to_report_data(const Recording& recording, const Model* model, const ModelLooks& looks,
                           const LeftOut* left_out) {
  check_fit(recording);
  return escape_script(ReportData(recording, model, looks, left_out).write());
}

}  // namespace hamiltree
