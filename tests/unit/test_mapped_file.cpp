#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include "support/catch.h"
#include "support/temporary_directory.h"
#include "workloads/mapped_file.h"

using namespace netzip;

// A page that the file no longer has is read by a process of its own: it must end by itself and name the file.
TEST_CASE("a file that is shortened while it is mapped ends the reader with one line and the status of an input error",
          "[recording]") {
    TemporaryDirectory const directory;
    std::string const name = directory.path() + "/cut.bin";
    std::string const messages = directory.path() + "/messages";
    std::ofstream(name) << std::string(3 * 4096, 'x');
    pid_t const child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        if (::freopen(messages.c_str(), "w", stderr) == nullptr) ::_exit(100);
        report_shortened_files();
        auto const other = MappedFile::of_bytes("other", std::vector<std::uint8_t>(100));
        auto const file = MappedFile::open(name);
        if (::truncate(name.c_str(), 4096) != 0) ::_exit(101);
        std::uint8_t const volatile* const bytes = file->bytes().data();
        ::_exit(bytes[0] == 'x' && bytes[2 * 4096] == 0 ? 102 : 103);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 3);
    std::ostringstream text;
    text << std::ifstream(messages).rdbuf();
    CHECK(text.str() == "netzipsim: " + name + ": another program shortened the file while it was read\n");
}
