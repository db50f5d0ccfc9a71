#include "base/error.h"
#include "base/units.h"
#include "support/catch.h"

using namespace netzip;
using namespace netzip::literals;

TEST_CASE("a quantity is read with its unit and never without", "[units]") {
    CHECK(parse_bit_rate("50 Gb/s") == 50_Gbps);
    CHECK(parse_bit_rate("6.25 GB/s") == 50_Gbps);
    CHECK(parse_bytes("4 KiB") == 4096_B);
    CHECK(parse_bytes("4 kB") == 4000_B);
    CHECK(parse_frequency("644.53125 MHz") == Frequency{644531250});
    CHECK(parse_duration("1.5 us") == 1500_ns);
    CHECK(parse_cycles("170 cycles") == 170_cycles);
    for (char const* bad : {"50", "", "Gb/s", "-1 Gb/s", "50 Gbps", "50 GB", "1.2.3 Gb/s", "0.5 b/s", "1e3 b/s"}) {
        CAPTURE(bad);
        CHECK_THROWS_AS(parse_bit_rate(bad), UsageError);
    }
    CHECK_THROWS_WITH(parse_bit_rate("50"), Catch::Contains("expected a bit rate such as \"50 Gb/s\", got \"50\""));
}

TEST_CASE("what is written is read back to the same count", "[units]") {
    for (std::uint64_t n :
         {0ull, 1ull, 7ull, 999ull, 1000ull, 1024ull, 4097ull, 25'000'000ull, 644'531'250ull, 123'456'789'012'345ull}) {
        CHECK(parse_bytes(to_string(Bytes{n})) == Bytes{n});
        CHECK(parse_bit_rate(to_string(BitRate{n})) == BitRate{n});
        CHECK(parse_frequency(to_string(Frequency{n})) == Frequency{n});
        CHECK(parse_duration(to_string(Duration{n})) == Duration{n});
        CHECK(parse_cycles(to_string(Cycles{n})) == Cycles{n});
    }
    CHECK(to_string(50_Gbps) == "50 Gb/s");
    CHECK(to_string(Frequency{644531250}) == "644.53125 MHz");
}

// 4178 B at 50 Gb/s: 4178 * 8 / 50e9 s = 668.48 ns.
TEST_CASE("serialisation time is exact and rounded up once", "[units]") {
    CHECK(transfer_time(4178_B, 50_Gbps) == 668.48_ns);
    CHECK(transfer_time(1_B, BitRate{3}) == Duration{2'666'666'666'666'667});
}

TEST_CASE("arithmetic that leaves 64 bits is an error, not a wrong number", "[units]") {
    CHECK_THROWS_AS(Duration::max() + 1_fs, RunError);
    CHECK_THROWS_AS(1_ns - 2_ns, RunError);
    CHECK_THROWS_AS(Bytes{1ull << 40} * (1ull << 40), RunError);
}
