#include "small_store.hpp"

#include <set>

namespace algprior::store {
namespace {

class FindTest : public StoreTest {
 protected:
  FindTest() { add_toy({{"https://example.org/data.bin"}}); }
  std::filesystem::path found() { return find(store, "toy", "data.bin"); }
};

TEST_F(FindTest, FoldersInOrderNestedThenFlatPlainThenGzipped) {
  const std::string packed(io::as_text(io::gzip(io::as_bytes(content))));
  // From the last choice to the first: each new one takes over.
  for (const char* place :
       {"cache/data.bin", "cache/toy/data.bin", "read/data.bin.gz", "read/data.bin",
        "read/toy-raw/data.bin", "read/toy/data.bin.gz", "read/toy/data.bin"}) {
    const std::string path = place;
    put(root / path, path.back() == 'z' ? packed : content);
    EXPECT_EQ(found(), root / path);
  }
}

TEST_F(FindTest, AFileOfTheWrongSizeIsNotTheFile) {
  put(root / "read/toy/data.bin", content.substr(1));
  EXPECT_THROW(found(), FileError);
  put(root / "cache/toy/data.bin", content);
  EXPECT_EQ(found(), root / "cache/toy/data.bin");
}

TEST_F(FindTest, TheErrorSaysWhereItLookedAndWhatToDo) {
  put(root / "read/toy/data.bin", "short");
  try {
    found();
    FAIL();
  } catch (const FileError& error) {
    const std::string text = error.what();
    for (const std::string& part :
         {std::string("toy/data.bin"), (root / "read").string(), (root / "cache" / "toy").string(),
          std::string("algprior data get toy"), std::string("https://example.org/data.bin"),
          std::string("has 5 bytes instead of 100000")}) {
      expect_contains(text, part);
    }
  }
}

TEST_F(FindTest, UnknownNamesSuggestTheNearest) {
  const auto message = [&](const char* set, const char* file) -> std::string {
    try {
      find(store, set, file);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  expect_contains(message("toys", "data.bin"), "toy");
  expect_contains(message("toy", "data.bni"), "data.bin");
}

TEST_F(FindTest, AnyAcceptedContentWillDo) {
  store.sets.front().files.front().contents.push_back(content_named("data.woff", "other"));
  put(root / "read/toy/data.woff", "other");
  EXPECT_EQ(found(), root / "read/toy/data.woff");
}

TEST_F(FindTest, VerifyComparesTheContent) {
  const DataFile& file = store.sets.front().files.front();
  const auto path = root / "read/data.bin";
  std::uint64_t last = 0;
  put(path, content);
  EXPECT_EQ(verify(path, file,
                   [&](std::uint64_t done, std::uint64_t total) {
                     last = done;
                     EXPECT_EQ(total, content.size());
                   }),
            "");
  EXPECT_EQ(last, content.size());
  std::string wrong = content;
  wrong.back() ^= 1;
  put(path, wrong);
  expect_contains(verify(path, file), "checksum");
  const io::Bytes packed = io::gzip(io::as_bytes(content));
  put(path, io::as_text(packed));
  EXPECT_EQ(verify(path, file), "");
  put(path, io::as_text(packed).substr(0, packed.size() / 2));
  EXPECT_NE(verify(path, file), "");
  put(path, io::as_text(io::gzip(io::as_bytes(content + "x"))));
  EXPECT_NE(verify(path, file), "");
  EXPECT_THROW(verify(root / "absent", file), FileError);
}

// A publisher that gives MD5 alone, and no size: any file of the name is found, the sum decides.
TEST_F(FindTest, AFileMayBeKnownByMd5Alone) {
  DataFile& file = store.sets.front().files.front();
  file.contents.front() = {"data.bin", 0, "", io::md5(io::as_bytes(content))};
  const auto path = root / "read/toy/data.bin";
  put(path, "");
  EXPECT_THROW(found(), FileError);
  expect_contains(misfit(store, store.sets.front(), file).value_or(""), "is empty");
  put(path, "something else");
  EXPECT_EQ(found(), path);
  expect_contains(verify(path, file), "expected MD5 " + file.contents.front().md5.substr(0, 12));
  put(path, content);
  EXPECT_EQ(verify(path, file), "");
  put(path, io::as_text(io::gzip(io::as_bytes(content))));
  EXPECT_EQ(verify(path, file), "");
}

TEST_F(FindTest, FilesOfUseAloneAreNamedAlone) {
  store.sets.front().separate = true;
  try {
    found();
    FAIL();
  } catch (const FileError& error) {
    expect_contains(error.what(), "algprior data get toy/data.bin");
  }
}

// Twelve files: six sets at two sizes, each by the MD5 that MedMNIST publishes.
TEST(Catalogue, KnowsTheVolumesOfMedmnist) {
  for (const auto& [name, ending] :
       {std::pair("medmnist3d", ""), std::pair("medmnist3d-64", "_64")}) {
    const DataSet& set = set_named(catalogue(), name);
    EXPECT_EQ(set.files.size(), 6u);
    EXPECT_TRUE(set.separate);
    for (const char* part : {"organ", "nodule", "adrenal", "fracture", "vessel", "synapse"}) {
      const DataFile& file = file_named(set, std::string(part) + "mnist3d" + ending + ".npz");
      EXPECT_EQ(file.contents.front().md5.size(), 32u);
    }
  }
}

TEST(Catalogue, IsComplete) {
  std::set<std::string> names;
  for (const DataSet& set : catalogue()) {
    EXPECT_TRUE(names.insert(set.name).second);
    EXPECT_FALSE(set.licence.empty() || set.purpose.empty() || set.title.empty());
    ASSERT_FALSE(set.files.empty() || set.folders.empty());
    for (const DataFile& file : set.files) {
      EXPECT_FALSE(file.sources.empty()) << file.name();
      for (const Source& source : file.sources) {
        EXPECT_EQ(source.address.rfind("https://", 0), 0u) << source.address;
        EXPECT_LT(source.content, file.contents.size());
      }
      for (const Content& content : file.contents) {
        EXPECT_TRUE(content.sha256.empty() || content.sha256.size() == 64u) << content.file;
        EXPECT_TRUE(content.md5.empty() || content.md5.size() == 32u) << content.file;
        EXPECT_FALSE(content.sha256.empty() && content.md5.empty()) << content.file;
        EXPECT_TRUE(content.sha256.empty() || content.size > 0) << content.file;
        EXPECT_EQ((content.sha256 + content.md5).find_first_not_of("0123456789abcdef"),
                  std::string::npos);
        EXPECT_TRUE(names.insert(content.file).second) << content.file;
      }
    }
  }
}

}  // namespace
}  // namespace algprior::store
