#include "base/progress.h"
#include "support/catch.h"

using netzip::Progress;

// 2500 of 10000 packets in 5 s: a quarter, 500 packets/s, 7500 / 500 = 15 s left.
TEST_CASE("a progress line tells share, rate and time left", "[progress]") {
    CHECK(Progress::line("replay", 2500, 10000, "packets", 5.0, "", 100) ==
          "replay [#####...............]  25 %  2.5 k packets  500 packets/s  0:15 left");
    CHECK(Progress::line("sweep", 10000, 10000, "points", 3600.0, "3 failed", 100) ==
          "sweep [####################] 100 %  10.0 k points  3 points/s  3 failed");
    CHECK(Progress::line("replay", 7, 0, "packets", 0.0, "", 100) == "replay  7 packets");
    CHECK(Progress::line("replay", 7, 0, "packets", 0.0, "", 8) == "replay ");
}
