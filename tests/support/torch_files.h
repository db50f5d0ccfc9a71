#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/tensor_files.h"

// Byte for byte what torch 1.13 and NumPy write, without either of them.
namespace netzip::torch {

inline std::string text(std::string const& value) {
    return "X" + little_endian(value.size(), 4) + value;
}
inline std::string integer(std::uint64_t value) {
    if (value < 256) return "K" + little_endian(value, 1);
    return value < 65536 ? "M" + little_endian(value, 2) : "J" + little_endian(value, 4);
}
inline std::string global(std::string const& module, std::string const& name) {
    return "c" + module + "\n" + name + "\n";
}
inline std::string tuple(std::vector<std::string> const& items) {
    std::string all = "(";
    for (std::string const& item : items) all += item;
    return all + "t";
}
inline std::string numbers(std::vector<std::uint64_t> const& values) {
    std::string all = "(";
    for (std::uint64_t const value : values) all += integer(value);
    return all + "t";
}
inline std::string dict(std::vector<std::pair<std::string, std::string>> const& items) {
    std::string all = "}(";
    for (auto const& [key, value] : items) all += text(key) + value;
    return all + "u";
}
inline std::string list(std::vector<std::string> const& items) {
    std::string all = "](";
    for (std::string const& item : items) all += item;
    return all + "e";
}
/// A pickle of protocol 2.
inline std::string pickle(std::string const& object) {
    return "\x80\x02" + object + ".";
}

/// ('storage', class, key, 'cpu', elements) as a persistent identifier.
inline std::string storage(std::string const& kind, std::string const& key, std::uint64_t elements, bool view = false) {
    std::vector<std::string> items{text("storage"), global("torch", kind + "Storage"), text(key), text("cpu"),
                                   integer(elements)};
    if (view) items.push_back("N");
    return tuple(items) + "Q";
}

inline std::string tensor(std::string const& storage, std::uint64_t offset, std::vector<std::uint64_t> const& size,
                          std::vector<std::uint64_t> const& stride) {
    return global("torch._utils", "_rebuild_tensor_v2") +
           tuple({storage, integer(offset), numbers(size), numbers(stride), "\x89",
                  global("collections", "OrderedDict") + ")R"}) +
           "R";
}

struct RawStorage {
    std::string key;
    std::uint64_t elements;
    std::string bytes;
};

/// torch.save without zip; the dict of the system as torch 1.13 writes it, with its memo.
inline std::string legacy_stream(std::string const& object, std::vector<RawStorage> const& storages) {
    std::string stream = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02M\xe9\x03.";
    auto const memo = [](int index) { return "q" + little_endian(static_cast<std::uint64_t>(index), 1); };
    stream += "\x80\x02}" + memo(0) + "(" + text("protocol_version") + memo(1) + "M\xe9\x03" + text("little_endian") +
              memo(2) + "\x88" + text("type_sizes") + memo(3) + "}" + memo(4) + "(" + text("short") + memo(5) +
              integer(2) + text("int") + memo(6) + integer(4) + text("long") + memo(7) + integer(4) + "uu.";
    stream += pickle(object);
    std::vector<std::string> keys;
    for (RawStorage const& raw : storages) keys.push_back(text(raw.key));
    stream += pickle(list(keys));
    for (RawStorage const& raw : storages) stream += little_endian(raw.elements, 8) + raw.bytes;
    return stream;
}

/// `pickle.dump(tensor)`, protocol 4: the storage is a legacy stream in a bytes object.
inline std::string pickled_tensor(std::string const& stream, std::uint64_t offset,
                                  std::vector<std::uint64_t> const& size, std::vector<std::uint64_t> const& stride) {
    auto const word = [](std::string const& value) { return "\x8c" + little_endian(value.size(), 1) + value + "\x94"; };
    auto const memoized = [&](std::vector<std::uint64_t> const& values) {
        std::string all = values.size() > 3 ? "(" : "";
        for (std::uint64_t const value : values) all += integer(value);
        char const* const tuples[] = {")", "\x85\x94", "\x86\x94", "\x87\x94"};
        return all + (values.size() > 3 ? "t\x94" : tuples[values.size()]);
    };
    std::string const body = word("torch._utils") + word("_rebuild_tensor_v2") + "\x93\x94(" + word("torch.storage") +
                             word("_load_from_bytes") + "\x93\x94" + "B" + little_endian(stream.size(), 4) + stream +
                             "\x94\x85\x94R\x94" + integer(offset) + memoized(size) + memoized(stride) + "\x89" +
                             word("collections") + word("OrderedDict") + "\x93\x94)R\x94t\x94R\x94.";
    return "\x80\x04\x95" + little_endian(body.size(), 8) + body;
}

inline std::uint32_t crc32(std::string const& bytes) {
    std::uint32_t crc = 0xffffffff;
    for (char const c : bytes) {
        crc ^= static_cast<std::uint8_t>(c);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc % 2 == 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

/// Deflate without compression: blocks of at most 65,535 B that say their length twice (RFC 1951, 3.2.4).
inline std::string deflate_stored(std::string const& bytes) {
    std::string out;
    for (std::size_t at = 0; at < bytes.size(); at += 65535) {
        std::string const block = bytes.substr(at, 65535);
        out += little_endian(at + block.size() == bytes.size() ? 1 : 0, 1) + little_endian(block.size(), 2) +
               little_endian(~block.size(), 2) + block;
    }
    return out;
}

struct ZipMember {
    std::string name;
    std::string bytes;
    bool deflate = false;
};

/// A ZIP file as torch writes it: sizes only behind the data (flag 0x808) and in the central directory.
inline std::string zip_file(std::vector<ZipMember> const& members) {
    std::string file;
    std::string directory;
    for (ZipMember const& member : members) {
        std::string const packed = member.deflate ? deflate_stored(member.bytes) : member.bytes;
        std::string const sizes = little_endian(crc32(member.bytes), 4) + little_endian(packed.size(), 4) +
                                  little_endian(member.bytes.size(), 4);
        std::string const shared =
            little_endian(0x0808, 2) + little_endian(member.deflate ? 8 : 0, 2) + little_endian(0, 4);
        directory += "PK\x01\x02" + little_endian(0, 2) + little_endian(20, 2) + shared + sizes +
                     little_endian(member.name.size(), 2) + std::string(12, '\0') + little_endian(file.size(), 4) +
                     member.name;
        file += "PK\x03\x04" + little_endian(20, 2) + shared + std::string(12, '\0') +
                little_endian(member.name.size(), 2) + little_endian(0, 2) + member.name + packed + "PK\x07\x08" +
                sizes;
    }
    std::string const count = little_endian(members.size(), 2);
    return file + directory + "PK\x05\x06" + std::string(4, '\0') + count + count + little_endian(directory.size(), 4) +
           little_endian(file.size(), 4) + std::string(2, '\0');
}

}  // namespace netzip::torch
