// Targets of arbitrary bytes: every reader of files, and the engine itself. A target
// does all that a user would do next and lets no error pass but those that are part of the product;
// whatever else leaves it is a fault. libFuzzer drives them (./dev fuzz), and every build replays
// the files of corpus/ (replay_test.cpp).
#pragma once

#include <string_view>

namespace hamiltree::fuzz {

struct Target {
  std::string_view name;  // also of its folder in corpus/
  void (*run)(std::string_view bytes);
};

void native(std::string_view bytes);  // a model file
void urdf(std::string_view bytes);    // the same, up to a zero byte; then the YAML beside it
void sdf(std::string_view bytes);
void mjcf(std::string_view bytes);
void checkpoint(std::string_view bytes);  // checkpoint.json
void recording(std::string_view bytes);   // checkpoint.csv, a zero byte, checkpoint_steps.csv
bool last_run_was_read();                 // by the last of these two
void study(std::string_view bytes);       // the study file of a sweep
void journal(std::string_view bytes);    // a journal of a sweep; the sum of its record is put right
void mechanism(std::string_view bytes);  // choices of a random mechanism, which is simulated

inline constexpr Target kTargets[] = {
    {"native", native},         {"urdf", urdf},           {"sdf", sdf},     {"mjcf", mjcf},
    {"checkpoint", checkpoint}, {"recording", recording}, {"study", study}, {"journal", journal},
    {"mechanism", mechanism}};

}  // namespace hamiltree::fuzz
