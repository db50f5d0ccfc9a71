#pragma once

#include <fstream>
#include <iostream>
#include <string>

#include "support/catch.h"

namespace netzip::test {

/// A table of a document under docs/ is what the test just measured; prints it when it is not.
inline void check_documented(std::string const& document, std::string const& table) {
    std::ifstream in(std::string(NETZIP_SOURCE_DIR) + "/docs/" + document);
    std::string const text{std::istreambuf_iterator<char>(in), {}};
    bool const documented = text.find(table) != std::string::npos;
    if (!documented) std::cout << "docs/" << document << " should hold:\n" << table;
    CHECK(documented);
}

}  // namespace netzip::test
