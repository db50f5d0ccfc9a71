#include "workloads/readers/manifest.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/sha256.h"
#include "workloads/readers/json.h"
#include "workloads/readers/name.h"

namespace netzip {
namespace {

using nlohmann::json;

/// Upper- and lower-case spellings of a type: "BF16", "bf16".
std::optional<DataType> parse_dtype(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    for (auto const& [type, name] : EnumNames<DataType>::values) {
        if (text == name) return type;
    }
    if (text == "f16") return DataType::fp16;
    if (text == "f32") return DataType::fp32;
    if (text == "f8_e4m3") return DataType::fp8_e4m3;
    if (text == "f8_e5m2") return DataType::fp8_e5m2;
    return std::nullopt;
}

/// One entry: its fields, read once, with every problem noted.
class Entry {
public:
    Entry(json const& value, std::string place, Problems& problems)
        : value_(value), place_(std::move(place)), problems_(problems) {}

    void problem(std::string const& what) const { problems_.add(place_ + ": " + what); }

    std::string text(char const* key, bool required) const {
        auto const found = value_.find(key);
        if (found == value_.end()) {
            if (required) problem(std::string(key) + " is missing");
            return {};
        }
        if (found->is_string()) return found->get<std::string>();
        problem(std::string(key) + ": expected a string, found " + json_excerpt(*found));
        return {};
    }

    std::optional<std::uint64_t> number(char const* key) const {
        auto const found = value_.find(key);
        if (found == value_.end()) return std::nullopt;
        if (found->is_number_unsigned()) return found->get<std::uint64_t>();
        problem(std::string(key) + ": expected a whole number, found " + json_excerpt(*found));
        return std::nullopt;
    }

    int layer(int otherwise) const {
        auto const found = value_.find("layer");
        if (found == value_.end() || found->is_null()) return otherwise;
        if (found->is_number_integer() && *found >= -1 && *found <= 1'000'000) return found->get<int>();
        problem("layer: expected a whole number from -1 on, found " + json_excerpt(*found));
        return otherwise;
    }

private:
    json const& value_;
    std::string place_;
    Problems& problems_;
};

class ManifestReader {
public:
    ManifestReader(std::filesystem::path const& path, ReaderOptions const& options, bool verify)
        : directory_(path.parent_path()), options_(options), verify_(verify) {
        auto const file = MappedFile::open(path);
        name_ = file->name();
        json const manifest = parse_json(file->bytes(), name_, 0);
        if (!manifest.is_object() || !manifest.contains("tensors") || !manifest["tensors"].is_array()) {
            throw InputError(name_ + ": expected an object with an array \"tensors\"");
        }
        std::size_t index = 0;
        for (json const& value : manifest["tensors"]) read_entry(value, index++);
        if (index == 0) problems_.add(name_ + ": tensors: the list is empty");
        problems_.throw_if_any<InputError>();
    }

    TensorList take() { return std::move(list_); }

private:
    void read_entry(json const& value, std::size_t index) {
        std::string const place = name_ + ": tensors[" + std::to_string(index) + "]";
        if (!value.is_object()) return problems_.add(place + ": expected an object, found " + json_excerpt(value));
        Entry const entry(value, place, problems_);
        std::string const file = entry.text("file", true);
        std::string const name = entry.text("name", true);
        if (file.empty() || name.empty()) return;

        std::string const dtype_text = entry.text("dtype", false);
        std::optional<DataType> const dtype = dtype_text.empty() ? std::nullopt : parse_dtype(dtype_text);
        if (!dtype_text.empty() && !dtype) return entry.problem("unknown dtype \"" + excerpt(dtype_text) + "\"");

        TensorRef const* const found = find(entry, file, entry.text("tensor", false), dtype);
        if (found == nullptr) return;
        TensorRef tensor = *found;
        tensor.name = name;
        if (std::string const kind = entry.text("kind", false); !kind.empty()) tensor.kind = kind;
        tensor.phase = entry.text("phase", false);
        tensor.layer = entry.layer(model_layer(name));
        tensor.iteration =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(entry.number("iteration").value_or(0), ~0u));
        check(entry, tensor, dtype, value);
        list_.tensors.push_back(std::move(tensor));
    }

    /// The tensor `key` of `file`, or the only one when no key is given.
    TensorRef const* find(Entry const& entry, std::string const& file, std::string const& key,
                          std::optional<DataType> dtype) {
        TensorList const* const list = open(entry, file, dtype);
        if (list == nullptr) return nullptr;
        if (key.empty()) {
            if (list->tensors.size() == 1) return &list->tensors.front();
            entry.problem("tensor is missing, and " + file + " holds " + std::to_string(list->tensors.size()) +
                          " tensors, expected 1");
            return nullptr;
        }
        TensorRef const wanted = named_tensor(key, file);
        for (TensorRef const& tensor : list->tensors) {
            if (tensor.name == wanted.name && tensor.kind == wanted.kind) return &tensor;
        }
        entry.problem(file + " holds no tensor \"" + excerpt(key) + "\"");
        return nullptr;
    }

    /// The listing of a file, read once per file and type; null, noted once, when the file is unusable.
    TensorList const* open(Entry const& entry, std::string const& file, std::optional<DataType> dtype) {
        auto const [at, is_new] = files_.try_emplace({file, dtype});
        if (is_new) {
            try {
                ReaderOptions options = options_;
                if (dtype) options.dtype = dtype;
                at->second = read_tensor_file(directory_ / file, options);
            } catch (InputError const& e) {
                entry.problem(e.what());
            }
        }
        return at->second ? &*at->second : nullptr;
    }

    void check(Entry const& entry, TensorRef const& tensor, std::optional<DataType> dtype, json const& value) {
        if (dtype && *dtype != tensor.dtype) {
            entry.problem("dtype " + enum_name(*dtype) + ", but " + tensor.file + " holds " + enum_name(tensor.dtype));
        }
        if (auto const size = entry.number("nbytes"); size && *size != tensor.size) {
            entry.problem("nbytes " + std::to_string(*size) + ", but " + tensor.file + " holds " +
                          std::to_string(tensor.size) + " B");
        }
        if (value.contains("shape") && value["shape"] != json(tensor.shape)) {
            entry.problem("shape " + json_excerpt(value["shape"]) + ", but " + tensor.file + " holds " +
                          shape_text(tensor.shape));
        }
        if (auto const offset = entry.number("offset"); offset && tensor.offset && *offset != *tensor.offset) {
            entry.problem("offset " + std::to_string(*offset) + ", but in " + tensor.file + " the data begin at " +
                          std::to_string(*tensor.offset));
        }
        std::string const sha256 = verify_ ? entry.text("sha256", true) : std::string();
        if (sha256.empty()) return;
        std::string const found = tensor_sha256(tensor);
        if (found != sha256) entry.problem("sha256 " + excerpt(sha256) + ", but the bytes give " + found);
    }

    static std::string tensor_sha256(TensorRef const& tensor) {
        std::uint64_t constexpr kPiece = 1 << 20;
        Sha256 hash;
        for (std::uint64_t at = 0; at < tensor.size; at += kPiece) {
            hash.add(tensor.load(at, std::min(kPiece, tensor.size - at)).bytes);
        }
        return hash.hex();
    }

    std::filesystem::path directory_;
    ReaderOptions options_;
    bool verify_;
    std::string name_;
    std::map<std::pair<std::string, std::optional<DataType>>, std::optional<TensorList>> files_;
    TensorList list_;
    Problems problems_;
};

}  // namespace

TensorList read_manifest(std::filesystem::path const& path, ReaderOptions const& options, bool verify) {
    return ManifestReader(path, options, verify).take();
}

}  // namespace netzip
