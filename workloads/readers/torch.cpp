#include "workloads/readers/torch.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "base/error.h"
#include "workloads/readers/excerpt.h"
#include "workloads/readers/name.h"
#include "workloads/readers/pickle.h"
#include "workloads/readers/reader.h"
#include "workloads/readers/zip_archive.h"

namespace netzip {
namespace {

using Kind = PickleValue::Kind;

constexpr std::string_view kRebuildTensor = "torch._utils._rebuild_tensor_v2";
constexpr std::string_view kRebuildParameter = "torch._utils._rebuild_parameter";
constexpr std::string_view kLoadFromBytes = "torch.storage._load_from_bytes";
constexpr unsigned kDeepest = 64;                  ///< lists and dicts within each other
constexpr std::size_t kMaximumVisits = 4'000'000;  ///< values seen in all, also the same one again

struct StorageClass {
    std::string_view name;
    std::uint64_t item;  ///< bytes
    std::optional<DataType> type;
};
constexpr std::array kStorageClasses{
    StorageClass{"torch.BFloat16Storage", 2, DataType::bf16},  StorageClass{"torch.HalfStorage", 2, DataType::fp16},
    StorageClass{"torch.FloatStorage", 4, DataType::fp32},     StorageClass{"torch.DoubleStorage", 8, std::nullopt},
    StorageClass{"torch.LongStorage", 8, std::nullopt},        StorageClass{"torch.IntStorage", 4, std::nullopt},
    StorageClass{"torch.ShortStorage", 2, std::nullopt},       StorageClass{"torch.CharStorage", 1, std::nullopt},
    StorageClass{"torch.ByteStorage", 1, std::nullopt},        StorageClass{"torch.BoolStorage", 1, std::nullopt},
    StorageClass{"torch.ComplexFloatStorage", 8, std::nullopt}};

struct Storage {
    StorageClass kind;
    std::uint64_t elements = 0;
    std::shared_ptr<TensorData const> data;
    std::optional<std::uint64_t> offset;  ///< in the file, when it stands there in one piece
};

/// ('storage', class, key, location, elements[, view]) of a persistent identifier.
struct StorageId {
    StorageClass kind;
    std::string key;
    std::uint64_t elements = 0;
};

StorageId storage_id(PickleReader const& pickle, PickleValue const& value) {
    auto const fail = [&](std::string const& what) { pickle.fail(pickle.position(), what); };
    static PickleValue const nothing;
    PickleValue const& id = value.kind == Kind::persistent ? *value.items[0] : nothing;
    if (id.kind != Kind::tuple || id.items.size() < 5 || id.items[0]->text != "storage" ||
        id.items[1]->kind != Kind::global || id.items[2]->kind != Kind::text || id.items[4]->kind != Kind::integer ||
        id.items[4]->integer < 0) {
        fail("expected a reference to a storage: ('storage', class, key, device, elements)");
    }
    if (id.items.size() > 5 && id.items[5]->kind != Kind::none) fail("storages that are views are not read");
    auto const known = std::find_if(kStorageClasses.begin(), kStorageClasses.end(),
                                    [&](StorageClass const& c) { return c.name == id.items[1]->text; });
    if (known == kStorageClasses.end()) fail("unsupported element type " + excerpt(id.items[1]->text));
    return {*known, id.items[2]->text, static_cast<std::uint64_t>(id.items[4]->integer)};
}

/// Where the storages of one pickle are found.
using FindStorage = std::function<Storage(PickleValue const&)>;

/// Turns the object of a pickle into tensors: lists, tuples and dicts are walked, other values are passed over.
class TensorWalk {
public:
    TensorWalk(PickleReader const& pickle, std::string file, FindStorage find, TensorList& list)
        : pickle_(pickle), file_(std::move(file)), find_(std::move(find)), list_(list) {}

    void walk(PickleValue const& value, std::string const& name, unsigned depth = 0) {
        if (depth > kDeepest) fail("lists and dicts are nested deeper than 64 levels");
        if (++visits_ > kMaximumVisits) fail("more than 4,000,000 objects");
        if (value.is_call(kRebuildParameter)) {
            auto const& arguments = value.items[1]->items;
            if (arguments.empty()) fail("a parameter without a tensor");
            walk(*arguments[0], name, depth + 1);
        } else if (value.is_call(kRebuildTensor)) {
            add(value.items[1]->items, name);
        } else if (value.kind == Kind::list || value.kind == Kind::tuple) {
            for (std::size_t i = 0; i < value.items.size(); ++i) {
                walk(*value.items[i], name + "[" + std::to_string(i) + "]", depth + 1);
            }
        } else if (value.kind == Kind::dict) {
            for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
                walk(*value.items[i + 1], key_name(name, *value.items[i], depth), depth + 1);
            }
        }
    }

private:
    [[noreturn]] void fail(std::string const& what) const { pickle_.fail(pickle_.position(), what); }

    static std::string key_name(std::string const& name, PickleValue const& key, unsigned depth) {
        std::string const text = key.kind == Kind::text ? key.text : std::to_string(key.integer);
        return depth == 0 ? text : name + "." + text;
    }

    std::vector<std::uint64_t> numbers(PickleValue const& tuple) const {
        std::vector<std::uint64_t> out;
        for (PickleValue const* item : tuple.items) {
            if (item->kind != Kind::integer || item->integer < 0)
                fail("expected sizes and strides that are not negative");
            out.push_back(static_cast<std::uint64_t>(item->integer));
        }
        return out;
    }

    void add(std::vector<PickleValue const*> const& arguments, std::string const& name) {
        if (arguments.size() < 4 || arguments[1]->kind != Kind::integer || arguments[1]->integer < 0) {
            fail("expected a tensor of storage, offset, size and stride");
        }
        Storage const storage = find_(*arguments[0]);
        auto start = static_cast<std::uint64_t>(arguments[1]->integer);
        TensorRef tensor = named_tensor(name, file_);
        tensor.shape = numbers(*arguments[2]);
        std::vector<std::uint64_t> const strides = numbers(*arguments[3]);
        if (strides.size() != tensor.shape.size()) fail("tensor \"" + excerpt(name) + "\" has sizes without strides");
        if (!tensor_bytes(tensor.shape, 8 * storage.kind.item, tensor.size)) {
            fail("tensor \"" + excerpt(name) + "\" of shape " + shape_text(tensor.shape) + " leaves 64 bits");
        }
        if (tensor.size == 0) start = 0;  // nothing lies anywhere
        check_bounds(tensor, start, strides, storage);
        if (!storage.kind.type) {
            list_.notes.push_back(file_ + ": tensor \"" + excerpt(name) + "\" of " + std::string(storage.kind.name) +
                                  " is left out: not a floating-point type of ours");
            return;
        }
        tensor.dtype = *storage.kind.type;
        tensor.data = is_row_major(tensor.shape, strides)
                          ? tensor_at(storage.data, start * storage.kind.item)
                          : strided_tensor(storage.data, start, tensor.shape, strides, storage.kind.item);
        if (storage.offset && is_row_major(tensor.shape, strides))
            tensor.offset = *storage.offset + start * storage.kind.item;
        list_.tensors.push_back(std::move(tensor));
    }

    void check_bounds(TensorRef const& tensor, std::uint64_t start, std::vector<std::uint64_t> const& strides,
                      Storage const& storage) const {
        if (tensor.size == 0) return;
        std::uint64_t last = start;
        for (std::size_t i = 0; i < strides.size(); ++i) {
            std::uint64_t reach = 0;
            if (__builtin_mul_overflow(tensor.shape[i] - 1, strides[i], &reach) ||
                __builtin_add_overflow(last, reach, &last)) {
                last = ~std::uint64_t{0};
                break;
            }
        }
        if (last >= storage.elements) {
            fail("tensor \"" + excerpt(tensor.name) + "\" of shape " + shape_text(tensor.shape) +
                 " leaves its storage of " + std::to_string(storage.elements) + " elements");
        }
        if (tensor.size / storage.kind.item > storage.elements) {
            fail("tensor \"" + excerpt(tensor.name) +
                 "\" repeats elements of its storage (expanded); save a copy of it");
        }
    }

    PickleReader const& pickle_;
    std::string file_;
    FindStorage find_;
    TensorList& list_;
    std::size_t visits_ = 0;
};

/// A stream of torch.save without zip: magic, version, system, object, list of keys, raw storages.
class LegacyStream {
public:
    LegacyStream(std::shared_ptr<MappedFile const> file, std::size_t begin, std::size_t size)
        : file_(std::move(file)), begin_(begin), pickle_(file_->bytes().subspan(begin, size), begin, file_->name()) {
        pickle_.read();  // magic, told apart before
        PickleValue const& version = pickle_.read();
        if (version.kind != Kind::integer || version.integer != kVersion)
            fail("expected version 1001 of a torch stream");
        check_system(pickle_.read());
        object_ = &pickle_.read();
        PickleValue const& keys = pickle_.read();
        if (keys.kind != Kind::list) fail("expected the list of storage keys");
        std::size_t at = pickle_.position();
        std::size_t visits = 0;
        find_ids(*object_, 0, visits);
        for (PickleValue const* key : keys.items) at = locate(*key, at, size);
    }

    PickleReader const& pickle() const { return pickle_; }
    PickleValue const& object() const { return *object_; }

    Storage storage(PickleValue const& value) const {
        StorageId const id = storage_id(pickle_, value);
        auto const found = offsets_.find(id.key);
        if (found == offsets_.end()) fail("storage \"" + excerpt(id.key) + "\" is not in the stream");
        return {id.kind, id.elements, mapped_tensor(file_, found->second), found->second};
    }

private:
    static constexpr std::int64_t kVersion = 1001;
    static constexpr std::size_t kCountBytes = 8;

    [[noreturn]] void fail(std::string const& what) const { pickle_.fail(pickle_.position(), what); }

    void check_system(PickleValue const& system) const {
        if (system.kind != Kind::dict) fail("expected the description of the system");
        for (std::size_t i = 0; i + 1 < system.items.size(); i += 2) {
            if (system.items[i]->text == "little_endian" && system.items[i + 1]->integer == 0) {
                fail("expected little-endian data, found big-endian");
            }
        }
    }

    /// Notes the size of every storage that the object refers to: the raw part does not say the element size.
    void find_ids(PickleValue const& value, unsigned depth, std::size_t& visits) {
        if (depth > kDeepest) fail("lists and dicts are nested deeper than 64 levels");
        if (++visits > kMaximumVisits) fail("more than 4,000,000 objects");
        if (value.kind == Kind::persistent) {
            StorageId const id = storage_id(pickle_, value);
            auto const [at, is_new] = ids_.try_emplace(id.key, id);
            if (!is_new && (at->second.elements != id.elements || at->second.kind.name != id.kind.name)) {
                fail("storage \"" + excerpt(id.key) + "\" has two sizes or types");
            }
            return;
        }
        for (PickleValue const* item : value.items) find_ids(*item, depth + 1, visits);
    }

    /// Checks one raw storage at `at` and returns where the next one begins.
    std::size_t locate(PickleValue const& key, std::size_t at, std::size_t size) {
        auto const found = ids_.find(key.text);
        if (key.kind != Kind::text || found == ids_.end()) fail("storage key \"" + excerpt(key.text) + "\" is unknown");
        if (size - at < kCountBytes) pickle_.fail(at, "the storage \"" + excerpt(key.text) + "\" is cut off");
        std::uint64_t count = 0;
        for (std::size_t i = kCountBytes; i-- > 0;) count = count << 8 | file_->bytes()[begin_ + at + i];
        if (count != found->second.elements) {
            pickle_.fail(at, "storage \"" + excerpt(key.text) + "\" has " + std::to_string(count) +
                                 " elements, expected " + std::to_string(found->second.elements));
        }
        at += kCountBytes;
        if (count > (size - at) / found->second.kind.item) {
            pickle_.fail(at, "storage \"" + excerpt(key.text) + "\" of " + std::to_string(count) +
                                 " elements does not fit in the remaining " + std::to_string(size - at) + " B");
        }
        offsets_[key.text] = begin_ + at;
        return at + count * found->second.kind.item;
    }

    std::shared_ptr<MappedFile const> file_;
    std::size_t begin_;
    PickleReader pickle_;
    PickleValue const* object_ = nullptr;
    std::map<std::string, StorageId> ids_;
    std::map<std::string, std::size_t> offsets_;
};

std::string stem(MappedFile const& file) {
    return std::filesystem::path(file.name()).stem().string();
}

void refuse_empty(MappedFile const& file, TensorList const& list) {
    if (list.tensors.empty() && list.notes.empty()) throw InputError(file.name() + ": holds no tensor");
}

}  // namespace

TensorList read_torch_legacy(std::shared_ptr<MappedFile const> const& file, ReaderOptions const&) {
    TensorList list;
    LegacyStream const stream(file, 0, file->bytes().size());
    auto const find = [&](PickleValue const& value) { return stream.storage(value); };
    TensorWalk(stream.pickle(), file->name(), find, list).walk(stream.object(), stem(*file));
    refuse_empty(*file, list);
    return list;
}

TensorList read_pickle(std::shared_ptr<MappedFile const> const& file, ReaderOptions const&) {
    TensorList list;
    PickleReader pickle(file->bytes(), 0, file->name());
    PickleValue const& object = pickle.read();
    // Each storage is a whole legacy stream of its own inside a bytes object.
    auto const find = [&](PickleValue const& value) {
        if (!value.is_call(kLoadFromBytes) || value.items[1]->items.size() != 1 ||
            value.items[1]->items[0]->kind != Kind::bytes) {
            pickle.fail(pickle.position(), "expected a storage as torch.storage._load_from_bytes(bytes)");
        }
        PickleValue const& bytes = *value.items[1]->items[0];
        LegacyStream const stream(file, bytes.offset, bytes.bytes.size());
        return stream.storage(stream.object());
    };
    TensorWalk(pickle, file->name(), find, list).walk(object, stem(*file));
    refuse_empty(*file, list);
    return list;
}

TensorList read_torch_zip(std::shared_ptr<MappedFile const> const& file,
                          std::shared_ptr<ZipArchive const> const& archive, std::string const& root) {
    TensorList list;
    auto const fail = [&](std::string const& what) { throw InputError(file->name() + ": " + what); };
    auto const read = [&](std::string const& name) {
        auto const member = static_cast<std::size_t>(archive->find(name));
        return archive->head(member, archive->members()[member].size);
    };
    if (archive->find(root + "byteorder") >= 0) {
        auto const order = read(root + "byteorder");
        if (std::string(order.begin(), order.end()) != "little")
            fail("expected little-endian data, found another order");
    }
    std::vector<std::uint8_t> const object_bytes = read(root + "data.pkl");
    PickleReader pickle(object_bytes, 0, file->name() + ": data.pkl");
    PickleValue const& object = pickle.read();
    auto const find = [&](PickleValue const& value) {
        StorageId const id = storage_id(pickle, value);
        std::int64_t const member = archive->find(root + "data/" + id.key);
        if (member < 0) fail("the archive has no storage data/" + excerpt(id.key));
        auto const index = static_cast<std::size_t>(member);
        std::uint64_t const size = archive->members()[index].size;
        if (size / id.kind.item != id.elements || size % id.kind.item != 0) {
            fail("storage data/" + excerpt(id.key) + " has " + std::to_string(size) + " B, expected " +
                 std::to_string(id.elements) + " elements of " + std::to_string(id.kind.item) + " B");
        }
        return Storage{id.kind, id.elements, archive->data(index, 0), std::nullopt};
    };
    TensorWalk(pickle, file->name(), find, list).walk(object, stem(*file));
    refuse_empty(*file, list);
    return list;
}

}  // namespace netzip
