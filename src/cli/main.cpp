// The command `reprise`.
#include "cli/command.hpp"

int main(int argc, char** argv) { return reprise::cli::run_reprise(argc, argv); }
