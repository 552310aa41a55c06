#include "tensor_pickle.hpp"

#include "cursor.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace algprior::io {
namespace {

// Far more than a tensor of 64 dimensions needs; bounds the depth of nested tuples too.
constexpr std::size_t kLargestPickle = 4096;
constexpr std::size_t kMaxTensorRank = 64;

constexpr std::string_view kRebuild = "torch._utils _rebuild_tensor_v2";
constexpr std::string_view kOrderedDict = "collections OrderedDict";

constexpr std::pair<std::string_view, Dtype> kStorages[] = {
    {"torch BoolStorage", Dtype::boolean},  {"torch ByteStorage", Dtype::uint8},
    {"torch CharStorage", Dtype::int8},     {"torch ShortStorage", Dtype::int16},
    {"torch IntStorage", Dtype::int32},     {"torch LongStorage", Dtype::int64},
    {"torch HalfStorage", Dtype::float16},  {"torch BFloat16Storage", Dtype::bfloat16},
    {"torch FloatStorage", Dtype::float32}, {"torch DoubleStorage", Dtype::float64}};

std::optional<Dtype> storage_type(std::string_view global) {
  for (const auto& [name, dtype] : kStorages) {
    if (name == global) return dtype;
  }
  return std::nullopt;
}

struct Nothing {};
struct Mark {};
struct EmptyDict {};
struct Global {
  std::string name;  // "module attribute"
};
struct Storage {
  Dtype dtype;
  std::string key;
  std::int64_t count;
};
struct PickleValue;
// Shared, so that naming a tuple twice does not copy it.
using Tuple = std::shared_ptr<const std::vector<PickleValue>>;
struct PickleValue {
  std::variant<Nothing, Mark, EmptyDict, bool, std::int64_t, std::string, Global, Tuple, Storage,
               TensorPickle>
      content;
};

class TensorUnpickler {
 public:
  TensorUnpickler(ByteView bytes, const std::string& name)
      : cursor_(bytes, name, "pickle"), name_(name) {}

  TensorPickle run() {
    while (true) {
      const auto code = cursor_.little<std::uint8_t>();
      if (code == '.') break;
      obey(code);
    }
    if (stack_.size() != 1) fail();
    return get<TensorPickle>(pop());
  }

 private:
  [[noreturn]] void fail() const {
    fail_damaged(name_, "the pickle of a tensor is damaged, or of a kind that is not read here",
                 "what torch.save(tensor, path) writes");
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw FileError({what, name_, "one plain tensor",
                     "if you trust the file, convert it in Python: torch.save(tensor.detach()"
                     ".cpu().contiguous().clone(), path), or save NumPy arrays or safetensors"});
  }

  PickleValue pop() {
    if (stack_.empty()) fail();
    PickleValue value = std::move(stack_.back());
    stack_.pop_back();
    return value;
  }

  template <class T>
  T get(const PickleValue& value) const {
    const T* content = std::get_if<T>(&value.content);
    if (content == nullptr) fail();
    return *content;
  }

  template <class T>
  void push(T content) {
    stack_.push_back({std::move(content)});
  }

  std::vector<PickleValue> pop_many(std::size_t count) {
    if (stack_.size() < count) fail();
    std::vector<PickleValue> values(std::make_move_iterator(stack_.end() - count),
                                    std::make_move_iterator(stack_.end()));
    stack_.resize(stack_.size() - count);
    return values;
  }

  std::vector<PickleValue> pop_to_mark() {
    std::size_t count = 0;
    while (count < stack_.size() &&
           !std::holds_alternative<Mark>(stack_[stack_.size() - 1 - count].content)) {
      ++count;
    }
    std::vector<PickleValue> values = pop_many(count);
    get<Mark>(pop());
    return values;
  }

  void push_tuple(std::vector<PickleValue> values) {
    push(Tuple(std::make_shared<const std::vector<PickleValue>>(std::move(values))));
  }

  std::string line() {
    std::string text;
    for (char c = next_char(); c != '\n'; c = next_char()) text += c;
    return text;
  }
  char next_char() { return static_cast<char>(cursor_.little<std::uint8_t>()); }

  std::string text(std::uint64_t length) { return std::string(as_text(cursor_.take(length))); }

  /// LONG1: little-endian two's complement of a given length.
  std::int64_t long_number() {
    const auto length = cursor_.little<std::uint8_t>();
    if (length > 8) fail();
    std::uint64_t value = 0;
    const ByteView bytes = cursor_.take(length);
    for (std::size_t i = 0; i < 8; ++i) {
      const bool negative = length > 0 && (std::to_integer<unsigned>(bytes.back()) & 0x80) != 0;
      const std::uint64_t byte =
          i < length ? std::to_integer<std::uint64_t>(bytes[i]) : (negative ? 0xFF : 0);
      value |= byte << (8 * i);
    }
    return static_cast<std::int64_t>(value);
  }

  void global() {
    std::string name = line();
    name += " " + line();
    if (name != kRebuild && name != kOrderedDict && !storage_type(name)) {
      std::replace(name.begin(), name.end(), ' ', '.');
      refuse("the file holds something else than a tensor: it names " + name);
    }
    push(Global{std::move(name)});
  }

  /// ('storage', type, key, device, count): the only thing that may be stored outside.
  void persistent() {
    const Tuple tuple = get<Tuple>(pop());
    if (tuple->size() != 5 || get<std::string>((*tuple)[0]) != "storage") fail();
    const auto dtype = storage_type(get<Global>((*tuple)[1]).name);
    if (!dtype) fail();
    push(Storage{*dtype, get<std::string>((*tuple)[2]), get<std::int64_t>((*tuple)[4])});
  }

  std::vector<std::int64_t> numbers(const PickleValue& value) const {
    const Tuple tuple = get<Tuple>(value);
    if (tuple->size() > kMaxTensorRank) fail();
    std::vector<std::int64_t> out;
    for (const PickleValue& item : *tuple) out.push_back(get<std::int64_t>(item));
    return out;
  }

  /// The two calls that a tensor's pickle makes, understood instead of made.
  void reduce() {
    const Tuple arguments = get<Tuple>(pop());
    const std::string function = get<Global>(pop()).name;
    if (function == kOrderedDict && arguments->empty()) return push(EmptyDict{});
    if (function != kRebuild || arguments->size() != 6) fail();
    const auto at = [&](std::size_t i) -> const PickleValue& { return (*arguments)[i]; };
    const Storage storage = get<Storage>(at(0));
    get<bool>(at(4));       // requires_grad
    get<EmptyDict>(at(5));  // hooks
    push(TensorPickle{storage.dtype, storage.key, storage.count, get<std::int64_t>(at(1)),
                      numbers(at(2)), numbers(at(3))});
  }

  void recall(std::uint32_t key) {
    const auto place = memo_.find(key);
    if (place == memo_.end()) fail();
    stack_.push_back(place->second);
  }

  void remember(std::uint32_t key) {
    if (stack_.empty()) fail();
    memo_[key] = stack_.back();
  }

  void obey(std::uint8_t code) {
    switch (code) {
      case 0x80:  // PROTO
        if (cursor_.little<std::uint8_t>() != 2) refuse("the file is a pickle of another protocol");
        return;
      case 'c':
        return global();
      case 'q':
        return remember(cursor_.little<std::uint8_t>());
      case 'r':
        return remember(cursor_.little<std::uint32_t>());
      case 'h':
        return recall(cursor_.little<std::uint8_t>());
      case 'j':
        return recall(cursor_.little<std::uint32_t>());
      case '(':
        return push(Mark{});
      case 'N':
        return push(Nothing{});
      case 0x88:
        return push(true);
      case 0x89:
        return push(false);
      case 'J':
        return push(std::int64_t{static_cast<std::int32_t>(cursor_.little<std::uint32_t>())});
      case 'K':
        return push(std::int64_t{cursor_.little<std::uint8_t>()});
      case 'M':
        return push(std::int64_t{cursor_.little<std::uint16_t>()});
      case 0x8a:
        return push(long_number());
      case 'X':
        return push(text(cursor_.little<std::uint32_t>()));
      case ')':
        return push_tuple({});
      case 't':
        return push_tuple(pop_to_mark());
      case 0x85:
      case 0x86:
      case 0x87:
        return push_tuple(pop_many(code - 0x84u));
      case 'Q':
        return persistent();
      case 'R':
        return reduce();
      case '}':
      case ']':
        refuse("the file holds a dictionary or a list, not a single tensor");
      default:
        refuse("the file holds something else than a tensor (pickle operation " +
               std::to_string(code) + ")");
    }
  }

  Cursor cursor_;
  const std::string& name_;
  std::vector<PickleValue> stack_;
  std::map<std::uint32_t, PickleValue> memo_;
};

}  // namespace

TensorPickle parse_tensor_pickle(ByteView bytes, const std::string& name) {
  // A state dictionary is longer, and begins with its collection; let that be said.
  return TensorUnpickler(bytes.subspan(0, std::min(bytes.size(), kLargestPickle)), name).run();
}

}  // namespace algprior::io
