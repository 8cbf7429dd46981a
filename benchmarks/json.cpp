#include <nlohmann/json.hpp>

#include "benchmarks/report.hpp"
#include "hamiltree/base/version.hpp"

namespace hamiltree::benchmarks {
namespace {

using Json = nlohmann::ordered_json;

Json limits_json(const MachineLimits& limits) {
  return {{"scalar_flops", limits.scalar_flops},
          {"vector_flops", limits.vector_flops},
          {"lanes", limits.lanes},
          {"read_bandwidth", limits.bandwidth},
          {"fork_join", limits.fork_join}};
}

Json peer_json(const Peer& peer) {
  Json json{{"name", peer.name}, {"present", peer.engine != nullptr}};
  if (peer.engine == nullptr) {
    json["missing"] = peer.missing;
    json["install"] = peer.install;
  } else {
    json["version"] = peer.engine->version();
    json["method"] = peer.engine->method();
    json["build"] = peer.build;
  }
  return json;
}

Json contest_json(const Contest& contest, int bodies) {
  Json json{{"engine", contest.engine}, {"outcome", to_text(contest.outcome)}};
  if (!contest.why.empty()) json["why"] = contest.why;
  if (contest.difference) json["difference"] = *contest.difference;
  if (contest.soft) json["soft"] = true;
  if (contest.outcome == Outcome::kTimed) {
    json["time"] = contest.timing.median;
    json["least_time"] = contest.timing.least;
    json["time_per_body"] = contest.timing.median / bodies;
    json["ratio"] = contest.timing.ratio;
  }
  if (contest.flops) json["flops"] = *contest.flops;
  return json;
}

Json family_json(const FamilyResult& family) {
  Json cases = Json::array();
  for (const auto& result : family.cases) {
    Json contests = Json::array();
    for (const auto& contest : result.contests) {
      contests.push_back(contest_json(contest, result.bodies));
    }
    cases.push_back({{"size", result.size},
                     {"bodies", result.bodies},
                     {"loops", result.loops},
                     {"states", result.states},
                     {"contests", contests}});
    if (!result.name.empty()) cases.back()["name"] = result.name;
  }
  return {{"name", family.family.name}, {"size_counts", family.family.counted}, {"cases", cases}};
}

}  // namespace

std::string to_json(const BenchResult& result) {
  Json engines = Json::array(), families = Json::array();
  for (const auto& peer : result.peers) engines.push_back(peer_json(peer));
  for (const auto& family : result.families) families.push_back(family_json(family));
  Json threads = Json::array();
  for (const auto& one : result.threads) {
    threads.push_back({{"what", one.what},
                       {"formulation", one.formulation},
                       {"bodies", one.bodies},
                       {"evaluations_one_thread", one.one},
                       {"evaluations_two_threads", one.two}});
  }
  Json runs = Json::array();
  for (const auto& run : result.runs) {
    runs.push_back({{"what", run.what},
                    {"bodies", run.bodies},
                    {"integrator", run.integrator},
                    {"rates_per_step", run.rates_per_step},
                    {"ratio", run.ratio}});
  }
  const Json json{{"format", 1},
                  {"hamiltree", kVersion},
                  {"compiler", kCompiler},
                  {"build", kBuildType},
                  {"processor", processor_name()},
                  {"cores", usable_cores().size()},
                  {"limits", limits_json(result.limits)},
                  {"engines", engines},
                  {"families", families},
                  {"threads", threads},
                  {"runs", runs}};
  return json.dump(2) + "\n";
}

}  // namespace hamiltree::benchmarks
