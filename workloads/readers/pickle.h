#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace netzip {

/// What a pickle describes, as data: nothing is imported, called or executed.
struct PickleValue {
    enum class Kind { none, boolean, integer, real, text, bytes, tuple, list, dict, global, call, persistent };
    Kind kind = Kind::none;
    std::int64_t integer = 0;             ///< integer, boolean
    std::string text;                     ///< text; global: "module.name"
    std::span<std::uint8_t const> bytes;  ///< bytes: part of the file; empty for integers beyond 64 bits
    std::size_t offset = 0;               ///< of `bytes` in the file
    /// Elements of tuple and list; keys and values of a dict in turn; call: what is called and its argument tuple;
    /// persistent: the identifier.
    std::vector<PickleValue const*> items;

    bool is_call(std::string_view name) const { return kind == Kind::call && items[0]->text == name; }
};

/// Reads pickles of protocol 2 to 5 as far as PyTorch writes them for tensors, lists and dicts of them.
///
/// Any other opcode, and every global outside a short list, is an InputError that names it. Values live as long as
/// this object; a value may occur in several places, even within itself.
class PickleReader {
public:
    /// `base` is where `data` begins in the file `name`.
    PickleReader(std::span<std::uint8_t const> data, std::size_t base, std::string name);

    /// Reads one pickle and leaves the position behind its STOP.
    PickleValue const& read();
    std::size_t position() const { return at_; }

    /// Throws InputError that names the file and the byte.
    [[noreturn]] void fail(std::size_t at, std::string const& what) const;

private:
    bool step();
    bool step_scalar(std::uint8_t opcode);
    bool step_container(std::uint8_t opcode);
    bool step_memo(std::uint8_t opcode);
    bool step_object(std::uint8_t opcode);

    std::uint64_t number(std::size_t bytes);
    std::span<std::uint8_t const> take(std::uint64_t bytes);
    std::string line();
    PickleValue& push(PickleValue::Kind kind);
    void push_text(std::uint64_t size);
    void push_bytes(std::uint64_t size);
    void push_long(std::uint64_t size);
    void push_global(std::string const& module, std::string const& name);
    void push_tuple(std::size_t size);
    void extend(PickleValue::Kind container, std::vector<PickleValue*> const& values);
    PickleValue& pop();
    PickleValue& top();
    std::vector<PickleValue*> pop_to_mark();
    void call();

    std::span<std::uint8_t const> data_;
    std::size_t base_;
    std::string name_;
    std::size_t at_ = 0;
    std::size_t opcode_at_ = 0;
    std::deque<PickleValue> values_;
    std::vector<PickleValue*> stack_;
    std::vector<std::size_t> marks_;
    std::vector<PickleValue*> memo_;
};

}  // namespace netzip
