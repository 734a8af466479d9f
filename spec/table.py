"""Reads mpi.spec and posix.spec, the tables of the functions that Reprise records, and says in C what each row means.

The grammar and the rules are in README.md. A mistake in the table is a SpecError that names file and line. Run as a
program, it checks the table and prints the C prototype of every row.
"""

from __future__ import annotations

import fnmatch
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

HERE = Path(__file__).parent
SPEC = HERE / "mpi.spec"
POSIX = HERE / "posix.spec"
EXCLUDED = HERE / "excluded.txt"
PREDEFINED = HERE / "predefined.txt"

# The macro of its mpi.h by which each implementation is known. A derivative bears its parent's.
IMPLEMENTATIONS = {"openmpi": "OPEN_MPI", "mpich": "MPICH_VERSION", "smpi": "SMPI_H"}

CAPTURES = {"in", "inout", "out", "result", "-"}
FORTRAN = set("absent address character choice handle index integer logical offset procedure raw status".split())

# The lengths that an argument can give to another, by its kind; "" is written as the argument's name alone.
PROPERTIES = {
    "length": {""},
    "outcount": {""},
    "comm": {"", "local", "indegree", "outdegree", "ndims"},
    "datatype": {"contents"},
    "ints": {"last", "sum"},
}

# A row has one of these traits exactly if it has an argument of one of these kinds.
TRAITS_OF_KINDS = [
    ({"create"}, {"newcomm", "newgroup", "newtype", "newtypes", "newop", "newwin", "newfile", "newfd", "newsession"}),
    ({"free"}, {"freecomm", "freegroup", "freetype", "freeop", "freewin", "freefile", "freefd", "freesession", "freerequest"}),
    ({"nonblocking", "persistent"}, {"newrequest"}),
    ({"start"}, {"startrequest", "startrequests"}),
    ({"complete"}, {"waitrequest", "waitrequests", "request"}),
    ({"cancel"}, {"cancelrequest"}),
    ({"rma"}, {"disp"}),
]
# A row that has the first trait has the second too.
IMPLIED_TRAITS = [
    ("sync", "send"),
    ("buffered", "send"),
    ("ready", "send"),
    ("neighbor", "collective"),
    ("begin", "io"),
    ("end", "io"),
    ("init", "collective"),
    ("finalize", "collective"),
    ("inter", "create"),
    ("intra", "create"),
]
EXCLUSIVE_TRAITS = [("local", "collective"), ("nonblocking", "persistent"), ("begin", "end"), ("inter", "intra")]


_T = TypeVar("_T")


class SpecError(Exception):
    """A mistake in a table; its text is `file:line: what (why) what to do`."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")


class _Mistake(Exception):
    """A mistake in the line being read, before file and line are known."""


@dataclass(frozen=True)
class Family:
    """An enumeration, or flags to be or-ed, whose values differ between implementations."""

    name: str
    constants: tuple[str, ...]  # a trace stores a constant's position here, or the bit of that position
    is_flags: bool
    is_posix: bool = False  # constants of posix.spec


@dataclass(frozen=True)
class Kind:
    """What an argument means: its C type, when it is captured, and how Fortran passes it."""

    name: str
    ctype: str  # "?" where each row says
    capture: str  # one of CAPTURES: before the call, before (it is overwritten), after, what the call returns, never
    fortran: str  # one of FORTRAN
    sentinels: tuple[str, ...]
    meaning: str
    is_list: bool
    has_family: bool


@dataclass(frozen=True)
class Length:
    """How many entries a list has: the value of an argument, or a property of it."""

    arg: str
    property: str  # one of PROPERTIES, or "" for the value of a number

    def __str__(self) -> str:
        return f"{self.arg}.{self.property}" if self.property else self.arg


@dataclass(frozen=True)
class Arg:
    name: str
    kind: Kind
    ctype: str  # as MPI has it
    family: Family | None
    length: Length | None  # of a list
    blocks: Length | None  # how many blocks a single count stands for; None: one
    large: str  # the type that takes the place of int in the large variant, "" if the rules say it
    where: str  # the argument that names the only process where this one may be read, "leaf", or "" for everywhere
    constless: frozenset[str]  # implementations whose header lacks the const

    def ctype_for(self, implementation: str) -> str:
        """The C type in the header of one of IMPLEMENTATIONS; "" is MPI as the standard has it."""
        return self.ctype.removeprefix("const ") if implementation in self.constless else self.ctype

    def declaration(self, implementation: str = "") -> str:
        ctype = self.ctype_for(implementation)
        return ctype.replace("(*)", f"(*{self.name})") if "(*)" in ctype else f"{ctype} {self.name}"


@dataclass(frozen=True)
class Payload:
    """Buffers that a call moves, with the arguments that say how much: `count` elements of `datatype`.

    Several buffers in one payload have the same shape. No datatype: the first half of a split collective said it. No
    count: one element. A `disp` in place of a buffer is memory in the target's window.
    """

    buffers: tuple[Arg, ...]
    count: Arg | None
    displs: Arg | None
    datatype: Arg | None


@dataclass(frozen=True)
class Function:
    name: str
    traits: frozenset[str]
    args: tuple[Arg, ...]
    line: int  # of the table, from 1
    base: str = ""  # the function that this is a variant of, through all its variants; its own name if none
    is_posix: bool = False
    aliases: tuple[str, ...] = ()  # other names of a function of POSIX that take the same arguments

    @property
    def parameters(self) -> tuple[Arg, ...]:
        """The arguments without what the function returns."""
        return tuple(arg for arg in self.args if arg.kind.capture != "result")

    @property
    def result(self) -> Arg | None:
        """What a function of POSIX returns, where that is in the trace."""
        return next((arg for arg in self.args if arg.kind.capture == "result"), None)

    def prototype(self, implementation: str = "", name: str = "") -> str:
        """The C declaration without semicolon, under another name if one is given."""
        parameters = [arg.declaration(implementation) for arg in self.parameters]
        if "variadic" in self.traits:
            parameters.append("...")
        return f"{self.result.ctype if self.result else 'int'} {name or self.name}({', '.join(parameters) or 'void'})"

    @property
    def fortran_name(self) -> str:
        """Lower case, with the underscore of gfortran, flang and most others."""
        return self.name.lower() + "_"

    @property
    def fortran_args(self) -> tuple[Arg, ...]:
        """Those that Fortran has too, less IERROR and the hidden lengths of strings."""
        return tuple(arg for arg in self.args if arg.kind.fortran != "absent")

    def captured(self, *captures: str) -> tuple[Arg, ...]:
        return tuple(arg for arg in self.args if arg.kind.capture in captures)

    def arg(self, name: str) -> Arg:
        return next(arg for arg in self.args if arg.name == name)

    def payloads(self) -> tuple[Payload, ...]:
        """The buffers with their counts and datatypes, by the order of the arguments (README.md, Payloads)."""
        found: list[Payload] = []
        buffers: list[Arg] = []
        part: dict[str, Arg] = {}
        for arg in self.args:
            match arg.kind.name:
                case "sendbuf" | "recvbuf" | "sendrecvbuf" | "disp":
                    buffers.append(arg)
                case "count" | "counts":
                    part["count"] = arg
                case "displs" | "aints":
                    part["displs"] = arg
                case "datatype" | "datatypes" if buffers:
                    found.append(Payload(tuple(buffers), part.get("count"), part.get("displs"), arg))
                    buffers, part = [], {}
        if buffers:
            last = found[-1].datatype if found else None
            found.append(Payload(tuple(buffers), None, None, last))
        return tuple(found)


@dataclass
class Table:
    path: Path
    traits: dict[str, str] = field(default_factory=dict)  # name to meaning
    variants: dict[str, str] = field(default_factory=dict)  # name to meaning
    kinds: dict[str, Kind] = field(default_factory=dict)
    families: dict[str, Family] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)


def load(path: Path = SPEC) -> Table:
    """The checked table. Raises SpecError."""
    table = Table(path)
    _read_file(table, path)
    return table


def load_all() -> Table:
    """The functions of MPI and of POSIX in one table. Raises SpecError."""
    table = load()
    _read_file(table, POSIX)
    return table


def _read_file(table: Table, path: Path) -> None:
    for line, text in _logical_lines(path):
        try:
            _read_line(table, line, text, is_posix=path == POSIX)
        except _Mistake as mistake:
            raise SpecError(path, line, str(mistake)) from None


def load_excluded(table: Table, path: Path = EXCLUDED) -> dict[str, str]:
    """Patterns of the functions that are not recorded, each with the reason. Raises SpecError."""
    excluded: dict[str, str] = {}
    for line, text in _logical_lines(path):
        pattern, _, reason = text.partition(" ")
        if not reason:
            raise SpecError(path, line, f"{pattern} has no reason; write one after it")
        if pattern in excluded:
            raise SpecError(path, line, f"{pattern} stands here twice; delete one")
        if rows := fnmatch.filter(table.functions, pattern):
            raise SpecError(path, line, f"{rows[0]} is excluded by {pattern} but has a row; delete one")
        excluded[pattern] = reason.strip()
    return excluded


def _logical_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines without comments and blank lines, indented ones joined to the line before, with the number of the first."""
    pending: tuple[int, str] | None = None
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        text = raw.partition("#")[0].rstrip()
        if not text:
            continue
        if text[0].isspace():
            if not pending:
                raise SpecError(path, number, "an indented line continues the line before it, but there is none")
            pending = pending[0], f"{pending[1]} {text.strip()}"
            continue
        if pending:
            yield pending
        pending = number, text
    if pending:
        yield pending


def _read_line(table: Table, line: int, text: str, is_posix: bool) -> None:
    word, _, rest = text.partition(" ")
    match word:
        case "trait":
            name, _, meaning = rest.strip().partition(" ")
            _add("trait", table.traits, name, meaning.strip())
        case "variant":
            name, _, meaning = rest.strip().partition(" ")
            if name not in VARIANTS:
                raise _Mistake(f"unknown variant '{name}'; it is one of {' '.join(VARIANTS)}")
            _add("variant", table.variants, name, meaning.strip())
        case "kind":
            kind = _read_kind(rest)
            _add("kind", table.kinds, kind.name, kind)
        case "enum" | "flags":
            name, _, constants = rest.strip().partition(" ")
            _add("enumeration", table.families, name, Family(name, tuple(constants.split()), word == "flags", is_posix))
        case "posix" if is_posix:
            names, _, rest = rest.strip().partition(" ")
            first, *others = names.split(",")
            function = replace(_read_function(table, line, first, rest)[0], is_posix=True, aliases=tuple(others))
            _check_function(function)
            _add("function", table.functions, first, function)
        case _ if word.startswith("MPI_"):
            function, variants = _read_function(table, line, word, rest)
            for one in _with_variants(table, function, variants):
                _check_function(one)
                _add("function", table.functions, one.name, one)
        case _:
            raise _Mistake(f"unknown word '{word}'; a line begins with trait, variant, kind, enum, flags or a function's name")


def _add(what: str, where: dict[str, _T], name: str, item: _T) -> None:
    if not name:
        raise _Mistake(f"{what} without a name")
    if name in where:
        raise _Mistake(f"{what} {name} stands here twice; delete one")
    where[name] = item


_KIND = re.compile(
    r"(?P<name>\w+)(?P<family><>)?(?P<list>\[\])?\s+<(?P<ctype>[^>]+)>\s+(?P<capture>\S+)\s+(?P<fortran>\S+)\s+"
    r"(\{(?P<sentinels>[^}]*)\}\s+)?(?P<meaning>\S.*)"
)


def _read_kind(text: str) -> Kind:
    match = _KIND.fullmatch(text.strip())
    if not match:
        raise _Mistake("malformed kind; write: kind NAME <C type> CAPTURE FORTRAN {SENTINELS} MEANING")
    for column, allowed in (("capture", CAPTURES), ("fortran", FORTRAN)):
        if match[column] not in allowed:
            raise _Mistake(f"unknown {column} '{match[column]}'; it is one of {' '.join(sorted(allowed))}")
    return Kind(
        name=match["name"],
        ctype=match["ctype"],
        capture=match["capture"],
        fortran=match["fortran"],
        sentinels=tuple((match["sentinels"] or "").split()),
        meaning=match["meaning"],
        is_list=bool(match["list"]),
        has_family=bool(match["family"]),
    )


_WORD = re.compile(r"(?:<[^>]*>|\S)+")
_ARG = re.compile(
    r"(?P<name>\w+):(?P<kind>\w+)(?:<(?P<qualifier>[^>]+)>)?(?:\[(?P<length>[\w.]+)\]|\*(?P<blocks>[\w.]+))?"
    r"(?:\+(?P<large>\w+))?(?:@(?P<where>\w+))?(?:!(?P<constless>[\w,]+))?"
)


def _read_function(table: Table, line: int, name: str, rest: str) -> tuple[Function, list[str]]:
    """The function of a row, and the words that say which variants it has."""
    words = _WORD.findall(rest)
    if not words:
        raise _Mistake(f"{name} has no traits")
    traits = [trait for trait in words[0].split(",") if trait not in table.variants]
    variants = [trait for trait in words[0].split(",") if trait in table.variants]
    for trait in traits:
        if trait not in table.traits:
            raise _Mistake(f"unknown trait '{trait}'; declare it, or pick one of {' '.join(table.traits)}")
    if len(set(traits)) < len(traits):
        raise _Mistake(f"a trait of {name} stands here twice; delete one")
    return Function(name, frozenset(traits), tuple(_read_arg(table, word) for word in words[1:]), line, name), variants


def _restartable(table: Table, function: Function) -> Function:
    """The persistent variant of a blocking collective: it also takes hints, and returns a request."""
    more = tuple(_read_arg(table, word) for word in ("info:info", "request:newrequest"))
    traits = function.traits | {"persistent"}
    return replace(function, name=f"{function.name}_init", traits=traits, args=function.args + more)


def _large(_: Table, function: Function) -> Function:
    """The variant that counts in MPI_Count."""
    makes_type = any(arg.kind.name == "newtype" for arg in function.args)
    blocks = {arg.length.arg for arg in function.args if arg.length and arg.kind.name in ("counts", "displs", "aints")}

    def base(arg: Arg) -> str:
        match arg.kind.name:
            case "count" | "counts":
                return "MPI_Count"
            case "displs":
                return "MPI_Count" if makes_type else "MPI_Aint"
            case "aint" | "aints" if makes_type:
                return "MPI_Count"
            case "length" if makes_type and arg.name in blocks:
                return "MPI_Count"
        return arg.large

    def widened(arg: Arg) -> Arg:
        wide = base(arg)
        return replace(arg, ctype=re.sub(r"\b(?!const\b)\w+", wide, arg.ctype)) if wide else arg

    return replace(function, name=f"{function.name}_c", args=tuple(map(widened, function.args)))


VARIANTS = {"restartable": _restartable, "large": _large}


def _with_variants(table: Table, function: Function, variants: list[str]) -> list[Function]:
    """The function and its variants, of which each may be one of those before it."""
    all_of_it = [function]
    for name, derive in VARIANTS.items():
        if name in variants:
            all_of_it += [derive(table, one) for one in all_of_it]
    return all_of_it


def _read_arg(table: Table, word: str) -> Arg:
    match = _ARG.fullmatch(word)
    if not match:
        raise _Mistake(f"malformed argument '{word}'; write: NAME:KIND<QUALIFIER>[LENGTH]@WHERE!IMPLEMENTATION,...")
    kind = table.kinds.get(match["kind"])
    if not kind:
        known = " ".join(table.kinds)
        raise _Mistake(f"unknown kind '{match['kind']}' in '{word}'; declare it, or pick one of {known}")

    family, ctype = None, match["qualifier"] or kind.ctype
    if kind.has_family:
        family, ctype = table.families.get(match["qualifier"] or ""), kind.ctype
        if not family:
            raise _Mistake(f"'{word}' needs one of <{'> <'.join(table.families)}>")
    if ctype == "?":
        raise _Mistake(f"'{word}' needs its C type in angle brackets ({kind.name} has none of its own)")
    if kind.is_list != bool(match["length"]):
        wrong = "needs a length in brackets" if kind.is_list else "is not a list and cannot have a length"
        raise _Mistake(f"'{word}' {wrong}")
    if match["blocks"] and kind.name != "count":
        raise _Mistake(f"'{word}' is not a count and cannot have blocks")

    constless = frozenset((match["constless"] or "").split(",")) - {""}
    if unknown := constless - IMPLEMENTATIONS.keys():
        raise _Mistake(f"unknown implementation '{min(unknown)}' in '{word}'; known are {' '.join(IMPLEMENTATIONS)}")
    if constless and not ctype.startswith("const "):
        raise _Mistake(f"'{word}' has no const to leave out")

    length, blocks = _read_length(match["length"]), _read_length(match["blocks"])
    large = match["large"] or ""
    return Arg(match["name"], kind, ctype, family, length, blocks, large, match["where"] or "", constless)


def _read_length(text: str | None) -> Length | None:
    if not text:
        return None
    arg, _, prop = text.partition(".")
    return Length(arg, prop)


def _check_function(function: Function) -> None:
    names = [arg.name for arg in function.args]
    if len(set(names)) < len(names):
        raise _Mistake(f"two arguments of {function.name} have the same name")
    for arg in function.args:
        for length in filter(None, (arg.length, arg.blocks)):
            _check_length(function, arg, length)
        _check_where(function, arg)
    _check_traits(function)


def _check_length(function: Function, arg: Arg, length: Length) -> None:
    of = next((other.kind.name for other in function.args if other.name == length.arg), None)
    if not of:
        raise _Mistake(f"the length of '{arg.name}' is '{length}', but {function.name} has no argument '{length.arg}'")
    if length.property not in PROPERTIES.get(of, ()):
        raise _Mistake(f"the length of '{arg.name}' cannot be '{length}' ('{length.arg}' is a {of})")


def _check_where(function: Function, arg: Arg) -> None:
    if not arg.where:
        return
    wanted = "root" if arg.where == "leaf" else arg.where
    if not any(other.name == wanted and other.kind.name in ("root", "rank") for other in function.args):
        raise _Mistake(f"'{arg.name}@{arg.where}' needs an argument '{wanted}' of kind root or rank")


def _check_traits(function: Function) -> None:
    traits, kinds = function.traits, {arg.kind.name for arg in function.args}
    for wanted, because in TRAITS_OF_KINDS:
        if bool(wanted & traits) != bool(because & kinds):
            raise _Mistake(
                f"{function.name} must have both or neither of: a trait out of {' '.join(sorted(wanted))}, "
                f"an argument of kind {' '.join(sorted(because))}"
            )
    for trait, implied in IMPLIED_TRAITS:
        if trait in traits and implied not in traits:
            raise _Mistake(f"{function.name} is {trait} and so must be {implied}")
    for one, other in EXCLUSIVE_TRAITS:
        if {one, other} <= traits:
            raise _Mistake(f"{function.name} cannot be both {one} and {other}")
    if "flag" in kinds and "poll" not in traits:
        raise _Mistake(f"{function.name} has a flag and so must be poll")


def main() -> int:
    try:
        table = load_all()
        load_excluded(table)
    except SpecError as error:
        print(error, file=sys.stderr)
        return 1
    for function in table.functions.values():
        print(f"{function.prototype()};")
    return 0


if __name__ == "__main__":
    sys.exit(main())
