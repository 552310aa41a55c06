#include "algprior/train/checkpoint.hpp"

#include "algprior/base/file.hpp"
#include "algprior/io/checkpoint_file.hpp"
#include "algprior/nn/arrays.hpp"

namespace algprior {

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  io::SafeTensors content;
  for (const auto& [name, tensor] : checkpoint.tensors) content.tensors[name] = to_array(tensor);
  for (const auto& [name, text] : checkpoint.texts) content.metadata[name] = text;
  const auto payload = io::to_safetensors(content);
  AtomicFile file(path);
  file.write(io::checkpoint_head(payload));
  file.write(std::span<const std::byte>(payload));
  file.commit();
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  return parse_checkpoint(io::as_text(io::read_bytes(path)), path.string());
}

Checkpoint parse_checkpoint(std::string_view text, const std::string& path) {
  Checkpoint checkpoint;
  const auto content = io::parse_checkpoint_file(io::as_bytes(text), path);
  for (const auto& [name, array] : content.tensors) checkpoint.tensors[name] = to_tensor(array);
  for (const auto& [name, value] : content.metadata) checkpoint.texts[name] = value;
  return checkpoint;
}

}  // namespace algprior
