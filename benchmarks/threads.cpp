#include "benchmarks/threads.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "benchmarks/models.hpp"
#include "benchmarks/own.hpp"
#include "benchmarks/states.hpp"
#include "hamiltree/base/timing.hpp"

namespace hamiltree::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;

// Evaluations per second of so many threads that start together, each at its own share of states.
double rate(std::vector<std::unique_ptr<OwnModel>>& models, std::size_t threads, std::size_t states,
            std::size_t evaluations) {
  const auto cores = usable_cores();
  std::atomic<std::size_t> ready{0};
  std::vector<Clock::time_point> begin(threads), end(threads);
  const auto work = [&](std::size_t thread) {
    const Pinned pinned(cores[thread]);
    ++ready;
    while (ready < threads) {
    }
    begin[thread] = Clock::now();
    for (std::size_t i = 0; i < evaluations; ++i) models[thread]->evaluate(i % states);
    end[thread] = Clock::now();
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
    std::jthread(work, 0).join();
  }
  const auto first = *std::ranges::min_element(begin), last = *std::ranges::max_element(end);
  return static_cast<double>(threads * evaluations) /
         std::chrono::duration<double>(last - first).count();
}

ThreadsResult measure_model(const std::string& what, const Model& model, std::size_t states,
                            bool quick) {
  const std::string formulation = "recursive";
  std::vector<std::unique_ptr<OwnModel>> models;
  for (int thread = 0; thread < 2; ++thread) {
    models.push_back(std::make_unique<OwnModel>(model, formulation));
    models.back()->keep(draw_states(model, states));
  }
  const auto evaluations = static_cast<std::size_t>((quick ? 1e4 : 2e5) / model.body_count());
  std::vector<double> one, two;
  for (int round = 0; round < (quick ? 5 : 15); ++round) {
    one.push_back(rate(models, 1, states, evaluations));
    two.push_back(rate(models, 2, states, evaluations));
  }
  return {what, formulation, model.body_count(), median(one), median(two)};
}

}  // namespace

std::vector<ThreadsResult> measure_threads(bool quick) {
  if (usable_cores().size() < 2) return {};
  return {measure_model("batch of arms, half of the states each", Model(arm()), 256, quick),
          measure_model("two chains of 256 bodies, one each", Model(chain(256)), 16, quick)};
}

}  // namespace hamiltree::benchmarks
