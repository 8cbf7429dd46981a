#include "hamiltree/simulation/whole_motion.hpp"

#include <utility>

namespace hamiltree {

WholeMotion::WholeMotion(std::unique_ptr<Segments> segments)
    : segments_(std::move(segments)),
      probe_(make_probe(segments_->whole())),
      q_(Eigen::VectorXd::Zero(segments_->whole().coordinate_count())),
      v_(Eigen::VectorXd::Zero(segments_->whole().velocity_count())),
      impulses_(Eigen::VectorXd::Zero(segments_->whole().constraint_count())) {}

void WholeMotion::part(const State& state, const Eigen::VectorXd& v, double* q_cut, double* v_cut) {
  v_ = v;
  segments_->part(state.t, state.q.data(), v.data(), q_cut, v_cut);
}

void WholeMotion::see(double t, const double* q_cut, const double* v_cut) {
  segments_->join(t, q_cut, v_cut, q_.data(), v_.data());
  probe_->set(t, q_.data(), v_.data());
}

State WholeMotion::join(double t, const double* q_cut, const double* v_cut) {
  see(t, q_cut, v_cut);
  State state{t, q_, Eigen::VectorXd(v_.size())};
  probe_->momenta(state.p.data());
  return state;
}

void WholeMotion::take_impulses(const Eigen::VectorXd& cut) {
  const auto couplings = static_cast<Eigen::Index>(segments_->whole().mechanism().couplings.size());
  const auto joints = impulses_.size() - couplings;
  impulses_ << cut.head(joints), cut.tail(couplings);
}

std::unique_ptr<WholeMotion> make_whole_motion(const Model& model, int bodies) {
  auto segments = bodies > 0 ? make_segments(model, bodies) : nullptr;
  return segments ? std::make_unique<WholeMotion>(std::move(segments)) : nullptr;
}

}  // namespace hamiltree
