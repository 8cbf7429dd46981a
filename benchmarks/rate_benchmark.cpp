// Time of one rate evaluation, per call and per body: every formulation on some of the shipped
// mechanisms. Absolute times move with the machine; compare columns of one run.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace {

void rate(benchmark::State& benchmark_state, const hamiltree::Model& model,
          const std::string& name) {
  const auto formulation = hamiltree::make_formulation(name, model);
  const auto workspace = formulation->make_workspace();
  const auto start = hamiltree::initial_state(model);
  const bool momenta = formulation->form() == hamiltree::StateForm::kMomenta;
  const hamiltree::StateView state{0.0, start.q.data(), momenta ? start.p.data() : start.v.data()};
  formulation->analyse(state, *workspace);
  for (auto _ : benchmark_state) {
    benchmark::DoNotOptimize(formulation->rate(state, *workspace));
  }
  benchmark_state.counters["per body"] = benchmark::Counter(
      static_cast<double>(model.body_count()),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const std::string mechanism :
       {"double_pendulum", "four_bar", "four_bar_spatial", "chadaj_case_1", "chadaj_case_2",
        "chadaj_case_3", "spatial_arm", "chain_100"}) {
    const auto model =
        hamiltree::load(std::string(HAMILTREE_MECHANISMS) + "/" + mechanism + "/model.toml");
    for (const auto& name : hamiltree::formulation_names()) {
      benchmark::RegisterBenchmark((mechanism + "/" + name).c_str(),
                                   [=](benchmark::State& state) { rate(state, model, name); });
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
