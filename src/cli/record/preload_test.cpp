#include "cli/record/preload.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace reprise::cli {
namespace {

using Words = std::vector<std::string>;

Words preloaded(const Words& command) {
  return with_preloaded(command, "/r.so",
                        [](const std::string& word) { return word.ends_with("app"); });
}

TEST(Preload, IsAddedToAssignments) {
  EXPECT_EQ(preloaded({"mpirun", "-x", "LD_PRELOAD=/x.so", "-n", "2", "./app"}),
            (Words{"mpirun", "-x", "LD_PRELOAD=/x.so:/r.so", "-n", "2", "./app"}));
  EXPECT_EQ(preloaded({"env", "LD_PRELOAD=", "mpirun", "./app"}),
            (Words{"env", "LD_PRELOAD=/r.so", "mpirun", "./app"}));
  EXPECT_EQ(preloaded({"srun", "--export=ALL,LD_PRELOAD=/x.so,A=1", "./app"}),
            (Words{"srun", "--export=ALL,LD_PRELOAD=/x.so:/r.so,A=1", "./app"}));
  EXPECT_EQ(preloaded({"mpirun", "--mca", "mca_base_env_list", "A=1;LD_PRELOAD=/x.so", "./app"}),
            (Words{"mpirun", "--mca", "mca_base_env_list", "A=1;LD_PRELOAD=/x.so:/r.so", "./app"}));
}

TEST(Preload, IsAddedToVariablesInTwoWords) {
  for (const char* option : {"-env", "-genv"}) {
    EXPECT_EQ(preloaded({"mpiexec", option, "LD_PRELOAD", "/x.so", "-n", "2", "./app"}),
              (Words{"mpiexec", option, "LD_PRELOAD", "/x.so:/r.so", "-n", "2", "./app"}));
  }
}

TEST(Preload, OtherWordsStay) {
  for (const Words& command :
       {Words{"mpirun", "-x", "LD_PRELOAD", "./app"},
        Words{"mpirun", "-x", "MY_LD_PRELOAD=1", "./app"},
        Words{"mpiexec", "-genvlist", "LD_PRELOAD", "-n", "2", "./app"},
        Words{"mpirun", "./app", "LD_PRELOAD=/x.so", "-env", "LD_PRELOAD", "/x.so"},
        Words{"sh", "-c", "A=1; LD_PRELOAD=/x.so ./app"}})
    EXPECT_EQ(preloaded(command), command);
}

TEST(Preload, EachProgramOfACommandHasItsOwn) {
  EXPECT_EQ(preloaded({"mpirun", "-n", "1", "./app", "LD_PRELOAD=a", ":", "-x", "LD_PRELOAD=/x.so",
                       "./app"}),
            (Words{"mpirun", "-n", "1", "./app", "LD_PRELOAD=a", ":", "-x",
                   "LD_PRELOAD=/x.so:/r.so", "./app"}));
}

std::string conflict(const Words& command) {
  const auto found =
      preload_conflict(command, [](const std::string& word) { return word.ends_with("app"); });
  return found ? found->what : "";
}

TEST(Preload, SaysWhatDropsIt) {
  EXPECT_EQ(conflict({"mpirun", "-x", "LD_PRELOAD=/x.so", "./app"}), "");
  EXPECT_EQ(conflict({"sh", "-c", "LD_PRELOAD=/x.so:$LD_PRELOAD ./app"}), "");
  EXPECT_EQ(conflict({"sh", "-c", "LD_PRELOAD=/x.so ./app"}),
            "'LD_PRELOAD=/x.so ./app' sets LD_PRELOAD");
  EXPECT_EQ(conflict({"env", "A=1", "-i", "./app"}),
            "env -i starts the program without LD_PRELOAD");
  EXPECT_EQ(conflict({"env", "-u", "LD_PRELOAD", "./app"}), "env unsets LD_PRELOAD");
  EXPECT_EQ(conflict({"env", "./app", "-i"}), "");
}

// MPICH's launcher sends what these options leave to other nodes, while processes on its own node
// inherit all.
TEST(Preload, SaysWhatDoesNotReachOtherNodes) {
  for (const char* option : {"-genvnone", "-envnone", "--genvnone"}) {
    EXPECT_EQ(conflict({"mpiexec", option, "./app"}),
              std::string(option) + " does not pass LD_PRELOAD to other nodes");
  }
  for (const char* list : {"HOME", "LD_PRELOAD", "MY_LD_PRELOAD,REPRISE_OUTPUT"}) {
    EXPECT_EQ(conflict({"mpiexec", "-genvlist", list, "./app"}),
              std::string("-genvlist ") + list +
                  " does not pass LD_PRELOAD and REPRISE_OUTPUT to other nodes");
  }
  EXPECT_EQ(conflict({"mpiexec", "-envlist", "HOME,LD_PRELOAD,REPRISE_OUTPUT", "./app"}), "");
  EXPECT_EQ(conflict({"mpiexec", "-genvall", "./app"}), "");
  EXPECT_EQ(conflict({"mpiexec", "./app", "-genvnone"}), "") << "the program's own";
  EXPECT_EQ(conflict({"mpiexec", "./app", ":", "-envnone", "./app"}),
            "-envnone does not pass LD_PRELOAD to other nodes");
}

TEST(Preload, LooksIntoScripts) {
  const auto script = std::filesystem::temp_directory_path() / "reprise_preload_test.sh";
  const auto write = [&](const char* text) {
    std::ofstream(script) << "#!/bin/sh\n" << text << "\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  };
  write("export LD_PRELOAD=/x.so\nexec \"$@\"");
  EXPECT_EQ(conflict({"mpirun", script.string(), "./app"}), script.string() + " sets LD_PRELOAD");
  write("export LD_PRELOAD=/x.so${LD_PRELOAD:+:$LD_PRELOAD}\nexec \"$@\"");
  EXPECT_EQ(conflict({"mpirun", script.string(), "./app"}), "");
  std::filesystem::remove(script);
}

}  // namespace
}  // namespace reprise::cli
