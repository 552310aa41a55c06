#include "algprior/rep/make_representation.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/suggest.hpp"
#include "algprior/group/detail/cursor.hpp"
#include "algprior/group/product.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/rep/irreps.hpp"

#include <charconv>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace algprior {
namespace {

/// What a text says, before it is known which group each part is of.
struct RepresentationText {
  enum class Kind { name, sum, tensor, outer, copies };

  Kind kind = Kind::name;
  std::size_t at = 0;  // column, from 0
  std::string name;
  std::size_t count = 1;
  std::vector<RepresentationText> parts = {};
};

class RepresentationReader {
 public:
  explicit RepresentationReader(std::string_view text) : cursor_(text, "representation") {}

  RepresentationText read() {
    RepresentationText whole = sum();
    cursor_.expect_end();
    return whole;
  }

 private:
  using Kind = RepresentationText::Kind;
  using Part = RepresentationText (RepresentationReader::*)();

  RepresentationText chain(Kind kind, std::string_view sign, Part part) {
    RepresentationText first = (this->*part)();
    if (!cursor_.accept(sign)) return first;
    RepresentationText all{kind, first.at, std::string(sign), 1, {}};
    all.parts.push_back(std::move(first));
    do {
      all.parts.push_back((this->*part)());
    } while (cursor_.accept(sign));
    return all;
  }

  RepresentationText sum() { return chain(Kind::sum, "+", &RepresentationReader::tensor); }
  RepresentationText tensor() { return chain(Kind::tensor, "@", &RepresentationReader::term); }
  RepresentationText term() {
    const char next = cursor_.peek();
    if (next < '0' || next > '9') return outer();
    RepresentationText copies{Kind::copies, cursor_.position(), "*", 1, {}};
    copies.count = cursor_.number(kMostTextDimension);
    if (copies.count == 0) cursor_.fail_at(copies.at, "a number of copies of at least 1");
    cursor_.expect("*");
    copies.parts.push_back(outer());
    return copies;
  }
  RepresentationText outer() { return chain(Kind::outer, "#", &RepresentationReader::factor); }
  RepresentationText factor() {
    constexpr int kMostParentheses = 64;
    if (cursor_.accept("(")) {
      if (++depth_ > kMostParentheses) cursor_.fail("fewer parentheses within each other");
      RepresentationText inner = sum();
      cursor_.expect(")");
      --depth_;
      return inner;
    }
    cursor_.peek();
    const std::size_t at = cursor_.position();
    std::string name(cursor_.identifier());
    if (name.empty()) cursor_.fail("regular, defining, trivial, sign, irrep0, … or \"(\"");
    return {Kind::name, at, std::move(name), 1, {}};
  }

  Cursor cursor_;
  int depth_ = 0;
};

class RepresentationMaker {
 public:
  explicit RepresentationMaker(std::string_view text) : text_(text) {}

  Representation make(const RepresentationText& part, const Group& group) const {
    using Kind = RepresentationText::Kind;
    switch (part.kind) {
      case Kind::name:
        return named(part, group);
      case Kind::copies: {
        const Representation one = make(part.parts[0], group);
        check_dimension(static_cast<double>(part.count) * static_cast<double>(one.dimension()));
        return copies(one, part.count);
      }
      case Kind::sum:
        return summed(part, group);
      case Kind::tensor:
        return tensor(part, group);
      case Kind::outer:
        return outer(part, group);
    }
    throw InputError({"no such part of a representation", text_, "", ""});
  }

 private:
  [[noreturn]] void fail(std::size_t at, const std::string& what, const std::string& expected,
                         const std::string& next) const {
    throw InputError({what, fmt::format("\"{}\", column {}", text_, at + 1), expected, next});
  }

  void check_dimension(double dimension) const {
    if (dimension <= static_cast<double>(kMostTextDimension)) return;
    throw LimitError({"the representation is too wide",
                      fmt::format("\"{}\" has dimension {:.0f}", text_, dimension),
                      fmt::format("at most {}", kMostTextDimension), "take fewer copies"});
  }

  Representation named(const RepresentationText& part, const Group& group) const {
    const std::string& name = part.name;
    try {
      if (name == "regular") return regular_representation(group);
      if (name == "defining") return defining_representation(group);
      if (name == "trivial") return trivial_representation(group);
      if (name == "sign") return sign_representation(group);
    } catch (const InputError& error) {
      fail(part.at, name + ": " + error.failure().what, error.failure().expected,
           error.failure().next);
    }
    if (name.starts_with("irrep")) return irreducible(part, group);
    const std::vector<std::string> known{"regular", "defining", "trivial", "sign", "irrep0"};
    fail(part.at, "no such representation of " + group.name(),
         "regular, defining, trivial, sign, irrep0, …, or sums and products of them",
         did_you_mean(name, known));
  }

  Representation irreducible(const RepresentationText& part, const Group& group) const {
    const auto all = real_irreducible_representations(character_table(group));
    const std::string_view digits = std::string_view(part.name).substr(5);
    std::size_t number = 0;
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (problem == std::errc() && end == digits.data() + digits.size() && number < all.size()) {
      return all[number].representation;
    }
    fail(part.at, "no such irreducible representation of " + group.name(),
         fmt::format("irrep0 … irrep{}", all.size() - 1), "");
  }

  Representation summed(const RepresentationText& part, const Group& group) const {
    std::vector<Representation> summands;
    double dimension = 0;
    for (const RepresentationText& one : part.parts) {
      summands.push_back(make(one, group));
      dimension += static_cast<double>(summands.back().dimension());
      check_dimension(dimension);
    }
    return direct_sum(summands);
  }

  // ρ_1 ⊗ ρ_2 ⊗ …
  Representation multiplied(const std::vector<Representation>& made) const {
    double dimension = 1;
    for (const Representation& one : made) dimension *= static_cast<double>(one.dimension());
    check_dimension(dimension);
    Representation product = made[0];
    for (std::size_t i = 1; i < made.size(); ++i) product = tensor_product(product, made[i]);
    return product;
  }

  Representation tensor(const RepresentationText& part, const Group& group) const {
    std::vector<Representation> made;
    for (const RepresentationText& one : part.parts) made.push_back(make(one, group));
    return multiplied(made);
  }

  // ρ of factor i as a representation of the whole product.
  static Representation on_product(const Representation& factor, const Group& product,
                                   std::size_t i) {
    std::vector<Element> projection(product.order());
    for (Element g = 0; g < product.order(); ++g) projection[g] = components(product, g)[i];
    return restriction(factor, product, projection);
  }

  Representation outer(const RepresentationText& part, const Group& group) const {
    const std::vector<Group> groups = factors(group);
    if (groups.size() != part.parts.size()) {
      fail(part.at,
           fmt::format("a product of {} representations is asked of {}", part.parts.size(),
                       group.name()),
           groups.size() == 1
               ? "\"#\" in representations of direct products only"
               : fmt::format("{} representations, one for each factor", groups.size()),
           groups.size() == 1 ? "write @ for the tensor product of two of one group" : "");
    }
    std::vector<Representation> made;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      made.push_back(on_product(make(part.parts[i], groups[i]), group, i));
    }
    return multiplied(made);
  }

  std::string text_;
};

}  // namespace

Representation make_representation(const Group& group, std::string_view text) {
  constexpr std::size_t kLongest = 4096;
  if (text.size() > kLongest) {
    throw LimitError({"the text of a representation is too long",
                      fmt::format("{} characters", text.size()),
                      fmt::format("at most {}", kLongest), ""});
  }
  return RepresentationMaker(text).make(RepresentationReader(text).read(), group);
}

}  // namespace algprior
