// An unpacked FMU for co-simulation, of FMI 2.0 or 3.0, as a controller. Types of the standard are
// written out, as in export/fmu/source.
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <pugixml.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "hamiltree/io/controller/fmu_platform.hpp"
#include "hamiltree/io/controller/loaded_controller.hpp"

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

constexpr int kWarning = 1;  // statuses up to this one are good

// The parts of modelDescription.xml that are used.
class Description {
 public:
  explicit Description(const HostedController& controller) {
    const auto file = fs::path(controller.file) / "modelDescription.xml";
    if (!document_.load_file(file.c_str()))
      throw std::runtime_error(file.string() + " cannot be read");
    root_ = document_.child("fmiModelDescription");
    const std::string version = root_.attribute("fmiVersion").value();
    is_3_ = version.starts_with("3.");
    if (!is_3_ && version != "2.0") throw std::runtime_error("it is of FMI \"" + version + "\"");
    if (!root_.child("CoSimulation")) throw std::runtime_error("it is not for co-simulation");
    inputs = references(controller.inputs, "input");
    outputs = references(controller.outputs, "output");
  }

  bool is_3() const { return is_3_; }
  std::string identifier() const {
    return root_.child("CoSimulation").attribute("modelIdentifier").value();
  }
  std::string token() const {
    return root_.attribute(is_3_ ? "instantiationToken" : "guid").value();
  }

  bool saves_states() const {
    const auto says = [&](const char* of_3, const char* of_2) {
      return root_.child("CoSimulation").attribute(is_3_ ? of_3 : of_2).as_bool();
    };
    return says("canGetAndSetFMUState", "canGetAndSetFMUstate") &&
           says("canSerializeFMUState", "canSerializeFMUstate");
  }

  std::vector<std::uint32_t> inputs, outputs;

 private:
  std::vector<std::uint32_t> references(const std::vector<std::string>& names,
                                        std::string_view causality) const {
    std::vector<std::uint32_t> result;
    for (const auto& name : names) {
      const auto variable = root_.child("ModelVariables").find_child([&](pugi::xml_node node) {
        return node.attribute("name").value() == name;
      });
      const auto value = is_3_ ? variable : variable.child("Real");
      const bool is_real = value && (!is_3_ || std::string_view(variable.name()) == "Float64");
      if (!is_real || variable.attribute("causality").value() != causality)
        throw std::runtime_error("it has no real " + std::string(causality) + " \"" + name + "\"");
      result.push_back(variable.attribute("valueReference").as_uint());
    }
    return result;
  }

  pugi::xml_document document_;
  pugi::xml_node root_;
  bool is_3_ = false;
};

std::string uri_of(const fs::path& path) {
  std::string uri = "file://";
  for (const char c : path.string()) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                          std::string_view("/-._~").find(c) != std::string_view::npos;
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    uri += is_plain ? std::string(1, c) : std::string{'%', kDigits[byte / 16], kDigits[byte % 16]};
  }
  return uri;
}

class FmuController : public LoadedController {
 public:
  FmuController(const HostedController& controller, Description description)
      : description_(std::move(description)),
        period_(controller.period),
        resources_(fs::absolute(controller.file) / "resources" / "") {
    const auto folder = fmu_binary_folder(description_.is_3() ? 3 : 2);
    const auto file = fs::path(controller.file) / folder / (description_.identifier() + ".so");
    if (folder.empty() || !fs::exists(file))
      throw std::runtime_error("it has no library for this platform");
    library_ = open_library(file.string());
  }

  void step(double t, const double* inputs, double* outputs) override {
    if (is_first_) begin(t);
    set(inputs);
    if (is_first_) check(exit_initialization_(instance_), "leave the initialization");
    is_first_ = false;
    do_step(t);
    get(outputs);
  }

  std::string why_not_saved() const override {
    if (description_.saves_states()) return {};
    return "modelDescription.xml does not say that its state can be saved and serialised";
  }
  std::string save() override {
    void* state = nullptr;
    check(function<int(void*, void**)>(named("GetFMUState"))(instance_, &state), "give its state");
    std::size_t size = 0;
    check(function<int(void*, void*, std::size_t*)>(named("SerializedFMUStateSize"))(instance_,
                                                                                     state, &size),
          "give the size of its state");
    std::string bytes(size, '\0');
    check(function<int(void*, void*, char*, std::size_t)>(named("SerializeFMUState"))(
              instance_, state, bytes.data(), size),
          "serialise its state");
    free_state(state);
    return bytes;
  }
  void restore(const std::string& bytes) override {
    // Some take a state back only where they have been started.
    begin(0.0);
    check(exit_initialization_(instance_), "leave the initialization");
    is_first_ = false;
    void* state = nullptr;
    check(function<int(void*, const char*, std::size_t, void**)>(
              named(description_.is_3() ? "DeserializeFMUState" : "DeSerializeFMUState"))(
              instance_, bytes.data(), bytes.size(), &state),
          "read its state");
    check(function<int(void*, void*)>(named("SetFMUState"))(instance_, state),
          "take its state back");
    free_state(state);
  }

 protected:
  template <class Function>
  Function* function(const std::string& name) const {
    void* const found = find_function(library_, name.c_str());
    if (found == nullptr) throw std::runtime_error("it has no function " + name);
    return reinterpret_cast<Function*>(found);
  }
  // FMI 2.0 writes "FMUstate" where 3.0 writes "FMUState".
  std::string named(std::string name) const {
    const auto state = name.find("FMUState");
    if (!description_.is_3()) name.replace(state, 8, "FMUstate");
    return (description_.is_3() ? "fmi3" : "fmi2") + name;
  }
  void free_state(void* state) const {
    check(function<int(void*, void**)>(named("FreeFMUState"))(instance_, &state), "free its state");
  }
  static void check(int status, const char* act) {
    if (status > kWarning)
      throw std::runtime_error("it fails to " + std::string(act) + " (status " +
                               std::to_string(status) + ")");
  }
  void made(void* instance) {
    if (instance == nullptr) throw std::runtime_error("it cannot be instantiated");
    instance_ = instance;
  }

  virtual void begin(double t) = 0;
  virtual void set(const double* inputs) = 0;
  virtual void get(double* outputs) = 0;
  virtual void do_step(double t) = 0;

  Description description_;
  double period_;
  fs::path resources_;
  void* library_ = nullptr;
  void* instance_ = nullptr;
  bool is_first_ = true;
  int (*exit_initialization_)(void*) = nullptr;
};

class Fmu2Controller final : public FmuController {
 public:
  Fmu2Controller(const HostedController& controller, Description description)
      : FmuController(controller, std::move(description)) {
    exit_initialization_ = function<int(void*)>("fmi2ExitInitializationMode");
    set_ = function<Set>("fmi2SetReal");
    get_ = function<Get>("fmi2GetReal");
    do_step_ = function<int(void*, double, double, int)>("fmi2DoStep");
    const auto make =
        function<void*(const char*, int, const char*, const char*, const Callbacks*, int, int)>(
            "fmi2Instantiate");
    constexpr int kCoSimulation = 1;
    made(make("controller", kCoSimulation, description_.token().c_str(), uri_of(resources_).c_str(),
              &callbacks_, 0, 0));
  }

 private:
  struct Callbacks {
    void (*logger)(void*, const char*, int, const char*, const char*, ...);
    void* (*allocate)(std::size_t, std::size_t);
    void (*free)(void*);
    void (*step_finished)(void*, int);
    void* environment;
  };
  using Set = int(void*, const std::uint32_t*, std::size_t, const double*);
  using Get = int(void*, const std::uint32_t*, std::size_t, double*);

  static void no_log(void*, const char*, int, const char*, const char*, ...) {}

  void begin(double t) override {
    const auto setup =
        function<int(void*, int, double, double, int, double)>("fmi2SetupExperiment");
    check(setup(instance_, 0, 0.0, t, 0, 0.0), "be set up");
    check(function<int(void*)>("fmi2EnterInitializationMode")(instance_), "be initialised");
  }
  void set(const double* inputs) override {
    check(set_(instance_, description_.inputs.data(), description_.inputs.size(), inputs),
          "take its inputs");
  }
  void get(double* outputs) override {
    check(get_(instance_, description_.outputs.data(), description_.outputs.size(), outputs),
          "give its outputs");
  }
  void do_step(double t) override { check(do_step_(instance_, t, period_, 1), "take a step"); }

  Callbacks callbacks_{no_log, std::calloc, std::free, nullptr, nullptr};
  Set* set_ = nullptr;
  Get* get_ = nullptr;
  int (*do_step_)(void*, double, double, int) = nullptr;
};

class Fmu3Controller final : public FmuController {
 public:
  Fmu3Controller(const HostedController& controller, Description description)
      : FmuController(controller, std::move(description)) {
    exit_initialization_ = function<int(void*)>("fmi3ExitInitializationMode");
    set_ = function<Set>("fmi3SetFloat64");
    get_ = function<Get>("fmi3GetFloat64");
    do_step_ = function<Step>("fmi3DoStep");
    const auto make = function<void*(const char*, const char*, const char*, bool, bool, bool, bool,
                                     const std::uint32_t*, std::size_t, void*, void*, void*)>(
        "fmi3InstantiateCoSimulation");
    made(make("controller", description_.token().c_str(), resources_.c_str(), false, false, false,
              false, nullptr, 0, nullptr, nullptr, nullptr));
  }

 private:
  using Set = int(void*, const std::uint32_t*, std::size_t, const double*, std::size_t);
  using Get = int(void*, const std::uint32_t*, std::size_t, double*, std::size_t);
  using Step = int(void*, double, double, bool, bool*, bool*, bool*, double*);

  void begin(double t) override {
    const auto enter =
        function<int(void*, bool, double, double, bool, double)>("fmi3EnterInitializationMode");
    check(enter(instance_, false, 0.0, t, false, 0.0), "be initialised");
  }
  void set(const double* inputs) override {
    const auto& r = description_.inputs;
    check(set_(instance_, r.data(), r.size(), inputs, r.size()), "take its inputs");
  }
  void get(double* outputs) override {
    const auto& r = description_.outputs;
    check(get_(instance_, r.data(), r.size(), outputs, r.size()), "give its outputs");
  }
  void do_step(double t) override {
    bool is_event = false, is_end = false, is_early = false;
    double reached = t;
    check(do_step_(instance_, t, period_, true, &is_event, &is_end, &is_early, &reached),
          "take a step");
    if (is_end) throw std::runtime_error("it asks for the end of the simulation");
  }

  Set* set_ = nullptr;
  Get* get_ = nullptr;
  Step* do_step_ = nullptr;
};

}  // namespace

std::unique_ptr<LoadedController> load_fmu_controller(const HostedController& controller) {
  Description description(controller);
  if (description.is_3())
    return std::make_unique<Fmu3Controller>(controller, std::move(description));
  return std::make_unique<Fmu2Controller>(controller, std::move(description));
}

}  // namespace hamiltree
