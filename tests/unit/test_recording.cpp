#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/random.h"
#include "support/catch.h"
#include "support/temporary_directory.h"
#include "support/tensor_files.h"
#include "workloads/recording.h"

using namespace netzip;

namespace {

std::string const kRecorded = NETZIP_SOURCE_DIR "/workloads/recorded";

WorkloadConfig recorded(std::string const& path = kRecorded) {
    WorkloadConfig config;
    config.files = {path};
    return config;
}

std::string tensor_file(std::string const& name, std::string const& data) {
    return safetensors_file(R"({")" + name + R"(":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}})", data);
}

std::string refusal(WorkloadConfig const& config) {
    try {
        open_recording(config);
    } catch (Error const& e) {
        return e.what();
    }
    return "accepted";
}

std::string manifest(std::string const& entry) {
    return R"({"tensors": [)" + entry + "]}";
}

}  // namespace

TEST_CASE("the shipped recording holds its 46 tensors, iteration 0 before iteration 1, every SHA-256 right",
          "[recording]") {
    WorkloadConfig config = recorded();
    config.verify = true;
    Recording const recording = open_recording(config);
    REQUIRE(recording.tensors.size() == 46);
    CHECK(recording.iterations == 2);
    CHECK(recording.layers.size() == 23);
    std::uint64_t packets = 0;
    for (std::size_t i = 0; i < recording.tensors.size(); ++i) {
        TensorRef const& tensor = recording.tensors[i];
        CHECK(tensor.iteration == (i < 23 ? 0u : 1u));
        packets += tensor.size / 4096;
        CHECK(tensor.size % 4096 == 0);
        // The same tensor has the same layer id in both iterations.
        CHECK(tensor.layer_id == recording.tensors[i % 23].layer_id);
        CHECK(tensor.name == recording.tensors[i % 23].name);
    }
    CHECK(packets == 1344);
}

TEST_CASE("kinds, phases and iterations select tensors", "[recording]") {
    WorkloadConfig config = recorded();
    config.kinds = {"gradient"};
    config.phases = {"late", "ft"};
    config.iterations = 1;
    Recording const recording = open_recording(config);
    CHECK(recording.tensors.size() == 4);
    for (TensorRef const& tensor : recording.tensors) {
        CHECK(tensor.kind == "gradient");
        CHECK(tensor.iteration == 0);
    }
}

TEST_CASE("a selection that matches nothing names what the recording has", "[recording][bad-input]") {
    WorkloadConfig config = recorded();
    config.kinds = {"gradiant"};
    CHECK(refusal(config) ==
          "workload.kinds: no tensor of \"gradiant\" in the recording, it has activation, activation_gradient, "
          "gradient, parameter (did you mean \"gradient\"?)");
    config = recorded();
    config.dtype = "bf61";
    CHECK(refusal(config) ==
          "workload.dtype: expected bf16, fp16, fp32, fp8_e4m3 or fp8_e5m2, got \"bf61\" (did you mean \"bf16\"?)");
    config.files.clear();
    config.dtype.clear();
    CHECK(refusal(config) == "workload.files: expected at least one file, got none");
}

TEST_CASE("without a manifest the next file of the same tensor is its next iteration", "[recording]") {
    TemporaryDirectory const directory;
    directory.write("step2/a.safetensors", tensor_file("w", "IJKL"));
    directory.write("step1/a.safetensors", tensor_file("w", "ABCD"));
    directory.write("step1/b.safetensors", tensor_file("v", "EFGH"));
    directory.write("step1/readme.txt", "not a tensor");
    Recording const recording = open_recording(recorded(directory.path()));
    REQUIRE(recording.tensors.size() == 3);
    CHECK(recording.iterations == 2);
    CHECK(as_text(recording.tensors[0].load().bytes) == "ABCD");
    CHECK(as_text(recording.tensors[1].load().bytes) == "EFGH");
    CHECK(as_text(recording.tensors[2].load().bytes) == "IJKL");
    CHECK(recording.tensors[2].iteration == 1);
    CHECK(recording.tensors[2].layer_id == recording.tensors[0].layer_id);
}

TEST_CASE("a manifest that disagrees with its files is refused, every problem in a line", "[recording][bad-input]") {
    TemporaryDirectory const directory;
    directory.write("a.safetensors", tensor_file("w", "ABCD"));
    auto const told = [&](std::string const& content) {
        std::string const file = directory.write("manifest.json", content);
        std::string const message = refusal(recorded(directory.path()));
        return message.starts_with(file + ": ") ? message.substr(file.size() + 2) : message;
    };
    std::string const a = (directory.path() + "/a.safetensors");
    std::string const entry = R"({"name":"w","file":"a.safetensors","tensor":"w")";
    CHECK(told("") == "the file is empty");
    CHECK(told("[1") == "byte 2: not valid JSON");
    CHECK(told("{}") == "expected an object with an array \"tensors\"");
    CHECK(told(R"({"tensors": []})") == "tensors: the list is empty");
    CHECK(told(manifest(R"({"name":"w"})")) == "tensors[0]: file is missing");
    CHECK(told(manifest(R"({"name":"w","file":"b.npy"})")) ==
          "tensors[0]: " + (directory.path() + "/b.npy") + ": cannot be read: No such file or directory");
    CHECK(told(manifest(R"({"name":"w","file":"a.safetensors","tensor":"v"})")) ==
          "tensors[0]: a.safetensors holds no tensor \"v\"");
    CHECK(told(manifest(entry + R"(,"nbytes":5})")) == "tensors[0]: nbytes 5, but " + a + " holds 4 B");
    CHECK(told(manifest(entry + R"(,"offset":5})")) == "tensors[0]: offset 5, but in " + a + " the data begin at 63");
    CHECK(told(manifest(entry + R"(,"dtype":"F32"})")) == "tensors[0]: dtype fp32, but " + a + " holds bf16");
    CHECK(told(manifest(entry + R"(,"dtype":"F33"})")) == "tensors[0]: unknown dtype \"F33\"");
    CHECK(told(manifest(entry + R"(,"shape":[4]})")) == "tensors[0]: shape [4], but " + a + " holds [2]");
    CHECK(told(manifest(entry + R"(,"nbytes":"4"})")) == "tensors[0]: nbytes: expected a whole number, found \"4\"");
    CHECK(told(manifest(entry + "}," + entry + "}")) == a + ": tensor \"tensor/w\" stands twice in iteration 0");
    CHECK(told(manifest(entry + R"(,"nbytes":5,"shape":[4]})")).find('\n') != std::string::npos);
}

TEST_CASE("no corruption of a manifest does worse than an input error", "[recording][bad-input]") {
    TemporaryDirectory const directory;
    std::string const file = directory.write("a.safetensors", tensor_file("w", "ABCD"));
    std::string const good =
        manifest(R"({"name":"w","file":"a.safetensors","tensor":"w","dtype":"BF16","layer":3,"iteration":0,)"
                 R"("shape":[2],"nbytes":4,"offset":63,"kind":"gradient","phase":"late"})");
    CounterRandom const random(1);
    std::uint64_t accepted = 0;
    for (std::uint64_t i = 0; i < 400; ++i) {
        std::string bad = good;
        std::uint64_t const draw = random.at(i);
        bad[draw % bad.size()] = static_cast<char>(i % 2 == 0 ? draw >> 32 : '0' + draw % 10);
        if (i % 5 == 0) bad.resize(draw >> 40 & 127);
        directory.write("manifest.json", bad);
        try {
            open_recording(recorded(directory.path()));
            ++accepted;
        } catch (InputError const&) {
        }
    }
    // A letter of a name or kind may change, little else.
    CHECK(accepted < 150);
}

TEST_CASE("a wrong SHA-256 is found when it is asked for", "[recording][bad-input]") {
    TemporaryDirectory const directory;
    directory.write("a.safetensors", tensor_file("w", "ABCD"));
    directory.write("manifest.json", manifest(R"({"name":"w","file":"a.safetensors","sha256":"00"})"));
    WorkloadConfig config = recorded(directory.path());
    CHECK(refusal(config) == "accepted");
    config.verify = true;
    // printf ABCD | sha256sum
    CHECK_THAT(refusal(config), Catch::EndsWith("tensors[0]: sha256 00, but the bytes give "
                                                "e12e115acf4552b2568b55e93cbd39394c4ef81c82447fafc997882a02d23677"));
}

TEST_CASE("more layers than the 15 bits of the NetZIP header hold are refused", "[recording][bad-input]") {
    std::string header = "{";
    std::uint64_t const tensors = 32768;
    for (std::uint64_t i = 0; i < tensors; ++i) {
        header += (i == 0 ? "\"t" : ",\"t") + std::to_string(i) +
                  R"(":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[)" + std::to_string(i) + "," +
                  std::to_string(i + 1) + "]}";
    }
    TemporaryDirectory const directory;
    std::string const file =
        directory.write("x.safetensors", safetensors_file(header + "}", std::string(tensors, 'x')));
    CHECK(refusal(recorded(file)) ==
          file + ": more than 32767 different tensors, the NetZIP header has 15 bits for the layer");
}

TEST_CASE("the public medium recording agrees with its manifest", "[recording]") {
    std::string const medium = NETZIP_SOURCE_DIR "/../shared/data/recorded/public_medium";
    if (!std::filesystem::exists(medium)) {
        WARN("skipped: " << medium << " is not there");
        return;
    }
    Recording const recording = open_recording(recorded(medium));
    CHECK(recording.tensors.size() == 84);
    std::uint64_t packets = 0;
    for (TensorRef const& tensor : recording.tensors) packets += tensor.size / 4096;
    CHECK(packets == 8904);
}
