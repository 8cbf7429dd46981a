// ControllerProcess: a controller's file in a process of its own, so that what goes wrong in it
// cannot take the simulation along.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/base/scratch_folder.hpp"
#include "hamiltree/io/controller/controller_file.hpp"
#include "hamiltree/io/controller/controller_host.hpp"

namespace hamiltree {

class ControllerProcess {
 public:
  // By this command, which takes the arguments of run-controller. Throws ModelError where the file
  // cannot be loaded.
  ControllerProcess(std::shared_ptr<ControllerFile> controller,
                    const std::vector<std::string>& command);
  ~ControllerProcess();
  ControllerProcess(const ControllerProcess&) = delete;
  ControllerProcess& operator=(const ControllerProcess&) = delete;

  const ControllerFile& controller() const { return *controller_; }
  std::string said() const;  // its name and its file, as messages have them
  // The checksum of the file when it was loaded: sixteen hexadecimal digits.
  const std::string& checksum() const { return checksum_; }
  // Efforts from these inputs at the time t. Throws SimulationError.
  void step(double t, const std::vector<double>& inputs);

  // Nothing where its state can be saved; else a sentence without its end.
  const std::string& why_not_saved() const { return why_not_saved_; }
  // At the time t, for what there is to say. Throw SimulationError.
  std::string save(double t);
  void restore(double t, const std::string& state);

 private:
  void spawn(std::vector<std::string> words);
  std::filesystem::path unpacked();
  std::string ask(double t, ControllerAct act, const std::string& bytes);
  // Why there is no answer, or nothing where there is one.
  std::string send_question(ControllerAct act, const std::string& bytes);
  std::string receive_answer(std::string& bytes);
  std::string receive(void* bytes, std::size_t size);
  std::string late() const;
  std::string how_it_ended();
  int wait_or_kill(double seconds);
  void end();

  std::shared_ptr<ControllerFile> controller_;
  std::optional<ScratchFolder> folder_;  // of an archive
  std::string checksum_;
  std::string why_not_saved_;
  pid_t process_ = -1;
  int socket_ = -1;
};

}  // namespace hamiltree
