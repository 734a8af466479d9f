// Programs in Fortran under SMPI call mpi_send_ and its like in SimGrid's library, which converts
// their arguments and calls the C function, out of a program's reach.
//
// Each routine stands here under its own name. It makes the slot through which the library calls
// the C function lead to the recorder's wrapper, and goes on in the library's routine; the wrapper
// puts the slot right before it does anything else. This holds because a routine of SimGrid makes
// one call of an MPI function, and before that only looks up handles.
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "record/calls/call.hpp"
#include "record/flat/flat_log.hpp"
#include "record/smpi/smpi.hpp"

namespace reprise::record {
namespace {

// SimGrid's library, which every rank shares.
void* simgrid() {
  static void* library = nullptr;
  Dl_info info;
  if (!library && dladdr(reinterpret_cast<void*>(&PMPI_Init), &info)) {
    library = dlopen(info.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
  }
  return library;
}

struct Search {
  ElfW(Addr) base;  // of the library
  const char* function;
  void** slot = nullptr;
};

void make_writable(const dl_phdr_info& info, void** slot) {
  const auto at = reinterpret_cast<std::uintptr_t>(slot);
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    const std::uintptr_t begin = info.dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_GNU_RELRO && at >= begin && at < begin + header.p_memsz) {
      mprotect(reinterpret_cast<void*>(at & ~(page - 1)), page, PROT_READ | PROT_WRITE);
    }
  }
}

// Looks through the relocations of a library for the one that binds a function.
int find_slot(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (info->dlpi_addr != search.base) return 0;
  const ElfW(Dyn)* dynamic = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
      dynamic = reinterpret_cast<const ElfW(Dyn)*>(search.base + info->dlpi_phdr[i].p_vaddr);
    }
  }
  const char* texts = nullptr;
  const ElfW(Sym)* symbols = nullptr;
  const ElfW(Rela) * tables[2] = {};
  std::size_t sizes[2] = {};
  for (; dynamic && dynamic->d_tag != DT_NULL; ++dynamic) {
    const auto value = dynamic->d_un.d_ptr;
    switch (dynamic->d_tag) {
      case DT_STRTAB: texts = reinterpret_cast<const char*>(value); break;
      case DT_SYMTAB: symbols = reinterpret_cast<const ElfW(Sym)*>(value); break;
      case DT_JMPREL: tables[0] = reinterpret_cast<const ElfW(Rela)*>(value); break;
      case DT_PLTRELSZ: sizes[0] = value / sizeof(ElfW(Rela)); break;
      case DT_RELA: tables[1] = reinterpret_cast<const ElfW(Rela)*>(value); break;
      case DT_RELASZ: sizes[1] = value / sizeof(ElfW(Rela)); break;
      default: break;
    }
  }
  for (int t = 0; t < 2; ++t) {
    for (std::size_t i = 0; i < sizes[t]; ++i) {
      const ElfW(Rela)& r = tables[t][i];
      const auto type = ELF64_R_TYPE(r.r_info);
      if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
      if (std::strcmp(texts + symbols[ELF64_R_SYM(r.r_info)].st_name, search.function) != 0)
        continue;
      search.slot = reinterpret_cast<void**>(search.base + r.r_offset);
      make_writable(*info, search.slot);
      return 1;
    }
  }
  return 1;
}

}  // namespace

extern "C" {

FortranRoutine* reprise_fortran_under_way = nullptr;

#define REPRISE_FORTRAN(number, fortran, c) \
  {nullptr, nullptr, reinterpret_cast<void*>(&(c)), nullptr, {#fortran, #c}},
[[gnu::visibility("hidden")]] FortranRoutine reprise_fortran_routines[] = {
#include "fortran.inc"
};
#undef REPRISE_FORTRAN

// The first call of a routine by this rank. What is in the slot is never read: another rank's
// wrapper may be.
[[gnu::visibility("hidden")]] void reprise_find_fortran_routine(FortranRoutine* r) {
  Dl_info info{};
  dladdr(reinterpret_cast<void*>(&PMPI_Init), &info);
  Search search{reinterpret_cast<ElfW(Addr)>(info.dli_fbase), r->names[1]};
  dl_iterate_phdr(find_slot, &search);
  r->routine = dlsym(simgrid(), r->names[0]);
  r->function = dlsym(simgrid(), r->names[1]);
  if (!r->routine || !r->function || !search.slot) {
    // Nothing sensible can follow: the program calls what it cannot reach.
    std::fprintf(stderr,
                 "reprise: %s cannot be recorded (this version of SimGrid calls its C function in "
                 "another way); use another version of SimGrid\n",
                 r->names[0]);
    std::abort();
  }
  r->slot = search.slot;
}

// SimGrid's routine calls no MPI function.
[[gnu::visibility("protected")]] void mpi_comm_free_(int* comm, int* error) {
  static const auto real =
      reinterpret_cast<void (*)(int*, int*)>(dlsym(simgrid(), "mpi_comm_free_"));
  const Unmeasured unmeasured;
  Call call(FunctionNumber::MPI_Comm_free, REPRISE_CALLER);
  if (call.ignored()) return real(comm, error);
  FlatCall flat("MPI_Comm_free", call.thread(), call.aside(), true);
  call.before([&] {
    const MPI_Comm freed = PMPI_Comm_f2c(*comm);
    call.comm_freed(freed);
    if (flat.on()) flat.comm_freed("comm", freed);
  });
  real(comm, error);
  call.after([&] {
    if (*error != MPI_SUCCESS) {
      if (flat.on()) flat.failed();
      return call.failed();
    }
    if (flat.on()) flat.commit();
    call.commit();
  });
}

}  // extern "C"

static_assert(sizeof(FortranRoutine) == 48);

// The address of the routine's entry in the table, in r11; all registers of arguments stay.
#define REPRISE_FORTRAN(number, fortran, c)              \
  asm(".text\n.globl " #fortran "\n.protected " #fortran \
      "\n"                                               \
      ".type " #fortran ", @function\n" #fortran         \
      ":\n"                                              \
      "  leaq 48*" #number                               \
      "+reprise_fortran_routines(%rip), %r11\n"          \
      "  jmp reprise_go_fortran\n.size " #fortran ", . - " #fortran "\n");
#include "fortran.inc"
#undef REPRISE_FORTRAN

asm(R"(
.text
.type reprise_go_fortran, @function
reprise_go_fortran:
  movq 0(%r11), %r10
  testq %r10, %r10
  je 1f
2:
  movq %r11, reprise_fortran_under_way(%rip)
  pushq %rax
  movq 16(%r11), %rax
  movq %rax, (%r10)
  popq %rax
  jmp *8(%r11)
1:
  pushq %rbp
  movq %rsp, %rbp
  andq $-16, %rsp
  subq $64, %rsp
  movq %rdi, 0(%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movq %rax, 48(%rsp)
  movq %r11, 56(%rsp)
  movq %r11, %rdi
  call reprise_find_fortran_routine
  movq 0(%rsp), %rdi
  movq 8(%rsp), %rsi
  movq 16(%rsp), %rdx
  movq 24(%rsp), %rcx
  movq 32(%rsp), %r8
  movq 40(%rsp), %r9
  movq 48(%rsp), %rax
  movq 56(%rsp), %r11
  leave
  movq 0(%r11), %r10
  jmp 2b
.size reprise_go_fortran, . - reprise_go_fortran
)");

}  // namespace reprise::record
