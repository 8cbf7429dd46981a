#include "fuzz/checks.hpp"

#include <cctype>
#include <fstream>

#include "hamiltree/io/export/model/native_writer.hpp"
#include "hamiltree/io/import/native.hpp"
#include "hamiltree/model/model.hpp"
#include "support/own_path.hpp"

namespace hamiltree::fuzz {

namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() : path_(test::own_path("fuzz")) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

const fs::path& folder() {
  static const Folder folder;
  return folder.path();
}

void write(const fs::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

bool repeats_often(std::string_view text) {
  constexpr std::size_t kDigits = 3;
  for (auto at = text.find("repeat"); at != text.npos; at = text.find("repeat", at + 1)) {
    std::size_t digits = 0;
    for (const char c : text.substr(at, 64)) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 && std::isalpha(c) == 0) ++digits;
    }
    if (digits > kDigits || text.substr(at, 64).find('x') != text.npos) return true;
  }
  return false;
}

namespace {

// Everything by its name, but forces: those of a joint are written as one.
std::string names(const Mechanism& mechanism) {
  std::string all = mechanism.name;
  const auto add = [&](const auto& list) {
    all += '\n';
    for (const auto& element : list) all += element.name + ',';
  };
  add(mechanism.bodies);
  add(mechanism.joints);
  add(mechanism.couplings);
  add(mechanism.events);
  return all + std::to_string(mechanism.sensors.size());
}

}  // namespace

// Not to the last digit: rotations pass through a quaternion.
void check_mechanism(const Mechanism& mechanism) {
  const Model model(mechanism);
  const std::string written = to_native(model.mechanism());
  try {
    const Model same(parse_native(written, "written.toml"));
    require(names(same.mechanism()) == names(mechanism), "reads back as the same\n" + written);
  } catch (const ModelError& error) {
    require(false, "what is written can be read: " + std::string(error.what()) + "\n" + written);
  }
}

}  // namespace hamiltree::fuzz
