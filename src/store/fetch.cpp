#include "algprior/base/file.hpp"
#include "algprior/base/lock.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/base/text.hpp"
#include "algprior/io/checksum.hpp"
#include "algprior/io/tar.hpp"
#include "algprior/store/store.hpp"
#include "content.hpp"

#include <algorithm>
#include <set>

namespace algprior::store {
namespace fs = std::filesystem;
namespace {

std::string last_part(const std::string& address) {
  return address.substr(address.rfind('/') + 1);
}

std::string host_of(const std::string& address) {
  const std::size_t start = address.find("//") + 2;
  return address.substr(start, address.find('/', start) - start);
}

/// One `get`: what is missing, where it goes, which hosts did not answer.
class Fetch {
 public:
  Fetch(const Store& store, const DataSet& set, const FetchProgress& progress)
      : store_(store), set_(set), progress_(progress), folder_(store.cache / set.folders.front()) {}

  std::vector<fs::path> run() {
    if (missing().empty()) return {};
    if (store_.cache.empty()) cache_folder();  // throws, with the reason
    make_folder(folder_);
    const FolderLock lock(folder_, "algprior data get " + set_.name);
    for (const DataFile* file : missing()) {
      // An archive may have brought this one along.
      if (!find_if_present(store_, set_, *file)) fetch(*file);
    }
    return fetched_;
  }

 private:
  std::vector<const DataFile*> missing() const {
    std::vector<const DataFile*> out;
    for (const DataFile& file : set_.files) {
      if (!find_if_present(store_, set_, file)) out.push_back(&file);
    }
    return out;
  }

  std::vector<Source> sources_of(const DataFile& file) const {
    if (store_.mirror.empty()) return file.sources;
    std::vector<Source> out;
    std::set<std::string> seen;
    for (Source source : file.sources) {
      source.address = store_.mirror + "/" + set_.name + "/" + last_part(source.address);
      if (seen.insert(source.address).second) out.push_back(source);
    }
    return out;
  }

  void fetch(const DataFile& file) {
    std::string answers;
    for (const Source& source : sources_of(file)) {
      std::string answer;
      if (unreachable_.count(host_of(source.address)) != 0) {
        answer = "cannot be reached";
      } else {
        try {
          if (fetch_from(source, file)) return;
          answer = "gave something else than expected (wrong checksum); discarded";
        } catch (const UnreachableError& error) {
          unreachable_.insert(host_of(source.address));
          answer = error.failure().what;
        } catch (const LimitError& error) {
          answer = error.failure().what;
        } catch (const FileError& error) {
          if (error.failure().where != source.address) throw;  // the disk, not the server
          answer = error.failure().what;
        }
      }
      answers += "\n  " + source.address + ": " + answer;
    }
    throw FileError({"cannot download " + set_.name + "/" + file.name(), "tried" + answers, "",
                     "check the network and run `algprior data get " + set_.name +
                         "` again, or download the file by other means and put it into " +
                         folder_.string() + " (unpacked, or as .gz)"});
  }

  /// False when what came is not the file.
  bool fetch_from(const Source& source, const DataFile& file) {
    // Named after the address, so that a rest of one mirror is never continued from another.
    const std::string tag = io::sha256(io::as_bytes(source.address)).substr(0, 8);
    const fs::path part = folder_ / (last_part(source.address) + "." + tag + ".part");
    const std::uint64_t largest = source.wrapping == Wrapping::tar_gzip
                                      ? kLargestArchive
                                      : largest_size(file.contents[source.content]) + (1 << 20);
    const ProgressSink sink = [&](std::uint64_t done, std::uint64_t total) {
      if (progress_) progress_(source.address, done, total);
    };
    for (;;) {
      const bool resumed = fs::exists(part);
      try {
        download(source.address, part, largest, store_.patience, sink);
      } catch (const LimitError&) {
        fs::remove(part);
        throw;
      }
      const bool good = install(part, source, file);
      fs::remove(part);
      // The file on the server may have changed since the first part came.
      if (good || !resumed) return good;
    }
  }

  bool install(const fs::path& part, const Source& source, const DataFile& file) {
    try {
      io::Bytes bytes = io::read_bytes(part);
      const std::string name = part.string();
      if (source.wrapping == Wrapping::plain) {
        return install_content(bytes, file.contents[source.content]);
      }
      const std::uint64_t largest = source.wrapping == Wrapping::gzip
                                        ? largest_size(file.contents[source.content])
                                        : kLargestArchive;
      bytes = io::gunzip(bytes, name, largest);
      if (source.wrapping == Wrapping::gzip) {
        return install_content(bytes, file.contents[source.content]);
      }
      io::for_each_tar_member(bytes, name, [&](const std::string& member, io::ByteView content) {
        for (const DataFile* wanted : missing()) {
          if (last_part(member) == wanted->name()) install_content(content, wanted->contents[0]);
        }
      });
      return find_if_present(store_, set_, file).has_value();
    } catch (const LimitError&) {
      return false;
    } catch (const FileError& error) {
      if (error.failure().where.rfind(part.string(), 0) != 0) throw;
      return false;  // damaged: not a gzip or tar file
    }
  }

  bool install_content(io::ByteView bytes, const Content& content) {
    if (!holds(content, bytes)) return false;
    const fs::path path = folder_ / content.file;
    io::write_bytes(path, bytes);
    fetched_.push_back(path);
    return true;
  }

  const Store& store_;
  const DataSet& set_;
  const FetchProgress& progress_;
  fs::path folder_;
  std::vector<fs::path> fetched_;
  std::set<std::string> unreachable_;
};

}  // namespace

std::vector<fs::path> get(const Store& store, const DataSet& set, const FetchProgress& progress) {
  return Fetch(store, set, progress).run();
}

}  // namespace algprior::store
