#define CATCH_CONFIG_RUNNER
#include <systemc>

#include "support/catch.h"

// libsystemc exports a main that calls this; ours is the one that runs.
int sc_main(int, char**) {
    return 0;
}

int main(int argc, char** argv) {
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    // A warning of the kernel is a modelling error: it becomes an exception and fails the test.
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
    return Catch::Session().run(argc, argv);
}
