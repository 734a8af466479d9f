#include "cli/record/launch.hpp"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "cli/command.hpp"
#include "cli/say.hpp"

namespace reprise::cli {
namespace {

constexpr int kPassedOn[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
constexpr int kOfTerminal[] = {SIGINT, SIGQUIT};

volatile sig_atomic_t g_child = 0;

void pass_on(int signal) {
  const int error = errno;
  if (g_child > 0) ::kill(g_child, signal);
  errno = error;
}

// What is done at the signals while a command runs, and before and after.
class Signals {
 public:
  Signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : kPassedOn) sigaddset(&set, signal);
    // None may come before there is somebody to pass it on to.
    ::sigprocmask(SIG_BLOCK, &set, &mask_);
    for (std::size_t i = 0; i < std::size(kPassedOn); ++i) {
      struct sigaction ours {};
      ours.sa_handler = pass_on;
      ::sigaction(kPassedOn[i], nullptr, &passed_on_[i]);
      // What is ignored here stays so, as under nohup.
      if (passed_on_[i].sa_handler != SIG_IGN) ::sigaction(kPassedOn[i], &ours, nullptr);
    }
    for (std::size_t i = 0; i < std::size(kOfTerminal); ++i) {
      struct sigaction ignored {};
      ignored.sa_handler = SIG_IGN;
      ::sigaction(kOfTerminal[i], &ignored, &of_terminal_[i]);
    }
  }
  ~Signals() { restore(); }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  void restore() {
    for (std::size_t i = 0; i < std::size(kPassedOn); ++i)
      ::sigaction(kPassedOn[i], &passed_on_[i], nullptr);
    for (std::size_t i = 0; i < std::size(kOfTerminal); ++i)
      ::sigaction(kOfTerminal[i], &of_terminal_[i], nullptr);
    ::sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }

  void let_through() { ::sigprocmask(SIG_SETMASK, &mask_, nullptr); }

 private:
  sigset_t mask_;
  struct sigaction passed_on_[std::size(kPassedOn)], of_terminal_[std::size(kOfTerminal)];
};

[[noreturn]] void become(const std::vector<std::string>& command, const Variables& variables) {
  std::vector<char*> words;
  for (const std::string& w : command) words.push_back(const_cast<char*>(w.c_str()));
  words.push_back(nullptr);
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  ::execvp(words[0], words.data());
  say(stderr, "reprise: {} cannot be started ({}); check its name and its permissions\n", words[0],
      std::strerror(errno));
  std::fflush(stderr);
  ::_exit(127);
}

}  // namespace

int run_command(const std::vector<std::string>& command, const Variables& variables) {
  Signals signals;
  g_child = 0;
  const pid_t child = ::fork();
  if (child < 0) {
    throw CommandError{
        fmt::format("the command cannot be started ({}); try again later", std::strerror(errno))};
  }
  if (child == 0) {
    signals.restore();
    become(command, variables);
  }
  g_child = child;
  signals.let_through();
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  g_child = 0;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace reprise::cli
