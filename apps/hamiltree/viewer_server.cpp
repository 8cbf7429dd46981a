#include "viewer_server.hpp"

#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/html.hpp"
#include "hamiltree/io/export/report.hpp"
#include "hamiltree/io/export/report_looks.hpp"
#include "hamiltree/io/viewed_run.hpp"

// Last, for it makes a macro of _res, which Eigen has as a name.
#include <httplib.h>

namespace hamiltree::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHost = "127.0.0.1";

// 128 random bits, as 32 digits.
std::string make_token() {
  std::random_device random;
  std::string token;
  while (token.size() < 32) token += "0123456789abcdef"[random() % 16];
  return token;
}

// The requests that the page may make: docs/viewer.md.
std::string served(const std::vector<fs::path>& runs) {
  nlohmann::json names = nlohmann::json::array();
  for (const auto& run : runs) names.push_back(run.string());
  return escape_script(nlohmann::json{{"runs", names}}.dump(
      -1, ' ', true, nlohmann::json::error_handler_t::replace));
}

// A page of someone else's may give its name our address; it then asks for its own name. The port
// is the user's affair: it may be forwarded.
bool is_for_this_machine(const httplib::Request& request) {
  const auto host = request.get_header_value("Host");
  const auto name = host.substr(0, host.rfind(':'));
  return name == kHost || name == "localhost";
}

void answer_page(const std::vector<fs::path>& runs, bool files_elsewhere,
                 httplib::Response& response) {
  const auto page = to_html({"run", viewed_data(runs.front(), files_elsewhere), served(runs)});
  response.set_content(page, "text/html; charset=utf-8");
}

void answer_recording(const fs::path& run, bool files_elsewhere, const httplib::Request& request,
                      httplib::Response& response) {
  const auto tag = "\"" + viewed_tag(run) + "\"";  // before the data: never newer than they are
  response.set_header("ETag", tag);
  if (request.get_header_value("If-None-Match") == tag) {
    response.status = 304;
  } else {
    response.set_content(viewed_data(run, files_elsewhere), "application/json");
  }
}

// A mesh by its number in the data of a run; false where there is none.
bool answer_mesh(const fs::path& run, const std::string& number, bool files_elsewhere,
                 httplib::Response& response) {
  const auto i = parse_number(number);
  if (!i || !(*i >= 0.0 && *i < 1e6) || std::to_string(static_cast<int>(*i)) != number)
    return false;
  const auto mesh =
      served_mesh(viewed_data(run, files_elsewhere), static_cast<std::size_t>(*i), files_elsewhere);
  if (mesh) response.set_content(*mesh, "application/octet-stream");
  return mesh.has_value();
}

}  // namespace

struct ViewerServer::Listening {
  httplib::Server server;
  std::thread thread;
};

ViewerServer::ViewerServer(std::vector<fs::path> runs, int port, bool files_elsewhere)
    : runs_(std::move(runs)),
      files_elsewhere_(files_elsewhere),
      token_(make_token()),
      listening_(std::make_unique<Listening>()) {
  auto& server = listening_->server;
  server.set_keep_alive_timeout(1);
  server.set_socket_options([](socket_t socket) {  // no port that another one serves
    const int on = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  });
  server.set_default_headers({{"Cache-Control", "no-store"},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Referrer-Policy", "no-referrer"}});
  const auto answer = [this](const httplib::Request& request, httplib::Response& response) {
    const std::string place = "/" + token_ + "/";
    try {
      if (!is_for_this_machine(request)) {
        response.status = 403;
        response.set_content("not for this host\n", "text/plain");
        return;
      }
      if (request.path == place) return answer_page(runs_, files_elsewhere_, response);
      for (std::size_t i = 0; i < runs_.size(); ++i) {
        const std::string number = std::to_string(i);
        if (request.path == place + "recording/" + number) {
          return answer_recording(runs_[i], files_elsewhere_, request, response);
        }
        const std::string meshes = place + "mesh/" + number + "/";
        if (request.path.starts_with(meshes) &&
            answer_mesh(runs_[i], request.path.substr(meshes.size()), files_elsewhere_, response)) {
          return;
        }
      }
      response.status = 404;
      response.set_content("nothing here\n", "text/plain");
    } catch (const std::exception& error) {
      response.status = 500;
      response.set_content(std::string(error.what()) + "\n", "text/plain; charset=utf-8");
    }
  };
  server.Get(".*", answer);
  const int bound =
      port == 0 ? server.bind_to_any_port(kHost) : (server.bind_to_port(kHost, port) ? port : -1);
  if (bound < 0) {
    throw std::runtime_error("cannot listen on port " + std::to_string(port) + " of " + kHost +
                             ": it is taken, or not allowed");
  }
  address_ = std::string("http://") + kHost + ":" + std::to_string(bound) + "/" + token_ + "/";
  listening_->thread = std::thread([&server] { server.listen_after_bind(); });
  while (!server.is_running()) std::this_thread::yield();  // before that stop() stops nothing
}

ViewerServer::~ViewerServer() {
  listening_->server.stop();
  listening_->thread.join();
}

}  // namespace hamiltree::app
