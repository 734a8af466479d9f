"""Tests of table.py: what it makes of good rows, and what it says about bad ones."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from check_coverage import Header
from generate import unknown
from table import VARIANTS, SpecError, Table, load, load_all, load_excluded

WORDS = """\
trait send        sends a message
trait nonblocking returns a request
trait collective  called by all
trait local       called alone
trait poll        may be empty-handed
kind sendbuf     <const void*>  in   choice   {MPI_BOTTOM}  data
kind length      <int>          in   integer  entries of a list
kind count       <int>          in   integer  elements
kind ints[]      <const int*>   in   integer  numbers
kind enum<>      <int>          in   integer  a constant
kind flag        <int*>         out  logical  success
kind newrequest  <MPI_Request*> out  handle   request
kind skip        <?>            -    raw      passed through
kind comm        <MPI_Comm>     in   handle   communicator
enum lock  MPI_LOCK_EXCLUSIVE MPI_LOCK_SHARED
"""


def parse(rows: str, words: str = WORDS) -> Table:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.spec"
        path.write_text(words + rows, encoding="utf-8")
        return load(path)


class GoodRows(unittest.TestCase):
    def setUp(self) -> None:
        self.table = load()

    def prototype(self, name: str, implementation: str = "") -> str:
        return self.table.functions[name].prototype(implementation)

    def test_the_tables_agree(self) -> None:
        self.assertGreater(len(self.table.functions), 200)
        self.assertIn("MPI_T_*", load_excluded(self.table))

    def test_every_word_is_used(self) -> None:
        functions = self.table.functions.values()
        self.assertEqual(set(self.table.traits), {trait for function in functions for trait in function.traits})
        self.assertEqual(set(self.table.variants), set(VARIANTS))
        self.assertEqual(set(self.table.kinds), {arg.kind.name for function in functions for arg in function.args})

    def test_variants(self) -> None:
        self.assertEqual(
            self.prototype("MPI_Alltoallw_init_c"),
            "int MPI_Alltoallw_init_c(const void* sendbuf, const MPI_Count* sendcounts, const MPI_Aint* sdispls, "
            "const MPI_Datatype* sendtypes, void* recvbuf, const MPI_Count* recvcounts, const MPI_Aint* rdispls, "
            "const MPI_Datatype* recvtypes, MPI_Comm comm, MPI_Info info, MPI_Request* request)",
        )
        self.assertEqual(
            self.prototype("MPI_Type_create_darray_c"),
            "int MPI_Type_create_darray_c(int size, int rank, int ndims, const MPI_Count* gsizes, const int* distribs, "
            "const int* dargs, const int* psizes, int order, MPI_Datatype oldtype, MPI_Datatype* newtype)",
        )
        bcast, init = self.table.functions["MPI_Bcast"], self.table.functions["MPI_Bcast_init"]
        self.assertEqual(init.traits, bcast.traits | {"persistent"})
        self.assertEqual([f.base for f in (bcast, init, self.table.functions["MPI_Bcast_init_c"])], ["MPI_Bcast"] * 3)
        self.assertNotIn("MPI_Barrier_c", self.table.functions)
        self.assertNotIn("MPI_Type_create_f90_real_c", self.table.functions)

    def test_unknown_variants_are_mistakes(self) -> None:
        with self.assertRaisesRegex(SpecError, "unknown variant"):
            parse("", WORDS + "variant huge even more\n")

    def test_calls_of_functions_that_no_table_has_are_counted(self) -> None:
        declared = {"MPI_Send": "int x", "MPI_Wtime": "void", "MPI_Novelty": "int x", "MPI_Info_new": "void"}
        header = Header("mpich", frozenset(declared), declared, {}, frozenset(declared) - {"MPI_Wtime"})
        self.assertEqual(unknown(self.table, header), ["MPI_Novelty"])

    def test_prototypes(self) -> None:
        self.assertEqual(self.prototype("MPI_Finalize"), "int MPI_Finalize(void)")
        self.assertEqual(self.prototype("MPI_Pcontrol"), "int MPI_Pcontrol(int level, ...)")
        self.assertEqual(
            self.prototype("MPI_Group_range_incl"),
            "int MPI_Group_range_incl(MPI_Group group, int n, int (*ranges)[3], MPI_Group* newgroup)",
        )

    def test_const_is_left_out_for_one_implementation(self) -> None:
        self.assertIn("const void* compare", self.prototype("MPI_Compare_and_swap", "mpich"))
        self.assertNotIn("const void* compare", self.prototype("MPI_Compare_and_swap", "smpi"))

    def test_payloads(self) -> None:
        def shapes(name: str) -> list[tuple[str | None, ...]]:
            payloads = self.table.functions[name].payloads()
            return [
                ("+".join(buffer.name for buffer in payload.buffers),)
                + tuple(arg and arg.name for arg in (payload.count, payload.displs, payload.datatype))
                for payload in payloads
            ]

        self.assertEqual(shapes("MPI_Reduce"), [("sendbuf+recvbuf", "count", None, "datatype")])
        self.assertEqual(
            shapes("MPI_Gatherv"),
            [("sendbuf", "sendcount", None, "sendtype"), ("recvbuf", "recvcounts", "displs", "recvtype")],
        )
        self.assertEqual(
            shapes("MPI_Fetch_and_op"),
            [("origin+result", None, None, "datatype"), ("target_disp", None, None, "datatype")],
        )
        self.assertEqual(shapes("MPI_File_read_all_end"), [("buf", None, None, None)])
        self.assertEqual(shapes("MPI_Type_vector"), [])

    def test_rows_continue_and_keep_their_first_line(self) -> None:
        function = parse("# comment\nMPI_F send buf:sendbuf\n\n    comm:comm  # more\n").functions["MPI_F"]
        self.assertEqual([arg.name for arg in function.args], ["buf", "comm"])
        self.assertEqual(function.line, WORDS.count("\n") + 2)


class PosixRows(unittest.TestCase):
    def setUp(self) -> None:
        self.table = load_all()

    def test_result_is_no_parameter(self) -> None:
        self.assertEqual(self.table.functions["pread"].prototype(), "ssize_t pread(int fd, void* buf, size_t count, off_t offset)")
        self.assertEqual(self.table.functions["open"].prototype(), "int open(const char* filename, int oflag, ...)")
        self.assertEqual(self.table.functions["close"].prototype(), "int close(int fd)")

    def test_aliases(self) -> None:
        self.assertIn("pread64", self.table.functions["pread"].aliases)
        self.assertNotIn("pread64", self.table.functions)

    def test_mpi_alone(self) -> None:
        self.assertFalse(any(f.is_posix for f in load().functions.values()))


class BadRows(unittest.TestCase):
    def assert_mistake(self, rows: str, message: str) -> None:
        with self.assertRaisesRegex(SpecError, rf"x\.spec:{WORDS.count(chr(10)) + 1}: .*{message}"):
            parse(rows)

    def test_unknown_words(self) -> None:
        self.assert_mistake("function MPI_F", "unknown word 'function'")
        self.assert_mistake("MPI_F sends", "unknown trait 'sends'")
        self.assert_mistake("MPI_F send buf:buffer", "unknown kind 'buffer'")
        self.assert_mistake("MPI_F send mode:enum<locks>", "needs one of <lock>")
        self.assert_mistake("MPI_F send buf:sendbuf!lam", "unknown implementation 'lam'")

    def test_malformed(self) -> None:
        with self.assertRaisesRegex(SpecError, r"x\.spec:1: an indented line continues the line before"):
            parse("    MPI_F send\n", words="")
        self.assert_mistake("MPI_F", "has no traits")
        self.assert_mistake("MPI_F send buf", "malformed argument 'buf'")
        self.assert_mistake("MPI_F send x:skip", "needs its C type")
        self.assert_mistake("MPI_F send n:length!smpi", "has no const")
        self.assert_mistake("kind x int in integer y", "malformed kind")
        self.assert_mistake("kind x <int> now integer y", "unknown capture 'now'")
        self.assert_mistake("kind comm <MPI_Comm> in handle y", "kind comm stands here twice")

    def test_lengths(self) -> None:
        self.assert_mistake("MPI_F send x:ints", "needs a length")
        self.assert_mistake("MPI_F send n:length x:sendbuf[n]", "is not a list")
        self.assert_mistake("MPI_F send n:length x:length*n", "is not a count")
        self.assert_mistake("MPI_F send x:ints[n]", "has no argument 'n'")
        self.assert_mistake("MPI_F send comm:comm x:ints[comm.size]", "cannot be 'comm.size'")

    def test_arguments_must_agree_with_each_other(self) -> None:
        self.assert_mistake("MPI_F send a:comm a:comm", "same name")
        self.assert_mistake("MPI_F send buf:sendbuf@root comm:comm", "needs an argument 'root'")

    def test_traits_must_agree_with_kinds_and_each_other(self) -> None:
        self.assert_mistake("MPI_F send request:newrequest", "nonblocking persistent")
        self.assert_mistake("MPI_F send,nonblocking comm:comm", "nonblocking persistent")
        self.assert_mistake("MPI_F local,collective", "cannot be both")
        self.assert_mistake("MPI_F send flag:flag", "must be poll")
        self.assert_mistake("MPI_F send,send", "twice")


class Excluded(unittest.TestCase):
    def assert_mistake(self, text: str, message: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.txt"
            path.write_text(text, encoding="utf-8")
            with self.assertRaisesRegex(SpecError, message):
                load_excluded(load(), path)

    def test_mistakes(self) -> None:
        self.assert_mistake("MPI_Comm_rank\n", r"x\.txt:1: MPI_Comm_rank has no reason")
        self.assert_mistake("MPI_A x\nMPI_A y\n", r"x\.txt:2: MPI_A stands here twice")
        self.assert_mistake("MPI_Sen* why\n", r"x\.txt:1: MPI_Send is excluded by MPI_Sen\* but has a row")


if __name__ == "__main__":
    unittest.main()
