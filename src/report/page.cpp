#include "algprior/report/page.hpp"

#include "algprior/io/checksum.hpp"
#include "algprior/report/markup.hpp"
#include "algprior/version.hpp"
#include "page_parts.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior::report {
namespace {

// page.css and page.js, embedded by CMake.
#include "page_assets.inc"

// "sha256-…" as a policy writes it.
std::string policy_hash(const std::string& text) {
  const std::string hex = io::sha256(io::as_bytes(text));
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return "'sha256-" + to_base64(bytes) + "'";
}

std::string write_page(const Page& page, const std::string& from) {
  const std::string style = page_colours() + kPageStyle, script = kPageScript;
  const bool live = !from.empty();
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; "
      "script-src {}; img-src data:{}; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"generator\" content=\"algprior {}\">\n{}<title>{}</title>\n<style>{}</style>\n"
      "</head>\n<body>\n<header><h1>{}</h1></header>\n",
      policy_hash(style), policy_hash(script), live ? "; connect-src 'self'" : "", kVersion,
      live ? fmt::format("<meta name=\"algprior-from\" content=\"{}\">\n", from) : "",
      escape(page.title), style, escape(page.title));
  if (live) html += "<p role=\"status\"><span id=\"live\">watching</span></p>\n";
  html += "<main>\n";
  for (const PagePart& part : page.parts) html += part.html + "\n";
  return html + "</main>\n<script>" + script + "</script>\n</body>\n</html>\n";
}

}  // namespace

Page make_page(const RunSet& set, const std::string& title) {
  Page page{title, {}};
  page.parts.push_back(summary_part(set));
  const auto append = [&](std::vector<PagePart> parts) {
    page.parts.insert(page.parts.end(), parts.begin(), parts.end());
  };
  append(result_parts(set));
  page.parts.push_back(differences_part(set));
  append(figure_parts(set));
  append(audit_parts(set));
  page.parts.push_back(runs_part(set));
  page.parts.push_back(problems_part(set));
  std::erase_if(page.parts, [](const PagePart& part) { return part.html.empty(); });
  return page;
}

std::string to_html(const Page& page) {
  return write_page(page, "");
}

std::string to_live_html(const Page& page, std::uint64_t from) {
  return write_page(page, std::to_string(from));
}

std::string page_changes(const Page& before, const Page& after) {
  using Json = nlohmann::ordered_json;
  std::map<std::string, const PagePart*> old;
  for (const PagePart& part : before.parts) old[part.id] = &part;
  std::string lines, previous;
  for (const PagePart& part : after.parts) {
    const auto entry = old.find(part.id);
    if (entry == old.end() || entry->second->html != part.html) {
      const Json line{{"id", part.id}, {"after", previous}, {"html", part.html}};
      lines += line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    }
    if (entry != old.end()) old.erase(entry);
    previous = part.id;
  }
  for (const auto& [id, part] : old) lines += Json{{"id", id}}.dump() + "\n";
  return lines;
}

}  // namespace algprior::report
