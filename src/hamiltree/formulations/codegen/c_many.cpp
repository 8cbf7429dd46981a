#include "hamiltree/formulations/codegen/c_many.hpp"

namespace hamiltree::codegen {
namespace {

// An entry of each of a state's own arrays.
std::string copy(const Argument& a, const std::string& statement) {
  return "    for (size_t i = 0; i < " + std::to_string(a.size) + "; ++i) " + statement + ";\n";
}

std::string taken(const Argument& a) {
  return copy(a, a.name + "_s[i] = " + a.name + "[i * count + s]");
}

std::string given(const Argument& a) {
  return copy(a, a.name + "[i * count + s] = " + a.name + "_s[i]");
}

std::string local(const Argument& a) {
  return "    double " + a.name + "_s[" + std::to_string(a.size) + "];\n";
}

}  // namespace

std::string c_host_device() {
  return "#ifndef HAMILTREE_FUNCTION\n"
         "#ifdef __CUDACC__\n"
         "#define HAMILTREE_FUNCTION __host__ __device__\n"
         "#else\n"
         "#define HAMILTREE_FUNCTION\n"
         "#endif\n"
         "#endif\n";
}

std::string c_once(const std::string& name, const std::string& text) {
  return "\n#ifndef " + name + "\n#define " + name + "\n" + text + "#endif\n";
}

std::string c_many_macros() {
  return "/* One thread for each state. */\n"
         "#ifdef __CUDACC__\n"
         "#ifndef HAMILTREE_BLOCK\n"
         "#define HAMILTREE_BLOCK 128\n"
         "#endif\n"
         "#define HAMILTREE_KERNEL static __global__ void __launch_bounds__(HAMILTREE_BLOCK, 1)\n"
         "#define HAMILTREE_EACH(s, count) \\\n"
         "  const size_t s = (size_t)blockIdx.x * blockDim.x + threadIdx.x; \\\n"
         "  if (s < count)\n"
         "#define HAMILTREE_LAUNCH(kernel, count, stream, ...) \\\n"
         "  if (count > 0) \\\n"
         "    kernel<<<(count - 1) / HAMILTREE_BLOCK + 1, HAMILTREE_BLOCK, 0, \\\n"
         "             (cudaStream_t)stream>>>((size_t)count, __VA_ARGS__); \\\n"
         "  return (int)cudaGetLastError()\n"
         "#else\n"
         "#define HAMILTREE_KERNEL static void\n"
         "#define HAMILTREE_EACH(s, count) for (size_t s = 0; s < count; ++s)\n"
         "#define HAMILTREE_LAUNCH(kernel, count, stream, ...) \\\n"
         "  (void)stream; \\\n"
         "  if (count > 0) kernel((size_t)count, __VA_ARGS__); \\\n"
         "  return 0\n"
         "#endif\n";
}

ManyFunction c_many(const CFunction& one, bool is_step) {
  std::string parameters, names, locals, before, after, arguments;
  const auto add = [&](const std::string& type, const std::string& name) {
    parameters += ", " + type + name;
    names += ", " + name;
  };
  for (const auto& a : one.inputs) {
    arguments += arguments.empty() ? "" : ", ";
    if (a.is_shared) {  // the length of a step
      add("double ", a.name);
      add("int ", "steps");
      arguments += a.name;
    } else if (is_step && a.name == "t") {
      add("double *", a.name);
      before += "    const double start = t[s];\n";
      arguments += "start + step * h";
      after += "    t[s] = start + steps * h;\n";
    } else {
      add("const double *", a.name);
      arguments += a.name + (a.is_array ? "_s" : "[s]");
      if (a.is_array) locals += local(a), before += taken(a);
    }
  }
  for (const auto& a : one.outputs) {
    add("double *", a.name);
    arguments += ", " + a.name + "_s";
    locals += local(a);
    if (is_step) before += taken(a);  // in place
    after += given(a);
  }
  const auto kernel = one.name + "_kernel";
  ManyFunction many{"int " + one.name + "_many(int count" + parameters + ", void *stream)", ""};
  many.definition = "\nHAMILTREE_KERNEL " + kernel + "(size_t count" + parameters +
                    ")\n{\n  HAMILTREE_EACH(s, count) {\n" + locals + before + "    " +
                    (is_step ? "for (int step = 0; step < steps; ++step) " : "") + one.name + "(" +
                    arguments + ");\n" + after + "  }\n}\n" + many.declaration +
                    "\n{\n  HAMILTREE_LAUNCH(" + kernel + ", count, stream" + names + ");\n}\n";
  many.declaration += ";\n";
  return many;
}

}  // namespace hamiltree::codegen
