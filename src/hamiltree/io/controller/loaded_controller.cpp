#include "hamiltree/io/controller/loaded_controller.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

namespace hamiltree {
namespace {

constexpr const char* kFunction = "hamiltree_controller";
constexpr const char* kSave = "hamiltree_controller_save";
constexpr const char* kRestore = "hamiltree_controller_restore";

class SharedObject final : public LoadedController {
 public:
  explicit SharedObject(const HostedController& controller) : period_(controller.period) {
    void* const library = open_library(controller.file);
    function_ = reinterpret_cast<Function>(find_function(library, kFunction));
    if (function_ == nullptr)
      throw std::runtime_error("it has no function " + std::string(kFunction));
    save_ = reinterpret_cast<Save>(find_function(library, kSave));
    restore_ = reinterpret_cast<Restore>(find_function(library, kRestore));
  }
  void step(double t, const double* inputs, double* outputs) override {
    if (const int code = function_(t, period_, inputs, outputs); code != 0)
      throw std::runtime_error("it returns " + std::to_string(code));
  }
  std::string why_not_saved() const override {
    if (save_ != nullptr && restore_ != nullptr) return {};
    return "it has no functions " + std::string(kSave) + " and " + kRestore;
  }
  std::string save() override {
    std::string state(save_(nullptr, 0), '\0');
    if (const auto size = save_(state.data(), state.size()); size != state.size())
      throw std::runtime_error("its state has " + std::to_string(state.size()) + " bytes, then " +
                               std::to_string(size));
    return state;
  }
  void restore(const std::string& state) override {
    if (const int code = restore_(state.data(), state.size()); code != 0)
      throw std::runtime_error("it does not take its state back: it returns " +
                               std::to_string(code));
  }

 private:
  using Function = int (*)(double t, double period, const double* inputs, double* efforts);

  using Save = std::size_t (*)(void* state, std::size_t room);
  using Restore = int (*)(const void* state, std::size_t size);

  double period_;
  Function function_ = nullptr;
  Save save_ = nullptr;
  Restore restore_ = nullptr;
};

}  // namespace

// Never closed: the process ends with it.
void* open_library(const std::string& file) {
  void* const library = dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  return library;
}

void* find_function(void* library, const char* name) { return dlsym(library, name); }

std::unique_ptr<LoadedController> load_controller(const HostedController& controller) {
  namespace fs = std::filesystem;
  if (!fs::exists(controller.file)) throw std::runtime_error("there is no such file");
  if (fs::is_directory(controller.file)) return load_fmu_controller(controller);
  return std::make_unique<SharedObject>(controller);
}

}  // namespace hamiltree
