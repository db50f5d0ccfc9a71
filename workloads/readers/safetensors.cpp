#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "workloads/readers/json.h"
#include "workloads/readers/name.h"
#include "workloads/readers/reader.h"

namespace netzip {
namespace {

using nlohmann::json;

constexpr std::size_t kLengthBytes = 8;
constexpr std::string_view kMetadata = "__metadata__";

/// Every element type of the format; only some are floating point of a kind that can be compressed here.
struct SafetensorsType {
    std::string_view name;
    std::uint64_t bits;
    std::optional<DataType> type;
};
constexpr std::array kTypes{
    SafetensorsType{"BF16", 16, DataType::bf16},
    SafetensorsType{"F16", 16, DataType::fp16},
    SafetensorsType{"F32", 32, DataType::fp32},
    SafetensorsType{"F8_E4M3", 8, DataType::fp8_e4m3},
    SafetensorsType{"F8_E5M2", 8, DataType::fp8_e5m2},
    SafetensorsType{"F8_E8M0", 8, std::nullopt},
    SafetensorsType{"F6_E2M3", 6, std::nullopt},
    SafetensorsType{"F6_E3M2", 6, std::nullopt},
    SafetensorsType{"F4", 4, std::nullopt},
    SafetensorsType{"BOOL", 8, std::nullopt},
    SafetensorsType{"U8", 8, std::nullopt},
    SafetensorsType{"I8", 8, std::nullopt},
    SafetensorsType{"I16", 16, std::nullopt},
    SafetensorsType{"U16", 16, std::nullopt},
    SafetensorsType{"I32", 32, std::nullopt},
    SafetensorsType{"U32", 32, std::nullopt},
    SafetensorsType{"F64", 64, std::nullopt},
    SafetensorsType{"I64", 64, std::nullopt},
    SafetensorsType{"U64", 64, std::nullopt},
    SafetensorsType{"C64", 64, std::nullopt},
};

struct Entry {
    std::string name;
    SafetensorsType type;
    std::vector<std::uint64_t> shape;
    std::uint64_t begin;
    std::uint64_t end;
};

/// Reads one header; all problems of the entries are collected.
class Header {
public:
    Header(MappedFile const& file, ReaderOptions const& options) : name_(file.name()) {
        auto const bytes = file.bytes();
        if (bytes.size() < kLengthBytes)
            fail("expected 8 B of header length, found a file of " + size_text(bytes.size()));
        std::uint64_t length = 0;
        for (std::size_t i = kLengthBytes; i-- > 0;) length = length << 8 | bytes[i];
        if (length > bytes.size() - kLengthBytes) {
            fail("byte 0: a header of " + size_text(length) + " does not fit in a file of " + size_text(bytes.size()));
        }
        if (length > options.header_limit) {
            fail("byte 0: a header of " + size_text(length) + " exceeds the limit of " +
                 size_text(options.header_limit));
        }
        if (length == 0 || bytes[kLengthBytes] != '{') fail("byte 8: expected the '{' of a JSON header");
        data_begin_ = kLengthBytes + length;
        data_size_ = bytes.size() - data_begin_;
        json const header = parse_json(bytes.subspan(kLengthBytes, length), name_, kLengthBytes);
        for (auto const& [key, value] : header.items()) {
            if (key == kMetadata) {
                check_metadata(value);
            } else {
                read_entry(key, value);
            }
        }
        problems_.throw_if_any<InputError>();
        check_tiling(options.allow_trailing);
        problems_.throw_if_any<InputError>();
    }

    std::vector<Entry> const& entries() const { return entries_; }
    std::uint64_t data_begin() const { return data_begin_; }

private:
    static std::string size_text(std::uint64_t bytes) { return std::to_string(bytes) + " B"; }
    [[noreturn]] void fail(std::string const& what) const { throw InputError(name_ + ": " + what); }
    void problem(std::string const& tensor, std::string const& what) {
        problems_.add(name_ + ": tensor \"" + excerpt(tensor) + "\": " + what);
    }

    void check_metadata(json const& value) {
        if (!value.is_object()) {
            problems_.add(name_ + ": __metadata__: expected an object of strings, found " + json_excerpt(value));
            return;
        }
        for (auto const& [key, text] : value.items()) {
            if (!text.is_string()) {
                problems_.add(name_ + ": __metadata__." + excerpt(key) + ": expected a string, found " +
                              json_excerpt(text));
            }
        }
    }

    void read_entry(std::string const& tensor, json const& value) {
        if (!value.is_object()) return problem(tensor, "expected an object, found " + json_excerpt(value));
        Entry entry{tensor, {}, {}, 0, 0};
        for (char const* key : {"dtype", "shape", "data_offsets"}) {
            if (!value.contains(key)) return problem(tensor, std::string(key) + " is missing");
        }
        json const& dtype = value["dtype"];
        auto const type = std::find_if(kTypes.begin(), kTypes.end(), [&](SafetensorsType const& known) {
            return dtype.is_string() && dtype.get_ref<std::string const&>() == known.name;
        });
        if (type == kTypes.end()) return problem(tensor, "unknown dtype " + json_excerpt(dtype));
        entry.type = *type;

        if (!read_numbers(value["shape"], entry.shape)) {
            return problem(tensor, "shape: expected an array of whole numbers, found " + json_excerpt(value["shape"]));
        }
        std::vector<std::uint64_t> offsets;
        if (!read_numbers(value["data_offsets"], offsets) || offsets.size() != 2) {
            return problem(tensor,
                           "data_offsets: expected two whole numbers, found " + json_excerpt(value["data_offsets"]));
        }
        entry.begin = offsets[0];
        entry.end = offsets[1];
        check_entry(entry);
        entries_.push_back(std::move(entry));
    }

    static bool read_numbers(json const& array, std::vector<std::uint64_t>& out) {
        if (!array.is_array()) return false;
        for (json const& number : array) {
            if (!number.is_number_unsigned()) return false;
            out.push_back(number.get<std::uint64_t>());
        }
        return true;
    }

    void check_entry(Entry const& entry) {
        std::string const range = "[" + std::to_string(entry.begin) + ", " + std::to_string(entry.end) + ")";
        std::uint64_t bytes = 0;
        if (entry.begin > entry.end) {
            problem(entry.name, "data_offsets " + range + " end before they begin");
        } else if (entry.end > data_size_) {
            problem(entry.name, "data_offsets " + range + " leave the " + size_text(data_size_) + " of data");
        } else if (!tensor_bytes(entry.shape, entry.type.bits, bytes)) {
            problem(entry.name, "shape " + shape_text(entry.shape) + " of " + std::string(entry.type.name) +
                                    " is no whole number of bytes below 2^64");
        } else if (bytes != entry.end - entry.begin) {
            problem(entry.name, "shape " + shape_text(entry.shape) + " of " + std::string(entry.type.name) + " takes " +
                                    size_text(bytes) + ", data_offsets " + range + " hold " +
                                    size_text(entry.end - entry.begin));
        }
    }

    /// Sorted by offset the tensors cover the data without a hole, an overlap or a rest.
    void check_tiling(bool allow_trailing) {
        std::sort(entries_.begin(), entries_.end(), [](Entry const& a, Entry const& b) {
            return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
        });
        std::uint64_t covered = 0;
        for (Entry const& entry : entries_) {
            if (entry.begin != covered) {
                problem(entry.name, std::string("begins at ") + std::to_string(entry.begin) + ", expected " +
                                        std::to_string(covered) +
                                        (entry.begin < covered ? " (tensors overlap)" : " (hole between tensors)"));
            }
            covered = std::max(covered, entry.end);
        }
        if (problems_.empty() && covered != data_size_ && !allow_trailing) {
            problems_.add(name_ + ": byte " + std::to_string(data_begin_ + covered) + ": " +
                          size_text(data_size_ - covered) + " follow the last tensor");
        }
    }

    std::string name_;
    std::uint64_t data_begin_ = 0;
    std::uint64_t data_size_ = 0;
    std::vector<Entry> entries_;
    Problems problems_;
};

}  // namespace

TensorList read_safetensors(std::shared_ptr<MappedFile const> const& file, ReaderOptions const& options) {
    Header const header(*file, options);
    TensorList list;
    for (Entry const& entry : header.entries()) {
        if (!entry.type.type) {
            list.notes.push_back(file->name() + ": tensor \"" + excerpt(entry.name) + "\" of " +
                                 std::string(entry.type.name) + " is left out: not a floating-point type of ours");
            continue;
        }
        TensorRef tensor = named_tensor(entry.name, file->name());
        tensor.dtype = *entry.type.type;
        tensor.shape = entry.shape;
        tensor.size = entry.end - entry.begin;
        tensor.offset = header.data_begin() + entry.begin;
        tensor.data = mapped_tensor(file, header.data_begin() + entry.begin);
        list.tensors.push_back(std::move(tensor));
    }
    return list;
}

}  // namespace netzip
