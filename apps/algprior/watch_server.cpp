#include "watch_server.hpp"

#include "algprior/base/error.hpp"

#include <charconv>
#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>

namespace algprior {
namespace {

bool names_this_machine(const std::string& host, int port) {
  return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
}

void refuse_request(httplib::Response& response, int status, const char* words) {
  response.status = status;
  response.set_content(std::string(words) + "\n", "text/plain; charset=utf-8");
}

void send_changes(const report::LivePage& page, const httplib::Request& request,
                  httplib::Response& response) {
  const std::string text = request.get_param_value("from");
  std::uint64_t from = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), from);
  if (text.empty() || code != std::errc() || end != text.data() + text.size()) {
    return refuse_request(response, 400, "from must be a count of bytes");
  }
  const auto changes = page.changes(from);
  if (!changes) return refuse_request(response, 410, "these bytes are gone: load the page again");
  response.set_content(*changes, "application/x-ndjson");
}

}  // namespace

struct WatchServer::Parts {
  httplib::Server server;
  std::thread thread;
  int port = 0;
};

WatchServer::WatchServer(const report::LivePage& page, int port)
    : parts_(std::make_unique<Parts>()) {
  httplib::Server& server = parts_->server;
  constexpr const char* kLoopback = "127.0.0.1";
  server.set_payload_max_length(1024);
  server.set_keep_alive_max_count(1000);
  server.set_keep_alive_timeout(1);  // a connection at rest must not delay the end
  server.set_default_headers({{"Cache-Control", "no-store"},
                              {"X-Content-Type-Options", "nosniff"},
                              {"X-Frame-Options", "DENY"},
                              {"Referrer-Policy", "no-referrer"}});
  server.set_pre_routing_handler(
      [this](const httplib::Request& request, httplib::Response& response) {
        if (!names_this_machine(request.get_header_value("Host"), parts_->port)) {
          refuse_request(response, 403, "this server answers to 127.0.0.1 alone");
          return httplib::Server::HandlerResponse::Handled;
        }
        if (request.method != "GET" && request.method != "HEAD") {
          refuse_request(response, 405, "read only");
          return httplib::Server::HandlerResponse::Handled;
        }
        return httplib::Server::HandlerResponse::Unhandled;
      });
  server.Get("/", [&page](const httplib::Request&, httplib::Response& response) {
    response.set_content(page.html(), "text/html; charset=utf-8");
  });
  server.Get("/changes", [&page](const httplib::Request& request, httplib::Response& response) {
    send_changes(page, request, response);
  });
  // The icon that browsers ask for unasked.
  server.Get("/favicon.ico",
             [](const httplib::Request&, httplib::Response& response) { response.status = 204; });
  const bool bound = port == 0 ? (parts_->port = server.bind_to_any_port(kLoopback)) > 0
                               : server.bind_to_port(kLoopback, port);
  if (!bound) {
    throw InputError({"cannot listen on this port", fmt::format("127.0.0.1:{}", port),
                      "a free port", "choose another with --port, or leave it out"});
  }
  if (port != 0) parts_->port = port;
  parts_->thread = std::thread([&server] { server.listen_after_bind(); });
  // Stopping a server that has not begun would be forgotten.
  while (!server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

WatchServer::~WatchServer() {
  parts_->server.stop();
  parts_->thread.join();
}

std::string WatchServer::url() const {
  return fmt::format("http://127.0.0.1:{}/", parts_->port);
}

}  // namespace algprior
