// Reports of audits: what is read can be written and read again, and can be drawn.
#include "algprior/audit/audit.hpp"
#include "algprior/report/audit_section.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    const auto report = algprior::parse_audit(std::string(algprior::io::as_text(bytes)), "input");
    const std::string written = algprior::to_json(report);
    algprior::fuzz::require(algprior::to_json(algprior::parse_audit(written, "again")) == written);
    algprior::fuzz::require(!algprior::report::audit_part(report, "part").html.empty());
  });
}
