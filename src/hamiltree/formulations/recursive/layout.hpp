// Layout of the recursive algorithm's memory: which rows are open at which body, where they close,
// and how trees that close over the ground are joined. Done once for a System.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "hamiltree/formulations/block_elimination/free_mobility.hpp"
#include "hamiltree/formulations/recursive/work.hpp"
#include "hamiltree/plan/plan.hpp"

namespace hamiltree::recursive {

// The loops of a system as the tree sees them.
template <class Space>
class Loops {
  using Scalar = typename Space::Scalar;

 public:
  Loops(const System<Space>& system, Work<Space>& work) : system_(system), work_(work) {
    const auto bodies = at(system.body_count());
    depth_.resize(bodies);
    for (int b = 0; b < system.body_count(); ++b) {
      const int inboard = system.inboard(b);
      depth_[at(b)] = inboard == kNone ? 0 : depth_[at(inboard)] + 1;
    }
    reach_.resize(at(system.constraints));
    ports_.resize(bodies);
    mobility_.resize(at(system.constraints));
    work.ends.resize(bodies);
    find_ends();
    for (int row = 0; row < system.constraints; ++row) closes_at_.push_back(common_body(row));
    for (int b = 0; b < system.body_count(); ++b) mass_ += to_double(system.carried(b).mass);
  }

  void lay_out() {
    std::vector<std::vector<int>> open(system_.bodies.size());
    for (int b = system_.body_count() - 1; b >= 0; --b) lay_out_body(b, open);
    lay_out_ground();
    connect();
  }

 private:
  void find_ends() {
    work_.row_joint.resize(at(system_.constraints));
    for (int c = system_.body_count(); c < system_.joint_count(); ++c) {
      const auto& joint = system_.joint(c);
      for (int i = 0; i < joint.constraints; ++i) {
        work_.row_joint[at(joint.row + i)] = c;
        add_ends(joint.row + i, c, joint.constrained[at(i)], 1.0);
      }
    }
    for (const auto& coupling : system_.couplings) {
      work_.row_joint[at(coupling.row)] = coupling.joint;
      add_member(coupling.row, coupling.joint, 1.0);
      add_member(coupling.row, coupling.to, -coupling.ratio);
    }
  }
  void add_ends(int row, int j, int component, double factor) {
    const auto& joint = system_.joint(j);
    mobility_[at(row)] +=
        factor * factor *
        block_elimination::free_mobility(system_, j, component, block_elimination::Ballast::kMoves);
    for (const auto& [body, sign] : {std::pair{joint.child, 1.0}, {joint.parent, -1.0}}) {
      reach_[at(row)].push_back(body);
      if (body != kNone) work_.ends[at(body)].push_back({row, j, component, sign * factor});
    }
  }
  void add_member(int row, int j, double factor) {
    if (system_.joint(j).is_cut()) return add_ends(row, j, system_.joint(j).along, factor);
    reach_[at(row)].push_back(system_.inboard(j));
    const double outward = system_.joint(j).reversed ? -1.0 : 1.0;
    ports_[at(j)].push_back({row, j, 0, outward * factor});
  }

  // The body nearest to the ground that has all of a row behind it; the ground itself: kNone.
  int common_body(int row) const {
    const auto& reach = reach_[at(row)];
    int common = reach.front();
    for (const int body : reach) common = meet(common, body);
    return common;
  }
  int meet(int a, int b) const {
    while (a != b && a != kNone && b != kNone) {
      (depth_[at(a)] >= depth_[at(b)] ? a : b) =
          system_.inboard(depth_[at(a)] >= depth_[at(b)] ? a : b);
    }
    return a == b ? a : kNone;
  }

  static void add_row(int row, std::vector<int>& rows) {
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  }

  void lay_out_body(int b, std::vector<std::vector<int>>& open) {
    auto& rows = open[at(b)];  // the outboard neighbours' rows have been added by now
    for (const auto& end : work_.ends[at(b)]) add_row(end.row, rows);
    for (const auto& port : ports_[at(b)]) add_row(port.row, rows);
    if (rows.empty()) return;
    auto& front = work_.fronts[at(b)];
    std::sort(rows.begin(), rows.end());
    const auto first_open = std::stable_partition(rows.begin(), rows.end(),
                                                  [&](int r) { return closes_at_[at(r)] == b; });
    fill_rows(rows, first_open - rows.begin(), front);
    for (int i = 0; i < Space::kDimension; ++i) {
      front.rows.push_back(system_.constraints + b * Space::kDimension + i);
      front.scale.push_back(1.0);
    }
    front.allocate();
    for (auto& end : work_.ends[at(b)]) end.position = position(end.row, front);
    rows.erase(rows.begin(), first_open);
    for (const int row : rows) {
      Scalar port(0);
      for (const auto& own : ports_[at(b)]) {
        if (own.row == row) port += Scalar(own.factor);
      }
      work_.bodies[at(b)].open.push_back(
          {Space::Force::Zero(), Space::Motion::Zero(), Space::Motion::Zero(), port, row, 0});
    }
    if (const int inboard = system_.inboard(b); inboard != kNone) {
      for (const int row : rows) add_row(row, open[at(inboard)]);
    }
  }

  void fill_rows(const std::vector<int>& rows, std::ptrdiff_t closing,
                 block_elimination::Front<Scalar>& front) const {
    for (const int row : rows) {
      front.rows.push_back(row);
      front.scale.push_back(system_.row_scales[at(row)]);
    }
    front.resize(static_cast<int>(closing), closing > 0 ? block_elimination::kPivotMask : 0.0);
    front.floor = kPivotFloor / mass_;
    for (int i = 0; i < front.eliminated; ++i) {
      const double scale = front.scale[at(i)];
      front.floor = std::max(
          front.floor, block_elimination::kRounded * scale * scale * mobility_[at(rows[at(i)])]);
    }
  }

  // Trees on the ground are the leaves of a plan of their own; all that they share are rows.
  void lay_out_ground() {
    std::vector<int> bases;
    for (int b = 0; b < system_.body_count(); ++b) {
      if (system_.inboard(b) == kNone && !work_.bodies[at(b)].open.empty()) bases.push_back(b);
    }
    const int count = static_cast<int>(bases.size());
    std::vector<PlanLink> links(bases.size());
    std::vector<std::vector<int>> trees(at(system_.constraints));
    for (int i = 0; i < count; ++i) {
      links[at(i)].bodies = {i};
      for (const auto& open : work_.bodies[at(bases[at(i)])].open) trees[at(open.row)].push_back(i);
    }
    std::vector<int> link_row(bases.size(), kNone);  // row of each further link
    for (int row = 0; row < system_.constraints; ++row) {
      if (trees[at(row)].empty()) continue;
      links.push_back({trees[at(row)], 1, true});
      link_row.push_back(row);
    }
    lay_out_ground(make_minimum_degree_plan(count, links), link_row, bases);
  }

  // A tree that closes nothing alone hands its rows to the front that joins it with others.
  void lay_out_ground(const Plan& plan, const std::vector<int>& link_row,
                      const std::vector<int>& bases) {
    std::vector<std::size_t> front_of(plan.compounds.size(), 0);
    for (std::size_t c = 0; c < plan.compounds.size(); ++c) {
      const auto& compound = plan.compounds[c];
      if (compound.body != kNone && compound.eliminated.empty()) continue;
      std::vector<int> rows;
      for (const int link : compound.eliminated) rows.push_back(link_row[at(link)]);
      for (const int link : compound.kept) rows.push_back(link_row[at(link)]);
      front_of[c] = work_.fronts.size();
      auto& front = work_.fronts.emplace_back();
      fill_rows(rows, std::ssize(compound.eliminated), front);
      front.allocate();
      auto& ground = work_.ground.emplace_back(GroundFront{front_of[c], {}});
      if (compound.body != kNone) {
        work_.bodies[at(bases[c])].into = front_of[c];
        continue;
      }
      for (const int side : {compound.left, compound.right}) {
        if (front_of[at(side)] > 0) {
          ground.joined.push_back({front_of[at(side)], handles(front_of[at(side)], front)});
        } else {
          work_.bodies[at(bases[at(side)])].into = front_of[c];
        }
      }
    }
  }
  std::vector<int> handles(std::size_t from, const block_elimination::Front<Scalar>& front) const {
    const auto& rows = work_.fronts[from].rows;
    std::vector<int> positions;
    for (std::size_t i = at(work_.fronts[from].eliminated); i < rows.size(); ++i) {
      positions.push_back(position(rows[i], front));
    }
    return positions;
  }

  // Where the open rows of each body stand in the front that takes them.
  void connect() {
    for (int b = 0; b < system_.body_count(); ++b) {
      auto& body = work_.bodies[at(b)];
      if (const int inboard = system_.inboard(b); inboard != kNone) body.into = at(inboard);
      for (auto& open : body.open) open.to = position(open.row, work_.fronts[body.into]);
    }
  }

  static int position(int row, const block_elimination::Front<Scalar>& front) {
    return static_cast<int>(std::find(front.rows.begin(), front.rows.end(), row) -
                            front.rows.begin());
  }

  const System<Space>& system_;
  Work<Space>& work_;
  std::vector<int> depth_;
  std::vector<int> closes_at_;           // body of each row, kNone: the ground
  double mass_ = 0.0;                    // kg, of all bodies
  std::vector<std::vector<int>> reach_;  // bodies, or kNone, that each row reaches
  std::vector<std::vector<End>> ports_;  // couplings of each tree joint
  std::vector<double> mobility_;         // of each row, while its bodies are free
};

template <class Space>
Work<Space>::Work(const System<Space>& system)
    : RateWork<Space>(system),
      bodies(system.bodies.size()),
      fronts(system.bodies.size()),
      values(at(system.constraints + system.body_count() * Space::kDimension), Scalar(0)),
      r(at(system.constraints), Scalar(0)),
      free_force(at(system.velocities), Scalar(0)),
      impulse(system.joints.size(), Space::Force::Zero()),
      ballast(system),
      first(system.bodies.size()),
      first_values(values),
      first_v(free_force) {
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    bodies[at(b)].apart = joint.reversed || joint.own_frame;
    bodies[at(b)].outward = Scalar(joint.reversed ? -1.0 : 1.0);
  }
  Loops<Space>(system, *this).lay_out();
}

}  // namespace hamiltree::recursive
