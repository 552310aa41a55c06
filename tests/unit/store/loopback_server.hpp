#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace algprior::testing {

/// How the server answers one request for a path.
struct Reply {
  int status = 200;
  std::string body = {};
  std::optional<std::size_t> cut_after =
      std::nullopt;             ///< close the connection after so many bytes of the body
  bool ranges = true;           ///< whether it honours a Range header
  bool silent = false;          ///< close without a word
  bool stall = false;           ///< send the headers, then nothing until the end of the test
  bool announce_length = true;  ///< send Content-Length
  std::string redirect = {};    ///< Location
  int shift_range = 0;          ///< a wrong server: the part begins so much later
};

/// An HTTP server on 127.0.0.1, for tests of downloads. It serves one connection at a time, closes
/// each after one reply, and ends with its object.
class LoopbackServer {
 public:
  LoopbackServer();
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  /// The replies to one path, in turn; the last one stays. Other paths get 404.
  void serve(const std::string& path, std::vector<Reply> replies);
  std::string address(const std::string& path = "") const;
  /// "GET /path" or "GET /path bytes=100-", in the order of arrival.
  std::vector<std::string> requests() const;

 private:
  void run();
  void answer(int connection);
  void send_reply(int connection, const Reply& reply, std::optional<std::size_t> range);

  int socket_ = -1;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::map<std::string, std::vector<Reply>> replies_;
  std::vector<std::string> requests_;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace algprior::testing
