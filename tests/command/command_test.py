#!/usr/bin/env python3
"""Tests of the murmuration command, as its users run it.

    command_test.py --command FILE [--emulator COMMAND]... [unittest argument...]

Expected digests come from tests/oracle/murmur3_oracle.py.
"""
import argparse
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(PROJECT, "tools", "murmuration")
sys.path.insert(0, os.path.join(PROJECT, "tests", "oracle"))
import murmur3_oracle as oracle  # noqa: E402

COMMAND = []  # the command, after its emulator
ALGORITHMS = ("x86_32", "x86_128", "x64_128", "wide32")
SUBCOMMANDS = ("sum", "info", "bench", "selftest")


def digest(algorithm, data, seed=0):
    """What the command should print: the words as numbers, first word first."""
    value = oracle.FUNCTIONS[algorithm](data, seed)
    words = value if isinstance(value, tuple) else (value,)
    digits = 16 if algorithm == "x64_128" else 8
    return "".join("%0*x" % (digits, word) for word in words)


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="murmuration command ")
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, data):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(data)
        return name

    def run_command(self, *arguments, stdin=b"", **environment):
        """(status, standard output, standard error), run in self.folder."""
        done = subprocess.run(
            [*COMMAND, *arguments], input=stdin, cwd=self.folder, timeout=120, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, **environment})
        return done.returncode, os.fsdecode(done.stdout), os.fsdecode(done.stderr)

    def run_on_terminal(self, *arguments, **environment):
        """(status, all that appeared on the terminal)"""
        try:
            master, slave = pty.openpty()
        except OSError as error:  # a chroot without /dev/pts
            self.skipTest("no pseudo-terminal: %s" % error)
        process = subprocess.Popen(
            [*COMMAND, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=slave, stderr=slave, env={**os.environ, "TERM": "xterm", **environment})
        os.close(slave)
        shown = b""
        while select.select([master], [], [], 120)[0]:
            try:
                part = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        os.close(master)
        return process.wait(), shown.decode()


class Sum(CommandTest):
    # Across every threshold: words, stripes, 16-byte blocks, one read of 2 MiB.
    SIZES = (0, 1, 3, 16, 127, 128, 129, 300, 4096, 65537)

    def test_every_algorithm_prints_the_digests_of_the_oracle(self):
        for size in self.SIZES:
            self.write("file%d" % size, bytes(i * 7 & 255 for i in range(size)))
        names = ["file%d" % size for size in self.SIZES]
        for algorithm in ALGORITHMS:
            for seed, text in ((0, "0"), (42, "42"), (0xDEADBEEF, "0xDEADBEEF")):
                expected = "".join(
                    "%s  file%d\n" % (
                        digest(algorithm, bytes(i * 7 & 255 for i in range(size)), seed), size)
                    for size in self.SIZES)
                with self.subTest(algorithm=algorithm, seed=seed):
                    self.assertEqual(
                        self.run_command("sum", "-a", algorithm, "--seed", text, *names),
                        (0, expected, ""))

    def test_a_file_larger_than_the_buffer(self):
        data = bytes(range(256)) * 8193  # 256 bytes more than one read
        self.write("large", data)
        self.assertEqual(self.run_command("sum", "-a", "x86_32", "large"),
                         (0, digest("x86_32", data) + "  large\n", ""))

    def test_a_known_digest_of_another_program(self):
        # hash128("foo") in the README of hajimes/mmh3: bytes 6145f501578671e2 877dba2be487af7e.
        self.write("foo", b"foo")
        self.assertEqual(self.run_command("sum", "foo"),
                         (0, "e271865701f545617eaf87e42bba7d87  foo\n", ""))

    def test_standard_input(self):
        expected = (0, digest("x64_128", b"from a pipe") + "  -\n", "")
        self.assertEqual(self.run_command("sum", stdin=b"from a pipe"), expected)
        self.assertEqual(self.run_command("sum", "-", stdin=b"from a pipe"), expected)

    def test_a_seed_of_64_bits_for_x64_128_only(self):
        status, out, _ = self.run_command("sum", "-s", "0xffffffffffffffff", stdin=b"abc")
        self.assertEqual((status, out), (0, digest("x64_128", b"abc", 2**64 - 1) + "  -\n"))
        status, _, err = self.run_command("sum", "-a", "wide32", "-s", "4294967296")
        self.assertEqual(status, 2)
        self.assertIn("no seed of wide32: 0 to 4294967295", err)

    def test_wrong_usage(self):
        for arguments in (["sum", "-a", "md5"], ["sum", "-s", "-1"], ["sum", "-s", ""],
                          ["sum", "-s", "0x"], ["sum", "-s", "12monkeys"], ["sum", "-s", " 1"],
                          ["sum", "-s", "18446744073709551616"], ["sum", "--unknown"],
                          ["sum", "-a"], ["sum", "--tag", "--check"], ["sum", "--quiet"],
                          ["sum", "--strict"], ["info", "file"], ["info", "--unknown"],
                          ["bench", "file"], ["selftest", "file"], ["unknown"], []):
            with self.subTest(arguments=arguments):
                status, out, err = self.run_command(*arguments)
                self.assertEqual((status, out), (2, ""))
                self.assertIn("--help", err)

    def test_directories_and_missing_files_fail_and_the_others_are_hashed(self):
        self.write("good", b"good")
        os.mkdir(os.path.join(self.folder, "folder"))
        status, out, err = self.run_command("sum", "folder", "missing", "good")
        self.assertEqual((status, out), (1, digest("x64_128", b"good") + "  good\n"))
        self.assertEqual(err.splitlines(), [
            "murmuration: folder: is a directory; name the files in it",
            "murmuration: missing: No such file or directory"])

    def test_odd_file_names(self):
        for name in ("[a,b]", "-dash", " space ", "new\nline", "back\\slash", "return\r", "a) = b"):
            self.write(name, name.encode())
            for tag in ([], ["--tag"]):
                with self.subTest(name=name, tag=tag):
                    status, listing, err = self.run_command("sum", *tag, "--", name)
                    self.assertEqual((status, err, listing.count("\n")), (0, "", 1))
                    self.assertEqual(listing[0] == "\\", bool(set(name) & set("\\\n\r")))
                    self.write("list", listing.encode())
                    status, out, err = self.run_command("sum", "--check", "list")
                    self.assertEqual((status, err, out[-5:]), (0, "", ": OK\n"))

    def test_names_are_escaped_as_md5sum_does(self):
        if shutil.which("md5sum") is None:
            self.skipTest("md5sum is not installed")
        for name in ("plain", "new\nline", "back\\slash", "return\r", "a\\nb"):
            self.write(name, b"")
        names = sorted(os.listdir(self.folder))
        for tag in ([], ["--tag"]):
            theirs = subprocess.run(["md5sum", *tag, *names], cwd=self.folder, check=True,
                                    stdout=subprocess.PIPE).stdout.decode()
            ours = self.run_command("sum", *tag, *names)[1]
            self.assertEqual(ours.replace("0" * 32, "DIGEST").replace("MURMUR3_X64_128", "TAG"),
                             theirs.replace("d41d8cd98f00b204e9800998ecf8427e", "DIGEST")
                             .replace("MD5", "TAG"))

    def test_tags_name_algorithm_and_seed(self):
        tags = {"x86_32": "MURMUR3_X86_32", "x86_128": "MURMUR3_X86_128",
                "x64_128": "MURMUR3_X64_128", "wide32": "WIDE32"}
        self.write("file", bytes(200))
        for algorithm, tag in tags.items():
            self.assertEqual(self.run_command("sum", "--tag", "-a", algorithm, "file")[1],
                             "%s (file) = %s\n" % (tag, digest(algorithm, bytes(200))))
            self.assertEqual(self.run_command("sum", "--tag", "-a", algorithm, "-s", "42", "file")[1],
                             "%s-SEED-0x2a (file) = %s\n" % (tag, digest(algorithm, bytes(200), 42)))

    def test_output_that_cannot_be_written_fails(self):
        self.write("file", b"")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([*COMMAND, "sum", "file"], cwd=self.folder, stdout=full,
                                  stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"cannot write", done.stderr)


class Check(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("right", b"right")
        self.write("wrong", b"wrong")
        self.right = digest("x64_128", b"right") + "  right\n"
        self.wrong = digest("x64_128", b"other") + "  wrong\n"
        self.missing = digest("x64_128", b"") + "  missing\n"

    def check(self, listing, *options, name="list"):
        self.write("list", listing.encode())
        return self.run_command("sum", "--check", *options, name)

    def test_every_verdict(self):
        self.assertEqual(self.check(self.right), (0, "right: OK\n", ""))
        self.assertEqual(self.check(self.right + self.wrong), (
            1, "right: OK\nwrong: FAILED\n",
            "murmuration: WARNING: 1 computed digest did NOT match\n"))
        self.assertEqual(self.check(self.missing + self.wrong * 2), (
            1, "missing: FAILED open or read\nwrong: FAILED\nwrong: FAILED\n",
            "murmuration: missing: No such file or directory\n"
            "murmuration: WARNING: 1 listed file could not be read\n"
            "murmuration: WARNING: 2 computed digests did NOT match\n"))

    def test_quiet_and_status(self):
        self.assertEqual(self.check(self.right, "--quiet"), (0, "", ""))
        self.assertEqual(self.check(self.right + self.wrong, "--quiet")[:2], (1, "wrong: FAILED\n"))
        self.assertEqual(self.check(self.right, "--status"), (0, "", ""))
        self.assertEqual(self.check(self.right + self.wrong, "--status"), (1, "", ""))

    def test_malformed_lines(self):
        for malformed in ("junk\n", "abc  file\n", self.right.replace("  ", " "),
                          "XXH64 (right) = 0123456789abcdef\n", digest("x64_128", b"")[1:] + "g  right\n",
                          "\\" + self.right.replace("right", "ri\\ght"), self.right[:34] + "\n",
                          "MURMUR3_X86_32-SEED-zz (right) = 00000000\n"):
            with self.subTest(malformed=malformed):
                status, out, err = self.check(self.right + malformed)
                self.assertEqual((status, out), (0, "right: OK\n"))
                self.assertEqual(err, "murmuration: WARNING: 1 line is improperly formatted\n")
                self.assertEqual(self.check(self.right + malformed, "--strict")[0], 1)
                self.assertIn("list:2: no digest line",
                              self.check(self.right + malformed, "--warn")[2])

    def test_comments_capitals_and_binary_marks_are_accepted(self):
        listing = "# made by hand\n\n" + self.right[:32].upper() + " *right"
        self.assertEqual(self.check(listing, "--strict"), (0, "right: OK\n", ""))

    def test_a_list_without_lines_fails_and_names_the_algorithm(self):
        for listing in ("", "junk\n", digest("wide32", b"right") + "  right\n"):
            status, out, err = self.check(listing)
            self.assertEqual((status, out), (1, ""))
            self.assertIn("no digest lines; those without a tag are taken for x64_128", err)

    def test_untagged_lines_take_the_algorithm_and_seed_that_are_given(self):
        listing = digest("wide32", b"right", 42) + "  right\n"
        self.assertEqual(self.check(listing, "-a", "wide32", "-s", "42")[0], 0)
        self.assertEqual(self.check(listing, "-a", "wide32")[0], 1)

    def test_tagged_lines_tell_their_own(self):
        listing = "".join(
            self.run_command("sum", "--tag", "-a", algorithm, "-s", seed, "right")[1]
            for algorithm in ALGORITHMS for seed in ("0", "42"))
        status, out, err = self.check(listing, "-a", "x86_32", "-s", "7", "--strict")
        self.assertEqual((status, out, err), (0, "right: OK\n" * 8, ""))

    def test_lists_that_cannot_be_read(self):
        for name, message in ((".", "Is a directory"), ("nowhere", "No such file")):
            status, out, err = self.run_command("sum", "-c", name)
            self.assertEqual((status, out), (1, ""))
            self.assertIn(message, err)

    def test_a_list_on_standard_input(self):
        self.assertEqual(self.run_command("sum", "-c", stdin=self.right.encode()),
                         (0, "right: OK\n", ""))


class Terminal(CommandTest):
    def test_colours_on_a_terminal_only_and_not_with_no_color(self):
        self.write("file", b"")
        self.write("list", (digest("x64_128", b"") + "  file\n").encode())
        check = ("sum", "--check", "list")
        self.assertEqual(self.run_on_terminal(*check, NO_COLOR=""), (0, "file: \033[32mOK\033[0m\r\n"))
        self.assertEqual(self.run_on_terminal(*check, NO_COLOR="1"), (0, "file: OK\r\n"))
        self.assertEqual(self.run_on_terminal(*check, NO_COLOR="", TERM="dumb"), (0, "file: OK\r\n"))
        self.assertNotIn("\033", self.run_command(*check)[1])

    def test_progress_of_a_large_file_on_a_terminal_only(self):
        # Of zero bytes, seed 0: the value in tests/large_input_test.cc, and that
        # of tests/oracle for a size that an emulator hashes in a second too.
        size, shown_size, value = ((3 << 30, "3.22", "1af91ddf") if len(COMMAND) == 1 else
                                   (256 << 20, "0.27", "3a31253b"))
        # Sparse: takes no room.
        path = os.path.join(self.folder, "large")
        with open(path, "wb") as file:
            file.truncate(size)
        arguments = ("sum", "-a", "x86_32", "large")
        status, shown = self.run_on_terminal(*arguments)
        self.assertEqual(status, 0)
        self.assertRegex(shown, r"\r\033\[K\d\.\d\d of %s GB, \d+ %%, \d+\.\d\d GB/s" %
                         re.escape(shown_size))
        self.assertTrue(shown.endswith("\r\033[K%s  large\r\n" % value), shown[-60:])
        self.assertEqual(self.run_command(*arguments), (0, value + "  large\n", ""))

    def test_no_progress_of_a_small_file(self):
        self.write("small", bytes(1 << 20))
        self.assertEqual(self.run_on_terminal("sum", "-a", "x86_32", "small"),
                         (0, digest("x86_32", bytes(1 << 20)) + "  small\r\n"))


class Info(CommandTest):
    def info(self, **environment):
        status, out, err = self.run_command("info", "--json", **environment)
        self.assertEqual((status, err), (0, ""))
        return json.loads(out)

    def test_json(self):
        info = self.info(MURMURATION_KERNEL="")
        kernels = info["kernels"]
        self.assertEqual(kernels[-1], {"name": "scalar", "supported": True, "needs": [], "missing": []})
        best = next(kernel["name"] for kernel in kernels if kernel["supported"])
        self.assertEqual(info["chosen"], best)
        for kernel in kernels:
            self.assertEqual(kernel["supported"], not kernel["missing"])
            self.assertEqual(kernel["missing"],
                             [name for name in kernel["needs"] if name not in info["features"]])
            # A kernel that needs something but names nothing has a feature without a name.
            self.assertEqual(kernel["needs"] == [], kernel["name"] == "scalar")
        with open(os.path.join(PROJECT, "include", "murmuration.h"), encoding="utf-8") as header:
            text = header.read()
        version = ".".join(re.search(r"VERSION_%s (\d+)" % part, text).group(1)
                           for part in ("MAJOR", "MINOR", "PATCH"))
        self.assertEqual(info["version"], version)
        self.assertEqual(self.run_command("--version"), (0, "murmuration %s\n" % version, ""))

    def test_every_feature_has_a_name(self):
        with open(os.path.join(PROJECT, "lib", "dispatch", "features.h"), encoding="utf-8") as header:
            features = set(re.findall(r"^  (k\w+) = 1u", header.read(), re.MULTILINE))
        with open(os.path.join(TOOL, "info.cc"), encoding="utf-8") as source:
            named = set(re.findall(r"\{(k\w+), \"", source.read()))
        self.assertEqual(features, named)

    def test_override(self):
        for kernel in self.info()["kernels"]:
            info = self.info(MURMURATION_KERNEL=kernel["name"])
            self.assertEqual(info["override"], kernel["name"])
            if kernel["supported"]:
                self.assertEqual(info["chosen"], kernel["name"])
                self.assertIn("forced by MURMURATION_KERNEL=" + kernel["name"], info["reason"])
            else:
                self.assertIn("is ignored", info["reason"])
        info = self.info(MURMURATION_KERNEL="no\x07such")
        self.assertIn("is ignored", info["reason"])
        _, text, _ = self.run_command("info", MURMURATION_KERNEL="scalar")
        self.assertIn("kernel     scalar  chosen\n", text)


class OtherSubcommands(CommandTest):
    def test_selftest_runs_every_supported_kernel(self):
        kernels = json.loads(self.run_command("info", "--json")[1])["kernels"]
        status, out, err = self.run_command("selftest")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual([line.split()[:2] for line in out.splitlines()],
                         [[kernel["name"], "OK,"] for kernel in kernels if kernel["supported"]])

    def test_bench_has_a_row_for_each_function(self):
        status, out, err = self.run_command("bench")
        self.assertEqual((status, err), (0, ""))
        head, *rows = out.splitlines()
        self.assertEqual(head.split()[0], "GB/s")
        self.assertEqual({row.split("/")[0] for row in rows}, set(ALGORITHMS))
        for row in rows:
            self.assertEqual(len(row.split()), len(head.split()) - 1)
            self.assertTrue(all(float(rate) > 0 for rate in row.split()[1:]), row)


class Documentation(CommandTest):
    def help_texts(self):
        for subcommand in ([], *([name] for name in SUBCOMMANDS)):
            status, out, err = self.run_command(*subcommand, "--help")
            self.assertEqual((status, err), (0, ""))
            yield subcommand, out

    def test_help_fits_a_screen(self):
        for subcommand, text in self.help_texts():
            with self.subTest(subcommand=subcommand):
                self.assertLessEqual(len(text.splitlines()), 24)
                self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_man_page_and_completion_have_every_option(self):
        with open(os.path.join(TOOL, "murmuration.1"), encoding="utf-8") as file:
            page = file.read()
        with open(os.path.join(TOOL, "murmuration.bash"), encoding="utf-8") as file:
            completion = file.read()
        for subcommand, text in self.help_texts():
            for option in re.findall(r"--(\w+)", text):
                with self.subTest(subcommand=subcommand, option=option):
                    self.assertIn("Fl -" + option, page)
                    self.assertIn("--" + option, completion)
        for word in (*SUBCOMMANDS, *ALGORITHMS):
            self.assertIn(".Cm " + word, page)
            self.assertIn(word, completion)

    def test_completion(self):
        def complete(*words):
            script = ("source %s; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _murmuration;"
                      "printf '%%s\\n' \"${COMPREPLY[@]}\"" % os.path.join(TOOL, "murmuration.bash"))
            # Its builtin compopt works in an interactive completion only.
            return subprocess.run(["bash", "-c", "compopt() { :; }; " + script.replace(TOOL, "'%s'" % TOOL), "bash", *words],
                                  cwd=self.folder, check=True, stdout=subprocess.PIPE).stdout.decode().split()
        self.write("file one", b"")
        self.assertEqual(complete("murmuration", "s"), ["sum", "selftest"])
        self.assertEqual(complete("murmuration", "sum", "-a", "x86"), ["x86_32", "x86_128"])
        self.assertEqual(complete("murmuration", "sum", "--st"), ["--status", "--strict"])
        self.assertEqual(complete("murmuration", "sum", "fi"), ["file", "one"])
        self.assertEqual(complete("murmuration", "info", "--j"), ["--json"])

    def test_man_page_is_well_formed(self):
        if shutil.which("mandoc") is None:
            self.skipTest("mandoc is not installed")
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", os.path.join(TOOL, "murmuration.1")],
                              check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual((done.returncode, done.stdout.decode()), (0, ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", required=True, help="the murmuration command")
    parser.add_argument("--emulator", default=[], action="append", help="runs it; may be repeated")
    arguments, rest = parser.parse_known_args()
    COMMAND.extend([*filter(None, arguments.emulator), os.path.abspath(arguments.command)])
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
