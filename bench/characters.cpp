// Irreducible characters beside GAP where GAP is installed. The answers are compared first: the
// exact tables, as a set of rows, each row the multiset of (class size, element order, value).
//
// bench_characters [name …] runs the named groups only; GAP takes most of a minute for D500.

#include "algprior/group/make_group.hpp"
#include "algprior/rep/character_table.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/core.h>
#include <unistd.h>

namespace {

using algprior::CharacterTable;
using algprior::Cyclotomic;

struct Case {
  const char* name;
  const char* ours;
  const char* gap;
};

constexpr Case kCases[] = {
    {"S7", "(1,2,3,4,5,6,7);(1,2)", "Group((1,2,3,4,5,6,7),(1,2))"},
    {"M11", "(1,2,3,4,5,6,7,8,9,10,11);(3,7,11,8)(4,10,5,6)",
     "Group((1,2,3,4,5,6,7,8,9,10,11),(3,7,11,8)(4,10,5,6))"},
    {"D4xD4", "D4xD4", "DirectProduct(DihedralGroup(8),DihedralGroup(8))"},
    {"D500", "D500", "DihedralGroup(1000)"},
};

using Entry = std::tuple<std::size_t, std::size_t, std::string>;
using Row = std::vector<Entry>;
using Answer = std::multiset<Row>;

std::string exact_text(const Cyclotomic& x) {
  std::string text = std::to_string(x.conductor());
  for (const auto& t : x.terms()) text += fmt::format(" {}:{}", t.exponent, t.coefficient);
  return text;
}

Answer our_answer(const CharacterTable& table) {
  Answer answer;
  for (std::size_t i = 0; i < table.count(); ++i) {
    Row row;
    for (std::size_t c = 0; c < table.count(); ++c) {
      row.emplace_back(table.group().classes().members[c].size(), table.powers().element_order(c),
                       exact_text(table.exact(i, c)));
    }
    std::sort(row.begin(), row.end());
    answer.insert(std::move(row));
  }
  return answer;
}

/// Reads "n k c k c …", the sum of c ζ_n^k.
Cyclotomic parse_value(const std::string& text) {
  std::istringstream in(text);
  std::uint32_t n = 1;
  in >> n;
  std::vector<Cyclotomic::Term> terms;
  for (Cyclotomic::Term t{}; in >> t.exponent >> t.coefficient;) terms.push_back(t);
  return n == 0 ? Cyclotomic() : Cyclotomic::sum(n, terms);
}

struct GapAnswer {
  double milliseconds = 0;
  Answer answer;
};

/// GAP times itself on new group objects, the least of three runs (of one when a run takes
/// seconds).
std::string gap_script(const char* group) {
  return fmt::format(
      "best:=infinity;; for i in [1..3] do g:={};; t:=NanosecondsSinceEpoch(); irr:=Irr(g);; "
      "t:=NanosecondsSinceEpoch()-t; best:=Minimum(best,t); if t>10^9 then break; fi; od;\n"
      "table:=CharacterTable(g);; Print(best,\"\\n\");\n"
      "Print(JoinStringsWithSeparator(List(SizesConjugacyClasses(table),String),\" \"),\"\\n\");\n"
      "Print(JoinStringsWithSeparator(List(OrdersClassRepresentatives(table),String),\" "
      "\"),\"\\n\");\n"
      "Text:=function(x) local n,c,out,k; n:=Conductor(x); c:=CoeffsCyc(x,n); "
      "out:=ShallowCopy(String(n)); "
      "for k in [1..n] do if c[k]<>0 then Append(out,Concatenation(\" \",String(k-1),\" "
      "\",String(c[k]))); fi; od; return out; end;;\n"
      "for row in Irr(table) do Print(JoinStringsWithSeparator(List(ValuesOfClassFunction(row),"
      "Text),\";\"),\"\\n\"); od;\nQUIT;\n",
      group);
}

bool ask_gap(const char* group, GapAnswer& gap) {
  if (std::system("command -v gap > /dev/null 2>&1") != 0) return false;
  char script[] = "/tmp/algprior-bench-XXXXXX";
  const int file = ::mkstemp(script);
  if (file < 0) return false;
  const std::string body = "SetPrintFormattingStatus(\"*stdout*\",false);\n" + gap_script(group);
  const bool written = ::write(file, body.data(), body.size()) == static_cast<long>(body.size());
  ::close(file);
  FILE* pipe =
      written ? ::popen(fmt::format("gap -q {} 2>/dev/null", script).c_str(), "r") : nullptr;
  std::string text;
  if (pipe != nullptr) {
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
    ::pclose(pipe);
  }
  ::unlink(script);

  std::istringstream lines(text);
  std::string line, value;
  std::getline(lines, line);
  gap.milliseconds = std::atof(line.c_str()) / 1e6;
  std::vector<std::size_t> sizes, orders;
  for (auto* list : {&sizes, &orders}) {
    std::getline(lines, line);
    std::istringstream numbers(line);
    for (std::size_t n = 0; numbers >> n;) list->push_back(n);
  }
  while (std::getline(lines, line)) {
    Row row;
    std::istringstream values(line);
    for (std::size_t c = 0; std::getline(values, value, ';') && c < sizes.size(); ++c) {
      row.emplace_back(sizes[c], orders.at(c), exact_text(parse_value(value)));
    }
    std::sort(row.begin(), row.end());
    gap.answer.insert(std::move(row));
  }
  return true;
}

double our_milliseconds(const char* spec) {
  double best = 1e300;
  for (int run = 0; run < 10; ++run) {
    // A new group value each time: nothing is kept from the run before. GAP's time, too, starts
    // with generators and includes the classes.
    const auto start = std::chrono::steady_clock::now();
    const CharacterTable table = algprior::character_table(algprior::make_group(spec));
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const std::set<std::string> wanted(argv + 1, argv + argc);
  bool good = true;
  for (const Case& c : kCases) {
    if (!wanted.empty() && wanted.count(c.name) == 0) continue;
    const double ours = our_milliseconds(c.ours);
    GapAnswer gap;
    if (!ask_gap(c.gap, gap)) {
      fmt::print("characters of {:6} {:9.3f} ms (GAP is not installed)\n", c.name, ours);
      continue;
    }
    if (gap.answer != our_answer(algprior::character_table(algprior::make_group(c.ours)))) {
      fmt::print(stderr, "characters of {}: the table differs from GAP's\n", c.name);
      good = false;
      continue;
    }
    fmt::print(
        "characters of {:6} {:9.3f} ms, GAP {:9.1f} ms, {:6.0f} times as fast; tables agree\n",
        c.name, ours, gap.milliseconds, gap.milliseconds / ours);
    std::fflush(stdout);
  }
  return good ? 0 : 1;
}
