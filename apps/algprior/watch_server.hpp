#pragma once

#include "algprior/report/watch.hpp"

#include <memory>
#include <string>

namespace algprior {

/// Serves a live page on 127.0.0.1 from a thread of its own until it is destroyed: "/" is the page,
/// "/changes?from=N" the bytes of its journal from N on (410 when they are gone). Only GET and
/// HEAD, only for a Host that names this machine's loopback and the port: a page elsewhere that
/// points a name of its own at 127.0.0.1 gets 403.
class WatchServer {
 public:
  /// Port 0: any that is free. Throws InputError when the port is taken.
  WatchServer(const report::LivePage& page, int port);
  ~WatchServer();
  WatchServer(const WatchServer&) = delete;
  WatchServer& operator=(const WatchServer&) = delete;

  /// "http://127.0.0.1:41234/"
  std::string url() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace algprior
