#include "support/catch.h"
#include "support/corruption.h"
#include "support/torch_files.h"
#include "workloads/readers/reader.h"

using namespace netzip;
using namespace netzip::torch;

namespace {

std::string const kEight = "AABBCCDDEEFFGGHH";  ///< 8 elements of 2 B

std::string one_storage(std::string const& bytes = kEight, std::string const& kind = "BFloat16") {
    return legacy_stream(storage(kind, "7", bytes.size() / 2, true), {{"7", bytes.size() / 2, bytes}});
}

std::string plain() {
    return pickled_tensor(one_storage(), 0, {8}, {1});
}

std::string torch_zip(std::string const& object, std::string const& data = kEight) {
    return zip_file({{"x/data.pkl", pickle(object)}, {"x/data/0", data}, {"x/version", "3\n"}});
}

TensorList read(std::string const& name, std::string const& content, ReaderOptions const& options = {}) {
    return read_tensor_file(file_in_memory(name, content), options);
}

std::string bytes_of(TensorList const& list, std::size_t index = 0) {
    return as_text(list.tensors.at(index).load().bytes);
}

}  // namespace

// In a file that torch 1.13 wrote the magic of the inner stream stands at byte 96, too (measured).
TEST_CASE("a pickled tensor, as the NetZIP artifact stores it, is read without executing anything", "[torch]") {
    CHECK(plain().find("\x6c\xfc\x9c\x46") == 96);
    TensorList const list = read("grad.pkl", plain());
    REQUIRE(list.tensors.size() == 1);
    CHECK(list.tensors[0].name == "grad");
    CHECK(list.tensors[0].dtype == DataType::bf16);
    CHECK(list.tensors[0].shape == std::vector<std::uint64_t>{8});
    CHECK(list.tensors[0].offset == plain().find(kEight));
    CHECK(bytes_of(list) == kEight);
}

TEST_CASE("a pickled slice is cut out of its whole storage", "[torch]") {
    CHECK(bytes_of(read("x.pkl", pickled_tensor(one_storage(), 2, {3}, {1}))) == "CCDDEE");
    // A 2 x 4 matrix, transposed: columns become rows.
    TensorList const transposed = read("x.pkl", pickled_tensor(one_storage(), 0, {4, 2}, {1, 4}));
    CHECK(bytes_of(transposed) == "AAEEBBFFCCGGDDHH");
    CHECK(as_text(transposed.tensors[0].load(3, 6).bytes) == "EBBFFC");
}

TEST_CASE("a legacy torch stream of a dict gives its tensors by key", "[torch]") {
    std::string const object = dict({{"layers.2.w", tensor(storage("BFloat16", "0", 8, true), 0, {4}, {1})},
                                     {"step", integer(300)},
                                     {"nested", dict({{"b", tensor(storage("BFloat16", "0", 8, true), 4, {4}, {1})}})},
                                     {"index", tensor(storage("Long", "1", 1, true), 0, {1}, {1})}});
    TensorList const list = read("x.pt", legacy_stream(object, {{"1", 1, "12345678"}, {"0", 8, kEight}}));
    REQUIRE(list.tensors.size() == 2);
    CHECK(list.tensors[0].name == "layers.2.w");
    CHECK(list.tensors[0].layer == 2);
    CHECK(bytes_of(list, 0) == "AABBCCDD");
    CHECK(list.tensors[1].name == "nested.b");
    CHECK(bytes_of(list, 1) == "EEFFGGHH");
    CHECK(list.notes == std::vector<std::string>{"x.pt: tensor \"index\" of torch.LongStorage is left out: not a "
                                                 "floating-point type of ours"});
}

TEST_CASE("a torch zip gives shared storages, parameters, ordered dicts with attributes and lists", "[torch]") {
    std::string const half = tensor(storage("BFloat16", "0", 8), 4, {2, 2}, {2, 1});
    std::string const parameter = global("torch._utils", "_rebuild_parameter") +
                                  tuple({half, "\x88", global("collections", "OrderedDict") + ")R"}) + "R";
    std::string const ordered = global("collections", "OrderedDict") + ")R(" + text("w") + parameter + text("l") +
                                list({tensor(storage("BFloat16", "0", 8), 0, {}, {}), "N"}) + "u}(" +
                                text("_metadata") + "}ub";
    TensorList const list = read("model.pt", torch_zip(ordered));
    REQUIRE(list.tensors.size() == 2);
    CHECK(list.tensors[0].name == "w");
    CHECK(bytes_of(list, 0) == "EEFFGGHH");
    CHECK(as_text(list.tensors[0].load(2, 4).bytes) == "FFGG");
    CHECK(list.tensors[1].name == "l[0]");
    CHECK(bytes_of(list, 1) == "AA");
}

TEST_CASE("anything but tensors in a pickle is refused by name and never executed", "[torch][bad-input]") {
    auto const refusal = [](std::string const& object) { return refusal_of_file("x.pkl", pickle(object)); };
    CHECK(refusal(global("posix", "system") + tuple({text("true")}) + "R") ==
          "byte 2: unsupported object posix.system (only tensors, lists and dicts are read)");
    CHECK(refusal(text("os") + text("system") + "\x93") ==
          "byte 20: unsupported object os.system (only tensors, lists and dicts are read)");
    CHECK(refusal(global("torch.nn", "LinearStorage")) ==
          "byte 2: unsupported object torch.nn.LinearStorage (only tensors, lists and dicts are read)");
    CHECK(refusal(")\x81") == "byte 3: unsupported pickle opcode 0x81");
    CHECK(refusal(")}R") == "byte 4: expected a known function and its arguments");
    CHECK(refusal("M") == "byte 2: the pickle ends within an opcode");
    CHECK(refusal("t") == "byte 2: the pickle has no mark here");
    CHECK(refusal("h\x05") == "byte 2: the pickle recalls what it never stored");
    CHECK(refusal("]" + integer(1) + "a") == "holds no tensor");
    CHECK(refusal("r\xff\xff\xff\xff") == "byte 2: the memo of the pickle is too large");
    CHECK(refusal_of_file("x.pkl", std::string("\x80\x01N.", 4)) == "byte 0: expected pickle protocol 2 to 5, found 1");
    CHECK(refusal_of_file("x.pkl", "\x80\x02N") == "byte 3: the pickle ends without STOP");
}

TEST_CASE("a list within itself and lists of lists that double each time end in an error", "[torch][bad-input]") {
    CHECK(refusal_of_file("x.pkl", pickle("]q" + std::string(1, '\0') + "h" + std::string(1, '\0') + "a")) ==
          "byte 9: lists and dicts are nested deeper than 64 levels");
    std::string doubling = "]";
    for (int level = 0; level < 60; ++level) {
        std::string const slot = little_endian(static_cast<std::uint64_t>(level), 1);
        doubling += "q" + slot + "0";
        doubling.pop_back();
        doubling += "](h" + slot + "h" + slot + "e";
    }
    CHECK_THAT(refusal_of_file("x.pkl", pickle(doubling)), Catch::EndsWith("more than 4,000,000 objects"));
}

TEST_CASE("a tensor that leaves its storage, or a storage that lies, is refused", "[torch][bad-input]") {
    auto const pickled = [](std::uint64_t offset, std::vector<std::uint64_t> const& size,
                            std::vector<std::uint64_t> const& stride, std::string const& stream = one_storage()) {
        std::string const message = refusal_of_file("x.pkl", pickled_tensor(stream, offset, size, stride));
        std::size_t const colon = message.find(": ");
        return colon == std::string::npos ? message : message.substr(colon + 2);
    };
    CHECK(pickled(1, {8}, {1}) == "tensor \"x\" of shape [8] leaves its storage of 8 elements");
    CHECK(pickled(0, {2, 2}, {7, 2}) == "tensor \"x\" of shape [2, 2] leaves its storage of 8 elements");
    CHECK(pickled(0, {100}, {0}) == "tensor \"x\" repeats elements of its storage (expanded); save a copy of it");
    CHECK(pickled(0, {8}, {}) == "tensor \"x\" has sizes without strides");
    CHECK(pickled(0, {8}, {1}, legacy_stream(storage("BFloat16", "7", 8, true), {{"7", 9, kEight}})) ==
          "storage \"7\" has 9 elements, expected 8");
    CHECK(pickled(0, {8}, {1}, legacy_stream(storage("BFloat16", "7", 9, true), {{"7", 9, kEight}})) ==
          "storage \"7\" of 9 elements does not fit in the remaining 16 B");
    CHECK(pickled(0, {8}, {1}, legacy_stream(storage("BFloat16", "7", 8, true), {{"8", 8, kEight}})) ==
          "storage key \"8\" is unknown");
    CHECK(pickled(0, {8}, {1}, legacy_stream(storage("BFloat16", "7", 8, true), {})) ==
          "storage \"7\" is not in the stream");
    CHECK(pickled(0, {8}, {1}, legacy_stream(storage("Quint", "7", 8, true), {{"7", 8, kEight}})) ==
          "unsupported element type torch.QuintStorage");
    CHECK(pickled(60000, {0, 3}, {3, 1}) == "accepted");
    auto const zipped = [](std::string const& data, std::string const& key) {
        return refusal_of_file("x.pt", torch_zip(tensor(storage("BFloat16", key, 8), 0, {8}, {1}), data));
    };
    CHECK(zipped(kEight, "0") == "accepted");
    CHECK(zipped("odd", "0") == "storage data/0 has 3 B, expected 8 elements of 2 B");
    CHECK(zipped(kEight, "1") == "the archive has no storage data/1");
    CHECK(refusal_of_file("x.pt", zip_file({{"x/data.pkl", pickle("N")}, {"x/byteorder", "big"}})) ==
          "expected little-endian data, found another order");
}

TEST_CASE("a .npz gives its members, stored or deflated, one by one", "[npz]") {
    std::string const dict = "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 4), }";
    std::string const turned = "{'descr': '<u2', 'fortran_order': True, 'shape': (4, 2), }";
    std::string const file = zip_file({{"gradient/w.npy", npy_file(dict, kEight)},
                                       {"v.npy", npy_file(dict, kEight), true},
                                       {"t.npy", npy_file(turned, kEight), true},
                                       {"readme.txt", "hello"}});
    TensorList const list = read("x.npz", file, {DataType::bf16});
    REQUIRE(list.tensors.size() == 3);
    CHECK(list.tensors[0].name == "w");
    CHECK(list.tensors[0].kind == "gradient");
    CHECK(bytes_of(list, 0) == kEight);
    CHECK(bytes_of(list, 1) == kEight);
    CHECK(bytes_of(list, 2) == "AAEEBBFFCCGGDDHH");
    for (std::size_t i = 0; i < 2; ++i) {
        // In order, then back to the beginning.
        CHECK(as_text(list.tensors[i].load(4, 6).bytes) == "CCDDEE");
        CHECK(as_text(list.tensors[i].load(12, 4).bytes) == "GGHH");
        CHECK(as_text(list.tensors[i].load(0, 2).bytes) == "AA");
    }
    CHECK(list.notes.size() == 4);
    CHECK_THAT(list.notes.back(), Catch::EndsWith("member \"readme.txt\" is left out: not a .npy"));
}

TEST_CASE("a damaged ZIP archive is refused in one line", "[npz][bad-input]") {
    std::string const dict = "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 4), }";
    std::string const good = zip_file({{"v.npy", npy_file(dict, kEight), true}});
    auto const refusal = [](std::string const& content) { return refusal_of_file("x.npz", content, {DataType::bf16}); };
    CHECK(refusal(good) == "accepted");
    CHECK_THAT(refusal(good.substr(0, good.size() - 30)), Catch::StartsWith("not a readable ZIP archive ("));
    CHECK(refusal(zip_file({{"a.txt", "hello"}})) ==
          "expected a .npz or a torch .pt, found a ZIP archive without .npy or data.pkl");
    CHECK(refusal(zip_file({{"v.npy", "\x93NUM"}})) == "member \"v.npy\": byte 0: expected the magic of a .npy file");
    CHECK(refusal(zip_file({{"v.npy", npy_file(dict, "odd")}})) ==
          "member \"v.npy\": shape [2, 4] of '<u2' takes 16 B, found 3 B behind the header");

    std::string flipped = good;
    flipped[good.find(kEight) + 3] ^= 1;
    CHECK(refusal(flipped) == "member \"v.npy\": damaged: the CRC does not match");
    // Beyond what is read for the header, the CRC is known with the last piece only.
    std::string large = zip_file(
        {{"v.npy", npy_file("{'descr': '<u2', 'fortran_order': False, 'shape': (50000,), }", std::string(100'000, 'x')),
          true}});
    large[large.size() / 2] ^= 1;
    TensorList const list = read("x.npz", large, {DataType::bf16});
    CHECK_NOTHROW(list.tensors.at(0).load(0, 90'000));
    CHECK_THROWS_WITH(list.tensors[0].load(90'000, 10'000), "x.npz: member \"v.npy\": damaged: the CRC does not match");

    std::string bomb = good;
    bomb.replace(good.find("PK\x01\x02") + 24, 4, little_endian(0x7fffffff, 4));
    CHECK_THAT(refusal(bomb), Catch::StartsWith("member \"v.npy\" claims 2147483647 B, its data of "));
}

TEST_CASE("no corruption of a pickle, a torch file or a .npz does worse than an input error",
          "[torch][npz][bad-input]") {
    std::string const state = dict({{"w", tensor(storage("BFloat16", "0", 8, true), 1, {2, 2}, {1, 3})}});
    std::string const npz =
        zip_file({{"v.npy", npy_file("{'descr': '<u2', 'fortran_order': False, 'shape': (8,), }", kEight), true}});
    std::string const zip = torch_zip(dict({{"w", tensor(storage("BFloat16", "0", 8), 1, {2, 2}, {1, 3})}}));
    check_corruptions("x.pkl", plain(), plain().size(), {}, 4000);
    check_corruptions("x.pt", legacy_stream(state, {{"0", 8, kEight}}), 400, {}, 4000);
    check_corruptions("x.pt", zip, zip.size(), {}, 3000);
    check_corruptions("x.npz", npz, npz.size(), {DataType::bf16}, 3000);
}
