#include "hamiltree/simulation/initial_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree {
namespace {

constexpr int kMaxIterations = 200;
constexpr int kTriesPerLoop = 40;
// Multiplications of all tries, about half a second: a robot of a hundred joints whose loops cannot
// close is refused after it.
constexpr double kMostWork = 1e9;
constexpr double kLargestStep = 0.5;   // rad, or lengths, in one iteration
constexpr double kClosed = 1e-13;      // of the length: what Newton is asked for
constexpr double kAcceptable = 1e-11;  // of the length: what rounding may leave
constexpr double kConsistent = 1e-9;   // of prescribed values that the loops determine anyway
constexpr double kRankTolerance = 1e-9;
constexpr double kPerVelocity = 100.0;   // multiplications, to move a body
constexpr double kLeastInertia = 1e-12;  // of the largest

template <class Space>
class Assembler {
 public:
  Assembler(const Model& model, const System<Space>& system)
      : model_(model),
        system_(system),
        kin_(system),
        state_{Eigen::VectorXd::Zero(system.coordinates), Eigen::VectorXd::Zero(system.velocities),
               Eigen::VectorXd::Zero(system.velocities)},
        unit_length_(Eigen::VectorXd::Ones(system.velocities)) {}

  // Coordinates and velocities.
  const InitialState& solve() {
    prescribe();
    place(system_, 0.0, state_.q.data(), kin_);
    if (system_.constraints > 0) {
      close_loops();
      check_cuts();
      fit_velocities();
    }
    return state_;
  }

  // No further than Gauss-Newton leads by itself.
  std::vector<OpenLoop> open_loops() {
    prescribe();
    if (system_.constraints == 0 || approach()) return {};
    const Eigen::VectorXd phi = gaps();
    std::vector<OpenLoop> open;
    for (int c = system_.body_count(); c < system_.joint_count(); ++c) {
      const double width = gap_of(system_.joint(c), phi);
      if (width > kAcceptable * system_.length) {
        open.push_back({model_.described_joint(c), width, closing_frame(c)});
      }
    }
    return open;
  }

  // The same pose and motion on another spanning tree of the same mechanism. Joints that are in
  // both keep their coordinates to the last digit, and their turns.
  const InitialState& take_over(const Model& from_model, const System<Space>& from,
                                const InitialState& start) {
    Kinematics<Space> seen(from);
    place(from, 0.0, start.q.data(), seen);
    move(from, start.v.data(), seen);
    stand_as(from_model, seen);
    for (int b = 0; b < system_.body_count(); ++b) {
      const auto& joint = system_.joint(b);
      const auto& there = from.joint(*from_model.find_joint(model_.joint_name(b)));
      if (there.has_velocity()) {
        state_.q.segment(joint.q, joint.coordinates) = start.q.segment(there.q, joint.coordinates);
        state_.v.segment(joint.v, joint.velocities) = start.v.segment(there.v, joint.velocities);
      } else if (joint.has_velocity()) {
        visit_joint<Space>(joint, [&](const auto& type) {
          type.coordinates(relative_pose(system_, kin_, b), state_.q.data() + joint.q);
        });
        add_free(joint, free_motion(system_, kin_, b), state_.v.data());
      }
    }
    normalise_coordinates(system_, state_.q.data());
    unwind();
    return state_;
  }

  // With the momenta of the motion.
  InitialState finish() {
    place(system_, 0.0, state_.q.data(), kin_);
    if (!system_.ballasted.empty()) check_inertia();
    move(system_, state_.v.data(), kin_);
    momenta(system_, kin_, state_.p.data());
    return state_;
  }

 private:
  // Places and moves all bodies as they stand and move in other tables.
  void stand_as(const Model& from_model, const Kinematics<Space>& seen) {
    evaluate_drives(system_, 0.0, kin_);
    const auto in_tables = [](const Frame& frame) {
      constexpr int n = Space::kLinear;
      return Pose<Space>{frame.rotation.template topLeftCorner<n, n>(),
                         frame.position.template head<n>()};
    };
    for (int b = 0; b < system_.body_count(); ++b) {
      const int there = *from_model.find_body(model_.body_name(b));
      const auto X_WB = seen.pose(there) * in_tables(from_model.user_frame(there)) *
                        inverse(in_tables(model_.user_frame(b)));
      kin_.X_WB[at(b)] = X_WB;
      kin_.V_WB[at(b)] = seen.velocity_at(there, X_WB.r);
    }
    for (int j = 0; j < system_.joint_count(); ++j) {
      kin_.joints[at(j)].X_WJ = joint_frame(system_, kin_, j);
    }
  }

  const JointDescription& described(int j) const {
    return model_.mechanism().joints[at(model_.described_joint(j))];
  }

  [[noreturn]] void refuse(int j, const std::string& why) const {
    const std::string element = "joint \"" + described(j).name + "\"";
    throw ModelError(described(j).where, element, element + ": " + why);
  }

  void prescribe() {
    for (int b = 0; b < system_.body_count(); ++b) {
      const auto& joint = system_.joint(b);
      const auto& said = described(b);
      auto q = state_.q.segment(joint.q, joint.coordinates);
      if (said.initial_q) {
        q = *said.initial_q;
      } else if (said.guess_q) {
        q = *said.guess_q;
      } else {
        visit_joint<Space>(joint, [&](const auto& type) { type.coordinates({}, q.data()); });
      }
      if (said.initial_v) state_.v.segment(joint.v, joint.velocities) = *said.initial_v;
      for (int i = 0; i < joint.velocities; ++i) {
        if (joint.free[at(i)] < Space::kLinear) unit_length_(joint.v + i) = system_.length;
        if (!said.initial_q) free_q_.push_back(joint.v + i);
        if (said.initial_v) held_v_.push_back(joint.v + i);
      }
    }
    normalise_coordinates(system_, state_.q.data());
    for (int c = system_.body_count(); c < system_.joint_count(); ++c) {
      if (described(c).initial_q) conditions_.push_back(c);
    }
  }

  // A with columns per unit angle or length and rows in metres.
  Eigen::MatrixXd closing_matrix() {
    Eigen::MatrixXd A(system_.constraints, system_.velocities);
    each_unit_motion([&](int k) { velocity_residual(system_, kin_, A.col(k).data()); });
    for (int r = 0; r < A.rows(); ++r) A.row(r) *= scale_of_row(r);
    return A;
  }

  // Calls take(k) with the bodies moving by one unit of velocity k, and no drive.
  template <class Take>
  void each_unit_motion(const Take& take) {
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(system_.velocities);
    kin_.frozen = true;
    for (int k = 0; k < system_.velocities; ++k) {
      unit(k) = unit_length_(k);
      move(system_, unit.data(), kin_);
      take(k);
      unit(k) = 0.0;
    }
    kin_.frozen = false;
  }

  // --- cuts with `initial.q`: their coordinates are conditions like the rows of their loops ---

  // By how much the coordinates of a cut are off, m and rad; angles by the shorter way.
  Eigen::VectorXd miss_of(int c) const {
    const auto& joint = system_.joint(c);
    const Eigen::VectorXd& wanted = *described(c).initial_q;
    Eigen::VectorXd miss = coordinates_of(c);
    if (joint.coordinates > joint.velocities && miss.tail<4>().dot(wanted.tail<4>()) < 0.0) {
      miss.tail<4>() = -miss.tail<4>();
    }
    miss -= wanted;
    for (int i = 0; i < joint.velocities && joint.coordinates == joint.velocities; ++i) {
      const bool is_angle = joint.free[at(i)] >= Space::kLinear;
      if (is_angle && joint.type != JointType::kHelical) {
        miss(i) = std::remainder(miss(i), 2.0 * std::numbers::pi);
      }
    }
    return miss;
  }

  Eigen::VectorXd coordinates_of(int c) const {
    Eigen::VectorXd q(system_.joint(c).coordinates);
    visit_joint<Space>(system_.joint(c), [&](const auto& type) {
      type.coordinates(relative_pose(system_, kin_, c), q.data());
    });
    return q;
  }

  // Angles and quaternions times the length, m.
  double unit_of(const Joint<Space>& joint, int coordinate) const {
    const bool is_length =
        coordinate < joint.velocities && joint.free[at(coordinate)] < Space::kLinear;
    return is_length ? 1.0 : system_.length;
  }

  int condition_rows() const {
    int rows = 0;
    for (const int c : conditions_) rows += system_.joint(c).coordinates;
    return rows;
  }

  // Rows of conditions, m, and how they change with each unit of velocity.
  Eigen::VectorXd condition_misses() const {
    Eigen::VectorXd misses(condition_rows());
    Eigen::Index row = 0;
    for (const int c : conditions_) {
      const Eigen::VectorXd miss = miss_of(c);
      for (int i = 0; i < miss.size(); ++i) misses(row++) = miss(i) * unit_of(system_.joint(c), i);
    }
    return misses;
  }
  Eigen::MatrixXd condition_matrix() {
    Eigen::MatrixXd A(condition_rows(), system_.velocities);
    each_unit_motion([&](int k) {
      Eigen::Index row = 0;
      for (const int c : conditions_) {
        const Eigen::VectorXd rates = coordinate_rates_of(c);
        for (int i = 0; i < rates.size(); ++i) {
          A(row++, k) = rates(i) * unit_of(system_.joint(c), i);
        }
      }
    });
    return A;
  }
  Eigen::VectorXd coordinate_rates_of(int c) const {
    const auto& joint = system_.joint(c);
    const Eigen::VectorXd q = coordinates_of(c);
    const Eigen::VectorXd v = velocities_of(c);
    Eigen::VectorXd q_dot(joint.coordinates);
    visit_joint<Space>(
        joint, [&](const auto& type) { type.coordinate_rates(q.data(), v.data(), q_dot.data()); });
    return q_dot;
  }
  Eigen::VectorXd velocities_of(int c) const {
    const auto& joint = system_.joint(c);
    const auto V = free_motion(system_, kin_, c);
    Eigen::VectorXd v(joint.velocities);
    for (int i = 0; i < joint.velocities; ++i) v(i) = V(joint.free[at(i)]);
    return v;
  }

  // The frame of a cut on its child that is where the joint's own coordinates put it.
  Frame closing_frame(int c) const {
    const auto X_FM = relative_pose(system_, kin_, c);
    const Eigen::VectorXd q = coordinates_of(c);
    const auto shift = visit_joint<Space>(
        system_.joint(c), [&](const auto& type) { return inverse(X_FM) * type.pose(q.data()); });
    constexpr int n = Space::kLinear;
    Frame frame = described(c).at_child;
    frame.position.template head<n>() += frame.rotation.template topLeftCorner<n, n>() * shift.r;
    frame.rotation.template topLeftCorner<n, n>() *= shift.R;
    return frame;
  }

  // How fast the drives alone would open the loops, rows in m/s.
  Eigen::VectorXd opening_rates() {
    Eigen::VectorXd rates(system_.constraints);
    const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(system_.velocities);
    move(system_, at_rest.data(), kin_);
    velocity_residual(system_, kin_, rates.data());
    for (int r = 0; r < rates.size(); ++r) rates(r) *= scale_of_row(r);
    return rates;
  }

  double scale_of_row(int r) const { return system_.row_scales[at(r)]; }

  Eigen::VectorXd gaps() {
    Eigen::VectorXd phi(system_.constraints);
    place(system_, 0.0, state_.q.data(), kin_);
    position_residual(system_, kin_, state_.q.data(), phi.data());
    return phi;
  }

  // m; what Gauss-Newton makes small.
  double size_of(const Eigen::VectorXd& phi) const {
    double square = 0.0;
    for (int r = 0; r < phi.size(); ++r) square += std::pow(scale_of_row(r) * phi(r), 2);
    return std::sqrt(square);
  }

  // The same with the conditions.
  double miss(const Eigen::VectorXd& phi) const {
    return conditions_.empty() ? size_of(phi) : std::hypot(size_of(phi), condition_misses().norm());
  }

  void close_loops() {
    const Eigen::VectorXd start = state_.q;
    if (approach() && offenders().empty()) return;
    // Values that the loops contradict are named once these are closed.
    if (!conditions_.empty()) {
      conditions_.clear();
      state_.q = start;
      if (approach() && offenders().empty()) return;
    }
    search();
    const Eigen::VectorXd phi = gaps();
    if (!(size_of(phi) <= kAcceptable * system_.length)) refuse_open(phi);
  }

  // Gauss-Newton from where the coordinates are to the closest gap that it finds; whether that is
  // none. Turns are counted from where joints are at home.
  bool approach() {
    Eigen::VectorXd phi = gaps();
    Eigen::VectorXd best_q = state_.q;
    double best = miss(phi);
    int stalled = 0;
    for (int i = 0; i < kMaxIterations && best > kClosed * system_.length && stalled < 20; ++i) {
      if (free_q_.empty()) break;
      step(phi);
      phi = gaps();
      const double gap = miss(phi);
      stalled = gap < 0.9 * best ? 0 : stalled + 1;
      if (gap < best) {
        best = gap;
        best_q = state_.q;
      }
      if (!std::isfinite(gap)) break;
    }
    state_.q = best_q;
    unwind();
    return best <= kAcceptable * system_.length;
  }

  // Where Gauss-Newton ends with loops open or joints beyond their stops, joints of these loops are
  // turned at random, always by the same numbers, and it tries again from there. What leaves less
  // to be wished is kept, so that loops are closed one after the other.
  void search() {
    if (free_q_.empty()) return;
    std::mt19937_64 random(1);
    Eigen::VectorXd best_q = state_.q;
    auto open = offenders();
    double best = size_of(gaps());
    const int tries = kTriesPerLoop * static_cast<int>(open.size());
    const double enough = work_ + kMostWork;
    for (int i = 0; i < tries && !open.empty() && work_ < enough; ++i) {
      state_.q = best_q;
      turn_at_random(loop_of(open[random() % open.size()]), random);
      const bool closed = approach();
      const auto still_open = offenders();
      const double gap = size_of(gaps());
      if (!closed && gap > 0.9 * best && still_open.size() >= open.size()) continue;
      if (still_open.size() > open.size()) continue;
      open = still_open;
      best = gap;
      best_q = state_.q;
    }
    state_.q = best_q;
  }

  // The cuts that are open, and those in whose loop a joint is beyond its stops.
  std::vector<int> offenders() {
    const Eigen::VectorXd phi = gaps();
    std::vector<int> cuts;
    for (int c = system_.body_count(); c < system_.joint_count(); ++c) {
      const bool open = gap_of(system_.joint(c), phi) > kAcceptable * system_.length;
      if (open || std::ranges::any_of(loop_of(c), [&](int b) { return is_beyond_stops(b); })) {
        cuts.push_back(c);
      }
    }
    return cuts;
  }

  struct Stops {
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
  };
  Stops stops_of(int b) const {
    Stops stops;
    for (const auto& stop : system_.joint_stops) {
      if (stop.joint == b) (stop.side > 0.0 ? stops.upper : stops.lower) = double(stop.at);
    }
    return stops;
  }
  bool is_beyond_stops(int b) const {
    const auto& joint = system_.joint(b);
    if (joint.velocities != 1 || described(b).initial_q) return false;
    const auto [lower, upper] = stops_of(b);
    return state_.q(joint.q) < lower || state_.q(joint.q) > upper;
  }

  // The coordinate in the middle between a joint's stops, or from where it was guessed.
  double home_of(int b) const {
    const auto [lower, upper] = stops_of(b);
    if (std::isfinite(lower) && std::isfinite(upper)) return 0.5 * (lower + upper);
    return described(b).guess_q ? (*described(b).guess_q)(0) : 0.0;
  }

  // Whole turns of pins change nothing, but that stops and springs would count them.
  void unwind() {
    for (int b = 0; b < system_.body_count(); ++b) {
      const auto& joint = system_.joint(b);
      if (joint.type != JointType::kRevolute || joint.velocities != 1) continue;
      const bool coupled = std::ranges::any_of(
          system_.couplings, [&](const auto& c) { return c.joint == b || c.to == b; });
      if (coupled || described(b).initial_q) continue;
      const double home = home_of(b);
      double& q = state_.q(joint.q);
      if (std::abs(q - home) > std::numbers::pi)
        q = home + std::remainder(q - home, 2.0 * std::numbers::pi);
    }
  }

  // m
  double gap_of(const Joint<Space>& cut, const Eigen::VectorXd& phi) const {
    Eigen::VectorXd own = Eigen::VectorXd::Zero(phi.size());
    own.segment(cut.row, cut.constraints) = phi.segment(cut.row, cut.constraints);
    return size_of(own);
  }

  // The joints of the tree between the two bodies of a cut.
  std::vector<int> loop_of(int cut) const {
    std::vector<bool> in_loop(at(system_.body_count()), false);
    for (const int end : {system_.joint(cut).parent, system_.joint(cut).child}) {
      for (int b = end; b != kNone;) {
        in_loop[at(b)] = !in_loop[at(b)];
        b = system_.inboard(b);
      }
    }
    std::vector<int> loop;
    for (int b = 0; b < system_.body_count(); ++b) {
      if (in_loop[at(b)]) loop.push_back(b);
    }
    return loop;
  }

  // Half of the joints to anywhere between their stops, or by up to half a turn or as many lengths.
  void turn_at_random(const std::vector<int>& joints, std::mt19937_64& random) {
    const auto uniform = [&] {  // from -1 to 1
      return 2.0 * (static_cast<double>(random() >> 11) * 0x1p-53) - 1.0;
    };
    Eigen::VectorXd delta = Eigen::VectorXd::Zero(system_.velocities);
    for (const int b : joints) {
      const auto& joint = system_.joint(b);
      if (described(b).initial_q || uniform() < 0.0) continue;
      const auto [lower, upper] = stops_of(b);
      for (int i = 0; i < joint.velocities; ++i) {
        const int v = joint.v + i;
        delta(v) = std::isfinite(upper - lower)
                       ? home_of(b) + 0.5 * (upper - lower) * uniform() - state_.q(joint.q)
                       : std::numbers::pi * uniform() * unit_length_(v);
      }
    }
    advance(delta);
  }

  // One Gauss-Newton step of least length in the free directions.
  void step(const Eigen::VectorXd& phi) {
    Eigen::MatrixXd A = closing_matrix();
    Eigen::VectorXd rhs = phi;
    for (int r = 0; r < rhs.size(); ++r) rhs(r) *= -scale_of_row(r);
    if (!conditions_.empty()) {
      const Eigen::MatrixXd more = condition_matrix();
      A.conservativeResize(A.rows() + more.rows(), Eigen::NoChange);
      A.bottomRows(more.rows()) = more;
      rhs.conservativeResize(A.rows());
      rhs.tail(more.rows()) = -condition_misses();
    }
    Eigen::MatrixXd free(A.rows(), static_cast<Eigen::Index>(free_q_.size()));
    for (std::size_t k = 0; k < free_q_.size(); ++k) {
      free.col(static_cast<Eigen::Index>(k)) = A.col(free_q_[k]);
    }
    const double rows = static_cast<double>(free.rows()),
                 columns = static_cast<double>(free.cols());
    work_ += rows * columns * std::min(rows, columns) + kPerVelocity * columns * columns;
    Eigen::VectorXd d = least_norm_solution(free, rhs, kRankTolerance);
    const double largest = d.size() > 0 ? d.cwiseAbs().maxCoeff() : 0.0;
    if (largest > kLargestStep) d *= kLargestStep / largest;
    Eigen::VectorXd delta = Eigen::VectorXd::Zero(system_.velocities);
    for (std::size_t k = 0; k < free_q_.size(); ++k) {
      delta(free_q_[k]) = unit_length_(free_q_[k]) * d(static_cast<Eigen::Index>(k));
    }
    advance(delta);
  }

  void advance(const Eigen::VectorXd& delta) {
    Eigen::VectorXd q_step = Eigen::VectorXd::Zero(system_.coordinates);
    coordinate_rates(system_, state_.q.data(), delta.data(), q_step.data());
    state_.q += q_step;
    normalise_coordinates(system_, state_.q.data());
  }

  // Names the widest gap first, then those of all other loops and couplings that stay open.
  [[noreturn]] void refuse_open(const Eigen::VectorXd& phi) const {
    struct Gap {
      SourceLocation where;
      std::string kind, name;
      double width = 0.0;  // m
    };
    std::vector<Gap> gaps;
    const auto& mechanism = model_.mechanism();
    for (int c = system_.body_count(); c < system_.joint_count(); ++c) {
      const auto& joint = system_.joint(c);
      gaps.push_back({described(c).where, "joint", described(c).name, gap_of(joint, phi)});
    }
    for (std::size_t i = 0; i < system_.couplings.size(); ++i) {
      const auto& said = mechanism.couplings[i];
      const int row = system_.couplings[i].row;
      gaps.push_back({said.where, "coupling", said.name, std::abs(phi(row)) * scale_of_row(row)});
    }
    const auto wider = [](const Gap& x, const Gap& y) { return x.width > y.width; };
    std::stable_sort(gaps.begin(), gaps.end(), wider);
    const auto& worst = gaps.front();
    std::string others;
    for (std::size_t i = 1; i < gaps.size() && gaps[i].width > kAcceptable * system_.length; ++i) {
      others += (others.empty() ? "; also open: " : ", ") + gaps[i].kind + " \"" + gaps[i].name +
                "\" by " + to_text(gaps[i].width) + " m";
    }
    const std::string element = worst.kind + " \"" + worst.name + "\"";
    throw ModelError(worst.where, element,
                     element +
                         ": the loop that it closes cannot close from the given coordinates "
                         "and guesses; a gap of " +
                         to_text(worst.width) + " m remains" + others);
  }

  // Prescribed coordinates of joints that close loops: the pose must agree with them.
  void check_cuts() const {
    for (int c = system_.body_count(); c < system_.joint_count(); ++c) {
      const auto& said = described(c);
      if (!said.initial_q || !(miss_of(c).cwiseAbs().maxCoeff() > kConsistent)) continue;
      refuse(c, "initial.q is " + list_of(*said.initial_q) +
                    " but the other joints of its loop make it " + list_of(coordinates_of(c)));
    }
  }
  static std::string list_of(const Eigen::VectorXd& values) {
    std::string text;
    for (const double x : values) text += (text.empty() ? "" : ", ") + to_text(x);
    return text;
  }

  void fit_velocities() {
    const Eigen::MatrixXd A = closing_matrix();
    const auto cuts = cuts_with_velocities();
    const Eigen::MatrixXd C = cut_velocity_matrix(cuts);
    const auto held = static_cast<Eigen::Index>(held_v_.size());
    const auto extra = C.rows();
    const Eigen::VectorXd opening = opening_rates();
    if (held + extra == 0 && opening.isZero(0.0)) {
      state_.v.setZero();
      return;
    }
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(A.rows() + held + extra, A.cols());
    Eigen::VectorXd b = Eigen::VectorXd::Zero(B.rows());
    B.topRows(A.rows()) = A;
    b.head(A.rows()) = -opening;
    for (Eigen::Index k = 0; k < held; ++k) {
      const int i = held_v_[static_cast<std::size_t>(k)];
      B(A.rows() + k, i) = system_.length;
      b(A.rows() + k) = system_.length * state_.v(i) / unit_length_(i);
    }
    B.bottomRows(extra) = C;
    b.tail(extra) = wanted_cut_velocities(cuts);
    const Eigen::VectorXd u = least_norm_solution(B, b, kRankTolerance);
    const double miss = (B * u - b).cwiseAbs().maxCoeff();
    if (!(miss <= kConsistent * std::max(1.0, b.cwiseAbs().maxCoeff()))) {
      if (held + extra == 0) {
        refuse(system_.body_count(),
               "the loops cannot follow the drives: they open at " + to_text(miss) + " m/s");
      }
      const int j = held > 0 ? joint_of_velocity(held_v_.front()) : cuts.front();
      refuse(j, "the velocities in initial.v contradict each other or would open the loops, by " +
                    to_text(miss) + " m/s");
    }
    state_.v = unit_length_.cwiseProduct(u);
  }

  // Bodies without inertia of their own must be held by loops or carry others that have some.
  void check_inertia() {
    const auto n = system_.velocities;
    if (n == 0) return;
    Eigen::MatrixXd M(n, n);
    each_unit_motion([&](int k) { momenta(system_, kin_, M.col(k).data()); });
    M = unit_length_.asDiagonal() * M;
    Eigen::MatrixXd K = M / M.diagonal().maxCoeff();
    if (system_.constraints > 0) {
      const Eigen::MatrixXd A = closing_matrix();
      K += A.transpose() * A / A.squaredNorm();
    }
    const auto eigen = symmetric_eigen(K);
    if (eigen.values(0) > kLeastInertia * eigen.values(n - 1)) return;
    Eigen::Index k = 0;
    eigen.vectors.col(0).cwiseAbs().maxCoeff(&k);
    const int j = joint_of_velocity(static_cast<int>(k));
    const bool floats = described(j).type == JointType::kFree && described(j).parent == kGround;
    refuse(j,
           "its motion is undetermined: no body that moves with it has inertia there, and no loop "
           "holds it" +
               std::string(floats ? "; --fixed-base holds what floats" : ""));
  }

  std::vector<int> cuts_with_velocities() const {
    std::vector<int> cuts;
    for (int c = system_.body_count(); c < system_.joint_count(); ++c) {
      if (described(c).initial_v) cuts.push_back(c);
    }
    return cuts;
  }

  // Velocities of cuts per scaled velocity, and what they shall be beyond what drives make them;
  // rows in m/s.
  Eigen::MatrixXd cut_velocity_matrix(const std::vector<int>& cuts) {
    Eigen::Index rows = 0;
    for (const int c : cuts) rows += system_.joint(c).velocities;
    Eigen::MatrixXd C(rows, system_.velocities);
    each_unit_motion([&](int k) { C.col(k) = velocities_of_all(cuts, rows); });
    return C;
  }
  Eigen::VectorXd wanted_cut_velocities(const std::vector<int>& cuts) {
    Eigen::Index rows = 0, row = 0;
    for (const int c : cuts) rows += system_.joint(c).velocities;
    const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(system_.velocities);
    move(system_, at_rest.data(), kin_);
    Eigen::VectorXd wanted = -velocities_of_all(cuts, rows);
    for (const int c : cuts) {
      const Eigen::VectorXd& v = *described(c).initial_v;
      for (int i = 0; i < v.size(); ++i) wanted(row++) += v(i) * unit_of(system_.joint(c), i);
    }
    return wanted;
  }
  Eigen::VectorXd velocities_of_all(const std::vector<int>& cuts, Eigen::Index rows) const {
    Eigen::VectorXd all(rows);
    Eigen::Index row = 0;
    for (const int c : cuts) {
      const Eigen::VectorXd v = velocities_of(c);
      for (int i = 0; i < v.size(); ++i) all(row++) = v(i) * unit_of(system_.joint(c), i);
    }
    return all;
  }

  int joint_of_velocity(int k) const {
    for (int b = system_.body_count() - 1; b >= 0; --b) {
      if (system_.joint(b).v <= k && system_.joint(b).velocities > 0) return b;
    }
    return 0;
  }

  const Model& model_;
  const System<Space>& system_;
  Kinematics<Space> kin_;
  InitialState state_;
  Eigen::VectorXd unit_length_;  // of each velocity: 1 for angles, the length for displacements
  double work_ = 0.0;            // of the steps so far, about the multiplications
  std::vector<int> free_q_, held_v_;
  std::vector<int> conditions_;  // cuts with initial.q, which loops are closed beside
};

}  // namespace

std::vector<OpenLoop> open_loops(const Model& model) {
  const auto assembly = model.for_assembly();
  const Model& tried = assembly ? *assembly : model;
  return tried.visit([&]<class Space>(const System<Space>& system) {
    return Assembler<Space>(tried, system).open_loops();
  });
}

InitialState initial_state(const Model& model) {
  return model.visit([&]<class Space>(const System<Space>& system) {
    Assembler<Space> assembler(model, system);
    const auto assembly = system.constraints > 0 ? model.for_assembly() : std::nullopt;
    if (assembly) {
      const auto& other = std::get<System<Space>>(assembly->tables());
      assembler.take_over(*assembly, other, Assembler<Space>(*assembly, other).solve());
    } else {
      assembler.solve();
    }
    return assembler.finish();
  });
}

}  // namespace hamiltree
