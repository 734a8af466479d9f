// Meets signals in the way that its argument names, in rank 1 if there is one, else in rank 0.
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kCalls = 50'000;

std::atomic<int> g_sent{0};
sigjmp_buf g_back;
void* g_page;
char g_buffer[1];  // of messages that nobody gets

// Calls no two of which are alike, so that the part is large.
void send_many(int calls) {
  unsigned random = 1;
  for (int i = 0; i < calls; i++) {
    random = random * 1664525 + 1013904223;
    MPI_Send(g_buffer, static_cast<int>(random >> 8), MPI_CHAR, MPI_PROC_NULL, random >> 17,
             MPI_COMM_SELF);
    ++g_sent;
  }
}

void send_for_ever() {
  for (;;) send_many(kCalls);
}

void block(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

void fault() { *static_cast<volatile int*>(g_page) = 1; }

void jump_back(int) { siglongjmp(g_back, 1); }

void open_page(int, siginfo_t*, void*) { mprotect(g_page, 4096, PROT_READ | PROT_WRITE); }

void restore(int signal, siginfo_t*, void*) { ::signal(signal, SIG_DFL); }

void leave(int signal, siginfo_t*, void*) { exit(signal); }

void say_end() { puts("the end"); }

void handle(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigaction(signal, &action, nullptr);
}

void finalize() { MPI_Finalize(); }

// Sends them in turn, to whichever other thread takes them.
std::thread send_to_others(std::vector<int> signals) {
  return std::thread([signals] {
    for (const int signal : signals) block(signal);
    for (int i = 0; i < 20; i++) {
      kill(getpid(), signals[i % signals.size()]);
      usleep(300);
    }
  });
}

// The program has handlers of faults, and recovers from each of them.
void recover() {
  for (int i = 0; i < 3; i++) {
    mprotect(g_page, 4096, PROT_NONE);
    *static_cast<volatile int*>(g_page) = i;
    MPI_Send(g_buffer, 0, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_SELF);
    if (sigsetjmp(g_back, 1) == 0) raise(SIGFPE);
    MPI_Send(g_buffer, 0, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_SELF);
    raise(SIGILL);  // ignored
    raise(SIGABRT);
  }
  MPI_Send(g_buffer, 0, MPI_CHAR, MPI_PROC_NULL, 1, MPI_COMM_SELF);
}

void meet(const std::string& way) {
  if (way == "handled" || way == "handled_killed") recover();
  if (way == "handled_killed") raise(SIGKILL);
  if (way == "exits" || way == "restored") {
    send_many(kCalls);
    fault();
  }
  if (way == "twice" || way == "both") {
    send_many(kCalls);
    std::thread sender =
        send_to_others(way == "twice" ? std::vector{SIGTERM} : std::vector{SIGTERM, SIGINT});
    for (;;) pause();
  }
  if (way == "truncated") {
    const std::string part = std::string(getenv("REPRISE_OUTPUT")) + ".part-0";
    if (truncate(part.c_str(), 0) != 0) exit(9);
    usleep(2'500'000);  // the watcher notes the time every second
  }
  if (way == "jumps") {
    std::thread sender(send_many, 3 * kCalls);
    while (g_sent < kCalls) usleep(100);
    if (sigsetjmp(g_back, 1) == 0) fault();
    // Without a call of its own.
    while (g_sent < 3 * kCalls) usleep(100);
    sender.join();
  }
  if (way == "beside") {
    std::thread sender(send_for_ever);
    while (g_sent < kCalls) usleep(100);
    fault();
  }
  if (way == "threads") {
    block(SIGTERM);
    std::vector<std::thread> senders;
    for (int i = 0; i < 3; i++) {
      senders.emplace_back([] {
        sigset_t none;
        sigemptyset(&none);
        pthread_sigmask(SIG_SETMASK, &none, nullptr);
        send_many(kCalls);
      });
    }
    while (g_sent < kCalls) usleep(100);
    kill(getpid(), SIGTERM);
    for (std::thread& t : senders) t.join();
    fputs("the signal has not ended the process\n", stderr);
    exit(9);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "well";
  g_page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (way.starts_with("handled")) {
    handle(SIGSEGV, open_page);
    signal(SIGFPE, jump_back);
    signal(SIGILL, SIG_IGN);
    signal(SIGABRT, SIG_IGN);
  }
  if (way == "jumps") signal(SIGSEGV, jump_back);
  if (way == "exits") {
    handle(SIGSEGV, leave);
    atexit(say_end);
  }
  if (way == "restored") handle(SIGSEGV, restore);
  if (way == "at_exit") atexit(finalize);
  int level, rank, size;
  const bool has_threads = way == "beside" || way == "jumps" || way == "threads";
  MPI_Init_thread(&argc, &argv, has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Barrier(MPI_COMM_WORLD);
  if (way == "at_exit") return 0;
  if (way == "aborts") MPI_Abort(MPI_COMM_WORLD, 3);
  if (way == "waits") {
    send_many(kCalls);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) puts("ready"), fflush(stdout);
    // Open MPI's launcher may end without ending its ranks.
    for (unsigned left = 60; left > 0;) left = sleep(left);
    _exit(1);
  }
  if (rank == size - 1) meet(way);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
