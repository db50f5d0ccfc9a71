#include "base/results/run_info.h"

#include <array>
#include <ctime>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/json_text.h"

namespace netzip {
namespace {

std::string list(std::vector<std::string> const& entries) {
    std::string text;
    for (std::string const& entry : entries) text += (text.empty() ? "" : ", ") + json_string(entry);
    return "[" + text + "]";
}

std::string now() {
    std::time_t const seconds = std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&seconds, &utc);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text.data();
}

}  // namespace

std::string version() {
    return NETZIP_VERSION;
}

std::string program_stamp() {
    struct stat info {};
    if (::stat("/proc/self/exe", &info) != 0) return version();
    return version() + " " + std::to_string(info.st_size) + " " + std::to_string(info.st_mtim.tv_sec) + "." +
           std::to_string(info.st_mtim.tv_nsec);
}

std::string build_description() {
#if defined(__clang__)
    std::string const compiler = "clang++ " __clang_version__;
#else
    std::string const compiler = "g++ " __VERSION__;
#endif
    return NETZIP_BUILD_TYPE ", " + compiler;
}

std::string to_json(RunInfo const& info) {
    utsname host{};
    ::uname(&host);
    std::string libraries;
    for (auto const& [name, value] : info.libraries) {
        libraries += (libraries.empty() ? "" : ", ") + json_string(name) + ": " + json_string(value);
    }
    std::string timings;
    for (auto const& [name, value] : info.timings) {
        timings += (timings.empty() ? "" : ", ") + json_string(name) + ": " + json_number(value);
    }
    return "{\n  \"command\": " + list(info.command) + ",\n  \"finished\": " + json_string(now()) +
           ",\n  \"wall_s\": " + json_number(info.wall_seconds) + ",\n  \"timings\": {" + timings +
           "},\n  \"host\": " + json_string(host.nodename) +
           ",\n  \"system\": " + json_string(std::string(host.sysname) + " " + host.release + " " + host.machine) +
           ",\n  \"netzipsim\": " + json_string(version()) + ",\n  \"build\": " + json_string(build_description()) +
           ",\n  \"libraries\": {" + libraries + "},\n  \"warnings\": " + list(info.warnings) + "\n}\n";
}

}  // namespace netzip
