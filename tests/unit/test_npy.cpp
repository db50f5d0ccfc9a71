#include "base/error.h"
#include "support/catch.h"
#include "support/corruption.h"
#include "support/temporary_directory.h"
#include "support/tensor_files.h"
#include "workloads/readers/reader.h"

using namespace netzip;

namespace {

std::string refusal(std::string const& content, ReaderOptions const& options = {DataType::bf16}) {
    return refusal_of_file("x.npy", content, options);
}

std::string described(std::string const& descr, std::string const& data = "ABCDEFGH") {
    return npy_file("{'descr': '" + descr + "', 'fortran_order': False, 'shape': (4,), }", data);
}

}  // namespace

TEST_CASE("a .npy of 16-bit integers is read as the type that the user names, and says so", "[npy]") {
    TemporaryDirectory const directory;
    for (std::string const descr : {"<u2", "<i2", "|V2", "<V2"}) {
        auto const list = read_tensor_file(directory.write("grad.layers.5.w.npy", described(descr)), {DataType::bf16});
        REQUIRE(list.tensors.size() == 1);
        CHECK(list.tensors[0].dtype == DataType::bf16);
        CHECK(list.tensors[0].name == "grad.layers.5.w");
        CHECK(list.tensors[0].layer == 5);
        CHECK(list.tensors[0].offset == 128u);
        CHECK(as_text(list.tensors[0].load().bytes) == "ABCDEFGH");
        CHECK_THAT(list.notes.at(0), Catch::EndsWith("elements '" + descr + "' are taken as bf16"));
    }
}

TEST_CASE("key order, version, scalars and quotes of a .npy header do not matter", "[npy]") {
    CHECK(refusal(npy_file("{\"shape\": (2, 2), 'descr': '<f2', 'fortran_order': False}", "ABCDEFGH")) == "accepted");
    CHECK(refusal(npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "ABCD")) == "accepted");
    std::string version2 = described("<f2");
    std::string const length = version2.substr(8, 2);
    version2 = version2.substr(0, 6) + std::string("\2\0", 2) + length + std::string(2, '\0') + version2.substr(10);
    CHECK(refusal(version2) == "accepted");
}

TEST_CASE("a .npy in Fortran order is transposed to row-major order", "[npy]") {
    // Columns (A B) (C D) (E F) of a 2 x 3 matrix of one-byte elements: rows are A C E and B D F.
    TemporaryDirectory const directory;
    std::string const file =
        directory.write("x.npy", npy_file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", "ABCDEF"));
    auto const list = read_tensor_file(file, {DataType::fp8_e4m3});
    CHECK(as_text(list.tensors.at(0).load().bytes) == "ACEBDF");
    CHECK(as_text(list.tensors.at(0).load(2, 3).bytes) == "EBD");
}

TEST_CASE("a damaged or unusable .npy is refused in one line", "[npy][bad-input]") {
    CHECK(refusal("\x93NUMPY") == "byte 0: expected the magic of a .npy file");
    CHECK(refusal("\x93NUMPY\x09" + std::string(20, '\0')) == "byte 6: expected format version 1, 2 or 3, found 9");
    CHECK(refusal(described("<u2").substr(0, 60)) == "byte 8: a header of 118 B does not fit in 60 B");
    CHECK(refusal(described("<u2"), {}) ==
          "descr '<u2' does not say which floating-point type the bits are: give a dtype (bf16 or fp16)");
    CHECK(refusal(described("|V2"), {DataType::fp32}) == "descr '|V2' has 2-byte elements, dtype fp32 has 4");
    CHECK(refusal(described("|O")) == "descr '|O': Python objects are not read (they need pickle)");
    CHECK(refusal(described(">f2")) == "descr '>f2': expected little-endian elements, found big-endian");
    CHECK(refusal(described("<c8")) ==
          "descr '<c8': expected f2, f4, or 1- or 2-byte integers or void with a dtype given");
    CHECK(refusal(npy_file("{'descr': [('a', '<f2')], 'fortran_order': False, 'shape': (4,), }", "")) ==
          "structured arrays are not supported, expected one element type");
    CHECK(refusal(npy_file("{'descr': '<f2', 'shape': (4,), }", "")) == "fortran_order is missing in the header");
    CHECK(refusal(npy_file("{'descr': '<f2', 'fortran_order': 0, 'shape': (4,), }", ""))
              .starts_with("fortran_order: expected True or False, found \"0, 'shape'"));
    CHECK(refusal(npy_file("{'descr': '<f2', 'fortran_order': False, 'shape': (-4,), }", ""))
              .starts_with("shape: expected whole numbers, found \"-4"));
    CHECK(refusal(npy_file("{'descr': '<f2", "")) == "a string of the header does not end");
    // An odd number of bytes: 4 elements of 2 B want 8 B.
    CHECK(refusal(described("<f2", "ABCDEFG")) == "shape [4] of '<f2' takes 8 B, found 7 B behind the header");
    CHECK(refusal(npy_file("{'descr': '<f2', 'fortran_order': False, 'shape': (9223372036854775808, 4), }", "")) ==
          "shape [9223372036854775808, 4] leaves 64 bits");
}

TEST_CASE("no corruption of a .npy does worse than an input error", "[npy][bad-input]") {
    check_corruptions("x.npy", npy_file("{'descr': '<u2', 'fortran_order': True, 'shape': (2, 3), }", "ABCDEFGHIJKL"),
                      80, {DataType::bf16});
}
