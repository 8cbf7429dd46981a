#include "hamiltree/formulations/dh_frames/compile_floating.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "hamiltree/base/index.hpp"

namespace hamiltree::dh_frames {
namespace {

using Plane = Planar<double>;
using Eigen::Vector2d;

double angle_of(const Pose<Plane>& X) { return std::atan2(X.R(1, 0), X.R(0, 0)); }

// One body on the chain.
struct Place {
  int body = kNone;
  int cut = kNone;  // the joint that closes inboard of a base
  bool is_base = false;
  double a = 0.0;                 // m, from the revolute before
  double beta = 0.0;              // rad, of its screw frame in the body's
  Vector2d O = Vector2d::Zero();  // its revolute inboard, in the body's frame
  double offset = 0.0;            // rad
};

class FloatingCompiler {
 public:
  explicit FloatingCompiler(const System<Plane>& system)
      : system_(system),
        next_(system.bodies.size(), kNone),
        before_(system.bodies.size(), kNone),
        cut_(system.bodies.size(), kNone) {}

  // False: it is no such chain.
  bool compile() {
    if (!all_joints_are_taken() || forces_act_on_cuts() || !follow()) return false;
    for (std::size_t i = 0; i < chain_.size(); ++i) choose_frame(i);
    cut_into_segments();
    return true;
  }

  FloatingChain all() const { return lay_in_lanes(segments_); }

  FloatingChain chain_block(std::size_t first, std::size_t count) const {
    const auto own = std::span(segments_).subspan(first);
    auto chain = lay_in_lanes(own.first(std::min(count, own.size())));
    const auto& joint = system_.joint(own.front().front().body);
    const auto shift = [](auto& places, int by) {
      for (int& place : places) place -= place == kNobody ? 0 : by;
    };
    for (auto& link : chain.links) shift(link.coordinate, joint.q), shift(link.velocity, joint.v);
    for (auto& row : chain.rows) {
      auto& base = row.base;
      shift(base.q, joint.q), shift(base.angle, joint.q);
      shift(base.p, joint.v), shift(base.p_angle, joint.v);
      base.sigma.fill(kNobody);
    }
    return chain;
  }

 private:
  // The joints connect every body with one before it and one behind it at most.
  bool all_joints_are_taken() {
    if (!system_.ballasted.empty() || !system_.drives.empty() || !system_.couplings.empty() ||
        system_.joint_count() == system_.body_count())
      return false;
    for (int j = 0; j < system_.joint_count(); ++j) {
      const auto& joint = system_.joint(j);
      if (joint.reversed || joint.drive != kNone || joint.armature != 0.0) return false;
      const bool is_revolute = joint.type == JointType::kRevolute && joint.velocities == 1;
      const bool is_base = !joint.is_cut() && joint.type == JointType::kFree;
      if (is_base ? joint.parent != kNone : !is_revolute) return false;
      if (joint.parent == kNone && !joint.is_cut()) continue;
      if (joint.parent == kNone || joint.child == kNone || next_[at(joint.parent)] != kNone ||
          before_[at(joint.child)] != kNone)
        return false;
      if (joint.is_cut() && !floats(joint.child)) return false;
      next_[at(joint.parent)] = joint.child;
      before_[at(joint.child)] = joint.parent;
      if (joint.is_cut()) cut_[at(joint.child)] = j;
    }
    return true;
  }
  bool floats(int body) const { return system_.joint(body).type == JointType::kFree; }

  bool forces_act_on_cuts() const {
    bool any = false;
    system_.for_each_force([&](const auto& element) {
      if constexpr (requires { element.joint; }) any = any || element.joint >= system_.body_count();
      if constexpr (requires { element.shares; }) any = any || !element.shares.empty();
    });
    return any;
  }

  // All bodies one after the other, from the only one that has none before it.
  bool follow() {
    const auto first = std::ranges::find(before_, kNone);
    if (first == before_.end()) return false;
    for (int b = static_cast<int>(first - before_.begin()); b != kNone; b = next_[at(b)]) {
      const bool is_base = floats(b) || chain_.empty();
      if (!floats(b) && system_.joint(b).parent == kNone && !chain_.empty()) return false;
      chain_.push_back({b, cut_[at(b)], is_base});
    }
    return chain_.size() == system_.bodies.size();
  }

  // The joint of the chain that holds a body: its cut or its revolute, of the first one its only
  // joint.
  const Joint<Plane>& holder(const Place& place) const {
    return system_.joint(place.cut == kNone ? place.body : place.cut);
  }

  void choose_frame(std::size_t i) {
    auto& own = chain_[i];
    const auto& inboard = holder(own);
    if (own.cut != kNone) own.O = inboard.X_CM.r;
    if (i + 1 < chain_.size()) {
      const Vector2d way = holder(chain_[i + 1]).X_PF.r - own.O;
      own.beta = std::atan2(way.y(), way.x());
      chain_[i + 1].a = way.norm();
    }
    own.offset = angle_of(system_.joint(own.body).X_PF) + own.beta;
    if (!own.is_base) own.offset -= chain_[i - 1].beta;
  }

  void cut_into_segments() {
    for (std::size_t i = 0; i < chain_.size();) {
      std::size_t end = i + 1;
      while (end < chain_.size() && !chain_[end].is_base) ++end;
      segments_.emplace_back(chain_.data() + i, end - i);
      i = end;
    }
  }

  // Segment after segment fills a lane, lane after lane.
  FloatingChain lay_in_lanes(std::span<const std::span<const Place>> segments) const {
    FloatingChain result;
    result.gravity_x = system_.gravity.x(), result.gravity_y = system_.gravity.y();
    result.on_ground = !floats(segments.front().front().body);
    for (const auto& segment : segments) result.bodies += static_cast<int>(segment.size());
    result.segments = static_cast<int>(segments.size());
    const std::size_t rows = (segments.size() + kLanes - 1) / kLanes;
    for (std::size_t r = 0; r < rows; ++r) {
      std::array<std::span<const Place>, kLanes> lanes;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        if (lane * rows + r < segments.size()) lanes[lane] = segments[lane * rows + r];
      }
      add_row(lanes, result);
    }
    return result;
  }

  void add_row(const std::array<std::span<const Place>, kLanes>& lanes,
               FloatingChain& chain) const {
    std::size_t length = 0;
    for (const auto& segment : lanes) length = std::max(length, segment.size());
    FloatingRow row;
    row.first = chain.links.size(), row.last = row.first + length;
    chain.longest = std::max(chain.longest, static_cast<int>(length));
    chain.links.resize(row.last);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const auto& segment = lanes[lane];
      const std::size_t start = length - std::max<std::size_t>(segment.size(), 1);
      row.start[lane] = static_cast<int>(start);
      row.is_even = row.is_even && start == 0;
      for (std::size_t k = 0; k < length; ++k) {
        const bool is_body = k >= start && !segment.empty();
        add_link(is_body ? &segment[k - start] : nullptr, k < start, static_cast<int>(lane),
                 chain.links[row.first + k]);
      }
      add_base(segment.empty() ? nullptr : &segment.front(), static_cast<int>(lane), row.base);
      const Place* beyond = segment.empty() ? nullptr : segment.data() + segment.size();
      if (beyond == nullptr || beyond == chain_.data() + chain_.size()) continue;
      row.offset.set(static_cast<int>(lane), beyond->a);
      row.is_joined.set(static_cast<int>(lane), 1.0);
    }
    chain.rows.push_back(row);
  }

  void add_link(const Place* place, bool is_stiff, int lane, FloatingLink& link) const {
    link.coordinate[at(lane)] = link.velocity[at(lane)] = kNobody;
    // In a lane that has no more segments there is a body that nothing holds.
    link.J.set(lane, is_stiff ? std::numeric_limits<double>::infinity() : 1.0);
    link.mass.set(lane, is_stiff ? 0.0 : 1.0);
    if (place == nullptr) return;
    const auto& body = system_.body(place->body);
    const auto& joint = system_.joint(place->body);
    const int angle = joint.type == JointType::kFree ? 2 : 0;
    link.coordinate[at(lane)] = joint.q + angle;
    link.velocity[at(lane)] = joint.v + angle;
    link.offset.set(lane, place->offset);
    const Vector2d com = Eigen::Rotation2Dd(-place->beta) * (body.com - place->O);
    if (!place->is_base) link.a.set(lane, place->a);
    link.mass.set(lane, body.mass);
    link.mx.set(lane, body.mass * com.x());
    link.my.set(lane, body.mass * com.y());
    link.J.set(lane, body.J_com(0) + body.mass * com.squaredNorm());
  }

  void add_base(const Place* place, int lane, FloatingBase& base) const {
    for (auto* places : {&base.q, &base.p, &base.sigma, &base.angle, &base.p_angle})
      (*places)[at(lane)] = kNobody;
    base.none.set(lane, place == nullptr ? std::numeric_limits<double>::infinity() : 0.0);
    if (place == nullptr) return;
    const auto& joint = system_.joint(place->body);
    const bool floats = joint.type == JointType::kFree;
    base.origin_x.set(lane, joint.X_PF.r.x()), base.origin_y.set(lane, joint.X_PF.r.y());
    base.origin_sin.set(lane, joint.X_PF.R(1, 0)), base.origin_cos.set(lane, joint.X_PF.R(0, 0));
    base.offset.set(lane, angle_of(joint.X_PF));
    base.angle[at(lane)] = joint.q + (floats ? 2 : 0);
    base.p_angle[at(lane)] = joint.v + (floats ? 2 : 0);
    if (floats) base.q[at(lane)] = joint.q, base.p[at(lane)] = joint.v;
    if (place->cut == kNone) return;
    const auto& cut = system_.joint(place->cut);
    base.revolute_x.set(lane, cut.X_CM.r.x()), base.revolute_y.set(lane, cut.X_CM.r.y());
    base.revolute_sin.set(lane, cut.X_CM.R(1, 0)), base.revolute_cos.set(lane, cut.X_CM.R(0, 0));
    base.sigma[at(lane)] = cut.row;
  }

  const System<Plane>& system_;
  std::vector<int> next_, before_, cut_;  // by body
  std::vector<Place> chain_;
  std::vector<std::span<const Place>> segments_;  // of it
};

// f(compiler) of a chain that floats.
template <class F>
std::optional<FloatingChain> compiled(const Model& model, const F& f) {
  return model.visit([&]<class Space>(const System<Space>& system) -> std::optional<FloatingChain> {
    if constexpr (Space::kIsPlanar) {
      FloatingCompiler compiler(system);
      if (compiler.compile()) return f(compiler);
    }
    return std::nullopt;
  });
}

}  // namespace

std::optional<FloatingChain> floating_chain_of(const Model& model) {
  return compiled(model, [](const FloatingCompiler& compiler) { return compiler.all(); });
}

std::optional<FloatingChain> floating_chain_block_of(const Model& model, std::size_t first,
                                                     std::size_t segments) {
  return compiled(model, [&](const FloatingCompiler& compiler) {
    return compiler.chain_block(first, segments);
  });
}

}  // namespace hamiltree::dh_frames
