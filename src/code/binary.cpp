#include "code/binary.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/build_id.hpp"

namespace reprise::code {
namespace {

// Encodings of pointers in unwind tables (Linux Standard Base, 10.5.1).
constexpr std::uint8_t kAbsolute = 0x00, kUnsigned4 = 0x03, kUnsigned8 = 0x04, kSigned4 = 0x0b,
                       kSigned8 = 0x0c;
constexpr std::uint8_t kFormat = 0x0f;
constexpr std::uint8_t kRelativeToTable4 = 0x3b;  // what linkers write: DW_EH_PE_datarel | sdata4

template <class T>
std::optional<T> read_at(std::span<const std::uint8_t> data, std::uint64_t at) {
  if (at > data.size() || data.size() - at < sizeof(T)) return std::nullopt;
  T out;
  std::memcpy(&out, data.data() + at, sizeof out);
  return out;
}

}  // namespace

std::optional<Binary> Binary::open(const std::string& path, const std::string& build_id) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  Binary out;
  struct stat info {};
  if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
    const auto size = static_cast<std::size_t>(info.st_size);
    void* map = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (map != MAP_FAILED) out.file_ = {static_cast<const std::uint8_t*>(map), size};
  }
  ::close(file);
  if (!out.read_headers(build_id)) return std::nullopt;
  return out;
}

Binary::Binary(Binary&& other) noexcept
    : file_(std::exchange(other.file_, {})),
      segments_(std::move(other.segments_)),
      functions_(std::move(other.functions_)),
      slots_(std::move(other.slots_)) {}

Binary::~Binary() {
  if (!file_.empty()) ::munmap(const_cast<std::uint8_t*>(file_.data()), file_.size());
}

bool Binary::read_headers(const std::string& build_id) {
  const auto header = read_at<Elf64_Ehdr>(file_, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64) {
    return false;
  }
  std::string found_id;
  std::optional<std::uint64_t> unwind_header;
  std::optional<Elf64_Phdr> dynamic;
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    const auto segment =
        read_at<Elf64_Phdr>(file_, header->e_phoff + std::uint64_t{i} * sizeof(Elf64_Phdr));
    if (!segment) return false;
    if (segment->p_offset > file_.size() || segment->p_filesz > file_.size() - segment->p_offset)
      continue;
    if (segment->p_type == PT_LOAD) {
      segments_.push_back({segment->p_vaddr, segment->p_offset, segment->p_filesz});
    } else if (segment->p_type == PT_NOTE && found_id.empty()) {
      found_id = build_id_in(file_.subspan(segment->p_offset, segment->p_filesz));
    } else if (segment->p_type == PT_GNU_EH_FRAME) {
      unwind_header = segment->p_vaddr;
    } else if (segment->p_type == PT_DYNAMIC) {
      dynamic = segment;
    }
  }
  if (!build_id.empty() && found_id != build_id) return false;
  if (unwind_header) read_function_table(*unwind_header);
  if (dynamic) read_slots(dynamic->p_vaddr, dynamic->p_filesz);
  return true;
}

std::span<const std::uint8_t> Binary::bytes(std::uint64_t address, std::uint64_t size) const {
  for (const Segment& s : segments_) {
    if (address < s.address || address - s.address >= s.size) continue;
    const std::uint64_t at = address - s.address;
    return file_.subspan(s.offset + at, std::min(size, s.size - at));
  }
  return {};
}

template <class T>
std::optional<T> Binary::value(std::uint64_t address) const {
  return read_at<T>(bytes(address, sizeof(T)), 0);
}

// header := version:byte, encodings of the pointer to .eh_frame, of the count and of the table:
//           byte{3}, pointer, count, (begin, description){count}
void Binary::read_function_table(std::uint64_t header) {
  const auto encodings = bytes(header, 4);
  if (encodings.size() < 4 || encodings[0] != 1 || encodings[3] != kRelativeToTable4 ||
      (encodings[1] & kFormat) != kSigned4 || encodings[2] != kUnsigned4) {
    return;
  }
  const auto count = value<std::uint32_t>(header + 8);
  const std::span<const std::uint8_t> table = bytes(header + 12, ~std::uint64_t{0});
  for (std::uint64_t i = 0; count && i < *count; ++i) {
    const auto begin = read_at<std::int32_t>(table, 8 * i);
    const auto description = read_at<std::int32_t>(table, 8 * i + 4);
    if (!begin || !description) return;
    functions_.push_back({header + static_cast<std::uint64_t>(std::int64_t{*begin}),
                          header + static_cast<std::uint64_t>(std::int64_t{*description})});
  }
  std::ranges::sort(functions_, {}, &Function::begin);
}

// dynamic := (tag:8, value:8){}, which say where relocations and symbols are
void Binary::read_slots(std::uint64_t dynamic, std::uint64_t size) {
  std::uint64_t symbols = 0;
  std::array<Bounds, 2> tables{};  // of relocations: those of calls, and the others
  const std::span<const std::uint8_t> entries = bytes(dynamic, size);
  for (std::uint64_t i = 0;; ++i) {
    const auto entry = read_at<Elf64_Dyn>(entries, i * sizeof(Elf64_Dyn));
    if (!entry || entry->d_tag == DT_NULL) break;
    switch (entry->d_tag) {
      case DT_SYMTAB: symbols = entry->d_un.d_ptr; break;
      case DT_JMPREL: tables[0].begin = entry->d_un.d_ptr; break;
      case DT_PLTRELSZ: tables[0].end = entry->d_un.d_val; break;  // a size, so far
      case DT_RELA: tables[1].begin = entry->d_un.d_ptr; break;
      case DT_RELASZ: tables[1].end = entry->d_un.d_val; break;
      default: break;
    }
  }
  for (const Bounds& table : tables) {
    const std::span<const std::uint8_t> relocations = bytes(table.begin, table.end);
    for (std::uint64_t i = 0;; ++i) {
      const auto relocation = read_at<Elf64_Rela>(relocations, i * sizeof(Elf64_Rela));
      if (!relocation) break;
      const std::uint64_t type = ELF64_R_TYPE(relocation->r_info);
      if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
      const auto symbol =
          value<Elf64_Sym>(symbols + ELF64_R_SYM(relocation->r_info) * sizeof(Elf64_Sym));
      const bool is_here =
          symbol && symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC;
      if (is_here) slots_.push_back({relocation->r_offset, symbol->st_value});
    }
  }
  std::ranges::sort(slots_, {}, &Slot::address);
}

std::optional<std::uint64_t> Binary::function_of_slot(std::uint64_t slot) const {
  const auto found = std::ranges::lower_bound(slots_, slot, {}, &Slot::address);
  if (found == slots_.end() || found->address != slot) return std::nullopt;
  return found->function;
}

// description := length:4, distance back to the common entry:4, begin, size, ...
// common entry := length:4, 0:4, version:byte, augmentation, code alignment, data alignment,
//                 return register, length of the augmentation's data, that data
std::optional<std::uint64_t> Binary::size_of(const Function& function) const {
  const std::uint64_t at = function.description;
  const auto back = value<std::uint32_t>(at + 4);
  if (!back) return std::nullopt;
  const std::span<const std::uint8_t> common = bytes(at + 4 - *back, 64);
  if (common.size() < 10) return std::nullopt;
  std::size_t i = 9;
  std::string augmentation;
  while (i < common.size() && common[i] != 0) augmentation += static_cast<char>(common[i++]);
  ++i;
  const auto skip_number = [&] {
    while (i < common.size() && (common[i] & 0x80) != 0) ++i;
    ++i;
  };
  for (int n = 0; n < 3; ++n) skip_number();  // alignments, return register
  std::uint8_t encoding = kAbsolute;
  if (augmentation.starts_with('z')) {
    skip_number();
    for (const char c : augmentation.substr(1)) {
      if (i >= common.size()) return std::nullopt;
      if (c == 'R') encoding = common[i];
      if (c == 'R') break;
      if (c == 'L') ++i;
      if (c == 'P')
        i += (common[i] & kFormat) == kSigned4 || (common[i] & kFormat) == kUnsigned4 ? 5 : 9;
    }
  }
  switch (encoding & kFormat) {
    case kUnsigned4:
    case kSigned4: {
      const auto size = value<std::uint32_t>(at + 12);
      return size ? std::optional<std::uint64_t>(*size) : std::nullopt;
    }
    case kAbsolute:
    case kUnsigned8:
    case kSigned8: return value<std::uint64_t>(at + 16);
    default: return std::nullopt;
  }
}

std::optional<Bounds> Binary::function_at(std::uint64_t address) const {
  const auto next = std::ranges::upper_bound(functions_, address, {}, &Function::begin);
  if (next == functions_.begin()) return std::nullopt;
  const Function& found = *(next - 1);
  const auto size = size_of(found);
  if (!size || address - found.begin >= *size) return std::nullopt;
  return Bounds{found.begin, found.begin + *size};
}

}  // namespace reprise::code
