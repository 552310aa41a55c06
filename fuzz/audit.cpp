// Files of embeddings: what is accepted is audited without a fault, what is not is refused.
#include "algprior/audit/audit_file.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/io/safetensors.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    if (bytes.empty()) return;
    // The first byte chooses the format.
    const bool npz = (std::to_integer<unsigned>(bytes.front()) & 1u) == 0;
    bytes = bytes.subspan(1);
    auto arrays = npz ? algprior::io::parse_npz(bytes, "input", algprior::fuzz::kLimit)
                      : algprior::io::parse_safetensors(bytes, "input").tensors;
    const auto file = algprior::AuditFile::from_arrays(std::move(arrays), "input");
    if (file.samples() * file.dimension() > 4096 || file.order() > 8 || file.dimension() > 32)
      return;
    algprior::AuditOptions options;
    options.bootstrap = 4;
    options.theorem_samples = 2;
    const std::size_t order = file.is_pairs() ? 4 : file.order();
    const auto group = algprior::make_group("C" + std::to_string(order));
    algprior::fuzz::require(!algprior::to_json(file.audit(group, options)).empty());
  });
}
