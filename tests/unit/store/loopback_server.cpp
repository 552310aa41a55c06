#include "loopback_server.hpp"

#include <stdexcept>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace algprior::testing {
namespace {

constexpr int kPollMilliseconds = 20;
constexpr std::size_t kLongestRequest = 16384;

void send_all(int connection, const std::string& text) {
  std::size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t count = ::send(connection, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return;
    sent += static_cast<std::size_t>(count);
  }
}

}  // namespace

LoopbackServer::LoopbackServer() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof name;
  if (socket_ < 0 || ::bind(socket_, reinterpret_cast<sockaddr*>(&name), sizeof name) != 0 ||
      ::listen(socket_, 8) != 0 ||
      ::getsockname(socket_, reinterpret_cast<sockaddr*>(&name), &size) != 0) {
    throw std::runtime_error("cannot listen on 127.0.0.1");
  }
  port_ = ntohs(name.sin_port);
  thread_ = std::thread([this] { run(); });
}

LoopbackServer::~LoopbackServer() {
  stopping_ = true;
  thread_.join();
  ::close(socket_);
}

void LoopbackServer::serve(const std::string& path, std::vector<Reply> replies) {
  const std::lock_guard lock(mutex_);
  replies_[path] = std::move(replies);
}

std::string LoopbackServer::address(const std::string& path) const {
  return "http://127.0.0.1:" + std::to_string(port_) + path;
}

std::vector<std::string> LoopbackServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void LoopbackServer::run() {
  while (!stopping_) {
    pollfd wait{socket_, POLLIN, 0};
    if (::poll(&wait, 1, kPollMilliseconds) <= 0) continue;
    const int connection = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    answer(connection);
    ::shutdown(connection, SHUT_RDWR);
    ::close(connection);
  }
}

void LoopbackServer::answer(int connection) {
  std::string request;
  while (request.find("\r\n\r\n") == std::string::npos && request.size() < kLongestRequest) {
    pollfd wait{connection, POLLIN, 0};
    if (::poll(&wait, 1, kPollMilliseconds) <= 0) {
      if (stopping_) return;
      continue;
    }
    char piece[2048];
    const ssize_t count = ::recv(connection, piece, sizeof piece, 0);
    if (count <= 0) return;
    request.append(piece, static_cast<std::size_t>(count));
  }
  const std::string path = request.substr(4, request.find(' ', 4) - 4);
  const std::string mark = "Range: bytes=";
  std::optional<std::size_t> range;
  if (const std::size_t at = request.find(mark); at != std::string::npos) {
    range = std::stoul(request.substr(at + mark.size()));
  }
  Reply reply;
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back("GET " + path +
                        (range ? " bytes=" + std::to_string(*range) + "-" : std::string()));
    const auto found = replies_.find(path);
    if (found == replies_.end()) {
      reply.status = 404;
      reply.body = "not here";
    } else {
      reply = found->second.front();
      if (found->second.size() > 1) found->second.erase(found->second.begin());
    }
  }
  send_reply(connection, reply, range);
}

void LoopbackServer::send_reply(int connection, const Reply& reply,
                                std::optional<std::size_t> range) {
  if (reply.silent) return;
  int status = reply.status;
  std::string body = reply.body;
  std::string headers;
  if (range && reply.ranges && status == 200) {
    const std::size_t first = *range + static_cast<std::size_t>(reply.shift_range);
    if (first >= body.size()) {
      status = 416;
      body.clear();
    } else {
      status = 206;
      headers += "Content-Range: bytes " + std::to_string(first) + "-" +
                 std::to_string(body.size() - 1) + "/" + std::to_string(body.size()) + "\r\n";
      body = body.substr(first);
    }
  }
  if (!reply.redirect.empty()) headers += "Location: " + reply.redirect + "\r\n";
  if (reply.announce_length) headers += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  send_all(connection,
           "HTTP/1.1 " + std::to_string(status) + " x\r\nConnection: close\r\n" + headers + "\r\n");
  if (reply.stall) {
    while (!stopping_) {
      // Until the client has had enough of it.
      pollfd wait{connection, POLLIN, 0};
      char byte = 0;
      if (::poll(&wait, 1, kPollMilliseconds) > 0 && ::recv(connection, &byte, 1, 0) <= 0) return;
    }
    return;
  }
  send_all(connection, body.substr(0, reply.cut_after.value_or(body.size())));
}

}  // namespace algprior::testing
