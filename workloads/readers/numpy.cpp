#include "workloads/readers/numpy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "base/error.h"
#include "workloads/readers/excerpt.h"
#include "workloads/readers/name.h"
#include "workloads/readers/reader.h"

namespace netzip {
namespace {

constexpr std::array<std::uint8_t, 6> kMagic{0x93, 'N', 'U', 'M', 'P', 'Y'};
constexpr std::size_t kMaximumHeader = 65535;  ///< bytes; our dictionaries have about 100

/// The Python dictionary literal of a header: strings, booleans, tuples of whole numbers.
class DictLiteral {
public:
    DictLiteral(std::string_view text, std::string const& place) : text_(text), place_(place) {}

    NpyHeader read() {
        bool descr = false;
        bool order = false;
        bool shape = false;
        NpyHeader header;
        expect('{');
        while (!accept('}')) {
            std::string const key = quoted();
            expect(':');
            if (key == "descr") {
                descr = true;
                if (peek() == '[') fail("structured arrays are not supported, expected one element type");
                header.descr = quoted();
            } else if (key == "fortran_order") {
                order = true;
                header.fortran_order = boolean();
            } else if (key == "shape") {
                shape = true;
                header.shape = tuple();
            } else {
                fail("unknown key '" + excerpt(key) + "' in the header");
            }
            if (!accept(',') && peek() != '}') fail("expected ',' or '}' in the header");
        }
        if (!descr) fail("descr is missing in the header");
        if (!order) fail("fortran_order is missing in the header");
        if (!shape) fail("shape is missing in the header");
        return header;
    }

private:
    [[noreturn]] void fail(std::string const& what) const { throw InputError(place_ + ": " + what); }
    char peek() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool accept(char c) {
        if (peek() != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!accept(c))
            fail(std::string("expected '") + c + "' in the header, found \"" + excerpt(text_.substr(at_)) + "\"");
    }
    std::string quoted() {
        char const quote = peek();
        if (quote != '\'' && quote != '"')
            fail("expected a string in the header, found \"" + excerpt(text_.substr(at_)) + "\"");
        std::size_t const end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) fail("a string of the header does not end");
        std::string const word(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return word;
    }
    bool boolean() {
        peek();
        for (auto const& [word, value] : {std::pair{"True", true}, std::pair{"False", false}}) {
            if (text_.substr(at_).starts_with(word)) {
                at_ += std::strlen(word);
                return value;
            }
        }
        fail("fortran_order: expected True or False, found \"" + excerpt(text_.substr(at_)) + "\"");
    }
    std::vector<std::uint64_t> tuple() {
        std::vector<std::uint64_t> numbers;
        expect('(');
        while (!accept(')')) {
            peek();
            std::uint64_t number = 0;
            auto const [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
            if (error != std::errc{})
                fail("shape: expected whole numbers, found \"" + excerpt(text_.substr(at_)) + "\"");
            at_ = static_cast<std::size_t>(end - text_.data());
            numbers.push_back(number);
            if (!accept(',') && peek() != ')') fail("shape: expected ',' or ')'");
        }
        return numbers;
    }

    std::string_view text_;
    std::string place_;
    std::size_t at_ = 0;
};

/// The element type of `descr`; integers and void of the right width are taken as the type that the user named.
DataType element_type(std::string const& place, std::string const& descr, ReaderOptions const& options,
                      std::vector<std::string>& notes) {
    auto const fail = [&](std::string const& what) { throw InputError(place + ": " + what); };
    if (descr.size() < 2) fail("descr: expected an element type such as '<u2', found '" + excerpt(descr) + "'");
    std::string const type = descr.substr(1);
    if (type.starts_with("O")) fail("descr '" + excerpt(descr) + "': Python objects are not read (they need pickle)");
    if (descr[0] == '>' && type != "u1" && type != "i1") {
        fail("descr '" + excerpt(descr) + "': expected little-endian elements, found big-endian");
    }
    if (type == "f2") return DataType::fp16;
    if (type == "f4") return DataType::fp32;

    std::array<std::string_view, 6> constexpr kOpaque{"u1", "i1", "V1", "u2", "i2", "V2"};
    if (std::find(kOpaque.begin(), kOpaque.end(), type) == kOpaque.end()) {
        fail("descr '" + excerpt(descr) + "': expected f2, f4, or 1- or 2-byte integers or void with a dtype given");
    }
    std::size_t const width = type[1] == '1' ? 1 : 2;
    if (!options.dtype) {
        fail("descr '" + descr + "' does not say which floating-point type the bits are: give a dtype (" +
             (width == 2 ? "bf16 or fp16" : "fp8_e4m3 or fp8_e5m2") + ")");
    }
    if (element_bytes(*options.dtype) != width) {
        fail("descr '" + descr + "' has " + std::to_string(width) + "-byte elements, dtype " +
             enum_name(*options.dtype) + " has " + std::to_string(element_bytes(*options.dtype)));
    }
    notes.push_back(place + ": elements '" + descr + "' are taken as " + enum_name(*options.dtype));
    return *options.dtype;
}

}  // namespace

NpyHeader parse_npy_header(std::span<std::uint8_t const> bytes, std::string const& place) {
    auto const fail = [&](std::string const& what) { throw InputError(place + ": " + what); };
    std::size_t constexpr kShortest = kMagic.size() + 4;
    if (bytes.size() < kShortest || !std::equal(kMagic.begin(), kMagic.end(), bytes.begin())) {
        fail("byte 0: expected the magic of a .npy file");
    }
    unsigned const major = bytes[6];
    if (major < 1 || major > 3) {
        fail("byte 6: expected format version 1, 2 or 3, found " + std::to_string(major));
    }
    std::size_t const length_bytes = major == 1 ? 2 : 4;
    std::size_t const begin = kMagic.size() + 2 + length_bytes;
    if (bytes.size() < begin) fail("byte 8: the header length is cut off");
    std::size_t length = 0;
    for (std::size_t i = length_bytes; i-- > 0;) length = length << 8 | bytes[kMagic.size() + 2 + i];
    if (length > bytes.size() - begin) {
        fail("byte 8: a header of " + std::to_string(length) + " B does not fit in " + std::to_string(bytes.size()) +
             " B");
    }
    if (length > kMaximumHeader) {
        fail("byte 8: a header of " + std::to_string(length) + " B exceeds the limit of " +
             std::to_string(kMaximumHeader) + " B");
    }
    std::string_view const text(reinterpret_cast<char const*>(bytes.data()) + begin, length);
    NpyHeader header = DictLiteral(text, place).read();
    header.data_offset = begin + length;
    return header;
}

TensorRef npy_tensor(NpyHeader const& header, std::string const& key, std::string const& place, std::string const& file,
                     std::uint64_t data_size, ReaderOptions const& options, std::vector<std::string>& notes) {
    TensorRef tensor = named_tensor(key, file);
    tensor.dtype = element_type(place, header.descr, options, notes);
    tensor.shape = header.shape;
    if (!tensor_bytes(tensor.shape, 8 * element_bytes(tensor.dtype), tensor.size)) {
        throw InputError(place + ": shape " + shape_text(tensor.shape) + " leaves 64 bits");
    }
    if (tensor.size != data_size) {
        throw InputError(place + ": shape " + shape_text(tensor.shape) + " of '" + header.descr + "' takes " +
                         std::to_string(tensor.size) + " B, found " + std::to_string(data_size) +
                         " B behind the header");
    }
    return tensor;
}

void set_npy_data(TensorRef& tensor, NpyHeader const& header, std::shared_ptr<TensorData const> storage) {
    std::vector<std::uint64_t> strides;
    std::uint64_t stride = 1;
    for (std::uint64_t const dimension : header.shape) {
        strides.push_back(stride);
        stride *= dimension;
    }
    if (header.fortran_order && !is_row_major(header.shape, strides)) {
        storage = strided_tensor(std::move(storage), 0, header.shape, std::move(strides), element_bytes(tensor.dtype));
    }
    tensor.data = std::move(storage);
}

TensorList read_npy(std::shared_ptr<MappedFile const> const& file, ReaderOptions const& options) {
    TensorList list;
    NpyHeader const header = parse_npy_header(file->bytes(), file->name());
    std::string const stem = std::filesystem::path(file->name()).stem().string();
    TensorRef tensor = npy_tensor(header, stem, file->name(), file->name(), file->bytes().size() - header.data_offset,
                                  options, list.notes);
    tensor.offset = header.data_offset;
    set_npy_data(tensor, header, mapped_tensor(file, header.data_offset));
    list.tensors.push_back(std::move(tensor));
    return list;
}

}  // namespace netzip
