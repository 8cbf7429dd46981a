#include "hamiltree/simulation/segments.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/simulation/turns.hpp"

namespace hamiltree {
namespace {

template <class Space>
class SegmentsOf final : public Segments {
 public:
  SegmentsOf(const Model& model, InSegments in_segments)
      : Segments(model, std::move(in_segments)),
        whole_system_(std::get<System<Space>>(whole_.tables())),
        cut_system_(std::get<System<Space>>(cut_.model.tables())),
        whole_kin_(whole_system_),
        cut_kin_(cut_system_),
        angles_(cut_.bases.size()),
        rates_(cut_.bases.size()) {}

  void part(double t, const double* q, const double* v, double* q_cut, double* v_cut) override {
    place(whole_system_, t, q, whole_kin_);
    move(whole_system_, v, whole_kin_);
    copy_common([&](const auto& from, const auto& to) {
      std::copy_n(q + from.q, from.coordinates, q_cut + to.q);
      std::copy_n(v + from.v, from.velocities, v_cut + to.v);
    });
    for (std::size_t i = 0; i < angles_.size(); ++i) {
      const int b = cut_.bases[i];
      const auto& base = cut_system_.joint(b);
      const auto& X = whole_kin_.pose(b);
      Free<Space>::coordinates(X, q_cut + base.q);
      const typename Space::Motion V = unrotate<Space>(X.R, whole_kin_.velocity(b));
      std::copy_n(V.data(), base.velocities, v_cut + base.v);
      angles_[i] = q[whole_system_.joint(b).q];
      rates_[i] = v[whole_system_.joint(b).v];
    }
    seen_at_ = t;
  }

  void join(double t, const double* q_cut, const double* v_cut, double* q, double* v) override {
    place(cut_system_, t, q_cut, cut_kin_);
    move(cut_system_, v_cut, cut_kin_);
    copy_common([&](const auto& to, const auto& from) {
      std::copy_n(q_cut + from.q, to.coordinates, q + to.q);
      std::copy_n(v_cut + from.v, to.velocities, v + to.v);
    });
    for (std::size_t i = 0; i < angles_.size(); ++i) {
      const auto& joint = whole_system_.joint(cut_.bases[i]);
      const double rate = joint_rate(cut_system_, cut_kin_, loop(i));
      q[joint.q] = angle(i, t, joint_position(cut_system_, cut_kin_, q_cut, loop(i)), rate);
      v[joint.v] = rate;
    }
  }

  void follow(double t, const Probe& probe) override {
    for (std::size_t i = 0; i < angles_.size(); ++i) {
      const double rate = probe.rate(loop(i));
      angles_[i] = angle(i, t, probe.position(loop(i)), rate);
      rates_[i] = rate;
    }
    seen_at_ = t;
  }

 private:
  // The joint that segment i was cut off at, as it closes its loop.
  int loop(std::size_t i) const { return whole_system_.joint_count() + static_cast<int>(i); }

  // x at time t with the whole turns that the joint has made.
  double angle(std::size_t i, double t, double x, double rate) const {
    if (cut_system_.joint(loop(i)).type != JointType::kRevolute) return x;
    return counted(x, angles_[i] + turn_between(t - seen_at_, rates_[i], rate));
  }

  // f(joint of the whole, the same in segments) for tree joints that are so in both.
  template <class F>
  void copy_common(const F& f) const {
    auto base = cut_.bases.begin();
    for (int b = 0; b < whole_system_.body_count(); ++b) {
      if (base != cut_.bases.end() && *base == b) {
        ++base;
      } else if (whole_system_.joint(b).has_velocity()) {
        f(whole_system_.joint(b), cut_system_.joint(b));
      }
    }
  }

  const System<Space>& whole_system_;
  const System<Space>& cut_system_;
  Kinematics<Space> whole_kin_, cut_kin_;
  std::vector<double> angles_, rates_;  // coordinates of the joints between segments, velocities
  double seen_at_ = 0.0;                // s, when these were
};

}  // namespace

std::unique_ptr<Segments> make_segments(const Model& model, int bodies) {
  auto cut = in_segments(model, bodies);
  if (cut.bases.empty()) return nullptr;
  return model.visit([&]<class Space>(const System<Space>&) -> std::unique_ptr<Segments> {
    return std::make_unique<SegmentsOf<Space>>(model, std::move(cut));
  });
}

}  // namespace hamiltree
