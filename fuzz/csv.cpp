// CSV text: columns have as many cells as the table has rows.
#include "algprior/io/csv.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    const auto table = algprior::io::parse_csv(algprior::io::as_text(bytes), "input");
    for (const auto& column : table.columns) {
      algprior::fuzz::require(table.rows ==
                              (column.numeric ? column.numbers.size() : column.texts.size()));
    }
  });
}
