// PLY meshes: what is read is consistent, can be inspected, cleaned, written and read again.
#include "mesh.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run_mesh(data, size, algprior::mesh::parse_ply);
}
