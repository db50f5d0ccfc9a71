// Writes a good file of each format for the fuzz targets to begin with: make_seeds DIRECTORY.
#include <filesystem>
#include <fstream>

#include "support/capture_files.h"
#include "support/torch_files.h"

int main(int argc, char** argv) {
    using namespace netzip;
    using namespace netzip::torch;
    if (argc != 2) return 2;
    std::filesystem::path const directory = argv[1];
    auto const write = [&](std::string const& target, std::string const& name, std::string const& bytes) {
        std::filesystem::create_directories(directory / target);
        std::ofstream(directory / target / name, std::ios::binary) << bytes;
    };
    std::string const eight = "AABBCCDDEEFFGGHH";
    std::string const npy = npy_file("{'descr': '<u2', 'fortran_order': True, 'shape': (2, 4), }", eight);
    std::string const stream = legacy_stream(storage("BFloat16", "7", 8, true), {{"7", 8, eight}});
    std::string const state = dict({{"w", tensor(storage("BFloat16", "0", 8), 1, {2, 2}, {1, 3})},
                                    {"l", list({tensor(storage("BFloat16", "0", 8), 0, {8}, {1}), "N"})}});
    std::string const legacy_state = dict({{"w", tensor(storage("BFloat16", "0", 8, true), 0, {8}, {1})}});

    write("fuzz_reader_safetensors", "two",
          safetensors_file(R"({"a":{"dtype":"BF16","shape":[2,2],"data_offsets":[0,8]},)"
                           R"("b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]},"__metadata__":{"k":"v"}})",
                           eight));
    write("fuzz_reader_npy", "turned", npy);
    write("fuzz_reader_pickle", "slice", pickled_tensor(stream, 2, {3}, {1}));
    write("fuzz_reader_torch", "legacy", legacy_stream(legacy_state, {{"0", 8, eight}}));
    write("fuzz_reader_torch", "zip", zip_file({{"x/data.pkl", torch::pickle(state)}, {"x/data/0", eight}}));
    write("fuzz_reader_zip", "npz", zip_file({{"a.npy", npy}, {"b.npy", npy, true}}));
    write("fuzz_reader_capture", "pcap", pcap_file(two_messages(), 1, false));
    write("fuzz_reader_capture", "pcapng", pcapng_file(two_messages(), 9, 1'000'000'000));
}
