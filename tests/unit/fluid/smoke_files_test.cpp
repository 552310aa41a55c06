// The files of SMOKE: made, gone on with after a stop, read back, and told from files of other
// kinds.
#include "../../../src/io/zip.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/store/made.hpp"
#include "generator.hpp"

#include <cstdlib>
#include <limits>

#include <unistd.h>

namespace algprior::fluid {
namespace {

namespace fs = std::filesystem;
constexpr int kFew = 3;    // simulations
constexpr int kShort = 4;  // frames

class SmokeFiles : public ::testing::Test {
 protected:
  SmokeFiles() {
    std::string pattern = (fs::temp_directory_path() / "algprior-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    root = pattern;
    store.folders = {root};
  }
  ~SmokeFiles() override { fs::remove_all(root); }

  std::string refusal(const fs::path& path, int frames = kShort) {
    try {
      read_smoke(path, frames);
    } catch (const FileError& error) {
      return error.what();
    }
    ADD_FAILURE() << "not refused: " << path;
    return "";
  }

  void expect_part(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
  }

  fs::path root;
  fs::path folder() const { return root / "smoke"; }
  store::Store store;
};

TEST_F(SmokeFiles, AreMadeWholeAndTheSameOnAnyNumberOfThreads) {
  const int threads = thread_count();
  std::uint64_t last_done = 0, last_total = 0;
  set_thread_count(2);
  make_smoke(
      folder(),
      [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_GT(done, last_done);
        last_done = done;
        last_total = total;
      },
      kFew, kShort);
  set_thread_count(threads);
  EXPECT_EQ(last_done, std::uint64_t{kFew * (kShort + 1)});
  EXPECT_EQ(last_total, last_done);

  const store::MadeFolder made = find_made(store, "smoke");
  ASSERT_EQ(made.manifest.files.size(), std::size_t{kFew});
  EXPECT_EQ(made.manifest.settings.at("frames"), "4");
  for (const store::Content& file : made.manifest.files) EXPECT_EQ(verify_made(made, file), "");
  for (int k = 1; k <= kFew; ++k) {
    EXPECT_EQ(read_smoke(find_smoke_file(folder(), k), kShort), simulate_smoke(k, kShort)) << k;
  }
}

TEST_F(SmokeFiles, AnInterruptedMakingGoesOnWithWhatIsMissing) {
  int calls = 0;
  const auto stop_late = [&](std::uint64_t, std::uint64_t) {
    if (++calls == kFew * (kShort + 1) - 1) throw Interrupted({"stopped", "", "", ""});
  };
  const int threads = thread_count();
  set_thread_count(1);
  EXPECT_THROW(make_smoke(folder(), stop_late, kFew, kShort), Interrupted);
  set_thread_count(threads);
  EXPECT_FALSE(find_made_if_present(store, "smoke"));
  EXPECT_FALSE(fs::exists(folder() / smoke_file_name(kFew)));
  const auto kept = fs::last_write_time(folder() / smoke_file_name(1));
  make_smoke(folder(), {}, kFew, kShort);
  EXPECT_EQ(fs::last_write_time(folder() / smoke_file_name(1)), kept);
  EXPECT_EQ(find_made(store, "smoke").manifest.files.size(), std::size_t{kFew});

  io::write_bytes(folder() / smoke_file_name(2), io::as_bytes("damaged"));
  make_smoke(folder(), {}, kFew, kShort);
  EXPECT_EQ(read_smoke(folder() / smoke_file_name(2), kShort), simulate_smoke(2, kShort));
}

TEST_F(SmokeFiles, AStopOnRequestLeavesNothingHalfDone) {
  request_stop();
  EXPECT_THROW(make_smoke(folder(), {}, kFew, kShort), Interrupted);
  clear_stop();
  EXPECT_FALSE(fs::exists(folder() / smoke_file_name(1)));
}

TEST_F(SmokeFiles, ImpossibleExtentsAreRefused) {
  EXPECT_THROW(make_smoke(folder(), {}, 37, 4), InputError);
  EXPECT_THROW(make_smoke(folder(), {}, 1, 0), InputError);
  EXPECT_THROW(simulate_smoke(1, 0), InputError);
  EXPECT_THROW(smoke_flow(0), InputError);
  EXPECT_THROW(smoke_flow(37), InputError);
  EXPECT_THROW(find_smoke_file(root, 1), FileError);
  std::vector<float> place(7);
  EXPECT_THROW(write_frame(resting_state<float>({}), place), InputError);
}

TEST_F(SmokeFiles, FilesOfAnotherGridTypeOrLayoutAreRefused) {
  const fs::path path = root / "file.npy";
  const io::Array good = simulate_smoke(1, kShort);
  io::write_npy(path, good);
  EXPECT_EQ(read_smoke(path, kShort), good);
  expect_part(refusal(path, kShort + 1), "float32[5, 2, 64, 64]");

  io::write_npy(path, {io::Dtype::float32, {4, 2, 32, 32}, io::Bytes(4 * 2 * 32 * 32 * 4)});
  expect_part(refusal(path), "float32[4, 2, 32, 32]");
  expect_part(refusal(path), "algprior data get smoke");
  io::write_npy(path, {io::Dtype::float64, {4, 2, 64, 64}, io::Bytes(4 * 2 * 4096 * 8)});
  expect_part(refusal(path), "float64");

  io::Array bad = good;
  io::mutable_view<float>(bad)[64] = 0.5f;  // component 0, row 1, column 0
  io::write_npy(path, bad);
  expect_part(refusal(path), "walls");
  bad = good;
  io::mutable_view<float>(bad)[4096 + 7] = 0.5f;  // component 1, row 0, column 7
  io::write_npy(path, bad);
  expect_part(refusal(path), "walls");
  bad = good;
  io::mutable_view<float>(bad)[1000] = std::numeric_limits<float>::quiet_NaN();
  io::write_npy(path, bad);
  expect_part(refusal(path), "finite");
}

TEST_F(SmokeFiles, PublishedFilesAreReadLikeOurs) {
  const io::Array array = simulate_smoke(1, 1);
  // What torch.save writes for float32 [1, 2, 64, 64]; numbers above 255 take two bytes.
  const std::string pickle(
      "\x80\x02"
      "ctorch._utils\n_rebuild_tensor_v2\n((X\x07\0\0\0storagectorch\nFloatStorage\n"
      "X\x01\0\0\0"
      "0X\x03\0\0\0cpuM\0\x20tQK\0(K\x01K\x02K\x40K\x40t(M\0\x20M\0\x10K\x40K\x01t\x89"
      "ccollections\nOrderedDict\n)RtR.",
      143);
  const auto text = io::as_bytes(pickle);
  const fs::path path = root / "raw_data_1_0.pt";
  io::write_bytes(
      path, io::to_zip({{"raw/data.pkl", {text.begin(), text.end()}}, {"raw/data/0", array.bytes}},
                       io::Packing::stored));
  EXPECT_EQ(find_smoke_file(root, 1), path);
  EXPECT_EQ(read_smoke(path, 1), array);
}

}  // namespace
}  // namespace algprior::fluid
