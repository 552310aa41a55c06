#pragma once

#include "algprior/report/figure.hpp"
#include "algprior/report/run.hpp"

#include <string>
#include <vector>

namespace algprior::report {

/// A stretch of the page that can be replaced alone when a run goes on. `html` is one element with
/// this id.
struct PagePart {
  std::string id;
  std::string html;
  friend bool operator==(const PagePart&, const PagePart&) = default;
};

struct Page {
  std::string title;
  std::vector<PagePart> parts;
};

/// Everything that the runs can show: a summary in words, results beside the paper's, what differs
/// between their settings, every figure that they can fill, and each run with its provenance. What
/// cannot be read is named in its place; nothing a file holds makes this throw.
Page make_page(const RunSet& set, const std::string& title);

/// One file: no request leaves it, a policy forbids any, scripts and styles other than its own do
/// not run. Equal pages give equal bytes. A live page asks the server that sent it for changes from
/// byte `from` on.
std::string to_html(const Page& page);
std::string to_live_html(const Page& page, std::uint64_t from);

/// What changed, as lines of JSON: {"id","after","html"} for a part that is new or other than
/// before
/// ("after": the part before it, "" for the first), {"id"} for one that is gone.
std::string page_changes(const Page& before, const Page& after);

}  // namespace algprior::report
