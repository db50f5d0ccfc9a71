#include "fuzz/fuzz_reader.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    return netzip::fuzz_tensor_file("x.pkl", data, size);
}
