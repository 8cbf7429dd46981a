#include "hamiltree/plan/schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "hamiltree/base/index.hpp"

namespace hamiltree {
namespace {

// Items of a stage, at most about so many: enough that eight threads end at about the same time.
// Measured with two: 16 to 32 are best, with 64 more data move between the cores' caches.
constexpr int kItems = 32;

// Items of a stage with so many compounds.
int item_count(std::size_t compounds, int grain) {
  return std::clamp(static_cast<int>(compounds) / grain, 1, kItems);
}

void end_item(PlanSchedule& schedule) {
  schedule.items.push_back(static_cast<int>(schedule.compounds.size()));
}
void end_stage(PlanSchedule& schedule) {
  schedule.stages.push_back(static_cast<int>(schedule.items.size()) - 1);
}

// About what the rows of a compound cost, and its body.
double cost_of(const Compound& compound) {
  const auto links = static_cast<double>(compound.eliminated.size() + compound.kept.size());
  return 4.0 + links * links;
}

class Subtrees {
 public:
  explicit Subtrees(const Plan& plan) : plan_(plan), cost_(plan.compounds.size()) {}

  // Subtrees as large as an item may be, small ones of them together in an item.
  PlanSchedule make(int grain) {
    std::vector<bool> inside(cost_.size(), false);  // a side of some join
    double all = 0.0;
    for (std::size_t c = 0; c < cost_.size(); ++c) {
      cost_[c] = cost_of(plan_.compounds[c]);
      all += cost_[c];
      for (const int side : sides(static_cast<int>(c))) {
        cost_[c] += cost_[at(side)];
        inside[at(side)] = true;
      }
    }
    largest_ = all / item_count(cost_.size(), grain);
    for (std::size_t c = 0; c < cost_.size(); ++c) {
      if (!inside[c]) cut(static_cast<int>(c));
    }
    if (in_item_ > 0.0) end_item(schedule_);
    end_stage(schedule_);
    if (above_.empty()) return std::move(schedule_);
    std::sort(above_.begin(), above_.end());
    schedule_.compounds.insert(schedule_.compounds.end(), above_.begin(), above_.end());
    end_item(schedule_);
    end_stage(schedule_);
    return std::move(schedule_);
  }

 private:
  std::vector<int> sides(int c) const {
    const auto& compound = plan_.compounds[at(c)];
    if (compound.body != kNone) return {};
    return {compound.left, compound.right};
  }

  void cut(int top) {
    std::vector<int> stack{top};
    while (!stack.empty()) {
      const int c = stack.back();
      stack.pop_back();
      const auto below = sides(c);
      if (cost_[at(c)] > largest_ && !below.empty()) {
        above_.push_back(c);
        stack.insert(stack.end(), below.rbegin(), below.rend());
        continue;
      }
      if (in_item_ > 0.0 && in_item_ + cost_[at(c)] > largest_) {
        end_item(schedule_);
        in_item_ = 0.0;
      }
      add(c);
      in_item_ += cost_[at(c)];
    }
  }

  // A whole subtree in the order of the plan, in which compounds lie in memory.
  void add(int top) {
    const auto begin = static_cast<std::ptrdiff_t>(schedule_.compounds.size());
    std::vector<int> stack{top};
    while (!stack.empty()) {
      const int c = stack.back();
      stack.pop_back();
      schedule_.compounds.push_back(c);
      const auto below = sides(c);
      stack.insert(stack.end(), below.begin(), below.end());
    }
    std::sort(schedule_.compounds.begin() + begin, schedule_.compounds.end());
  }

  const Plan& plan_;
  std::vector<double> cost_;  // of a compound and all that is in it
  double largest_ = 0.0;      // cost of an item
  double in_item_ = 0.0;
  std::vector<int> above_;
  PlanSchedule schedule_{{}, {0}, {0}};
};

}  // namespace

PlanSchedule make_schedule(const Plan& plan, int grain) { return Subtrees(plan).make(grain); }

}  // namespace hamiltree
