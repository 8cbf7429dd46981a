// The engines of others, as far as they are there: each an adapter compiled into a shared object.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "benchmarks/peers/engine.hpp"

namespace hamiltree::benchmarks {

struct Peer {
  std::string name;
  std::string install;             // how to get it
  const Engine* engine = nullptr;  // null: missing
  std::string build;               // compiler and flags of the adapter
  std::string missing;             // why
};

// Every engine that there is an adapter for. An adapter stays loaded until the program ends.
std::vector<Peer> load_peers(const std::filesystem::path& folder);

// Where the build puts them: benchmarks/peers beside the program.
std::filesystem::path default_peer_folder();

}  // namespace hamiltree::benchmarks
