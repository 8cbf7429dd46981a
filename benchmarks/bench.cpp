#include "benchmarks/bench.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "benchmarks/agreement.hpp"
#include "benchmarks/described.hpp"
#include "benchmarks/operations.hpp"
#include "benchmarks/own.hpp"
#include "benchmarks/states.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"

namespace hamiltree::benchmarks {
namespace {

constexpr int kMostChecked = 5000;  // bodies: beyond, memory is left to the engine that is timed

Contest contest_of(const std::string& engine, bool own) {
  Contest contest;
  contest.engine = engine;
  contest.own = own;
  return contest;
}

// One mechanism with all engines that take it.
class Round {
 public:
  Round(const Case& what, bool derivatives, const std::vector<Peer>& peers)
      : model_(what.make()), derivatives_(derivatives), states_(draw_states(model_, what.states)) {
    result_.name = what.name;
    result_.size = what.size;
    result_.bodies = model_.body_count();
    result_.loops = model_.loop_count();
    result_.states = states_.size();
    if (result_.bodies <= kMostChecked) reference_.emplace(model_, states_);
    for (const auto& formulation : what.own) add(formulation);
    for (const auto& peer : peers) add(peer);
  }

  CaseResult time(const MeasureOptions& options) {
    std::vector<Timed> calls;
    for (const auto& engine : engines_) {
      calls.emplace_back(
          [&, count = states_.size()](std::size_t i) { engine->evaluate(i % count); });
    }
    const auto timings = measure(calls, options);
    for (std::size_t i = 0; i < timings.size(); ++i) {
      result_.contests[timed_[i]].timing = timings[i];
    }
    return result_;
  }

 private:
  void add(const std::string& formulation) {
    auto contest = contest_of("hamiltree " + formulation, true);
    std::unique_ptr<OwnModel> own;
    try {
      own = make_own(model_, formulation);
      own->keep(states_);
    } catch (const UsageError& error) {  // no C compiler
      contest.outcome = Outcome::kMissing;
      contest.why = error.what();
      result_.contests.push_back(contest);
      return;
    }
    if (reference_) {
      contest.difference = reference_->difference(*own);
      // The kernel in world axes counts in vectors.
      if (const auto counted = result_.name.empty() ? operations(model_, formulation)
                                                    : std::optional<OperationCount>()) {
        contest.flops = static_cast<double>(counted->flops());
      }
    }
    enter(contest, std::move(own));
  }

  void add(const Peer& peer) {
    auto contest = contest_of(peer.name, false);
    std::unique_ptr<EngineModel> engine;
    if (peer.engine == nullptr) {
      contest.outcome = Outcome::kMissing;
      contest.why = peer.missing;
    } else if (!reference_) {
      contest.outcome = Outcome::kRefused;
      contest.why = "too many bodies";
    } else if (const auto told = describe(model_, states_.front().q); !told) {
      contest.outcome = Outcome::kRefused;
      contest.why = "its joints or loops are not described to other engines";
    } else if (!peer.engine->takes_machines() &&
               !(has_pins_only(*told) && states_.front().efforts.empty())) {
      contest.outcome = Outcome::kRefused;
      contest.why = "only pins and free joints are described to it";
    } else {
      engine = derivatives_ ? peer.engine->make_derivatives(*told, contest.why)
                            : peer.engine->make(*told, contest.why);
      if (engine == nullptr) contest.outcome = Outcome::kRefused;
    }
    if (engine != nullptr) {
      contest.soft = result_.loops > 0 && peer.engine->soft_loops();
      engine->keep(states_);
      contest.difference = reference_->difference(*engine);
    }
    enter(contest, std::move(engine));
  }

  void enter(Contest& contest, std::unique_ptr<EngineModel> engine) {
    if (contest.difference && *contest.difference > asked_agreement(result_.bodies) &&
        !contest.soft) {
      contest.outcome = Outcome::kDisagrees;
      contest.why =
          "its results differ from those of `aba` by " + hamiltree::to_text(*contest.difference);
    }
    if (contest.outcome == Outcome::kTimed) {
      timed_.push_back(result_.contests.size());
      engines_.push_back(std::move(engine));
    }
    result_.contests.push_back(contest);
  }

  Model model_;
  bool derivatives_;
  std::vector<EngineState> states_;
  std::optional<Reference> reference_;
  CaseResult result_;
  std::vector<std::unique_ptr<EngineModel>> engines_;  // those that are timed
  std::vector<std::size_t> timed_;                     // their contests
};

std::vector<Family> families_of(const BenchOptions& options) {
  if (!options.models.empty()) return {family_of(options.models)};
  std::vector<Family> wanted;
  for (const auto& family : families()) {
    if (options.only.empty() || family.name == options.only) wanted.push_back(family);
  }
  if (wanted.empty()) throw UsageError("\"" + options.only + "\" is not a family of benchmarks");
  return wanted;
}

}  // namespace

const char* to_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::kTimed:
      return "timed";
    case Outcome::kMissing:
      return "missing";
    case Outcome::kRefused:
      return "refused";
    default:
      return "disagrees";
  }
}

bool BenchResult::all_agree() const {
  for (const auto& family : families) {
    for (const auto& result : family.cases) {
      for (const auto& contest : result.contests) {
        if (contest.outcome == Outcome::kDisagrees) return false;
      }
    }
  }
  return true;
}

BenchResult run_bench(const BenchOptions& options) {
  const auto wanted = families_of(options);
  const bool all = options.only.empty() && options.models.empty();
  BenchResult result;
  options.progress("the machine's own limits");
  result.limits = measure_limits(options.quick);
  result.peers = load_peers(options.peers);
  if (all) {
    options.progress("two threads");
    result.threads = measure_threads(options.quick);
  }
  const Pinned pinned(usable_cores().front());
  const MeasureOptions measuring =
      options.quick ? MeasureOptions{3e-4, 0.1, 15} : MeasureOptions{2e-3, 1.0, 31};
  for (const auto& family : wanted) {
    FamilyResult results{family, {}};
    for (const auto& what : family.cases) {
      if (options.quick && !what.in_quick) continue;
      options.progress(
          family.name + ", " +
          (what.name.empty() ? std::to_string(what.size) + " " + family.counted : what.name));
      results.cases.push_back(Round(what, family.derivatives, result.peers).time(measuring));
    }
    result.families.push_back(std::move(results));
  }
  if (all) {
    options.progress("whole runs");
    result.runs = measure_runs(options.quick);
  }
  return result;
}

}  // namespace hamiltree::benchmarks
