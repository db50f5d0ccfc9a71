#include "base/error.h"
#include "support/catch.h"
#include "support/corruption.h"
#include "support/temporary_directory.h"
#include "support/tensor_files.h"
#include "workloads/readers/reader.h"

using namespace netzip;

namespace {

std::string const kTwo =
    R"({"gradient/layers.7.mlp.up.weight":{"dtype":"BF16","shape":[2,2],"data_offsets":[0,8]},)"
    R"("step":{"dtype":"I64","shape":[],"data_offsets":[8,16]},"empty":{"dtype":"F32","shape":[0,5],)"
    R"("data_offsets":[16,16]},"__metadata__":{"format":"pt"}}  )";

std::string refusal(std::string const& content) {
    return refusal_of_file("x.safetensors", content);
}

std::string one(std::string const& fields) {
    return safetensors_file(R"({"a":{)" + fields + "}}", std::string(8, 'x'));
}

}  // namespace

TEST_CASE("a safetensors file lists its floating-point tensors and says which others it leaves out", "[safetensors]") {
    TemporaryDirectory const directory;
    auto const list =
        read_tensor_file(directory.write("t.safetensors", safetensors_file(kTwo, "ABCDEFGH........")), {});
    REQUIRE(list.tensors.size() == 2);
    TensorRef const& tensor = list.tensors[0];
    CHECK(tensor.name == "layers.7.mlp.up.weight");
    CHECK(tensor.kind == "gradient");
    CHECK(tensor.layer == 7);
    CHECK(tensor.dtype == DataType::bf16);
    CHECK(tensor.shape == std::vector<std::uint64_t>{2, 2});
    CHECK(as_text(tensor.load().bytes) == "ABCDEFGH");
    CHECK(as_text(tensor.load(3, 2).bytes) == "DE");
    CHECK(list.tensors[1].size == 0);
    REQUIRE(list.notes.size() == 1);
    CHECK_THAT(list.notes[0], Catch::Contains("\"step\" of I64 is left out"));
}

TEST_CASE("a damaged safetensors file is refused in one line that says where and what was expected",
          "[safetensors][bad-input]") {
    CHECK(refusal("") == "the file is empty");
    CHECK(refusal("version https://git-lfs.github.com/spec/v1\noid sha256:0\n") ==
          "this is a Git LFS pointer, not the file itself (run \"git lfs pull\")");
    CHECK(refusal("\1\2\3") == "expected 8 B of header length, found a file of 3 B");
    CHECK(refusal(little_endian(999, 8) + "{}") == "byte 0: a header of 999 B does not fit in a file of 10 B");
    CHECK(refusal(little_endian(0, 8)) == "byte 8: expected the '{' of a JSON header");
    CHECK(refusal(little_endian(2, 8) + "[]") == "byte 8: expected the '{' of a JSON header");
    CHECK(refusal(safetensors_file(R"({"a" 1})", "")) == "byte 13: not valid JSON");
    CHECK(refusal(safetensors_file("{\"\xff\":1}", "")) == "byte 10: not valid JSON");
    CHECK(refusal(safetensors_file(R"({"a":1,"a":2})", "")) == "the key \"a\" stands twice");
    CHECK(refusal(safetensors_file(R"({"__metadata__":{"k":1}})", "")) == "__metadata__.k: expected a string, found 1");
    CHECK(refusal(safetensors_file(R"({"a":1})", "")) == "tensor \"a\": expected an object, found 1");
    CHECK(refusal(one(R"("dtype":"BF16","shape":[4])")) == "tensor \"a\": data_offsets is missing");
    CHECK(refusal(one(R"("dtype":"BF17","shape":[4],"data_offsets":[0,8])")) == "tensor \"a\": unknown dtype \"BF17\"");
    CHECK(refusal(one(R"("dtype":"BF16","shape":[-4],"data_offsets":[0,8])")) ==
          "tensor \"a\": shape: expected an array of whole numbers, found [-4]");
    CHECK(refusal(one(R"("dtype":"BF16","shape":[4],"data_offsets":[0,1e1])")) ==
          "tensor \"a\": data_offsets: expected two whole numbers, found [0,10.0]");
    CHECK(refusal(one(R"("dtype":"BF16","shape":[4],"data_offsets":[8,0])")) ==
          "tensor \"a\": data_offsets [8, 0) end before they begin");
    CHECK(refusal(one(R"("dtype":"BF16","shape":[8],"data_offsets":[0,16])")) ==
          "tensor \"a\": data_offsets [0, 16) leave the 8 B of data");
    // An odd number of bytes for a 2-byte type.
    CHECK(refusal(one(R"("dtype":"BF16","shape":[3],"data_offsets":[0,7])")) ==
          "tensor \"a\": shape [3] of BF16 takes 6 B, data_offsets [0, 7) hold 7 B");
    // 2^62 * 4 * 16 bits leaves 64 bits.
    CHECK(refusal(one(R"("dtype":"BF16","shape":[4611686018427387904,4],"data_offsets":[0,8])")) ==
          "tensor \"a\": shape [4611686018427387904, 4] of BF16 is no whole number of bytes below 2^64");
    CHECK(refusal(one(R"("dtype":"F4","shape":[3],"data_offsets":[0,1])")) ==
          "tensor \"a\": shape [3] of F4 is no whole number of bytes below 2^64");
    CHECK(refusal(safetensors_file(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                                   R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
                                   "abc")) == "tensor \"b\": begins at 1, expected 2 (tensors overlap)");
    CHECK(refusal(safetensors_file(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})", "abc")) ==
          "tensor \"a\": begins at 1, expected 0 (hole between tensors)");
    CHECK(refusal(one(R"("dtype":"BF16","shape":[3],"data_offsets":[0,6])")) == "byte 69: 2 B follow the last tensor");
}

TEST_CASE("a safetensors header beyond the limit is refused before it is parsed", "[safetensors][bad-input]") {
    TemporaryDirectory const directory;
    ReaderOptions options;
    options.header_limit = 16;
    std::string const file = directory.write("x.safetensors", safetensors_file(kTwo, std::string(16, 'x')));
    CHECK_THROWS_WITH(read_tensor_file(file, options), Catch::EndsWith("exceeds the limit of 16 B"));
}

TEST_CASE("bytes behind the last tensor are accepted when they are allowed", "[safetensors]") {
    ReaderOptions options;
    options.allow_trailing = true;
    std::string const file = one(R"("dtype":"BF16","shape":[3],"data_offsets":[0,6])");
    CHECK(refusal_of_file("x.safetensors", file, options) == "accepted");
}

TEST_CASE("all problems of a safetensors header come in one pass, a line each", "[safetensors][bad-input]") {
    CHECK(refusal(safetensors_file(R"({"a":1,"b":{"dtype":"BF16"}})", "")).find('\n') != std::string::npos);
}

TEST_CASE("a missing, unreadable or wrong kind of file is named", "[bad-input]") {
    TemporaryDirectory const directory;
    std::string const missing = (directory.path() + "/none.safetensors");
    CHECK_THROWS_WITH(read_tensor_file(missing, {}), missing + ": cannot be read: No such file or directory");
    CHECK_THROWS_WITH(read_tensor_file(directory.path(), {}), Catch::EndsWith("expected a file, found a directory"));
    CHECK_THROWS_WITH(read_tensor_file("/dev/null", {}),
                      "/dev/null: expected a regular file, found a device, pipe or socket");
    CHECK_THROWS_WITH(read_tensor_file(directory.write("x.txt", "hello"), {}), Catch::Contains("not a tensor file"));
}

TEST_CASE("no corruption of a safetensors file does worse than an input error", "[safetensors][bad-input]") {
    std::string const good = safetensors_file(kTwo, "ABCDEFGH........");
    check_corruptions("x.safetensors", good, 12, {});
    check_corruptions("x.safetensors", good, good.size(), {}, 2000);
}
