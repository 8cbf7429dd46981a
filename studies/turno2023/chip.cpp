// The paper's tables with the whole step on the chip (hardware/).
#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hamiltree/base/embedded.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/colours.hpp"
#include "hardware/compiler/compile_step.hpp"
#include "hardware/compiler/lower.hpp"
#include "hardware/compiler/paper_assembly.hpp"
#include "hardware/tb/chip_simulator.hpp"
#include "hardware/tb/mechanisms.hpp"
#include "hardware/tb/rate_errors.hpp"
#include "studies/chip_report.hpp"
#include "studies/mechanisms.hpp"
#include "studies/turno2023/sections.hpp"

namespace hamiltree::turno2023 {
namespace {

using Json = nlohmann::json;
using hardware::EngineShape;
using hardware::Update;

constexpr double kStep = 1e-4;  // s
// The Zynq Z-7020, by its data sheet.
constexpr double kLuts = 53200.0, kDsps = 220.0, kBlocks = 280.0;

Json synthesis_report() { return Json::parse(embedded_text(studies::files::kReportJson)); }

// One row of Table 4, as far as the paper's text gives it.
std::vector<Cell> cells_row(const std::string& what, const std::string& published,
                            const Json& design) {
  const auto number = [&](const char* key) { return design.at(key).get<double>(); };
  return {what,
          published,
          number("cells"),
          number("dsp"),
          number("ramb18"),
          100.0 * std::max(
                      {number("cells") / kLuts, number("dsp") / kDsps, number("ramb18") / kBlocks}),
          number("period")};
}

void cells_table(const Json& report, Document& document) {
  const auto& designs = report.at("designs");
  document.table(
      {"chip_cells",
       "Table 4 becomes: units and engines in " + report.at("tool").get<std::string>() +
           "'s logic cells of an xc7, which are not the vendor's LUTs of the paper; share of a "
           "Z-7020 by what it runs out of first; clock period by a static model, not measured",
       {{"design", ""},
        {"paper", ""},
        {"logic cells", ""},
        {"DSP", ""},
        {"RAMB18", ""},
        {"share", "%"},
        {"period", "ns"}},
       {cells_row("adder", "339 LUT", designs.at("float_add")),
        cells_row("multiplier", "47 LUT, 2 DSP", designs.at("float_multiply")),
        cells_row("reciprocal", "1,409 LUT", designs.at("float_reciprocal")),
        cells_row("4x4 inverse with pivoting, alone", "60 multipliers, 36 adders",
                  designs.at("ldup_block")),
        cells_row("whole chip, 1+1, 512 words", "57 adders, 75 multipliers",
                  designs.at("hamiltree_chip")),
        cells_row("whole chip, 1+1, 1,024 words", "", designs.at("hamiltree_chip_1_1_1024")),
        cells_row("whole chip, 2+2, 1,024 words", "", designs.at("hamiltree_chip_2_2_1024")),
        cells_row("whole chip, 4+4, 2,048 words", "", designs.at("hamiltree_chip_4_4_2048"))}});
}

struct Run {
  std::string what;
  Model model;
  EngineShape shape;
  int instances = 1;
};

void steps_table(const Json& report, ChipFindings& found, Document& document) {
  const auto small = hardware::small_engine(), large = hardware::large_engine();
  const std::vector<Run> runs{
      {"double pendulum", Model(studies::shipped("double_pendulum")), small},
      {"double pendulum, four at a time", Model(studies::shipped("double_pendulum")), small, 4},
      {"four-bar", Model(studies::shipped("four_bar")), small},
      {"four-bar, 4+4", Model(studies::shipped("four_bar")), large},
      {"chain of 8", Model(hardware::chain(8)), small},
      {"chain of 64, 4+4", Model(hardware::chain(64)), large}};
  std::vector<std::vector<Cell>> rows;
  for (const auto& run : runs) {
    const auto step =
        hardware::compile_step(run.model, Update::kEuler, kStep, run.shape, run.instances);
    const auto& r = step.report;
    const char* design =
        run.shape.adders == 1 ? "hamiltree_chip_1_1_1024" : "hamiltree_chip_4_4_2048";
    const double period = report.at("designs").at(design).at("period").get<double>();
    const double cycles = static_cast<double>(r.cycles) / run.instances;
    const double seconds = 1e4 * cycles * period * 1e-9;
    const auto of = [&](int n) { return static_cast<double>(n) / run.instances; };
    rows.push_back({run.what, of(r.additions), of(r.multiplications), of(r.reciprocals),
                    static_cast<double>(r.critical_path), cycles, 100.0 * r.multipliers_used,
                    1e3 * seconds, 0.0});
    if (run.what == "double pendulum") found.pendulum_cycles = r.cycles;
    if (run.what == "double pendulum") found.pendulum_milliseconds = 1e3 * seconds;
    if (run.what == "four-bar") found.four_bar_cycles = r.cycles;
    if (run.what == "four-bar") found.four_bar_milliseconds = 1e3 * seconds;
  }
  document.table({"chip_steps",
                  "Tables 6 and 7 become: one step of explicit Euler, all of it on the chip; the "
                  "second of the paper, 10,000 steps, at the static model's clock; per instance "
                  "where several run at a time",
                  {{"mechanism", ""},
                   {"additions", ""},
                   {"multiplications", ""},
                   {"reciprocals", ""},
                   {"critical path", "cycles"},
                   {"step", "cycles"},
                   {"multipliers busy", "%"},
                   {"10,000 steps", "ms"},
                   {"words by the processor", ""}},
                  std::move(rows)});
}

// The paper's sequence diagrams as a table: procedures, and the words that they move.
void procedures_table(const Json& report, ChipFindings& found, Document& document) {
  constexpr double kSecondsPerWord = 0.190 / 66.0 / 1e4;  // sect. 5.1: 190 ms for 66 words a step
  const double period = report.at("designs").at("hamiltree_chip").at("period").get<double>() * 1e-9;
  const auto trace = hardware::trace_paper_assembly();
  const auto outputs = trace.outputs().size();
  const auto inputs = trace.inputs().size() - outputs;
  const auto assembly = hardware::compile(
      hardware::lower(trace, {}, true,
                      std::vector<hardware::Word>(inputs, hardware::bits_of(1.0F))),
      hardware::small_engine());
  const auto row = [&](const std::string& what, std::size_t in, std::size_t out,
                       int cycles) -> std::vector<Cell> {
    return {what,
            static_cast<double>(in),
            static_cast<double>(out),
            1e6 * kSecondsPerWord * static_cast<double>(in + out),
            static_cast<double>(cycles),
            1e6 * period * cycles};
  };
  found.assembly_cycles = assembly.report.cycles;
  found.assembly_microseconds = 1e6 * period * assembly.report.cycles;
  found.words_microseconds = 1e6 * kSecondsPerWord * static_cast<double>(inputs + outputs);
  document.table(
      {"chip_procedures",
       "Figures 8 and 14 become: what crosses the bus for a procedure, at the time that "
       "the paper's processor takes for a word, beside the work at the static model's "
       "clock",
       {{"procedure", ""},
        {"words in", ""},
        {"words out", ""},
        {"moving them", "us"},
        {"work", "cycles"},
        {"work", "us"}},
       {row("assembly of two bodies alone, eqs. 27-37", inputs, outputs, assembly.report.cycles),
        row("whole step, double pendulum", 0, 0, found.pendulum_cycles),
        row("whole step, four-bar", 0, 0, found.four_bar_cycles)}});
}

void lanes_figure(Document& document) {
  Figure figure{"chip_cycles",
                "Cycles of a step per body of a chain, for one, two and four lanes of each kind",
                {"bodies", "", true},
                {"cycles per body", ""},
                {}};
  for (std::size_t k = 0; k < 3; ++k) {
    const int lanes = 1 << k;
    Curve curve{std::to_string(lanes) + "+" + std::to_string(lanes),
                {},
                {},
                nth_colour(k),
                CurveStyle::kLineAndPoints};
    for (const int n : {1, 2, 4, 8, 16, 32, 64}) {
      const auto step = hardware::compile_step(Model(hardware::chain(n)), Update::kEuler, kStep,
                                               {lanes, lanes, 10, 13, 8, {}});
      curve.x.push_back(n);
      curve.y.push_back(static_cast<double>(step.report.cycles) / n);
    }
    figure.curves.push_back(std::move(curve));
  }
  document.figure(std::move(figure));
}

void precision_figure(ChipFindings& found, Document& document) {
  Figure figure{"chip_precision",
                "Error of the rates of a moving chain by the chip's arithmetic, against double, as "
                "a part of the largest rate",
                {"bodies", "", true},
                {"relative error", "", true},
                {{"momentum rates", {}, {}, nth_colour(0), CurveStyle::kLineAndPoints},
                 {"velocities", {}, {}, nth_colour(1), CurveStyle::kLineAndPoints}}};
  for (const int n : {2, 4, 8, 16, 32, 64}) {
    const auto errors = hardware::rate_errors(Model(hardware::chain(n)));
    for (auto& curve : figure.curves) curve.x.push_back(n);
    figure.curves[0].y.push_back(errors.momenta);
    figure.curves[1].y.push_back(errors.velocities);
    if (n == 16) found.error_16 = errors.velocities;
    if (n == 64) found.error_64 = errors.velocities;
  }
  document.figure(std::move(figure));
}

}  // namespace

ChipFindings chip_section(Document& document) {
  const Json report = synthesis_report();
  ChipFindings found;
  document.heading("The whole step on the chip");
  document.paragraph(
      "The paper's conclusions ask for initialisation, assembly and disassembly together on the "
      "chip. `hardware/` has them, with loads, momentum rates and Euler's step: one adder, one "
      "multiplier and one reciprocal, or more, driven by a program that is traced from the kernels "
      "of `hdca`. It was run in simulation, bit for bit as its model, and synthesised by `./dev "
      "hw`; it has not run on a board. The cycles below are those of the programs, compiled now.");
  cells_table(report, document);
  steps_table(report, found, document);
  procedures_table(report, found, document);
  lanes_figure(document);
  precision_figure(found, document);
  document.paragraph(
      "Momenta of a chain are sums over all that hangs on a joint, so single precision loses the "
      "motion of long chains whatever computes it: beyond about 16 bodies the chip's steps are "
      "those of its model, and no claim about a mechanism.");
  found.cells = report.at("designs").at("hamiltree_chip").at("cells").get<int>();
  return found;
}

std::vector<Statement> chip_statements(const ChipFindings& f) {
  return {{"Turno2023, sect. 6",
           "Initialisation, assembly and disassembly have to be on the chip together",
           Judgement::kHolds,
           "Then the processor moves no word in a step, where the paper's moves 66 for the bodies "
           "alone: " +
               std::to_string(f.pendulum_cycles) + " cycles a step of the pendulum, " +
               std::to_string(f.four_bar_cycles) + " of the four-bar; 10,000 steps would take " +
               to_short(f.pendulum_milliseconds) + " and " + to_short(f.four_bar_milliseconds) +
               " ms at the clock of a static model."},
          {"Turno2023, sect. 5.1", "The assembly is fast on the chip; moving its words is not",
           f.words_microseconds > f.assembly_microseconds ? Judgement::kHolds : Judgement::kFails,
           "Alone it takes " + std::to_string(f.assembly_cycles) + " cycles, " +
               to_short(f.assembly_microseconds) + " us by the static model, and its words " +
               to_short(f.words_microseconds) + " us at the paper's pace."},
          {"ours", "It takes less of the chip than the paper's assembly alone",
           f.cells < 57 * 339 ? Judgement::kHolds : Judgement::kFails,
           std::to_string(f.cells) +
               " logic cells and 2 DSP for all, against 57 adders of 339 LUT and 75 multipliers; "
               "cells and LUTs are counted by different tools."},
          {"ours", "Single precision is enough for the paper's mechanisms, not for long chains",
           f.error_16 < 1e-2 && f.error_64 > f.error_16 ? Judgement::kHolds : Judgement::kFails,
           "Velocities of a moving chain are off by " + to_short(f.error_16) +
               " at 16 bodies and " + to_short(f.error_64) + " at 64."}};
}

}  // namespace hamiltree::turno2023
