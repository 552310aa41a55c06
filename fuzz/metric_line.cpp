// A line of metrics.jsonl: read or refused, and numbers have names.
#include "algprior/report/metric_log.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    const auto text = algprior::io::as_text(bytes);
    algprior::report::MetricLog log;
    log.append(text.substr(0, text.size() / 2));
    log.append(text.substr(text.size() / 2));
    algprior::fuzz::require(log.bytes() == text.size());
    for (const auto& [name, curve] : log.curves()) {
      algprior::fuzz::require(curve.steps.size() == curve.values.size() &&
                              curve.epochs.size() == curve.values.size() && !curve.values.empty());
    }
  });
}
