#include <dlfcn.h>

#include <system_error>

#include "hardware/tb/chip_simulator.hpp"

namespace hamiltree::hardware {

#define HAMILTREE_TEXT_OF(name) #name
#define HAMILTREE_TEXT(name) HAMILTREE_TEXT_OF(name)

std::unique_ptr<ChipSimulator> load_chip_simulator(const EngineShape& shape,
                                                   const std::filesystem::path& folder,
                                                   std::string& missing) {
  const auto path = folder / ("chip_" + std::to_string(shape.adders) + "_" +
                              std::to_string(shape.multipliers) + ".so");
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    missing = "the simulated chip " + path.string() +
              " has not been built: that takes Verilator, which ./dev hw installs";
    return nullptr;
  }
  void* object = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  void* make =
      object == nullptr ? nullptr : dlsym(object, HAMILTREE_TEXT(HAMILTREE_CHIP_SIMULATOR));
  if (make == nullptr) {
    missing = dlerror();
    return nullptr;
  }
  return std::unique_ptr<ChipSimulator>(reinterpret_cast<ChipSimulator* (*)()>(make)());
}

std::filesystem::path program_folder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

EngineShape small_engine() { return {1, 1, 9, 10, 8, {}}; }
EngineShape large_engine() { return {4, 4, 9, 11, 8, {}}; }

}  // namespace hamiltree::hardware
