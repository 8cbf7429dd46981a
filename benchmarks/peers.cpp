#include "benchmarks/peers.hpp"

#include <dlfcn.h>

#include <system_error>

namespace hamiltree::benchmarks {
namespace {

struct Known {
  const char *name, *file, *install;
};
constexpr Known kKnown[] = {
    {"Pinocchio", "pinocchio.so", "`./dev setup --peers`, the Python wheel `pin` 4"},
    {"Pinocchio lcaba", "pinocchio_lcaba.so", "`./dev setup --peers`, the Python wheel `pin` 4"},
    {"MuJoCo", "mujoco.so", "`./dev setup --peers`, the Python wheel `mujoco`"},
    {"Bullet", "bullet.so", "`./dev setup --peers`, Debian's `libbullet-dev`"},
    {"DART", "dart.so", "`./dev setup --peers`, Debian's `libdart-dev`"},
    {"Simbody", "simbody.so", "`./dev setup --peers`, Debian's `libsimbody-dev`"},
};

Peer load(const Known& known, const std::filesystem::path& folder) {
  Peer peer{known.name, known.install, nullptr, "", ""};
  const auto path = folder / known.file;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    peer.missing = "its adapter has not been built; `./dev bench` does so where the engine is";
    return peer;
  }
  void* object = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) {
    peer.missing = dlerror();
    return peer;
  }
  void* make = dlsym(object, HAMILTREE_ENGINE_TEXT(HAMILTREE_ENGINE));
  void* build = dlsym(object, HAMILTREE_ENGINE_TEXT(HAMILTREE_ENGINE_BUILD));
  if (make == nullptr || build == nullptr) {
    peer.missing = "its adapter is of another version of hamiltree; `./dev bench` builds it anew";
    return peer;
  }
  peer.engine = reinterpret_cast<const Engine* (*)()>(make)();
  peer.build = reinterpret_cast<const char* (*)()>(build)();
  return peer;
}

}  // namespace

std::vector<Peer> load_peers(const std::filesystem::path& folder) {
  std::vector<Peer> peers;
  for (const auto& known : kKnown) peers.push_back(load(known, folder));
  return peers;
}

std::filesystem::path default_peer_folder() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return program.parent_path() / "benchmarks" / "peers";
}

}  // namespace hamiltree::benchmarks
