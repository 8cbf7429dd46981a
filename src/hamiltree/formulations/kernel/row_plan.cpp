#include "hamiltree/formulations/kernel/row_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/kernel/virtual_tree.hpp"

namespace hamiltree::kernel {
namespace {

// Multiplications, a few tenths of a second. Chains of many floating segments would take more: all
// that is behind a body stays dense there.
constexpr double kMostWork = 2e8;

using RowSet = std::set<int>;

// Sources of open rows at a body: a child, a tree attached to it, or an end of a cut.
struct Source {
  enum class Kind { kChild, kTree, kEnd };
  Kind kind = Kind::kChild;
  int body = kNothing;    // of kChild, kTree
  int cut = 0, side = 0;  // of kEnd
  RowSet rows;
};

// Sources that share rows.
struct Meeting {
  std::vector<Source> sources;
  RowSet rows;
  std::vector<int> closing;
  bool held = false;  // they close as if the body stood still: some come from an attached tree
};

bool intersects(const RowSet& a, const RowSet& b) {
  return std::any_of(a.begin(), a.end(), [&](int row) { return b.count(row) > 0; });
}

std::vector<Meeting> meetings_of(std::vector<Source> sources) {
  std::vector<Meeting> meetings;
  for (auto& source : sources) {
    Meeting joined;
    joined.rows = source.rows;
    std::vector<Meeting> apart;
    for (auto& meeting : meetings) {
      if (!intersects(meeting.rows, source.rows)) {
        apart.push_back(std::move(meeting));
        continue;
      }
      joined.rows.insert(meeting.rows.begin(), meeting.rows.end());
      std::move(meeting.sources.begin(), meeting.sources.end(), std::back_inserter(joined.sources));
    }
    joined.sources.push_back(std::move(source));
    apart.push_back(std::move(joined));
    meetings = std::move(apart);
  }
  return meetings;
}

class RowPlanner {
 public:
  RowPlanner(const RowPlanInput& input, Attach attach, Tables& tables)
      : input_(input),
        tables_(tables),
        tree_(tables, input.opening, attach == Attach::kIfAllClose),
        open_(tables.bodies.size()),
        ends_(tables.bodies.size()),
        position_(tables.bodies.size(), 0),
        cut_of_(at(tables.constraints), kNothing),
        lane_(at(tables.constraints), kNothing),
        late_(at(tables.constraints), false),
        conflicts_(at(tables.constraints)),
        closed_at_(tables.bodies.size()),
        settled_(tables.bodies.size(), false) {
    for (std::size_t c = 0; c < tables.cuts.size(); ++c) {
      const auto& cut = tables.cuts[c];
      for (const auto& row : cut.rows) cut_of_[at(row.row)] = static_cast<int>(c);
      for (const std::size_t side : {0u, 1u}) {
        if (cut.opens_at[side] != kNothing && !cut.rows.empty())
          ends_[at(cut.opens_at[side])].emplace_back(static_cast<int>(c), static_cast<int>(side));
      }
    }
  }

  bool plan() {
    tables_.inward = tree_.inward();
    tables_.outward = tree_.outward();
    for (std::size_t i = 0; i < tables_.inward.size(); ++i)
      position_[at(tables_.inward[i])] = static_cast<int>(i);
    mark_leaves();
    for (const int b : tables_.inward) {
      plan_body(b);
      if (!fits_ || work_ > kMostWork) return false;
    }
    tables_.first_ground_event = static_cast<int>(tables_.events.size());
    plan_ground();
    tables_.rows = objects_;
    if (!fits_ || !choose_lanes()) return false;
    fill_lanes();
    find_lanes_of_rows();
    find_impulses();
    return true;
  }

 private:
  void mark_leaves() {
    for (const int b : tables_.inward) {
      auto& body = tables_.bodies[at(b)];
      if (body.inboard == kNothing) continue;
      auto& inboard = tables_.bodies[at(body.inboard)];
      body.first = inboard.leaf;
      inboard.leaf = false;
    }
  }

  RowSet rows_of(int cut) const {
    RowSet rows;
    for (const auto& row : tables_.cuts[at(cut)].rows) rows.insert(row.row);
    return rows;
  }

  std::vector<Source> sources_at(int b) const {
    std::vector<Source> sources;
    for (const int c : tree_.behind(b)) {
      if (open_[at(c)].empty()) continue;
      const bool is_child = tables_.bodies[at(c)].inboard == b;
      sources.push_back(
          {is_child ? Source::Kind::kChild : Source::Kind::kTree, c, 0, 0, open_[at(c)]});
    }
    for (const auto& [cut, side] : ends_[at(b)])
      sources.push_back({Source::Kind::kEnd, kNothing, cut, side, rows_of(cut)});
    return sources;
  }

  bool is_complete(int row, int b) const {
    return late_[at(row)] || tree_.meeting_body(tables_.cuts[at(cut_of_[at(row)])]) == b;
  }
  bool is_over_ground(int row) const {
    return tree_.is_over_ground(tables_.cuts[at(cut_of_[at(row)])]);
  }
  // Rows that have closed at a body or at those that are behind it.
  std::vector<int> closed_at(int b, const std::vector<int>& behind) const {
    auto rows = closed_at_[at(b)];
    for (const int c : behind)
      rows.insert(rows.end(), closed_at_[at(c)].begin(), closed_at_[at(c)].end());
    return rows;
  }

  void choose_closing(int b, Meeting& meeting) {
    std::vector<int> complete;
    for (const int row : meeting.rows)
      if (is_complete(row, b)) complete.push_back(row);
    meeting.closing = complete;
    if (!tree_.has_attached_trees() || complete.empty()) return;
    const auto behind = tree_.bodies_behind(b, settled_);
    const auto before = closed_at(b, behind);
    const auto over_ground = [&](int row) { return is_over_ground(row); };
    meeting.held = std::any_of(complete.begin(), complete.end(), over_ground) ||
                   std::any_of(before.begin(), before.end(), over_ground);
    if (!meeting.held) return;
    const auto velocities = tree_.velocities_of(behind);
    const auto rows = static_cast<double>(before.size() + complete.size());
    work_ += rows * rows * static_cast<double>(velocities.size());
    if (work_ > kMostWork) return;
    meeting.closing = independent_rows(input_.opening, velocities, before, complete);
    std::sort(meeting.closing.begin(), meeting.closing.end());
    for (const int row : complete)
      late_[at(row)] = !std::binary_search(meeting.closing.begin(), meeting.closing.end(), row);
  }

  // Where as many rows have closed as joints move, these follow the body: whether rows further in
  // are independent is no matter of either.
  void keep_closed(int b, const Meeting& meeting, bool all) {
    std::vector<int> moving;
    std::size_t closed = meeting.closing.size(), velocities = 0;
    for (const auto& source : meeting.sources) {
      if (source.kind == Source::Kind::kEnd) continue;
      auto behind = tree_.bodies_behind(source.body, settled_);
      closed += closed_at(source.body, behind).size();
      behind.push_back(source.body);
      velocities += tree_.velocities_of(behind).size();
      moving.push_back(source.body);
    }
    if (all && closed == velocities) {
      for (const int c : moving) settled_[at(c)] = true;
    } else {
      closed_at_[at(b)].insert(closed_at_[at(b)].end(), meeting.closing.begin(),
                               meeting.closing.end());
    }
  }

  void plan_body(int b) {
    auto& body = tables_.bodies[at(b)];
    body.first_event = static_cast<int>(tables_.events.size());
    std::vector<Source> through;
    std::vector<std::pair<int, RowSet>> rests;  // objects with rows that stayed open
    for (auto& meeting : meetings_of(sources_at(b))) {
      choose_closing(b, meeting);
      if (meeting.closing.empty()) {
        std::move(meeting.sources.begin(), meeting.sources.end(), std::back_inserter(through));
        continue;
      }
      const int object = gather(meeting.sources);
      RowSet rest = meeting.rows;
      for (const int row : meeting.closing) rest.erase(row);
      if (tree_.has_attached_trees()) keep_closed(b, meeting, rest.empty());
      forbid_sharing(meeting.rows);
      close(object, meeting, rest);
      if (!rest.empty()) rests.emplace_back(object, rest);
    }
    auto& open = open_[at(b)];
    for (const auto& source : through) open.insert(source.rows.begin(), source.rows.end());
    for (const auto& [object, rest] : rests) open.insert(rest.begin(), rest.end());
    if (!open.empty()) {
      forbid_sharing(open);
      body.rows = through.empty() ? rests.front().first : gather(through);
      for (const auto& [object, rest] : rests)
        if (object != body.rows) add_merge(body.rows, object, false, rest);
    }
    body.end_event = static_cast<int>(tables_.events.size());
  }

  // One object for all sources: children add to it when they are eliminated, the rest by events.
  int gather(const std::vector<Source>& sources) {
    int first = kNothing;  // of the children
    for (const auto& source : sources) {
      if (source.kind != Source::Kind::kChild) continue;
      if (first == kNothing || position_[at(source.body)] < position_[at(first)])
        first = source.body;
    }
    int object = first == kNothing ? kNothing : tables_.bodies[at(first)].rows;
    for (const auto& source : sources)
      if (source.kind == Source::Kind::kChild) tables_.bodies[at(source.body)].into = object;
    for (const auto& source : sources) {
      if (source.kind == Source::Kind::kChild) continue;
      const bool empty = object == kNothing;
      if (source.kind == Source::Kind::kTree) {
        const int rows = tables_.bodies[at(source.body)].rows;
        if (empty) object = rows;
        add_merge(object, rows, true, source.rows);
        continue;
      }
      if (empty) object = objects_++;
      Event event;
      event.kind = Event::Kind::kOpen;
      event.rows = object;
      event.empty = empty;
      event.cut = source.cut;
      event.side = source.side;
      event.takes_gap = source.side == 0 || tables_.cuts[at(source.cut)].opens_at[0] == kNothing;
      add(event, {});
    }
    return object;
  }
  void add_merge(int object, int other, bool of_ground, const RowSet& rows) {
    Event event;
    event.kind = Event::Kind::kMerge;
    event.rows = object;
    event.other = other;
    event.of_ground = of_ground;
    event.closing = static_cast<int>(rows.size());
    add(event, {rows.begin(), rows.end()});
  }
  void close(int object, const Meeting& meeting, const RowSet& rest) {
    Event event;
    event.kind = Event::Kind::kClose;
    event.rows = object;
    event.held = meeting.held;
    event.closed = tables_.closed++;
    event.impulses = ++impulses_;
    event.closing = static_cast<int>(meeting.closing.size());
    event.staying = static_cast<int>(rest.size());
    auto rows = meeting.closing;
    rows.insert(rows.end(), rest.begin(), rest.end());
    for (const auto& source : meeting.sources)
      if (source.kind != Source::Kind::kEnd)
        tables_.bodies[at(source.body)].impulses = event.impulses;
    for (const int row : meeting.closing) row_impulses(row) = event.impulses;
    add(event, std::move(rows));
  }
  void add(const Event& event, std::vector<int> rows) {
    tables_.events.push_back(event);
    event_rows_.push_back(std::move(rows));
  }
  int& row_impulses(int row) {
    auto& cut = tables_.cuts[at(cut_of_[at(row)])];
    return std::find_if(cut.rows.begin(), cut.rows.end(),
                        [&](const CutRow& r) { return r.row == row; })
        ->impulses;
  }

  void plan_ground() {
    std::vector<Source> sources;
    for (const int b : tables_.inward) {
      if (tree_.up(b) == kNothing && !open_[at(b)].empty())
        sources.push_back({Source::Kind::kTree, b, 0, 0, open_[at(b)]});
    }
    for (auto& meeting : meetings_of(std::move(sources))) {
      meeting.closing.assign(meeting.rows.begin(), meeting.rows.end());
      meeting.held = std::any_of(meeting.closing.begin(), meeting.closing.end(),
                                 [&](int row) { return late_[at(row)]; });
      const int object = tables_.bodies[at(meeting.sources.front().body)].rows;
      for (std::size_t i = 1; i < meeting.sources.size(); ++i) {
        const auto& source = meeting.sources[i];
        add_merge(object, tables_.bodies[at(source.body)].rows, true, source.rows);
      }
      forbid_sharing(meeting.rows);
      close(object, meeting, {});
    }
  }

  void forbid_sharing(const RowSet& rows) {
    fits_ = fits_ && rows.size() <= at(kMostLanes);
    if (!fits_) return;
    for (const int row : rows) conflicts_[at(row)].insert(rows.begin(), rows.end());
  }

  // Rows of one cut side by side, in the first lanes that none of those they meet has.
  bool choose_lanes() {
    for (auto& cut : tables_.cuts) {
      const int count = static_cast<int>(cut.rows.size());
      int first = 0;
      const auto fits = [&] {
        for (int i = 0; i < count; ++i) {
          for (const int other : conflicts_[at(cut.rows[at(i)].row)])
            if (lane_[at(other)] == first + i) return false;
        }
        return true;
      };
      while (first + count <= kMostLanes && !fits()) ++first;
      if (first + count > kMostLanes) return false;
      if (first + count > kLaneCount) tables_.lanes = kMostLanes;
      cut.lane = first;
      for (int i = 0; i < count; ++i) {
        cut.rows[at(i)].lane = first + i;
        lane_[at(cut.rows[at(i)].row)] = first + i;
      }
    }
    return true;
  }

  unsigned char lane(int row) const { return static_cast<unsigned char>(lane_[at(row)]); }

  void fill_lanes() {
    for (std::size_t b = 0; b < tables_.bodies.size(); ++b) {
      auto& body = tables_.bodies[b];
      body.open = 0;
      for (const int row : open_[b]) body.lane[at(body.open++)] = lane(row);
    }
    for (const auto& cut : tables_.cuts) {
      if (!cut.is_coupling || cut.rows.empty()) continue;
      for (const std::size_t side : {0u, 1u}) {
        auto& body = tables_.bodies[at(cut.opens_at[side])];
        if (body.port == kNothing) {
          body.port = static_cast<int>(tables_.ports.size());
          tables_.ports.push_back({});
        }
        tables_.ports[at(body.port)].lane[cut.lane] += cut.factor[side];
      }
    }
    for (std::size_t i = 0; i < tables_.events.size(); ++i) {
      auto& event = tables_.events[i];
      auto& rows = event_rows_[i];
      if (event.kind == Event::Kind::kClose) {
        std::sort(rows.begin(), rows.begin() + event.closing,
                  [&](int a, int b) { return lane(a) < lane(b); });
      }
      event.in_order = event.kind == Event::Kind::kClose && event.staying == 0;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        event.lane[k] = lane(rows[k]);
        event.weight[event.lane[k]] = input_.weight[at(rows[k])];
        event.joint[event.lane[k]] = tables_.cuts[at(cut_of_[at(rows[k])])].joint;
        event.in_order = event.in_order && event.lane[k] == k;
      }
      for (int k = event.closing; k < event.closing + event.staying; ++k)
        event.stays[event.lane[at(k)]] = 1.0;
      find_alike(event, rows.size());
    }
  }

  static void find_alike(Event& event, std::size_t rows) {
    for (std::size_t k = 0; k < rows; ++k) {
      const auto lane = event.lane[k];
      const auto is_alike = [&](unsigned char other) {
        return event.joint[other] == event.joint[lane] && event.weight[other] == event.weight[lane];
      };
      event.alike[lane] = *std::find_if(event.lane.begin(), event.lane.end(), is_alike);
    }
  }

  void find_lanes_of_rows() {
    std::vector<std::set<unsigned char>> lanes(at(objects_));
    const auto add = [&](int object, const auto& from, int count) {
      if (object != kNothing) lanes[at(object)].insert(from.begin(), from.begin() + count);
    };
    for (const auto& body : tables_.bodies) {
      add(body.rows, body.lane, body.open);
      add(body.into, body.lane, body.open);
    }
    for (const auto& event : tables_.events) {
      add(event.rows, event.lane, event.closing + event.staying);
      if (event.kind != Event::Kind::kOpen) continue;
      for (const auto& row : tables_.cuts[at(event.cut)].rows)
        lanes[at(event.rows)].insert(lane(row.row));
    }
    for (const auto& all : lanes) tables_.lanes_of_rows.emplace_back(all.begin(), all.end());
  }

  // Bodies of which no rows close at the inboard one read what that one reads. A ball that closes
  // in parts is no ball.
  void find_impulses() {
    for (const int b : tables_.outward) {
      auto& body = tables_.bodies[at(b)];
      const int inboard = tree_.up(b);
      if (body.impulses == 0 && inboard != kNothing)
        body.impulses = tables_.bodies[at(inboard)].impulses;
      for (int i = body.first_event; i < body.end_event; ++i)
        tables_.events[at(i)].known_impulses = body.impulses;
    }
    tables_.impulses = impulses_ + 1;
    for (auto& cut : tables_.cuts) {
      if (cut.rows.empty()) continue;
      cut.impulses = cut.rows.front().impulses;
      for (const auto& row : cut.rows) cut.is_ball = cut.is_ball && row.impulses == cut.impulses;
    }
  }

  const RowPlanInput& input_;
  Tables& tables_;
  VirtualTree tree_;
  std::vector<RowSet> open_;                            // behind the joint of each body
  std::vector<std::vector<std::pair<int, int>>> ends_;  // of each body: cut, side
  std::vector<int> position_;                           // of each body in the order inwards
  std::vector<int> cut_of_;                             // by row, as all that follow
  std::vector<int> lane_;
  std::vector<bool> late_;  // it could not close where its loop is complete
  std::vector<RowSet> conflicts_;
  std::vector<std::vector<int>> closed_at_;  // of each body: rows, but for those of what is settled
  std::vector<bool> settled_;                // of each body: it follows the one that it is behind
  std::vector<std::vector<int>> event_rows_;
  bool fits_ = true;   // open rows into the lanes
  double work_ = 0.0;  // of looking for independent rows, multiplications
  int objects_ = 0, impulses_ = 0;
};

}  // namespace

bool plan_rows(const RowPlanInput& input, Attach attach, Tables& tables) {
  return RowPlanner(input, attach, tables).plan();
}

}  // namespace hamiltree::kernel
