"""Writes, for `generate.py`, the calls that a replay makes: the inverse of the wrappers.

For each function: its arguments from the columns of an event, by the methods of replay::Arguments; the call; and what
becomes of the objects that came out of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from check_coverage import Header
from table import Arg, Function, Payload, Table

ColumnsOf = Callable[[Function], list]  # of generate.Column, in the order in which they are captured

# What a trace does not tell enough about.
UNPLAYABLE = {
    "MPI_Comm_spawn": "it starts programs, and the trace does not have them",
    "MPI_Comm_spawn_multiple": "it starts programs, and the trace does not have them",
    "MPI_Comm_accept": "it connects with another program",
    "MPI_Comm_connect": "it connects with another program",
    "MPI_Comm_join": "it connects with another program",
    "MPI_Win_create_dynamic": "its window is made of addresses that processes told each other",
    "MPI_Win_attach": "its window is made of addresses that processes told each other",
    "MPI_Win_detach": "its window is made of addresses that processes told each other",
}
# In src/replay/steering/steering.cpp.
STEERED_BY_HAND = {"MPI_Recv_init", "MPI_Recv_init_c", "MPI_Start", "MPI_Startall"}
HANDLES = {"comm", "group", "datatype", "op", "win", "file", "session"}
HANDLE_TYPES = {"comm": "Comm", "group": "Group", "type": "Datatype", "op": "Op", "win": "Win", "file": "File", "session": "Session"}
NUMBERS = {"int", "aint", "offset", "disp", "bool"}
BUFFERS = {"sendbuf", "recvbuf", "sendrecvbuf"}


@dataclass
class Code:
    """A function's call in the making."""

    before: list[str] = field(default_factory=list)
    buffers: list[str] = field(default_factory=list)  # after `before`: they are as large as counts and types say
    passed: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)


class Call:
    """A function, and where in an event its columns are."""

    def __init__(self, function: Function, columns: list) -> None:
        self.function = function
        self.scalars = [c.name for c in columns if not c.is_list]
        self.lists = [c.name for c in columns if c.is_list]
        self.kinds = {arg.kind.name: arg for arg in function.args}

    def scalar(self, name: str) -> int:
        return self.scalars.index(name)

    def list(self, name: str) -> int:
        return self.lists.index(name)

    def scale(self, arg: Arg) -> str:
        """How a count is scaled: those of messages are, not those of types, windows and files."""
        f = self.function
        if f.traits & {"io", "rma"} or not any(p.count is arg for p in f.payloads()):
            return "Scale::none"
        if "collective" in f.traits:
            return "Scale::all"
        payload = next(p for p in f.payloads() if p.count is arg)
        return "Scale::sent" if payload.buffers[0].kind.name != "recvbuf" else "Scale::received"

    def length(self, arg: Arg) -> str:
        """A length without a column: that of the list that it belongs to."""
        if arg.name in self.scalars:
            return f"a.number<{arg.ctype}>({self.scalar(arg.name)})"
        of = [o for o in self.function.args if o.length and o.length.arg == arg.name and o.kind.name != "weights" and o.name in self.lists]
        each = " / 3" if of[0].kind.name == "ranges" else ""
        if of[0].kind.name == "aints":
            return f"a.blocks({self.list(of[0].name)})"
        return f"a.length({self.list(of[0].name)}){each}"

    @staticmethod
    def element(arg: Arg) -> str:
        """The C type of an entry of a list."""
        return arg.ctype.removeprefix("const ").removesuffix("*")

    def room(self, buffer: Arg) -> str:
        """How much memory a buffer takes."""
        payload = next((p for p in self.function.payloads() if buffer in p.buffers), None)
        if not payload or not payload.datatype:
            return "{}"
        count, what = payload.count, [payload.datatype.name]
        if count is None:
            return f"a.room(1, {what[0]})"
        if count.kind.is_list:
            displs = payload.displs.name if payload.displs else "nullptr"
            return f"a.room(a.length({self.list(count.name)}), {count.name}, {displs}, {what[0]})"
        return f"a.room(std::int64_t{{{count.name}}}{self.blocks(payload)}, {what[0]})"

    def blocks(self, payload: Payload) -> str:
        assert payload.count
        blocks = payload.count.blocks
        if not blocks:
            return ""
        if self.function.arg(blocks.arg).kind.name == "length":
            return f" * {blocks.arg}"
        return f" * a.{ {'': 'members', 'local': 'local_members'}.get(blocks.property, blocks.property) }({blocks.arg})"

    def add(self, arg: Arg, code: Code) -> None:
        kind, name = arg.kind.name, arg.name
        declare = code.before.append

        def let(value: str, passed: str = name) -> None:
            declare(f"auto {name} = {value};")
            code.passed.append(passed)

        if kind in BUFFERS:
            sends = [o for o in self.function.args if o.kind.name == "sendbuf"]
            slot = "Slot::received" if kind != "sendbuf" else "Slot::sent" if arg is sends[0] else "Slot::other"
            code.buffers.append(f"auto {name} = a.buffer({self.scalar(name)}, {slot}, {self.room(arg)}, {'false' if kind == 'recvbuf' else self.sends()});")
            code.passed.append(name)
        elif kind == "base":
            size = next(o for o in self.function.args if o.name == "size")
            code.buffers.append(f"auto {name} = a.base({self.scalar(name)}, {size.name});")
            code.passed.append(name)
        elif kind in ("newbase", "oldbase"):
            declare(f"void* {name} = nullptr;")
            code.passed.append(f"&{name}")
            if kind == "oldbase":
                code.after.append(f"a.give_back({name});")
        elif kind in NUMBERS:
            let(f"a.number<{arg.ctype}>({self.scalar(name)})")
        elif kind == "count":
            let(f"a.count<{arg.ctype}>({self.scalar(name)}, {self.scale(arg)})")
        elif kind == "counts":
            let(f"a.counts<{self.element(arg)}>({self.list(name)}, {self.scale(arg)})")
        elif kind in ("displs", "ints", "bools"):
            let(f"a.numbers<{self.element(arg)}>({self.list(name)})")
        elif kind == "aints":
            let(self.addresses(arg))
        elif kind in ("ranges", "ranks", "weights", "datatypes"):
            let(f"a.{kind}({self.list(name)})")
        elif kind == "enums":
            assert arg.family
            let(f"a.enumerations({self.list(name)}, k_{arg.family.name})")
        elif kind in ("enum", "flags"):
            assert arg.family
            let(f"a.{'flags' if arg.family.is_flags else 'enumeration'}({self.scalar(name)}, k_{arg.family.name})")
        elif kind == "length":
            let(self.length(arg))
        elif kind in ("dest", "target", "root", "rank"):
            let(f"a.{'rank' if kind in ('root', 'rank') else 'peer'}({self.scalar(name)})")
        elif kind == "source":
            self.add_source(arg, code)
        elif kind in ("tag", "color"):
            if name not in (self.matched_tag(),):
                let(f"a.{kind}({self.scalar(name)})")
            else:
                code.passed.append(name)
        elif kind == "string":
            let(f"a.{'path' if name == 'filename' else 'text'}({self.list(name)})")
        elif kind in HANDLES:
            let(f"a.{kind}({self.scalar(name)})")
        elif kind == "committype":
            let(f"a.datatype({self.scalar(name)})", f"&{name}")
        elif kind == "info":
            code.passed.append("a.info()")
        elif kind == "message":
            let(f"a.message({self.scalar(name)}, count, datatype)", f"&{name}")
        elif kind == "newmessage":
            declare(f"MPI_Message {name} = MPI_MESSAGE_NULL;")
            code.passed.append(f"&{name}")
            code.after.append(f"a.new_message({self.scalar(name)}, {name}, status);")
        elif kind == "newcomm":
            let(f"a.new_comm({self.scalar(name)})")
            code.after.append(f"a.made_comm({self.scalar(name)}, *{name});")
        elif kind == "newtypes":
            let("a.scratch<MPI_Datatype>()")
            code.after.append(f"a.found_types({self.list(name)}, {name});")
        elif kind in ("newgroup", "newtype", "newop", "newwin", "newfile", "newsession"):
            what = kind.removeprefix("new")
            declare(f"MPI_{HANDLE_TYPES[what]} {name}{{}};")
            code.passed.append(f"&{name}")
            code.after.append(f"a.new_{what}({self.scalar(name)}, {name});")
        elif kind == "newrequest":
            declare(f"MPI_Request {name} = MPI_REQUEST_NULL;")
            code.passed.append(f"&{name}")
            code.after.append(f"a.new_request({name}, {'true' if 'persistent' in self.function.traits else 'false'});")
        elif kind in ("request", "partrequest"):
            let(f"a.request({self.scalar(name)})", f"*{name}")
        elif kind in ("waitrequest", "startrequest", "cancelrequest", "freerequest"):
            let(f"a.request({self.scalar(name)})")
            code.after.append("a.keep_requests();")
        elif kind in ("waitrequests", "startrequests"):
            chosen = f", {self.scalar('index')}" if "index" in self.scalars else ""
            let(f"a.requests({self.list(name)}{chosen})")
            code.after.append("a.keep_requests();")
        elif kind.startswith("free"):
            what = kind.removeprefix("free")
            let(f"a.{'datatype' if what == 'type' else what}({self.scalar(name)})", f"&{name}")
            # While the name is still taken: another thread may be waiting for what takes it next.
            code.after.append(f"a.freed_{what}({self.scalar(name)});")
            if what == "comm":
                declare(f"a.wait_for_users({self.scalar(name)});")
        elif kind == "status" and "newmessage" in self.kinds:
            declare("MPI_Status status;")
            code.passed.append("&status")
        elif kind in ("status", "statuses"):
            code.passed.append("MPI_STATUS_IGNORE" if kind == "status" else "MPI_STATUSES_IGNORE")
        elif kind in ("flag", "outcount", "index", "outint", "outenum"):
            declare(f"{self.element(arg)} {name} = 0;")
            code.passed.append(f"&{name}")
        elif kind == "indices":
            let("a.indices()")
        elif kind in ("skip", "outstring"):
            let(f"a.scratch<std::remove_pointer_t<{arg.ctype}>>()")
        elif kind == "callback":
            code.passed.append({"MPI_User_function*": "leave_alone", "MPI_User_function_c*": "leave_alone_large", "MPI_Grequest_query_function*": "query_nothing",
                                "MPI_Grequest_free_function*": "free_nothing", "MPI_Grequest_cancel_function*": "cancel_nothing"}[arg.ctype])
        elif kind == "errhandler":
            code.passed.append("MPI_ERRORS_RETURN")
        elif kind in ("main", "extrastate"):
            code.passed.append("nullptr")
        else:
            raise AssertionError(f"{self.function.name}: nothing is known of {kind}")

    def sends(self) -> str:
        """Whether the call's send buffer is data that this process sends."""
        buffers = {a.kind.name for a in self.function.args}
        return f"a.is_root({self.scalar('root')}, comm)" if "sendrecvbuf" in buffers and "root" in buffers else "true"

    def addresses(self, arg: Arg) -> str:
        lengths = next((o.name for o in self.function.args if o.kind.name == "counts" or o.name == "blocklength"), "")
        types = next((o.name for o in self.function.args if o.kind.name in ("datatypes", "datatype")), "")
        if "create" not in self.function.traits:
            return f"a.numbers<{self.element(arg)}>({self.list(arg.name)})"
        return f"a.addresses<{self.element(arg)}>({self.list(arg.name)}, {lengths}, {types})"

    def matched_tag(self) -> str:
        """The tag that belongs to the source."""
        found, after = "", False
        for arg in self.function.args:
            after = after or arg.kind.name == "source"
            if after and arg.kind.name == "tag" and not found:
                found = arg.name
        return found

    def add_source(self, arg: Arg, code: Code) -> None:
        tag = self.matched_tag()
        matched = f"{self.scalar('matched_source')}, {self.scalar('matched_tag')}" if "matched_source" in self.scalars else "kAhead, kAhead"
        code.before.append(f"int {arg.name} = 0, {tag} = 0;")
        code.before.append(f"a.match({self.scalar(arg.name)}, {self.scalar(tag)}, {matched}, {arg.name}, {tag});")
        code.passed.append(arg.name)


def print_call(function: Function, columns: list) -> None:
    call, code = Call(function, columns), Code()
    # A type goes before the addresses that it lays out.
    for arg in function.args:
        call.add(arg, code)
    addresses = [line for line in code.before if "a.addresses<" in line]
    before = [line for line in code.before if line not in addresses] + addresses
    real = f"{function.name}({', '.join(code.passed)})"
    kinds = {arg.kind.name: arg.name for arg in function.args}
    done = f"{kinds['flag']} != 0" if "flag" in kinds else f"{kinds['outcount']} != 0" if "poll" in function.traits else ""
    print(f"\nvoid play_{function.name}(Arguments& a) {{")
    for line in before + code.buffers:
        print(f"  {line}")
    if done:
        print(f"  a.poll([&] {{ return {real}; }}, [&] {{ return {done}; }});")
    else:
        print(f"  a.issue([&] {{ return {real}; }});")
    for line in code.after:
        print(f"  {line}")
    print("}")


def print_posix_call(function: Function, columns: list) -> None:
    """A call of POSIX. What it returned then, it is led to return now (print_posix_steering)."""
    call, before, passed = Call(function, columns), [], []
    sends = any(arg.kind.name.startswith("stored") for arg in function.args)
    for arg in function.parameters:
        kind, name = arg.kind.name, arg.name
        if kind in ("fd", "freefd"):
            before.append(f"auto {name} = a.descriptor({call.scalar(name)});")
        elif kind in ("size", "place"):
            before.append(f"auto {name} = a.number<{arg.ctype}>({call.scalar(name)});")
        elif kind in ("stored", "loaded"):
            before.append(f"auto {name} = a.data(a.number<std::int64_t>({call.scalar('count')}), {'true' if sends else 'false'});")
        elif kind in ("storedv", "loadedv"):
            before.append(f"auto {name} = a.pieces({call.list(name)}, {'true' if sends else 'false'});")
        elif kind == "length":
            before.append(f"auto {name} = {call.length(arg)};")
        elif kind == "string":
            before.append(f"auto {name} = a.path({call.list(name)});")
        elif kind in ("flags", "enum"):
            assert arg.family
            before.append(f"auto {name} = a.{'flags' if arg.family.is_flags else 'enumeration'}({call.scalar(name)}, k_{arg.family.name});")
        elif kind == "dirfd":
            before.append(f"constexpr int {name} = AT_FDCWD;")
        elif kind == "mode":
            before.append(f"constexpr mode_t {name} = 0600;")
        else:
            raise AssertionError(f"{function.name}: nothing is known of {kind}")
        passed.append(name)
    if "variadic" in function.traits:
        passed.append("0600")
    real = f"[&] {{ return ::{function.name}({', '.join(passed)}); }}"
    print(f"\nvoid play_{function.name}(Arguments& a) {{")
    for line in before:
        print(f"  {line}")
    result = function.result
    if result and result.kind.name == "newfd":
        print(f"  a.new_descriptor({call.scalar(result.name)}, a.issue_posix(0, {real}));")
    else:
        print(f"  a.issue_posix({f'a.number<std::int64_t>({call.scalar(result.name)})' if result else '0'}, {real});")
    if "free" in function.traits:
        print(f"  a.freed_descriptor({call.scalar('fd')});")
    print("}")


def print_posix_steering(table: Table) -> None:
    """Functions that a replay's calls come to, behind a recorder: hand-written ones say what to do while it makes one."""
    for function in table.functions.values():
        if not function.is_posix or function.name in ("close", "fsync", "fdatasync"):
            continue
        names = [arg.name for arg in function.parameters]
        result = function.result.ctype if function.result else "int"
        is_open = "variadic" in function.traits
        types = ", ".join(a.ctype for a in function.parameters) + (", ..." if is_open else "")
        declared = function.prototype(name=f"reprise_{function.name}")
        print(f'\n{declared} __asm__("{function.name}");')
        print(f"REPRISE_SHOWN {declared} {{")
        print(f"  static Behind<{result} (*)({types})> behind{{\"{function.name}\"}};")
        print("  const auto real = behind.find();")
        if is_open:
            print("  mode_t mode = 0;\n  if (oflag & (O_CREAT | O_TMPFILE)) {\n    va_list rest;\n    va_start(rest, oflag);"
                  "\n    mode = va_arg(rest, mode_t);\n    va_end(rest);\n  }")
            names.append("mode")
        file = next(arg.name for arg in function.parameters if arg.kind.name in ("fd", "string"))
        print(f"  if (is_led({file})) return steered_{function.name}({', '.join(n for n in names)});")
        print(f"  return real({', '.join(names)});\n}}")
        for alias in function.aliases:
            if not alias.startswith("__"):
                print(f'REPRISE_SHOWN {function.prototype(name=f"reprise_{alias}")} __asm__("{alias}") __attribute__((alias("{function.name}")));')


def print_replay(table: Table, header: Header, columns_of: ColumnsOf) -> None:
    with_posix = header.implementation != "smpi"
    for family in table.families.values():
        if with_posix or not family.is_posix:
            print(f"[[maybe_unused]] constexpr int k_{family.name}[] = {{{', '.join(family.constants)}}};")
    here = {f.name for f in table.functions.values() if f.name in header.functions and f.name not in UNPLAYABLE}
    for function in table.functions.values():
        if function.name in here:
            print_call(function, columns_of(function))
        elif function.is_posix and with_posix:
            print_posix_call(function, columns_of(function))
            here.add(function.name)
    print("\nconstexpr Player kPlayers[] = {")
    for name in sorted(table.functions):
        missing = "POSIX I/O is not replayed in SMPI" if table.functions[name].is_posix else "this MPI library does not have it"
        why = UNPLAYABLE.get(name, "" if name in here else missing)
        print(f'    {{{f"play_{name}" if name in here else "nullptr"}, "{why}"}},')
    print("};")


def steered(table: Table, header: Header) -> list[Function]:
    """The functions that complete or receive just what is said, or open a file elsewhere."""
    kinds = {"source", "waitrequests", "waitrequest", "cancelrequest", "request", "freerequest", "startrequest", "startrequests"}
    return [
        f
        for f in table.functions.values()
        if f.name in header.functions and f.name not in UNPLAYABLE
        and any(arg.kind.name in kinds or arg.name == "filename" for arg in f.args)
    ]


def print_wraps(table: Table, header: Header) -> None:
    """For a linker that is to put them between the recorder and SMPI."""
    for function in steered(table, header):
        print(f"-Wl,--wrap=P{function.name}")


def print_steering(table: Table, header: Header, columns_of: ColumnsOf) -> None:
    for function in steered(table, header):
        if function.name in STEERED_BY_HAND:
            continue
        call = Call(function, columns_of(function))
        kinds = {arg.kind.name: arg for arg in function.args}
        lines: list[str] = []
        passed = [arg.name for arg in function.args]
        if "source" in kinds:
            lines.append(f"if (now().match) {{ {kinds['source'].name} = now().source; {call.matched_tag()} = now().tag; }}")
        elif requests := kinds.get("waitrequests") or kinds.get("waitrequest") or kinds.get("cancelrequest"):
            lines.append(f"Shown shown({requests.name}, {requests.length.arg if requests.length else 1});")
            passed = ["shown.requests()" if name == requests.name else name for name in passed]
        elif request := kinds.get("request") or kinds.get("freerequest"):
            lines.append(f"{'show' if request.kind.name == 'request' else 'free_started'}({request.name});")
        else:
            lines.append("if (now().path) filename = now().path;")
        parameters = function.prototype(header.implementation, "").removeprefix("int MPI_").partition("(")[2]
        print(f"\nREPRISE_STEERED({function.name}, ({parameters}) {{")
        print(f"  REPRISE_BEHIND(P{function.name});")
        for line in lines:
            print(f"  {line}")
        print(f"  return real({', '.join(passed)});\n}}")
