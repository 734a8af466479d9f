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
constexpr std::uint8_t kLeb = 0x01, kSigned2 = 0x0a, kUnsigned2 = 0x02;
constexpr std::uint8_t kFormat = 0x0f;
constexpr std::uint8_t kBase = 0x70, kRelativeToItself = 0x10;  // what a pointer is relative to
constexpr std::uint8_t kNoPointer = 0xff;
constexpr std::uint8_t kRelativeToTable4 = 0x3b;  // what linkers write: DW_EH_PE_datarel | sdata4

template <class T>
std::optional<T> read_at(std::span<const std::uint8_t> data, std::uint64_t at) {
  if (at > data.size() || data.size() - at < sizeof(T)) return std::nullopt;
  T out;
  std::memcpy(&out, data.data() + at, sizeof out);
  return out;
}

}  // namespace

std::optional<Binary> Binary::open(const trace::Module& module) {
  const int file = ::open(module.path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  Binary out;
  struct stat info {};
  if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
    const auto size = static_cast<std::size_t>(info.st_size);
    void* map = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (map != MAP_FAILED) out.file_ = {static_cast<const std::uint8_t*>(map), size};
  }
  ::close(file);
  if (!out.read_headers(module.build_id)) return std::nullopt;
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

std::span<const std::uint8_t> Binary::bytes(Extent extent) const {
  const auto [address, size] = extent;
  for (const Segment& s : segments_) {
    if (address < s.address || address - s.address >= s.size) continue;
    const std::uint64_t at = address - s.address;
    return file_.subspan(s.offset + at, std::min(size, s.size - at));
  }
  return {};
}

template <class T>
std::optional<T> Binary::value(std::uint64_t address) const {
  return read_at<T>(bytes({address, sizeof(T)}), 0);
}

// header := version:byte, encodings of the pointer to .eh_frame, of the count and of the table:
//           byte{3}, pointer, count, (begin, description){count}
void Binary::read_function_table(std::uint64_t header) {
  const auto encodings = bytes({header, 4});
  if (encodings.size() < 4 || encodings[0] != 1 || encodings[3] != kRelativeToTable4 ||
      (encodings[1] & kFormat) != kSigned4 || encodings[2] != kUnsigned4) {
    return;
  }
  const auto count = value<std::uint32_t>(header + 8);
  const std::span<const std::uint8_t> table = bytes({header + 12, ~std::uint64_t{0}});
  for (std::uint64_t i = 0; count && i < *count; ++i) {
    const auto begin = read_at<std::int32_t>(table, 8 * i);
    const auto description = read_at<std::int32_t>(table, 8 * i + 4);
    if (!begin || !description) return;
    functions_.push_back({header + static_cast<std::uint64_t>(std::int64_t{*begin}),
                          header + static_cast<std::uint64_t>(std::int64_t{*description})});
  }
  std::ranges::sort(functions_, {}, &Function::begin);
}

// dynamic := (tag:8, value:8){}, which say where relocations, symbols and their names are
void Binary::read_slots(std::uint64_t dynamic, std::uint64_t size) {
  std::uint64_t symbols = 0, names = 0;
  std::array<Bounds, 2> tables{};  // of relocations: those of calls, and the others
  const std::span<const std::uint8_t> entries = bytes({dynamic, size});
  for (std::uint64_t i = 0;; ++i) {
    const auto entry = read_at<Elf64_Dyn>(entries, i * sizeof(Elf64_Dyn));
    if (!entry || entry->d_tag == DT_NULL) break;
    switch (entry->d_tag) {
      case DT_SYMTAB: symbols = entry->d_un.d_ptr; break;
      case DT_STRTAB: names = entry->d_un.d_ptr; break;
      case DT_JMPREL: tables[0].begin = entry->d_un.d_ptr; break;
      case DT_PLTRELSZ: tables[0].end = entry->d_un.d_val; break;  // a size, so far
      case DT_RELA: tables[1].begin = entry->d_un.d_ptr; break;
      case DT_RELASZ: tables[1].end = entry->d_un.d_val; break;
      default: break;
    }
  }
  for (const Bounds& table : tables) {
    const std::span<const std::uint8_t> relocations = bytes({table.begin, table.end});
    for (std::uint64_t i = 0;; ++i) {
      const auto relocation = read_at<Elf64_Rela>(relocations, i * sizeof(Elf64_Rela));
      if (!relocation) break;
      const std::uint64_t type = ELF64_R_TYPE(relocation->r_info);
      if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
      const auto symbol =
          value<Elf64_Sym>(symbols + ELF64_R_SYM(relocation->r_info) * sizeof(Elf64_Sym));
      if (!symbol) continue;
      const bool is_here = symbol->st_shndx != SHN_UNDEF;
      if (is_here && ELF64_ST_TYPE(symbol->st_info) != STT_FUNC) continue;
      slots_.push_back(
          {relocation->r_offset, is_here ? symbol->st_value : 0, names + symbol->st_name});
    }
  }
  std::ranges::sort(slots_, {}, &Slot::address);
}

const Binary::Slot* Binary::find_slot(std::uint64_t address) const {
  const auto found = std::ranges::lower_bound(slots_, address, {}, &Slot::address);
  return found == slots_.end() || found->address != address ? nullptr : &*found;
}

std::optional<std::uint64_t> Binary::function_of_slot(std::uint64_t slot) const {
  const Slot* found = find_slot(slot);
  if (!found || found->function == 0) return std::nullopt;
  return found->function;
}

std::string_view Binary::imported_by_slot(std::uint64_t slot) const {
  constexpr std::uint64_t kLongest = 4096;
  const Slot* found = find_slot(slot);
  if (!found || found->function != 0) return {};
  const std::span<const std::uint8_t> text = bytes({found->name, kLongest});
  const auto size = std::ranges::find(text, 0) - text.begin();
  return {reinterpret_cast<const char*>(text.data()), static_cast<std::size_t>(size)};
}

namespace {

// A part of an unwind table, read from its beginning on. What lies behind its end is 0.
class UnwindReader {
 public:
  explicit UnwindReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool at_end() const { return at_ >= bytes_.size(); }
  std::span<const std::uint8_t> rest() const { return bytes_.subspan(at_); }
  void skip(std::uint64_t n) { at_ += std::min<std::uint64_t>(n, bytes_.size() - at_); }

  // Of n bytes, little-endian. REQUIRES: n <= 8.
  std::uint64_t number(std::size_t n) {
    std::uint64_t out = 0;
    std::memcpy(&out, bytes_.data() + at_, std::min(n, bytes_.size() - at_));
    skip(n);
    return out;
  }

  // LEB128: seven bits a byte; signed numbers are read for their length alone.
  std::uint64_t leb() {
    std::uint64_t out = 0;
    for (unsigned shift = 0; !at_end(); shift += 7) {
      const std::uint64_t byte = number(1);
      if (shift < 64) out |= (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) break;
    }
    return out;
  }

  std::string text() {
    std::string out;
    while (!at_end()) {
      const auto c = static_cast<char>(number(1));
      if (c == 0) break;
      out += c;
    }
    return out;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

// The bytes that a pointer of an encoding takes; 0: unknown.
std::size_t size_of_pointer(std::uint8_t encoding) {
  switch (encoding & kFormat) {
    case kUnsigned2:
    case kSigned2: return 2;
    case kUnsigned4:
    case kSigned4: return 4;
    case kAbsolute:
    case kUnsigned8:
    case kSigned8: return 8;
    default: return 0;
  }
}

// Reads the address that a pointer encodes. `address`: of the pointer itself. Nothing if the
// encoding is not known.
std::optional<std::uint64_t> read_pointer(UnwindReader& in, std::uint8_t encoding,
                                          std::uint64_t address) {
  const std::size_t size = size_of_pointer(encoding);
  const std::uint8_t base = encoding & kBase;
  if (size == 0 || (encoding & 0x80) != 0 || (base != kAbsolute && base != kRelativeToItself))
    return std::nullopt;
  std::uint64_t out = in.number(size);
  const std::uint8_t format = encoding & kFormat;
  if (format == kSigned4)
    out = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(out)});
  if (format == kSigned2)
    out = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(out)});
  if (out != 0 && base == kRelativeToItself) out += address;
  return out;
}

// Where the caller's stack begins (the canonical frame address), as far as it is a register and an
// offset.
struct StackRule {
  std::uint64_t base = 0, offset = 0;

  bool operator==(const StackRule&) const = default;
};

// Follows the instructions of an unwind table through a function (DWARF 5, section 6.4.2).
class StackRules {
 public:
  StackRules(Bounds function, std::uint64_t code_alignment)
      : at_(function.begin), end_(function.end), alignment_(code_alignment) {}

  // Calls `visit` with each stretch of the function and the rule there. False if an instruction is
  // not known.
  template <class Visit>
  bool follow(std::span<const std::uint8_t> instructions, const Visit& visit) {
    UnwindReader in(instructions);
    const auto step = [&](std::uint64_t units) {
      const std::uint64_t next = at_ + std::min((end_ - at_) / alignment_, units) * alignment_;
      visit(Bounds{at_, next}, rule_);
      at_ = next;
    };
    while (!in.at_end()) {
      const auto code = static_cast<std::uint8_t>(in.number(1));
      switch (code & 0xc0) {
        case 0x40: step(code & 0x3f); continue;  // advance_loc
        case 0x80: in.leb(); continue;           // offset
        case 0xc0: continue;                     // restore
        default: break;
      }
      switch (code) {
        case 0x00: break;                      // nop
        case 0x02: step(in.number(1)); break;  // advance_loc1
        case 0x03: step(in.number(2)); break;  // advance_loc2
        case 0x04: step(in.number(4)); break;  // advance_loc4
        case 0x06:                             // restore_extended
        case 0x07:                             // undefined
        case 0x08:                             // same_value
        case 0x2e: in.leb(); break;            // GNU_args_size
        case 0x05:                             // offset_extended
        case 0x09:                             // register
        case 0x11:                             // offset_extended_sf
        case 0x14:                             // val_offset
        case 0x15:                             // val_offset_sf
          in.leb();
          in.leb();
          break;
        case 0x0a: kept_.push_back(rule_); break;  // remember_state
        case 0x0b:                                 // restore_state
          if (kept_.empty()) return false;
          rule_ = kept_.back();
          kept_.pop_back();
          break;
        case 0x0c:  // def_cfa
          rule_.base = in.leb();
          rule_.offset = in.leb();
          break;
        case 0x0d: rule_.base = in.leb(); break;    // def_cfa_register
        case 0x0e: rule_.offset = in.leb(); break;  // def_cfa_offset
        case 0x0f:                                  // def_cfa_expression
          rule_ = {};
          in.skip(in.leb());
          break;
        case 0x10:  // expression
        case 0x16:  // val_expression
          in.leb();
          in.skip(in.leb());
          break;
        default: return false;
      }
    }
    return true;
  }

  // The stretch behind the last instruction.
  template <class Visit>
  void finish(const Visit& visit) const {
    visit(Bounds{at_, end_}, rule_);
  }

 private:
  std::uint64_t at_, end_, alignment_;
  StackRule rule_;
  std::vector<StackRule> kept_;
};

}  // namespace

// description := length:4, distance back to the common entry:4, begin, size, (length of the
//                augmentation's data, that data), instructions
// common entry := length:4, 0:4, version:byte, augmentation, code alignment, data alignment,
//                 return register, (length of the augmentation's data, that data), instructions
std::optional<Binary::Description> Binary::describe(const Function& function) const {
  constexpr std::uint64_t kLongest = 0xffffff00;  // of an entry; longer ones have another form
  const std::uint64_t at = function.description;
  const auto length = value<std::uint32_t>(at), back = value<std::uint32_t>(at + 4);
  if (!length || !back || *length < 8 || *length > kLongest) return std::nullopt;
  const std::uint64_t common_at = at + 4 - *back;
  const auto common_length = value<std::uint32_t>(common_at);
  if (!common_length || *common_length > kLongest) return std::nullopt;
  Description out;
  UnwindReader common(bytes({common_at + 4, *common_length}));
  common.skip(5);  // 0, version
  const std::string augmentation = common.text();
  out.code_alignment = common.leb();
  common.leb();  // data alignment
  common.leb();  // return register
  std::uint8_t encoding = kAbsolute, exceptions = kNoPointer;
  const bool has_data = augmentation.starts_with('z');
  if (has_data) {
    const std::uint64_t size = common.leb();
    UnwindReader data(common.rest().first(std::min(size, common.rest().size())));
    common.skip(size);
    for (const char c : augmentation.substr(1)) {
      if (c == 'R') encoding = static_cast<std::uint8_t>(data.number(1));
      if (c == 'R') break;
      if (c == 'L') exceptions = static_cast<std::uint8_t>(data.number(1));
      if (c == 'P') data.skip(size_of_pointer(static_cast<std::uint8_t>(data.number(1))));
    }
  }
  out.common = common.rest();
  const std::size_t pointer = size_of_pointer(encoding);
  if (pointer == 0) return std::nullopt;
  const std::span<const std::uint8_t> whole = bytes({at + 8, *length - 4});
  UnwindReader own(whole);
  own.skip(pointer);
  out.size = own.number(pointer);
  if (has_data) {
    const std::uint64_t size = own.leb();
    const std::uint64_t data_at = at + 8 + (whole.size() - own.rest().size());
    UnwindReader data(own.rest().first(std::min<std::uint64_t>(size, own.rest().size())));
    own.skip(size);
    if (exceptions != kNoPointer && !data.at_end())
      out.exceptions = read_pointer(data, exceptions, data_at).value_or(0);
  }
  out.own = own.rest();
  return out;
}

const Binary::Function* Binary::find_function(std::uint64_t address) const {
  const auto next = std::ranges::upper_bound(functions_, address, {}, &Function::begin);
  return next == functions_.begin() ? nullptr : &*(next - 1);
}

std::optional<Bounds> Binary::function_at(std::uint64_t address) const {
  const Function* found = find_function(address);
  const auto description = found ? describe(*found) : std::nullopt;
  if (!description || address - found->begin >= description->size) return std::nullopt;
  return Bounds{found->begin, found->begin + description->size};
}

std::vector<Bounds> Binary::with_entry_stack(std::uint64_t address) const {
  constexpr StackRule kEntry{.base = 7, .offset = 8};  // the stack pointer, the return address
  const Function* found = find_function(address);
  const auto description = found ? describe(*found) : std::nullopt;
  if (!description || description->code_alignment == 0) return {};
  std::vector<Bounds> out;
  const auto visit = [&](const Bounds& stretch, const StackRule& rule) {
    if (rule == kEntry && stretch.begin < stretch.end) out.push_back(stretch);
  };
  StackRules rules({found->begin, found->begin + description->size}, description->code_alignment);
  if (!rules.follow(description->common, visit) || !rules.follow(description->own, visit))
    return {};
  rules.finish(visit);
  return out;
}

// exceptions := encoding of the base:byte, base (unless omitted),
//               encoding of types:byte, distance to the types:leb (unless omitted),
//               encoding of calls:byte, length of all calls:leb [bytes],
//               (first, size, landing pad, action:leb){}
// Landing pads are relative to the base, which is the beginning of the function if it is omitted;
// 0: there is none. (Itanium C++ ABI: Exception Handling, and what compilers add to it.)
std::vector<Binary::LandingPad> Binary::landing_pads(std::uint64_t begin) const {
  constexpr std::uint64_t kLongest = std::uint64_t{1} << 24;  // [bytes]
  const Function* found = find_function(begin);
  const auto description = found && found->begin == begin ? describe(*found) : std::nullopt;
  if (!description || description->exceptions == 0) return {};
  UnwindReader table(bytes({description->exceptions, kLongest}));
  std::uint64_t base = begin;
  const auto base_encoding = static_cast<std::uint8_t>(table.number(1));
  if (base_encoding != kNoPointer) {
    const auto said = read_pointer(table, base_encoding, description->exceptions + 1);
    if (!said) return {};
    base = *said;
  }
  if (static_cast<std::uint8_t>(table.number(1)) != kNoPointer) table.leb();
  const auto encoding = static_cast<std::uint8_t>(table.number(1));
  const std::size_t size = size_of_pointer(encoding);
  if (encoding != kLeb && size == 0) return {};
  const std::uint64_t length = table.leb();
  UnwindReader calls(table.rest().first(std::min<std::uint64_t>(length, table.rest().size())));
  const auto next = [&] { return encoding == kLeb ? calls.leb() : calls.number(size); };
  std::vector<LandingPad> out;
  for (std::uint64_t end = 0; !calls.at_end();) {
    const std::uint64_t first = next(), count = next(), pad = next();
    calls.leb();
    // Entries are in order and within the function; others are damaged.
    if (first < end || first > description->size || count > description->size - first) break;
    end = first + count;
    if (pad != 0 && count != 0) out.push_back({{begin + first, begin + first + count}, base + pad});
  }
  return out;
}

}  // namespace reprise::code
