// Models as MuJoCo reads them.
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <filesystem>
#include <locale>
#include <memory>
#include <stdexcept>

namespace hamiltree::test {

using MujocoModel = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;

// Throws std::runtime_error in MuJoCo's words. It reads numbers by the locale: here by that of C.
inline MujocoModel read_by_mujoco(const std::filesystem::path& file) {
  const std::locale before = std::locale::global(std::locale::classic());
  std::array<char, 500> error{};
  MujocoModel model(mj_loadXML(file.c_str(), nullptr, error.data(), error.size()), mj_deleteModel);
  std::locale::global(before);
  if (!model) throw std::runtime_error(error.data());
  return model;
}

}  // namespace hamiltree::test
