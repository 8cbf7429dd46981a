// The server of `hamiltree view`: on this machine only, for those who have the token. It answers
// with the page, with the data of the runs that it was given and with the meshes that these name,
// and knows no other file.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace hamiltree::app {

class ViewerServer {
 public:
  // Port 0: any that is free. Meshes may lie elsewhere than in the folders of the models, if that
  // is said. Throws std::runtime_error if the port cannot be had.
  ViewerServer(std::vector<std::filesystem::path> runs, int port, bool files_elsewhere);
  ~ViewerServer();  // ends it

  const std::string& address() const { return address_; }  // with the token

 private:
  struct Listening;

  std::vector<std::filesystem::path> runs_;
  bool files_elsewhere_;
  std::string token_, address_;
  std::unique_ptr<Listening> listening_;
};

}  // namespace hamiltree::app
