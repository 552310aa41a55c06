#include "algprior/report/metric_log.hpp"

#include <charconv>
#include <cmath>

namespace algprior::report {
namespace {

// A reader of JSON that stays inside its text. Every function says whether it found what it names.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}

  bool symbol(char wanted) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  bool at_end() {
    skip_spaces();
    return at_ >= text_.size();
  }

  bool string(std::string& out) {
    out.clear();
    if (!symbol('"')) return false;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (c != '\\') {
        out += c;
      } else if (!escaped(out)) {
        return false;
      }
    }
    return false;
  }

  // A number; null, words and texts are NaN.
  bool value(double& out) {
    skip_spaces();
    out = NAN;
    if (at_ >= text_.size()) return false;
    const char* begin = text_.data() + at_;
    const auto [end, code] = std::from_chars(begin, text_.data() + text_.size(), out);
    if (code == std::errc() || code == std::errc::result_out_of_range) {
      if (code != std::errc()) out = NAN;
      at_ += static_cast<std::size_t>(end - begin);
      return true;
    }
    out = NAN;
    return skip_value(0);
  }

  bool skip_value(int depth) {
    constexpr int kDeepest = 32;
    skip_spaces();
    if (at_ >= text_.size() || depth > kDeepest) return false;
    const char c = text_[at_];
    if (c == '"') return string(scratch_);
    if (c == '{' || c == '[') {
      const char close = c == '{' ? '}' : ']';
      ++at_;
      if (symbol(close)) return true;
      do {
        if (c == '{' && (!string(scratch_) || !symbol(':'))) return false;
        if (!skip_value(depth + 1)) return false;
      } while (symbol(','));
      return symbol(close);
    }
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           text_.substr(at_, 1).find_first_of(",}] \t\r") == std::string_view::npos) {
      ++at_;
    }
    return at_ > start;
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }

  bool escaped(std::string& out) {
    if (at_ >= text_.size()) return false;
    const char c = text_[at_++];
    constexpr std::string_view kLetters = "bfnrt", kMeant = "\b\f\n\r\t";
    if (const auto place = kLetters.find(c); place != std::string_view::npos) {
      out += kMeant[place];
      return true;
    }
    if (c != 'u') {
      out += c;
      return c == '"' || c == '\\' || c == '/';
    }
    if (text_.size() - at_ < 4) return false;
    unsigned code = 0;
    const char* begin = text_.data() + at_;
    if (std::from_chars(begin, begin + 4, code, 16).ptr != begin + 4) return false;
    at_ += 4;
    append_utf8(out, code);  // halves of a pair stay halves, and are shown as unreadable
    return true;
  }

  static void append_utf8(std::string& out, unsigned code) {
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0 | code >> 6);
      out += static_cast<char>(0x80 | (code & 63));
    } else {
      out += static_cast<char>(0xE0 | code >> 12);
      out += static_cast<char>(0x80 | (code >> 6 & 63));
      out += static_cast<char>(0x80 | (code & 63));
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string scratch_;
};

using Numbers = std::vector<std::pair<std::string, double>>;

bool read_numbers(LineReader& reader, Numbers& numbers) {
  numbers.clear();
  if (!reader.symbol('{')) return false;
  if (reader.symbol('}')) return true;
  do {
    auto& [name, value] = numbers.emplace_back();
    if (!reader.string(name) || !reader.symbol(':') || !reader.value(value)) return false;
  } while (reader.symbol(','));
  return reader.symbol('}');
}

bool read_count(LineReader& reader, std::int64_t& count) {
  double value = 0;
  constexpr double kLargest = 9e15;
  if (!reader.value(value) || !(std::abs(value) <= kLargest)) return false;
  count = static_cast<std::int64_t>(value);
  return true;
}

}  // namespace

bool parse_metric_line(std::string_view text, MetricLine& line) {
  LineReader reader(text);
  std::string key;
  bool has_step = false;
  line.epoch = 0;
  line.split.clear();
  line.terms.clear();
  line.metrics.clear();
  if (!reader.symbol('{')) return false;
  if (reader.symbol('}')) return false;
  do {
    if (!reader.string(key) || !reader.symbol(':')) return false;
    bool good = false;
    if (key == "step") {
      good = has_step = read_count(reader, line.step);
    } else if (key == "epoch") {
      good = read_count(reader, line.epoch);
    } else if (key == "split") {
      good = reader.string(line.split);
    } else if (key == "terms") {
      good = read_numbers(reader, line.terms);
    } else if (key == "metrics") {
      good = read_numbers(reader, line.metrics);
    } else {
      good = reader.skip_value(0);
    }
    if (!good) return false;
  } while (reader.symbol(','));
  return reader.symbol('}') && reader.at_end() && has_step;
}

void MetricLog::append(std::string_view bytes) {
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) {
      pending_ += bytes;
      return;
    }
    if (pending_.empty()) {
      take(bytes.substr(0, end));
    } else {
      pending_ += bytes.substr(0, end);
      take(pending_);
      pending_.clear();
    }
    bytes.remove_prefix(end + 1);
  }
}

void MetricLog::take(std::string_view text) {
  if (text.find_first_not_of(" \t\r") == std::string_view::npos) return;
  if (!parse_metric_line(text, line_)) {
    ++bad_lines_;
    return;
  }
  last_step_ = line_.step;
  last_epoch_ = line_.epoch;
  for (const auto& [name, value] : line_.terms) add(name, true, value);
  for (const auto& [name, value] : line_.metrics) add(name, false, value);
}

void MetricLog::add(const std::string& name, bool term, double value) {
  key_.assign(line_.split).append("/").append(name);
  auto entry = curves_.find(key_);
  if (entry == curves_.end()) entry = curves_.emplace(key_, Curve{key_, term, {}, {}, {}}).first;
  Curve& curve = entry->second;
  while (!curve.steps.empty() && curve.steps.back() >= line_.step) {
    curve.steps.pop_back();
    curve.epochs.pop_back();
    curve.values.pop_back();
  }
  curve.steps.push_back(line_.step);
  curve.epochs.push_back(line_.epoch);
  curve.values.push_back(value);
}

}  // namespace algprior::report
