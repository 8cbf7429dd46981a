#include "hardware/compiler/schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <utility>

#include "hamiltree/base/index.hpp"

namespace hamiltree::hardware {

namespace {

class Scheduler {
 public:
  Scheduler(const Graph& graph, const EngineShape& shape)
      : graph_(graph),
        shape_(shape),
        live_(graph.live()),
        followers_(graph.followers()),
        missing_(live_.size(), 0),
        way_(live_.size(), 0),
        is_state_(live_.size(), 0) {
    schedule_.slots.resize(live_.size());
    link();
    measure_ways();
  }

  Schedule run() {
    for (std::size_t i = 0; i < live_.size(); ++i) {
      if (live_[i] != 0 && !runs(graph_.operations()[i].kind)) has_started(static_cast<int>(i));
    }
    for (int t = 0; !waiting_.empty(); ++t) start_in_cycle(t);
    for (const auto& state : graph_.states()) {
      const int latency = graph_.latency().of(graph_.at(state.next).kind);
      const int written = schedule_.at(state.next).start + latency + 1;
      schedule_.length = std::max(schedule_.length, written + 1);
    }
    return std::move(schedule_);
  }

 private:
  template <class F>
  void for_each_operand(int node, const F& f) const {
    const auto& operation = graph_.at(node);
    const int count = operand_count(operation.kind);
    if (count > 0) f(operation.a);
    if (count > 1 && operation.b != operation.a) f(operation.b);
  }

  void link() {
    for (std::size_t i = 0; i < live_.size(); ++i) {
      for (const int follower : followers_[i]) ++missing_[at(follower)];
    }
    for (const auto& state : graph_.states()) is_state_[at(state.next)] = 1;
  }

  void measure_ways() {
    // Followers of a node may stand before it only through states: their ways end there.
    for (std::size_t i = live_.size(); i-- > 0;) {
      if (live_[i] == 0) continue;
      way_[i] += graph_.latency().of(graph_.at(static_cast<int>(i)).kind);
      for_each_operand(static_cast<int>(i), [&](int operand) {
        way_[at(operand)] = std::max(way_[at(operand)], way_[i]);
      });
    }
  }

  // All that it follows has started.
  void release(int node) { waiting_.insert({-way_[at(node)], node}); }

  void has_started(int node) {
    for (const int follower : followers_[at(node)]) {
      if (--missing_[at(follower)] == 0) release(follower);
    }
  }

  bool is_there(int node, int t) const {
    bool there = true;
    for_each_operand(node, [&](int operand) {
      const auto& producer = graph_.at(operand);
      if (!runs(producer.kind)) return;
      const int forwarded = schedule_.at(operand).start + graph_.latency().of(producer.kind);
      there = there && (t == forwarded || t >= forwarded + 2);
    });
    return there;
  }

  // A lane that is free in this cycle and may write when the result is there; -1: none.
  int lane_for(int node, int t, const std::vector<char>& busy) const {
    const Kind kind = graph_.at(node).kind;
    const int result = t + graph_.latency().of(kind) + 1;
    const auto shared_is_free = [&] { return !shared_writes_.contains(result); };
    if (kind == Kind::kReciprocal) {
      const int lane = shape_.reciprocal_lane();
      return busy[at(lane)] == 0 && shared_is_free() ? lane : -1;
    }
    const bool adds = kind != Kind::kMultiply;
    const int first = adds ? 0 : shape_.adders;
    const int last = adds ? shape_.adders : shape_.banks();
    if (is_state_[at(node)] != 0) return busy[0] == 0 ? 0 : -1;  // states live in the first bank
    for (int lane = last - 1; lane >= first; --lane) {
      if (busy[at(lane)] != 0 || (lane == shape_.adders && !shared_is_free())) continue;
      return lane;
    }
    return -1;
  }

  void start_in_cycle(int t) {
    std::vector<char> busy(at(shape_.banks() + 1), 0);
    std::vector<int> started;
    for (auto place = waiting_.begin(); place != waiting_.end();) {
      const int node = place->second;
      const int lane = is_there(node, t) ? lane_for(node, t, busy) : -1;
      if (lane < 0) {
        ++place;
        continue;
      }
      busy[at(lane)] = 1;
      schedule_.slots[at(node)] = {t, lane};
      if (shape_.bank_of_lane(lane) == shape_.adders) {
        shared_writes_.insert(t + graph_.latency().of(graph_.at(node).kind) + 1);
      }
      started.push_back(node);
      place = waiting_.erase(place);
    }
    for (const int node : started) has_started(node);
  }

  const Graph& graph_;
  const EngineShape& shape_;
  std::vector<char> live_;
  std::vector<std::vector<int>> followers_;
  std::vector<int> missing_;  // predecessors that have not started
  std::vector<int> way_;      // cycles to the end of the step
  std::vector<char> is_state_;
  std::set<std::pair<int, int>> waiting_;  // longest way first
  std::set<int> shared_writes_;            // cycles in which the first multiplier's bank is written
  Schedule schedule_;
};

}  // namespace

Schedule make_schedule(const Graph& graph, const EngineShape& shape) {
  return Scheduler(graph, shape).run();
}

}  // namespace hamiltree::hardware
