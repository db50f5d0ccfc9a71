// The library is what Verilator makes of the .sv files beside this one.
namespace netzip::rtl {}
