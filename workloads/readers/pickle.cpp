#include "workloads/readers/pickle.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/error.h"
#include "workloads/readers/excerpt.h"

namespace netzip {
namespace {

constexpr std::size_t kMaximumValues = 4'000'000;  ///< a checkpoint of 100,000 tensors has about 2 million
constexpr std::size_t kMaximumMemo = kMaximumValues;
constexpr unsigned kLowestProtocol = 2;
constexpr unsigned kHighestProtocol = 5;

/// The globals that describe tensors. Everything else could be anything.
constexpr std::array<std::string_view, 7> kGlobals{"torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_parameter",
                                                   "torch.storage._load_from_bytes",  "torch.storage._TypedStorage",
                                                   "torch.storage.TypedStorage",      "torch.storage.UntypedStorage",
                                                   "collections.OrderedDict"};
constexpr std::string_view kOrderedDict = "collections.OrderedDict";

bool is_storage_class(std::string const& name) {
    std::string_view constexpr kPrefix = "torch.";
    std::string_view constexpr kSuffix = "Storage";
    return name.starts_with(kPrefix) && name.ends_with(kSuffix) && name.find('.', kPrefix.size()) == std::string::npos;
}

}  // namespace

PickleReader::PickleReader(std::span<std::uint8_t const> data, std::size_t base, std::string name)
    : data_(data), base_(base), name_(std::move(name)) {}

void PickleReader::fail(std::size_t at, std::string const& what) const {
    throw InputError(name_ + ": byte " + std::to_string(base_ + at) + ": " + what);
}

std::span<std::uint8_t const> PickleReader::take(std::uint64_t bytes) {
    if (bytes > data_.size() - at_) fail(opcode_at_, "the pickle ends within an opcode");
    auto const taken = data_.subspan(at_, bytes);
    at_ += bytes;
    return taken;
}

std::uint64_t PickleReader::number(std::size_t bytes) {
    auto const raw = take(bytes);
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8 | raw[i];
    return value;
}

std::string PickleReader::line() {
    auto const end = std::find(data_.begin() + static_cast<std::ptrdiff_t>(at_), data_.end(), '\n');
    if (end == data_.end()) fail(opcode_at_, "the pickle ends within an opcode");
    std::string text(data_.begin() + static_cast<std::ptrdiff_t>(at_), end);
    at_ += text.size() + 1;
    return text;
}

PickleValue& PickleReader::push(PickleValue::Kind kind) {
    if (values_.size() == kMaximumValues) fail(opcode_at_, "more than 4,000,000 objects in a pickle");
    PickleValue& value = values_.emplace_back();
    value.kind = kind;
    stack_.push_back(&value);
    return value;
}

PickleValue& PickleReader::top() {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) fail(opcode_at_, "the stack of the pickle is empty");
    return *stack_.back();
}

PickleValue& PickleReader::pop() {
    PickleValue& value = top();
    stack_.pop_back();
    return value;
}

std::vector<PickleValue*> PickleReader::pop_to_mark() {
    if (marks_.empty()) fail(opcode_at_, "the pickle has no mark here");
    std::vector<PickleValue*> values(stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back()), stack_.end());
    stack_.resize(marks_.back());
    marks_.pop_back();
    return values;
}

void PickleReader::push_text(std::uint64_t size) {
    auto const raw = take(size);
    push(PickleValue::Kind::text).text.assign(raw.begin(), raw.end());
}

void PickleReader::push_bytes(std::uint64_t size) {
    auto const raw = take(size);
    PickleValue& value = push(PickleValue::Kind::bytes);
    value.bytes = raw;
    value.offset = base_ + at_ - raw.size();
}

void PickleReader::push_long(std::uint64_t size) {
    auto const raw = take(size);
    PickleValue& value = push(raw.size() > 8 ? PickleValue::Kind::bytes : PickleValue::Kind::integer);
    if (raw.size() > 8) return;
    std::uint64_t bits = raw.empty() || raw.back() < 0x80 ? 0 : ~std::uint64_t{0};
    for (std::size_t i = raw.size(); i-- > 0;) bits = bits << 8 | raw[i];
    value.integer = static_cast<std::int64_t>(bits);
}

void PickleReader::push_global(std::string const& module, std::string const& name) {
    std::string const full = module + "." + name;
    if (!is_storage_class(full) && std::find(kGlobals.begin(), kGlobals.end(), full) == kGlobals.end()) {
        fail(opcode_at_, "unsupported object " + excerpt(full) + " (only tensors, lists and dicts are read)");
    }
    push(PickleValue::Kind::global).text = full;
}

void PickleReader::push_tuple(std::size_t size) {
    std::vector<PickleValue const*> items(size);
    for (std::size_t i = size; i-- > 0;) items[i] = &pop();
    push(PickleValue::Kind::tuple).items = std::move(items);
}

void PickleReader::extend(PickleValue::Kind container, std::vector<PickleValue*> const& values) {
    PickleValue& target = top();
    if (target.kind != container) {
        fail(opcode_at_,
             container == PickleValue::Kind::list ? "expected a list to append to" : "expected a dict to set");
    }
    if (container == PickleValue::Kind::dict && values.size() % 2 != 0) fail(opcode_at_, "a dict key has no value");
    target.items.insert(target.items.end(), values.begin(), values.end());
}

void PickleReader::call() {
    PickleValue& arguments = pop();
    PickleValue& callee = pop();
    if (callee.kind != PickleValue::Kind::global || arguments.kind != PickleValue::Kind::tuple) {
        fail(opcode_at_, "expected a known function and its arguments");
    }
    if (callee.text == kOrderedDict) {
        push(PickleValue::Kind::dict);
        return;
    }
    push(PickleValue::Kind::call).items = {&callee, &arguments};
}

PickleValue const& PickleReader::read() {
    stack_.clear();
    marks_.clear();
    memo_.clear();
    while (step()) {
    }
    if (!marks_.empty()) fail(opcode_at_, "the pickle stops within an open mark");
    return pop();
}

bool PickleReader::step() {
    opcode_at_ = at_;
    if (at_ == data_.size()) fail(at_, "the pickle ends without STOP");
    std::uint8_t const opcode = data_[at_++];
    if (opcode == '.') return false;
    if (!step_scalar(opcode) && !step_container(opcode) && !step_memo(opcode) && !step_object(opcode)) {
        char text[8];
        std::snprintf(text, sizeof text, "0x%02x", opcode);
        fail(opcode_at_, std::string("unsupported pickle opcode ") + text);
    }
    return true;
}

bool PickleReader::step_scalar(std::uint8_t opcode) {
    using Kind = PickleValue::Kind;
    switch (opcode) {
        case 'N':  // NONE
            push(Kind::none);
            return true;
        case 0x88:  // NEWTRUE
        case 0x89:  // NEWFALSE
            push(Kind::boolean).integer = opcode == 0x88 ? 1 : 0;
            return true;
        case 'K':  // BININT1
        case 'M':  // BININT2
            push(Kind::integer).integer = static_cast<std::int64_t>(number(opcode == 'K' ? 1 : 2));
            return true;
        case 'J':  // BININT
            push(Kind::integer).integer = static_cast<std::int32_t>(static_cast<std::uint32_t>(number(4)));
            return true;
        case 0x8a:  // LONG1
            push_long(number(1));
            return true;
        case 'G':  // BINFLOAT
            take(8);
            push(Kind::real);
            return true;
        case 0x8c:  // SHORT_BINUNICODE
            push_text(number(1));
            return true;
        case 'X':  // BINUNICODE
            push_text(number(4));
            return true;
        case 0x8d:  // BINUNICODE8
            push_text(number(8));
            return true;
        case 'C':  // SHORT_BINBYTES
            push_bytes(number(1));
            return true;
        case 'B':  // BINBYTES
            push_bytes(number(4));
            return true;
        case 0x8e:  // BINBYTES8
        case 0x96:  // BYTEARRAY8
            push_bytes(number(8));
            return true;
        default:
            return false;
    }
}

bool PickleReader::step_container(std::uint8_t opcode) {
    using Kind = PickleValue::Kind;
    switch (opcode) {
        case '(':  // MARK
            marks_.push_back(stack_.size());
            return true;
        case ')':  // EMPTY_TUPLE
            push(Kind::tuple);
            return true;
        case ']':  // EMPTY_LIST
            push(Kind::list);
            return true;
        case '}':  // EMPTY_DICT
            push(Kind::dict);
            return true;
        case 0x85:  // TUPLE1
        case 0x86:  // TUPLE2
        case 0x87:  // TUPLE3
            push_tuple(opcode - 0x84u);
            return true;
        case 't': {  // TUPLE
            auto const values = pop_to_mark();
            push(Kind::tuple).items.assign(values.begin(), values.end());
            return true;
        }
        case 'a': {  // APPEND
            PickleValue& value = pop();
            extend(Kind::list, {&value});
            return true;
        }
        case 'e':  // APPENDS
            extend(Kind::list, pop_to_mark());
            return true;
        case 's': {  // SETITEM
            PickleValue& value = pop();
            PickleValue& key = pop();
            extend(Kind::dict, {&key, &value});
            return true;
        }
        case 'u':  // SETITEMS
            extend(Kind::dict, pop_to_mark());
            return true;
        default:
            return false;
    }
}

bool PickleReader::step_memo(std::uint8_t opcode) {
    std::size_t index = memo_.size();
    switch (opcode) {
        case 0x94:  // MEMOIZE
            break;
        case 'q':  // BINPUT
        case 'h':  // BINGET
            index = number(1);
            break;
        case 'r':  // LONG_BINPUT
        case 'j':  // LONG_BINGET
            index = number(4);
            break;
        default:
            return false;
    }
    if (opcode == 'h' || opcode == 'j') {
        if (index >= memo_.size() || memo_[index] == nullptr)
            fail(opcode_at_, "the pickle recalls what it never stored");
        stack_.push_back(memo_[index]);
        if (stack_.size() > kMaximumValues) fail(opcode_at_, "more than 4,000,000 objects in a pickle");
        return true;
    }
    if (index >= kMaximumMemo) fail(opcode_at_, "the memo of the pickle is too large");
    if (index >= memo_.size()) memo_.resize(index + 1);
    memo_[index] = &top();
    return true;
}

bool PickleReader::step_object(std::uint8_t opcode) {
    switch (opcode) {
        case 0x80: {  // PROTO
            std::uint64_t const protocol = number(1);
            if (protocol < kLowestProtocol || protocol > kHighestProtocol) {
                fail(opcode_at_, "expected pickle protocol 2 to 5, found " + std::to_string(protocol));
            }
            return true;
        }
        case 0x95:  // FRAME
            take(8);
            return true;
        case 'c': {  // GLOBAL
            std::string const module = line();
            push_global(module, line());
            return true;
        }
        case 0x93: {  // STACK_GLOBAL
            PickleValue const& name = pop();
            PickleValue const& module = pop();
            if (name.kind != PickleValue::Kind::text || module.kind != PickleValue::Kind::text) {
                fail(opcode_at_, "expected the names of a module and an object");
            }
            push_global(module.text, name.text);
            return true;
        }
        case 'R':  // REDUCE
            call();
            return true;
        case 'b':  // BUILD: attributes, such as the version numbers of a state dict
            pop();
            if (top().kind != PickleValue::Kind::dict) fail(opcode_at_, "attributes are read for dicts only");
            return true;
        case 'Q': {  // BINPERSID
            PickleValue const& id = pop();
            push(PickleValue::Kind::persistent).items = {&id};
            return true;
        }
        default:
            return false;
    }
}

}  // namespace netzip
