// The chip in simulation, as a bus and a clock. It lies in a shared object of its own, one for each
// shape, because it needs Verilator: programs load it where it was built.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "hardware/compiler/engine_shape.hpp"

namespace hamiltree::hardware {

class ChipSimulator {
 public:
  // Who watches the state as the engine writes it.
  class Observer {
   public:
    virtual ~Observer() = default;
    virtual void word(std::uint32_t index, std::uint32_t value) = 0;
    virtual void step_done() = 0;
  };

  virtual ~ChipSimulator() = default;
  virtual void watch(Observer* observer) = 0;  // null: nobody
  // Accesses of the bus; both take some cycles, and return 0 or the bus' error.
  virtual int read(std::uint32_t offset, std::uint32_t* value) = 0;
  virtual int write(std::uint32_t offset, std::uint32_t value) = 0;
  virtual void run(std::uint64_t cycles) = 0;
  virtual bool is_busy() const = 0;
  // Words that have crossed the bus, counted at its wires, in all and while the engine ran.
  virtual std::uint64_t bus_words() const = 0;
  virtual std::uint64_t bus_words_while_busy() const = 0;
};

// A new chip of the shape, after reset; null and why, if there is none.
std::unique_ptr<ChipSimulator> load_chip_simulator(const EngineShape& shape,
                                                   const std::filesystem::path& folder,
                                                   std::string& missing);

// The folder of the running program; the build puts the objects into hardware/ beside hamiltree.
std::filesystem::path program_folder();

// The shapes that the build makes: one unit of each kind with 1,024 words of program, and four
// adders and multipliers with 2,048.
EngineShape small_engine();
EngineShape large_engine();

}  // namespace hamiltree::hardware

// The one name that such an object exports.
#define HAMILTREE_CHIP_SIMULATOR hamiltree_chip_simulator_1
