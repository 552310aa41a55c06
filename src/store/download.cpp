#include "algprior/store/detail/download.hpp"

#include "algprior/base/file.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/base/text.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include <curl/curl.h>
#include <fcntl.h>
#include <unistd.h>

namespace algprior::store {
namespace {

constexpr long kOk = 200;
constexpr long kPartialContent = 206;
constexpr long kRangeNotSatisfiable = 416;

/// One request and the file that it fills. Exceptions must not pass through libcurl: they wait in
/// `thrown` until the request has ended.
struct Transfer {
  CURL* curl = nullptr;
  const std::string* address = nullptr;
  const std::filesystem::path* part = nullptr;
  const ProgressSink* progress = nullptr;
  std::uint64_t largest = 0;
  int descriptor = -1;
  std::uint64_t size = 0;   // of the file
  std::uint64_t asked = 0;  // the offset of the Range header
  std::optional<std::uint64_t> range_start;
  bool begun = false;
  std::exception_ptr thrown;

  ~Transfer() {
    if (descriptor >= 0) ::close(descriptor);
  }

  void truncate() {
    if (::ftruncate(descriptor, 0) != 0) {
      throw make_file_error("cannot write the download", *part, errno);
    }
    size = 0;
  }

  void begin() {
    begun = true;
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (status != kPartialContent || range_start != asked) truncate();
    if (status == kPartialContent && range_start.value_or(0) != size) {
      throw FileError({"the server sent another part than the one asked for", *address, "", ""});
    }
  }

  void write(std::string_view bytes) {
    if (!begun) begin();
    if (bytes.size() > largest - std::min(largest, size)) {
      throw LimitError({"the server sends more than the file can have", part->string(),
                        "at most " + format_bytes(largest), ""});
    }
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw make_file_error("cannot write the download", *part, errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
      size += static_cast<std::uint64_t>(written);
    }
  }
};

std::size_t on_data(char* data, std::size_t, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  try {
    transfer.write({data, count});
    return count;
  } catch (...) {
    transfer.thrown = std::current_exception();
    return CURL_WRITEFUNC_ERROR;
  }
}

/// "Content-Range: bytes 100-199/200"; redirects and retries send several header blocks.
std::size_t on_header(char* data, std::size_t, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  std::string line(data, count);
  std::transform(line.begin(), line.end(), line.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::string_view kName = "content-range:";
  if (line.rfind("http/", 0) == 0) transfer.range_start.reset();
  if (line.rfind(kName, 0) == 0) {
    const std::size_t digit = line.find_first_of("0123456789", kName.size());
    std::uint64_t start = 0;
    if (digit != std::string::npos &&
        std::from_chars(line.data() + digit, line.data() + line.size(), start).ec == std::errc()) {
      transfer.range_start = start;
    }
  }
  return count;
}

int on_progress(void* user, curl_off_t total, curl_off_t, curl_off_t, curl_off_t) {
  auto& transfer = *static_cast<Transfer*>(user);
  try {
    throw_if_stopped();
    if (*transfer.progress && transfer.begun) {
      const std::uint64_t skipped = transfer.range_start == transfer.asked ? transfer.asked : 0;
      (*transfer.progress)(transfer.size,
                           total > 0 ? skipped + static_cast<std::uint64_t>(total) : 0);
    }
    return 0;
  } catch (...) {
    transfer.thrown = std::current_exception();
    return 1;
  }
}

void restrict_protocols(CURL* curl, const std::string& address) {
  const bool plain = address.rfind("http://", 0) == 0;
#if LIBCURL_VERSION_NUM >= 0x075500
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, plain ? "http,https" : "https");
#else
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS,
                   plain ? CURLPROTO_HTTP | CURLPROTO_HTTPS : CURLPROTO_HTTPS);
#endif
}

void fail_unreachable(const std::string& address, CURLcode code) {
  throw UnreachableError({"cannot reach the server (" + std::string(curl_easy_strerror(code)) + ")",
                          address, "", "check the network connection"});
}

bool is_unreachable(CURLcode code) {
  return code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY ||
         code == CURLE_COULDNT_CONNECT || code == CURLE_SSL_CONNECT_ERROR ||
         code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE;
}

bool is_broken_connection(CURLcode code) {
  return code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_SEND_ERROR ||
         code == CURLE_GOT_NOTHING || code == CURLE_OPERATION_TIMEDOUT ||
         code == CURLE_HTTP2_STREAM || code == CURLE_HTTP2;
}

enum class Outcome { complete, broken, refused_range };

Outcome request(const std::string& address, const std::filesystem::path& part,
                std::uint64_t largest, const Patience& patience, const ProgressSink& progress,
                CURLcode& code) {
  const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
  if (!curl) throw std::bad_alloc();
  Transfer transfer;
  transfer.curl = curl.get();
  transfer.address = &address;
  transfer.part = &part;
  transfer.progress = &progress;
  transfer.largest = largest;
  transfer.descriptor = ::open(part.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (transfer.descriptor < 0) throw make_file_error("cannot write the download", part, errno);
  transfer.size = transfer.asked = std::filesystem::file_size(part);

  const std::string range = std::to_string(transfer.asked) + "-";
  curl_easy_setopt(curl.get(), CURLOPT_URL, address.c_str());
  if (transfer.asked > 0) curl_easy_setopt(curl.get(), CURLOPT_RANGE, range.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_MAXREDIRS, 5L);
  curl_easy_setopt(curl.get(), CURLOPT_USERAGENT, "algprior");
  curl_easy_setopt(curl.get(), CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(patience.connect.count()));
  curl_easy_setopt(curl.get(), CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_LOW_SPEED_TIME, static_cast<long>(patience.stall.count()));
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, on_data);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl.get(), CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(curl.get(), CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(curl.get(), CURLOPT_XFERINFOFUNCTION, on_progress);
  curl_easy_setopt(curl.get(), CURLOPT_XFERINFODATA, &transfer);
  curl_easy_setopt(curl.get(), CURLOPT_NOPROGRESS, 0L);
  restrict_protocols(curl.get(), address);

  code = curl_easy_perform(curl.get());
  if (transfer.thrown) std::rethrow_exception(transfer.thrown);
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  if (code == CURLE_OK && (status == kOk || status == kPartialContent)) {
    if (!transfer.begun) transfer.begin();  // an empty body
    return Outcome::complete;
  }
  if (status == kRangeNotSatisfiable && transfer.asked > 0) return Outcome::refused_range;
  if (code == CURLE_HTTP_RETURNED_ERROR || code == CURLE_OK) {
    throw FileError({"the server answers " + std::to_string(status), address, "200", ""});
  }
  if (is_unreachable(code)) fail_unreachable(address, code);
  if (code == CURLE_OPERATION_TIMEDOUT && status == 0 && !transfer.begun) {
    double connected = 0;
    curl_easy_getinfo(curl.get(), CURLINFO_CONNECT_TIME, &connected);
    if (connected == 0) fail_unreachable(address, code);
  }
  if (is_broken_connection(code)) return Outcome::broken;
  throw FileError(
      {"the download failed (" + std::string(curl_easy_strerror(code)) + ")", address, "", ""});
}

}  // namespace

void download(const std::string& address, const std::filesystem::path& part, std::uint64_t largest,
              const Patience& patience, const ProgressSink& progress) {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  for (int attempt = 1;; ++attempt) {
    throw_if_stopped();
    CURLcode code = CURLE_OK;
    const Outcome outcome = request(address, part, largest, patience, progress, code);
    if (outcome == Outcome::complete) return;
    if (outcome == Outcome::refused_range) std::filesystem::remove(part);
    if (attempt >= patience.attempts) {
      throw FileError({"the connection broke (" + std::string(curl_easy_strerror(code)) + ")",
                       address, "", "run the command again: it goes on where it stopped"});
    }
  }
}

}  // namespace algprior::store
