# Every library that is not ours; docs/architecture.md says why each was chosen.
find_package(PkgConfig REQUIRED)

# Debian ships SystemC without a CMake config. Its library is built as C++17; SC_CPLUSPLUS makes the
# API version symbol match for our C++20.
find_package(SystemCLanguage CONFIG QUIET)
if(NOT TARGET SystemC::systemc)
  pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET GLOBAL systemc)
  add_library(SystemC::systemc INTERFACE IMPORTED GLOBAL)
  target_link_libraries(SystemC::systemc INTERFACE PkgConfig::SYSTEMC)
endif()
target_compile_definitions(SystemC::systemc INTERFACE SC_CPLUSPLUS=201703L)

pkg_check_modules(lz4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(pcap REQUIRED IMPORTED_TARGET libpcap)
pkg_check_modules(zip REQUIRED IMPORTED_TARGET libzip)
find_package(ZLIB REQUIRED)
find_package(zstd CONFIG REQUIRED)
find_package(Snappy CONFIG REQUIRED)
find_package(Boost 1.70 CONFIG REQUIRED COMPONENTS program_options)
find_package(fmt CONFIG REQUIRED)
find_package(spdlog CONFIG REQUIRED)
find_package(tomlplusplus CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(Threads REQUIRED)
