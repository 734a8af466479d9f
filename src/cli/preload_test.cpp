#include "cli/preload.hpp"

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

TEST(Preload, SaysWhatDropsIt) {
  EXPECT_EQ(preload_conflict({"mpirun", "-x", "LD_PRELOAD=/x.so", "./app"}), "");
  EXPECT_EQ(preload_conflict({"sh", "-c", "LD_PRELOAD=/x.so:$LD_PRELOAD ./app"}), "");
  EXPECT_EQ(preload_conflict({"sh", "-c", "LD_PRELOAD=/x.so ./app"}),
            "'LD_PRELOAD=/x.so ./app' sets LD_PRELOAD");
  EXPECT_EQ(preload_conflict({"env", "A=1", "-i", "./app"}),
            "env -i starts the program without LD_PRELOAD");
  EXPECT_EQ(preload_conflict({"env", "-u", "LD_PRELOAD", "./app"}), "env unsets LD_PRELOAD");
  EXPECT_EQ(preload_conflict({"env", "./app", "-i"}), "");
  EXPECT_EQ(preload_conflict({"mpiexec", "-genvnone", "./app"}),
            "-genvnone starts the program without LD_PRELOAD");
}

TEST(Preload, LooksIntoScripts) {
  const auto script = std::filesystem::temp_directory_path() / "reprise_preload_test.sh";
  const auto write = [&](const char* text) {
    std::ofstream(script) << "#!/bin/sh\n" << text << "\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  };
  write("export LD_PRELOAD=/x.so\nexec \"$@\"");
  EXPECT_EQ(preload_conflict({"mpirun", script.string(), "./app"}),
            script.string() + " sets LD_PRELOAD");
  write("export LD_PRELOAD=/x.so${LD_PRELOAD:+:$LD_PRELOAD}\nexec \"$@\"");
  EXPECT_EQ(preload_conflict({"mpirun", script.string(), "./app"}), "");
  std::filesystem::remove(script);
}

}  // namespace
}  // namespace reprise::cli
