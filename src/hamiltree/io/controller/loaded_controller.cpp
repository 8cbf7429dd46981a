#include "hamiltree/io/controller/loaded_controller.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

namespace hamiltree {
namespace {

constexpr const char* kFunction = "hamiltree_controller";

class SharedObject final : public LoadedController {
 public:
  explicit SharedObject(const HostedController& controller) : period_(controller.period) {
    void* const library = open_library(controller.file);
    function_ = reinterpret_cast<Function>(find_function(library, kFunction));
    if (function_ == nullptr)
      throw std::runtime_error("it has no function " + std::string(kFunction));
  }
  void step(double t, const double* inputs, double* outputs) override {
    if (const int code = function_(t, period_, inputs, outputs); code != 0)
      throw std::runtime_error("it returns " + std::to_string(code));
  }

 private:
  using Function = int (*)(double t, double period, const double* inputs, double* efforts);

  double period_;
  Function function_ = nullptr;
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
  if (controller.file.ends_with(".fmu"))
    throw std::runtime_error("an FMU must be unpacked: unzip it, and name the folder");
  return std::make_unique<SharedObject>(controller);
}

}  // namespace hamiltree
