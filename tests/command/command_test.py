#!/usr/bin/env python3
"""Tests of the murmuration command, as its users run it.

    command_test.py --command FILE [--emulator COMMAND]... [unittest argument...]

Expected digests come from tests/oracle/murmur3_oracle.py.
"""
import argparse
import fcntl
import itertools
import json
import os
import platform
import pty
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import unittest

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(PROJECT, "tools", "murmuration")
sys.path.insert(0, os.path.join(PROJECT, "tests", "oracle"))
import murmur3_oracle as oracle  # noqa: E402

COMMAND = []  # the command, after its emulator
ALGORITHMS = ("x86_32", "x86_128", "x64_128", "wide32")
SUBCOMMANDS = ("sum", "info", "bench", "selftest", "help")
# A benchmark that takes no time, for what is not about its numbers.
SHORT_BENCH = ("bench", "--size", "16", "--rounds", "1", "--time", "1")


def digest(algorithm, data, seed=0):
    """What the command should print: the words as numbers, first word first."""
    value = oracle.FUNCTIONS[algorithm](data, seed)
    words = value if isinstance(value, tuple) else (value,)
    digits = 16 if algorithm == "x64_128" else 8
    return "".join("%0*x" % (digits, word) for word in words)


def signed(algorithm, data, seed=0):
    """The same for --signed."""
    value = int(digest(algorithm, data, seed), 16)
    return str(value - 2**32 if value >= 2**31 else value)


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
        while True:
            part = self.read_soon(master)
            if not part:
                break
            shown += part
        os.close(master)
        return process.wait(120), shown.decode()

    def read_soon(self, descriptor):
        """What appears next; nothing once the other end is closed. Fails after two minutes."""
        self.assertTrue(select.select([descriptor], [], [], 120)[0], "nothing in two minutes")
        try:
            return os.read(descriptor, 65536)
        except OSError:  # a terminal
            return b""


class Sum(CommandTest):
    # Across every threshold: words, stripes, 16-byte blocks, one read of 2 MiB.
    SIZES = (0, 1, 3, 16, 63, 64, 65, 127, 128, 129, 300, 511, 512, 513, 1000, 4096, 65537)

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

    def test_seeds_of_32_bits_may_be_signed(self):
        for algorithm in ("x86_32", "x86_128", "wide32"):
            for text, seed in (("-1", 2**32 - 1), ("-2147483648", 2**31), ("-42", 2**32 - 42),
                               ("4294967295", 2**32 - 1), ("0xffffffff", 2**32 - 1)):
                for arguments in (["-s", text], ["--seed=" + text], ["-s" + text]):
                    with self.subTest(algorithm=algorithm, arguments=arguments):
                        self.assertEqual(self.run_command("sum", "-a", algorithm, *arguments, stdin=b"abc"),
                                         (0, digest(algorithm, b"abc", seed) + "  -\n", ""))

    def test_seeds_out_of_range_name_the_range(self):
        for algorithm, text, wanted in (
                ("wide32", "4294967296", "-2147483648 to 4294967295"),
                ("x86_32", "-2147483649", "-2147483648 to 4294967295"),
                ("x64_128", "18446744073709551616", "0 to 18446744073709551615"),
                ("x64_128", "-1", "is 0xffffffff meant, or 0xffffffffffffffff?"),
                ("x64_128", "-2147483648", "is 0x80000000 meant, or 0xffffffff80000000?")):
            with self.subTest(algorithm=algorithm, text=text):
                status, out, err = self.run_command("sum", "-a", algorithm, "-s", text)
                self.assertEqual((status, out), (2, ""))
                self.assertIn("%s is no seed of %s: " % (text, algorithm), err)
                self.assertIn(wanted, err)

    def test_a_seed_of_64_bits_for_x64_128(self):
        status, out, _ = self.run_command("sum", "-s", "0xffffffffffffffff", stdin=b"abc")
        self.assertEqual((status, out), (0, digest("x64_128", b"abc", 2**64 - 1) + "  -\n"))

    def test_signed_digests(self):
        for algorithm in ("x86_32", "wide32"):
            values = set()
            for size in self.SIZES:
                data = bytes(i * 7 & 255 for i in range(size))
                expected = signed(algorithm, data, 7)
                values.add(expected[0] == "-")
                self.assertEqual(
                    self.run_command("sum", "--signed", "-a", algorithm, "-s", "7", stdin=data),
                    (0, expected + "  -\n", ""))
            self.assertEqual(values, {True, False})  # both signs were seen
        # The README of hajimes/mmh3: hash("foo"), and hash("foo", 42).
        for seed, value in (("0", "-156908512"), ("42", "-1322301282")):
            self.assertEqual(
                self.run_command("sum", "--signed", "-a", "x86_32", "-s", seed, stdin=b"foo"),
                (0, value + "  -\n", ""))

    def test_signed_is_for_32_bits(self):
        for algorithm in ("x86_128", "x64_128"):
            for more in ([], ["--check"], ["--tag"], ["-z"]):
                status, out, err = self.run_command("sum", "--signed", "-a", algorithm, *more)
                self.assertEqual((status, out), (2, ""))
                self.assertIn("%s has 128: choose -a x86_32 or -a wide32" % algorithm, err)

    def test_zero_bytes_end_lines_of_names_as_they_are(self):
        names = ["plain", "new\nline", "back\\slash", "return\r"]
        for name in names:
            self.write(name, name.encode())
        for tag, form in ([], "%s  %s"), (["--tag"], "MURMUR3_X64_128 (%s) = %s"):
            expected = "".join(
                form % ((name, digest("x64_128", name.encode())) if tag else
                        (digest("x64_128", name.encode()), name)) + "\0" for name in names)
            for option in ("-z", "--zero"):
                self.assertEqual(self.run_command("sum", option, *tag, *names), (0, expected, ""))
        if shutil.which("md5sum") is None:
            self.skipTest("md5sum is not installed")
        theirs = subprocess.run(["md5sum", "-z", *names], cwd=self.folder, check=True,
                                stdout=subprocess.PIPE).stdout.decode()
        ours = self.run_command("sum", "-z", *names)[1]
        self.assertEqual(re.sub("[0-9a-f]{32}", "", ours), re.sub("[0-9a-f]{32}", "", theirs))

    def test_wrong_usage(self):
        for arguments in (["sum", "-s", ""], ["sum", "-s", "0x"], ["sum", "-s", "12monkeys"],
                          ["sum", "-s", " 1"], ["sum", "-s", "--1"], ["sum", "-s", "-0x1"],
                          ["sum", "-a", "x86_32", "-s", "-"], ["sum", "-s", "18446744073709551616"],
                          ["info", "file"], ["bench", "file"], ["selftest", "file"], ["unknown"], [],
                          [""], ["help", "unknown"], ["help", "sum", "info"], ["--unknown"],
                          *([name, *option] for name in ("sum", "info", "bench", "selftest")
                            for option in (["--unknown"], ["-?"], ["-\n"], ["--\033[31m"], ["--help=1"]))):
            with self.subTest(arguments=arguments):
                status, out, err = self.run_command(*arguments)
                self.assertEqual((status, out), (2, ""))
                self.assertRegex(err, r"\Amurmuration: [ -~]+ \(see murmuration .*--help\)\n\Z")

    def test_messages_of_options_name_the_option(self):
        for arguments, wanted in ((["-a"], "--algorithm wants a value"), (["--seed"], "--seed wants a value"),
                                  (["--tag=1"], "--tag takes no value"), (["-c", "-x"], "-x is no option"),
                                  (["--tag", "-wx"], "-x is no option"), (["--st"], "--st is no option, or"),
                                  (["--no such"], "'--no such' is no option")):
            with self.subTest(arguments=arguments):
                self.assertIn("murmuration: " + wanted, self.run_command("sum", *arguments)[2])

    def test_unknown_algorithms_and_subcommands_are_told_the_known(self):
        for arguments in (["sum", "-a", "md5"], ["bench", "-a", "md5"]):
            self.assertIn("no algorithm md5: x86_32, x86_128, x64_128 or wide32",
                          self.run_command(*arguments)[2])
        self.assertIn("no subcommand md5: sum, info, bench, selftest or help",
                      self.run_command("md5")[2])

    def test_every_combination_of_options(self):
        """Is refused if two of them contradict each other, and works otherwise."""
        self.write("file", b"abc")
        self.write("list", (signed("x86_32", b"abc") + "  file\n" + digest("x86_32", b"abc") +
                            "  file\n").encode())
        of_printing = ("--tag", "--zero")
        of_checking = ("--ignore-missing", "--quiet", "--status", "--strict", "--warn")
        options = ("--check", "--signed", *of_printing, *of_checking)
        # Under an emulator a start takes long: pairs alone.
        sizes = range(len(options) + 1) if len(COMMAND) == 1 else (0, 1, 2)
        for chosen in itertools.chain.from_iterable(itertools.combinations(options, n) for n in sizes):
            check = "--check" in chosen
            good = not (set(chosen) & set(of_printing if check else of_checking))
            status, out, err = self.run_command("sum", "-a", "x86_32", *chosen, "list" if check else "file")
            with self.subTest(chosen=chosen):
                if not good:
                    self.assertEqual((status, out), (2, ""))
                elif not check:
                    value = signed("x86_32", b"abc") if "--signed" in chosen else digest("x86_32", b"abc")
                    line = "MURMUR3_X86_32 (file) = %s" if "--tag" in chosen else "%s  file"
                    self.assertEqual((status, out, err), (
                        0, line % value + ("\0" if "--zero" in chosen else "\n"), ""))
                else:  # one line is right, the other is of the other form
                    self.assertEqual(status, 1 if "--strict" in chosen else 0)
                    silent = "--status" in chosen
                    self.assertEqual(out, "" if silent or "--quiet" in chosen else "file: OK\n")
                    self.assertEqual(err.count("\n"), ("--warn" in chosen) + (not silent))

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

    def test_a_line_appears_as_soon_as_its_file_is_hashed(self):
        # In a pipe too.
        self.write("first", b"1")
        process = subprocess.Popen([*COMMAND, "sum", "first", "-"], cwd=self.folder, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdin.close)
        self.assertTrue(self.read_soon(process.stdout.fileno()).endswith(b"  first\n"))
        process.stdin.close()
        self.assertTrue(self.read_soon(process.stdout.fileno()).endswith(b"  -\n"))
        self.assertEqual(process.wait(120), 0)


class Output(CommandTest):
    def test_output_that_cannot_be_written_fails(self):
        """Whatever was to be written: one line on standard error and a status of 1."""
        self.write("file", b"")
        self.write("list", (digest("x64_128", b"") + "  file\n").encode())
        for arguments in (["--help"], ["-h"], ["--version"], ["-V"], ["help"],
                          *(["help", name] for name in SUBCOMMANDS),
                          *([name, option] for name in SUBCOMMANDS[:-1] for option in ("--help", "-h")),
                          ["sum", "file"], ["sum", "-z", "file"], ["sum", *["file"] * 9],
                          ["sum", "--check", "list"], ["info"], ["info", "--json"], ["selftest"],
                          SHORT_BENCH, [*SHORT_BENCH, "--json"]):
            with self.subTest(arguments=arguments):
                with open("/dev/full", "wb") as full:
                    done = subprocess.run([*COMMAND, *arguments], cwd=self.folder, stdout=full,
                                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                          timeout=120, check=False)
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr.decode(), "murmuration: cannot write the output: "
                                 "No space left on device\n")
                done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *COMMAND, *arguments],
                                      cwd=self.folder, stdin=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, timeout=120, check=False)
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr.decode(), "murmuration: cannot write the output: "
                                 "Bad file descriptor\n")

    # Of all kinds: plain, of a shell, controls, quotes, UTF-8 and what is none.
    NAMES = [b"plain-1.0_x,@%", b"two words", b"$(reboot)", b"`x`", b"a;b", b"*", b"~", b"#x", b"a:b", b"=",
             b"new\nline", b"\033[31mred\033[m", b"bell\a", b"tab\t", b"return\r", b"del\x7f", b"it's",
             b'"', b"both'\"", b"back\\slash", b"back\\slash\n", b"\xc3\xa9t\xc3\xa9", b"\xe6\x96\x87",
             b"\xf0\x9f\x90\xa6", b"\xff", b"\xc3", b"\xc3(", b"\xe2\x80", b"\xc0\xaf", b"\xed\xa0\x80",
             b"\xf4\x90\x80\x80", b"\xc2\x85next", b"\xc2\x9b31m", b"\xe2\x80\xa8line", b"\xe2\x80\xae" b"abc",
             b"\xef\xbb\xbf", b"\0331", b"\x1b7", b"n\n\r\t\\'7", b" ", b"-"]

    def names(self):
        source = random.Random(13)
        yield from self.NAMES
        for _ in range(40 if len(COMMAND) == 1 else 4):
            yield bytes(source.choice((source.randrange(1, 256), source.randrange(32, 127)))
                        for _ in range(source.randrange(1, 20)))

    def check_message(self, message, name):
        """One line of printable characters, from which a shell reads the name."""
        text = message.decode("utf-8")  # raises if it is none
        self.assertEqual(text.count("\n"), 1)
        self.assertEqual(text.splitlines(), [text[:-1]])  # Unicode's ends of lines
        self.assertTrue(all(character.isprintable() for character in text[:-1]), text)
        quoted = re.sub(r"\A(.*?): (No such file or directory|File name too long|Is a directory)\Z", r"\1",
                        text[len("murmuration: "):-1])
        if shutil.which("bash") is not None:
            shown = subprocess.run(["bash", "-c", "printf %s " + quoted], check=True, cwd=self.folder,
                                   stdout=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"}).stdout
            self.assertEqual(shown, name)

    def test_file_names_in_messages_are_one_line_that_a_shell_reads_back(self):
        for name in self.names():
            # A slash in front of what is not there keeps "-" a name.
            name = b"nowhere/" + name.replace(b"/", b"|")
            for arguments in (["sum", name], ["sum", "--check", name]):
                with self.subTest(name=name, arguments=arguments):
                    done = subprocess.run([*COMMAND, *arguments], cwd=self.folder, check=False,
                                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE, timeout=120)
                    self.assertEqual((done.returncode, done.stdout), (1, b""))
                    self.check_message(done.stderr, name)

    def test_everything_else_that_messages_repeat_is_quoted(self):
        for word in ("new\nline", "\033[31m", os.fsdecode(b"\xff")):
            self.write("list " + word, b"junk\n")
            with open(os.path.join(self.folder, "names " + word), "wb") as file:
                file.write(digest("x64_128", b"").encode() + b"  " + b"nowhere/\033[31m\xff" + b"\n")
            for arguments in (["sum", "-a", word], ["sum", "-s", word], ["sum", "--" + word], [word],
                              ["help", word], ["bench", "-a", word], ["bench", "-k", word],
                              ["bench", "-b", word], ["bench", "-r", word], ["bench", "-t", word],
                              ["sum", "-c", "-w", "list " + word], ["sum", "-c", "--status", "names " + word]):
                with self.subTest(arguments=arguments):
                    status, _, err = self.run_command(*arguments)
                    self.assertNotEqual(status, 0)
                    for line in err.split("\n")[:-1]:
                        self.assertTrue(line.startswith("murmuration: ") and line.isprintable(), ascii(line))
            _, out, _ = self.run_command("info", MURMURATION_KERNEL=word)
            self.assertTrue(out.replace("\n", "").isprintable(), ascii(out))

    def test_standard_input_has_a_name_in_messages(self):
        status, out, err = self.run_command("sum", "--check", stdin=b"junk\n")
        self.assertEqual((status, out), (1, ""))
        self.assertTrue(err.startswith("murmuration: standard input: "), err)


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
        for option in ("--quiet", "-q"):
            self.assertEqual(self.check(self.right, option), (0, "", ""))
        self.assertEqual(self.check(self.right + self.wrong, "--quiet")[:2], (1, "wrong: FAILED\n"))
        self.assertEqual(self.check(self.right, "--status"), (0, "", ""))
        self.assertEqual(self.check(self.right + self.wrong, "--status"), (1, "", ""))

    def test_ignore_missing(self):
        self.assertEqual(self.check(self.right + self.missing, "--ignore-missing"), (0, "right: OK\n", ""))
        self.assertEqual(self.check(self.missing + self.wrong, "--ignore-missing"), (
            1, "wrong: FAILED\n", "murmuration: WARNING: 1 computed digest did NOT match\n"))
        # Of a folder that is a file, and of a folder in place of a file, nothing is missing.
        for name in ("right/file", "."):
            line = digest("x64_128", b"") + "  %s\n" % name
            status, out, _ = self.check(self.right + line, "--ignore-missing")
            self.assertEqual((status, out), (1, "right: OK\n%s: FAILED open or read\n" % name))
        self.assertEqual(self.check(self.missing, "--ignore-missing"),
                         (1, "", "murmuration: list: no file was verified\n"))
        self.assertEqual(self.check(self.missing, "--ignore-missing", "--status"), (1, "", ""))

    def test_lists_of_other_systems(self):
        """Ends of lines and a byte order mark, in every mixture; a name may end so itself."""
        self.write("return\r", b"right")
        lines = [self.right[:-1], self.run_command("sum", "--tag", "right")[1][:-1], "", "# comment",
                 self.run_command("sum", "return\r")[1][:-1], "wrong"]
        expected = (0, "right: OK\nright: OK\n\\return\\r: OK\n",
                    "murmuration: WARNING: 1 line is improperly formatted\n")
        for end in ("\n", "\r\n"):
            for mark in ("", "\ufeff"):
                for last in (end, ""):
                    with self.subTest(end=end, mark=mark, last=last):
                        self.assertEqual(self.check(mark + end.join(lines) + last), expected)
                    # Two such lists, one after the other.
                    self.assertEqual(self.check((mark + self.right[:-1] + end) * 2, "--strict"),
                                     (0, "right: OK\n" * 2, ""))

    def test_carriage_returns_are_taken_as_md5sum_does(self):
        if shutil.which("md5sum") is None:
            self.skipTest("md5sum is not installed")
        self.write("return\r", b"")
        for name in ("right", "return\r"):
            for ends in ("\n", "\r\n", "\r\r\n", "\r", ""):
                listing = subprocess.run(["md5sum", name], cwd=self.folder, check=True,
                                         stdout=subprocess.PIPE).stdout.decode()[:-1]
                self.write("theirs", (listing + ends).encode())
                theirs = subprocess.run(["md5sum", "-c", "theirs"], cwd=self.folder, check=False,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                ours = self.check(self.run_command("sum", name)[1][:-1] + ends)
                with self.subTest(name=name, ends=ends):  # it shows the return as it is
                    self.assertEqual((ours[0], ours[1].rpartition(": ")[2]),
                                     (theirs.returncode, theirs.stdout.decode().rpartition(": ")[2]))

    def test_lists_in_utf_16_and_with_zero_bytes_say_so(self):
        for encoding in ("utf-16-le", "utf-16-be"):
            self.write("list", ("\ufeff" + self.right).encode(encoding))
            status, out, err = self.run_command("sum", "-c", "list")
            self.assertEqual((status, out), (1, ""))
            self.assertIn("list: is text in UTF-16; save it as UTF-8", err)
        # Only the first name would be seen.
        self.write("list", self.run_command("sum", "-z", "right", "wrong")[1].encode())
        status, out, err = self.run_command("sum", "-c", "list")
        self.assertEqual((status, out), (1, ""))
        self.assertIn("list: has zero bytes", err)

    def test_signed_lists(self):
        for algorithm in ("x86_32", "wide32"):
            for tag in ([], ["--tag"]):
                listing = self.run_command("sum", "--signed", "-a", algorithm, "-s", "-5", *tag, "right", "wrong")[1]
                seed = [] if tag else ["-s", "-5"]
                self.assertEqual(self.check(listing, "--signed", "--strict", "-a", algorithm, *seed),
                                 (0, "right: OK\nwrong: OK\n", ""))
                self.write("right", b"changed")
                self.assertEqual(self.check(listing, "--signed", "-a", algorithm, *seed)[:2],
                                 (1, "right: FAILED\nwrong: OK\n"))
                self.write("right", b"right")
        for malformed in ("2147483648", "-2147483649", "1.5", "--1", "+1", "", "ffffffff", "-"):
            status, _, err = self.check(malformed + "  right\n" + signed("x86_32", b"right") + "  right\n",
                                        "--signed", "-a", "x86_32")
            with self.subTest(malformed=malformed):
                self.assertEqual((status, err),
                                 (0, "murmuration: WARNING: 1 line is improperly formatted\n"))

    def test_blanks_are_taken_as_md5sum_does(self):
        value = self.right[:32]
        for line in (" \t" + self.right, value + " right\n", value + "\tright\n", value + " *right\n"):
            with self.subTest(line=line):
                self.assertEqual(self.check(line, "--strict"), (0, "right: OK\n", ""))

    def test_verdicts_bring_no_control_characters_to_a_terminal(self):
        name = "\033[31mred"
        self.write(name, b"")
        self.write("list", (digest("x64_128", b"") + "  " + name + "\n").encode())
        self.assertEqual(self.run_on_terminal("sum", "-c", "list", NO_COLOR="1"),
                         (0, "$'\\033[31mred': OK\r\n"))
        self.assertEqual(self.run_command("sum", "-c", "list"), (0, name + ": OK\n", ""))

    def test_malformed_lines(self):
        for malformed in ("junk\n", "abc  file\n", self.right.replace("  ", ""), " \n",
                          "XXH64 (right) = 0123456789abcdef\n", digest("x64_128", b"")[1:] + "g  right\n",
                          "\\" + self.right.replace("right", "ri\\ght"), self.right[:34] + "\n",
                          self.right[:33] + "\n", self.right[:32] + "\n", "-" + self.right[1:],
                          self.right.replace("right", "ri\0ght"),
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

    def start_long_work(self, arguments, ignored=()):
        """(process, terminal), once the progress of work without end is shown."""
        try:
            master, slave = pty.openpty()
        except OSError as error:
            self.skipTest("no pseudo-terminal: %s" % error)

        def prepare():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            for number in ignored:
                signal.signal(number, signal.SIG_IGN)

        process = subprocess.Popen([*COMMAND, *arguments], cwd=self.folder, stdin=slave, stdout=slave,
                                   stderr=slave, env={**os.environ, "TERM": "xterm"}, preexec_fn=prepare)
        os.close(slave)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(os.close, master)
        self.read_until(master, b"\r\033[K", 1)
        return process, master

    def read_until(self, master, text, times):
        shown = b""
        while shown.count(text) < times:
            part = self.read_soon(master)
            self.assertTrue(part, "it has ended: %r" % shown)
            shown += part

    def rest(self, master):
        shown = b""
        while True:
            part = self.read_soon(master)
            if not part:
                return shown
            shown += part

    LONG_WORK = (("sum", "-a", "wide32", "/dev/zero"), ("bench", "-r", "1000", "-t", "100"))

    def test_signals_clear_the_progress_line_and_end_the_process(self):
        for arguments in self.LONG_WORK:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                with self.subTest(arguments=arguments, signal=number):
                    process, master = self.start_long_work(arguments)
                    process.send_signal(number)
                    self.assertTrue(self.rest(master).endswith(b"\r\033[K"))
                    self.assertEqual(process.wait(120), -number)

    def test_control_c_clears_the_progress_line_and_ends_the_process(self):
        for arguments in self.LONG_WORK:
            process, master = self.start_long_work(arguments)
            os.write(master, b"\x03")
            self.assertTrue(self.rest(master).endswith(b"\r\033[K"))
            self.assertEqual(process.wait(120), -signal.SIGINT)

    def test_a_signal_that_is_ignored_stays_so(self):
        process, master = self.start_long_work(self.LONG_WORK[0], ignored=[signal.SIGHUP])
        process.send_signal(signal.SIGHUP)
        self.read_until(master, b"GB/s", 3)
        process.send_signal(signal.SIGTERM)
        self.rest(master)
        self.assertEqual(process.wait(120), -signal.SIGTERM)


class Info(CommandTest):
    def info(self, **environment):
        status, out, err = self.run_command("info", "--json", **environment)
        self.assertEqual((status, err), (0, ""))
        return json.loads(out)

    def test_json(self):
        info = self.info(MURMURATION_KERNEL="")
        kernels = info["kernels"]
        self.assertEqual(kernels[-1], {"name": "scalar", "description": "no vectors: any processor",
                                       "supported": True, "needs": [], "missing": []})
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
        self.assertRegex(text, r"\nkernel +scalar +chosen +no vectors: any processor\n")

    def test_every_kernel_has_a_description_of_its_own(self):
        descriptions = [kernel["description"] for kernel in self.info()["kernels"]]
        self.assertNotIn("not described", descriptions)
        self.assertEqual(len(set(descriptions)), len(descriptions))

    def test_text_fits_a_terminal_and_has_every_fact(self):
        info = self.info()
        status, text, err = self.run_command("info")
        self.assertEqual((status, err), (0, ""))
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        words = text.split()
        for word in (info["version"], info["architecture"], info["chosen"], *info["features"],
                     *info["processor"]["flags"], *(kernel["name"] for kernel in info["kernels"])):
            self.assertIn(word, words)
        processor = info["processor"]
        for key in ("name", "vendor", "microarchitecture"):
            if processor[key] is not None:
                self.assertIn(processor[key], text)
        for key in ("family", "model", "variant", "stepping"):
            if processor[key] is not None:
                self.assertIn("%s %d" % (key, processor[key]), text)
        for kernel in info["kernels"]:
            self.assertIn(kernel["description"], text)

    def test_processor_is_what_the_system_says(self):
        processor = self.info()["processor"]
        self.assertEqual(list(processor), ["vendor", "name", "family", "model", "variant", "stepping",
                                           "microarchitecture", "flags"])
        self.assertTrue(processor["name"])
        if len(COMMAND) != 1 or platform.machine() not in ("x86_64", "i686"):
            self.skipTest("/proc/cpuinfo of x86 and no emulator is wanted")
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            system = dict(re.findall(r"^(\w[\w ]*?)\s*: (.*)$", file.read().split("\n\n")[0], re.MULTILINE))
        self.assertEqual(
            {key: str(processor[key]) for key in ("vendor", "name", "family", "model", "stepping")},
            {"vendor": system["vendor_id"], "name": system["model name"].strip(), "family": system["cpu family"],
             "model": system["model"], "stepping": system["stepping"]})
        with open(os.path.join(TOOL, "processor.cc"), encoding="utf-8") as source:
            known = re.findall(r'\{"(\w+)",\s*(?:1|7|0x80000001),', source.read())
        self.assertGreater(len(known), 30)
        self.assertEqual(set(processor["flags"]), set(known) & set(system["flags"].split()))

    def test_processor_is_what_the_emulator_pretends(self):
        model = os.environ.get("QEMU_CPU", "").split(",")[0]
        known = {"cortex-a53": "Cortex-A53", "cortex-a72": "Cortex-A72", "Haswell": "Haswell", "Nehalem": "Nehalem",
                 "core2duo": "Core"}
        if len(COMMAND) == 1 or model not in known:
            self.skipTest("an emulator of one of %s is wanted" % ", ".join(known))
        self.assertEqual(self.info()["processor"]["microarchitecture"], known[model])


class OtherSubcommands(CommandTest):
    def test_selftest_runs_every_supported_kernel(self):
        kernels = json.loads(self.run_command("info", "--json")[1])["kernels"]
        status, out, err = self.run_command("selftest")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual([line.split()[:2] for line in out.splitlines()],
                         [[kernel["name"], "OK,"] for kernel in kernels if kernel["supported"]])



class Bench(CommandTest):
    def kernels(self):
        return [kernel["name"] for kernel in json.loads(self.run_command("info", "--json")[1])["kernels"]
                if kernel["supported"]]

    def rows(self, single=ALGORITHMS, batch=ALGORITHMS):
        """Names of the rows of these functions on every kernel."""
        rows = []
        for algorithm in single:
            rows += [algorithm] if algorithm == "x86_32" else [
                "%s/%s" % (algorithm, kernel) for kernel in self.kernels()]
        for algorithm in batch:
            rows += [] if algorithm == "wide32" else [
                "%s batch/%s" % (algorithm, kernel) for kernel in self.kernels()]
        return rows

    def table(self, *options):
        """(sizes, {row: cells}, last paragraph)"""
        status, out, err = self.run_command("bench", *options)
        self.assertEqual((status, err), (0, ""))
        self.assertLessEqual(max(map(len, out.splitlines()[1:])), 80)
        processor, table, noise = out.split("\n\n")
        self.assertIn(json.loads(self.run_command("info", "--json")[1])["processor"]["name"], processor)
        head, *rows = table.splitlines()
        self.assertEqual(head.split()[:3], ["GB/s", "of", "bytes"])
        cells = {}
        for row in rows:
            name = re.match(r"\w+( batch)?(/\w+)?", row).group()
            cells[name] = row[len(name):].split()
        return head.split()[3:], cells, noise

    def test_a_row_for_each_function_and_kernel(self):
        sizes, cells, noise = self.table("--rounds", "2", "--time", "1")
        self.assertEqual(sizes, ["16", "64", "256", "1K", "16K", "100K", "16M"])
        self.assertEqual(list(cells), self.rows())
        for name, rates in cells.items():
            self.assertEqual(len(rates), len(sizes))
            measured = rates[:4] if " batch" in name else rates
            self.assertTrue(all(float(rate) > 0 for rate in measured), name)
            self.assertEqual(rates[len(measured):], ["-"] * (len(rates) - len(measured)))
        self.assertRegex(noise, r"\AFrom the lowest to the highest of 2 rounds: \d+ % of the median in half of the\n"
                                r"cases, at most \d+ % \(\w+( batch)?(/\w+)?, \d+[KM]? bytes\)\.\n")

    def test_choices(self):
        short = ("--size", "16,2K", "--rounds", "1", "--time", "1")
        sizes, cells, noise = self.table(*short)
        self.assertEqual((sizes, list(cells)), (["16", "2K"], self.rows()))
        self.assertIn("how noisy it was is not known", noise)
        self.assertEqual(list(self.table(*short, "--batch")[1]), self.rows(single=()))
        self.assertEqual(list(self.table(*short, "--single")[1]), self.rows(batch=()))
        self.assertEqual(list(self.table(*short, "--single", "--batch")[1]), self.rows())
        self.assertEqual(list(self.table(*short, "-a", "wide32,x86_32", "--single")[1]),
                         self.rows(single=("wide32", "x86_32"), batch=()))
        self.assertEqual(list(self.table(*short, "-k", "scalar", "-a", "x64_128")[1]),
                         ["x64_128/scalar", "x64_128 batch/scalar"])

    def test_json(self):
        status, out, err = self.run_command("bench", "--json", "-b", "100,8K", "-r", "3", "-t", "1", "-a", "x64_128,wide32")
        self.assertEqual((status, err), (0, ""))
        bench = json.loads(out)
        info = json.loads(self.run_command("info", "--json")[1])
        for key in ("version", "processor", "architecture"):
            self.assertEqual(bench[key], info[key])
        self.assertEqual((bench["unit"], bench["rounds"], bench["milliseconds"]), ("gigabytes per second", 3, 1))
        # Batches are of short keys.
        self.assertEqual(
            {(row["algorithm"], row["kernel"], row["batch"], row["keys"], row["bytes"]) for row in bench["results"]},
            {(algorithm, kernel, batch, 1000 if batch else 1, size) for kernel in self.kernels()
             for algorithm, batch, size in (("x64_128", False, 100), ("x64_128", False, 8192), ("wide32", False, 100),
                                            ("wide32", False, 8192), ("x64_128", True, 100))})
        spreads = []
        for row in bench["results"]:
            self.assertTrue(0 < row["lowest"] <= row["median"] <= row["highest"], row)
            spreads.append((row["highest"] - row["lowest"]) / row["median"])
        self.assertAlmostEqual(bench["spread"]["highest"], max(spreads))
        self.assertAlmostEqual(bench["spread"]["typical"], sorted(spreads)[len(spreads) // 2])

    def test_wrong_choices_name_the_right_ones(self):
        for arguments, wanted in (
                (["-k", "no"], "no kernel no here: " + self.kernels()[0]), (["-k", ""], "--kernel wants a name"),
                (["-k", "scalar,"], None), (["-a", ""], "--algorithm wants a name"), (["-b", ""], "--size wants a length"),
                (["-b", "0"], "0 is no length: 1 to 1G"), (["-b", "2G"], "2G is no length"), (["-b", "16,,1"], "'' is no"),
                (["-b", "K"], "K is no length"), (["-b", "1KK"], "1KK is no length"), (["-b", "-1"], "-1 is no length"),
                (["-b", "99999999999999999999"], "is no length"), (["-r", "0"], "0 is no number of rounds: 1 to 1000"),
                (["-r", "1001"], "1001 is no"), (["-r", "1x"], "1x is no"), (["-t", "0"], "milliseconds: 1 to 10000"),
                (["-t", "10001"], "10001 is no"), (["-a", "wide32", "--batch"], "nothing to measure"),
                (["-b", "8K", "--batch"], "nothing to measure")):
            with self.subTest(arguments=arguments):
                status, out, err = self.run_command("bench", "-r", "1", "-t", "1", "-b", "16", *arguments)
                if wanted is None:
                    self.assertEqual((status, err), (0, ""))
                    continue
                self.assertEqual((status, out, err.count("\n")), (2, "", 1))
                self.assertIn(wanted, err)

    def test_progress_on_a_terminal_only(self):
        options = ("bench", "-a", "x86_32", "--single", "-b", "1K", "-r", "60", "-t", "10")
        status, shown = self.run_on_terminal(*options)
        self.assertEqual(status, 0)
        self.assertRegex(shown, r"\A\r\033\[K\d+ %, round \d+ of 60, \d+ s left\r\033\[K")
        # The last one is taken away before the table comes.
        progress, table = shown.rsplit("\r\033[K", 1)
        self.assertNotIn("GB/s", progress)
        self.assertIn("GB/s of bytes", table)
        self.assertEqual(self.run_command(*options)[2], "")


class Help(CommandTest):
    def test_help_is_dash_dash_help(self):
        for name in SUBCOMMANDS[:-1]:
            expected = self.run_command(name, "--help")
            self.assertEqual(self.run_command("help", name), expected)
            self.assertEqual(self.run_command(name, "-h"), expected)
            self.assertTrue(expected[1].startswith("usage: murmuration " + name), expected)
        expected = self.run_command("--help")
        self.assertEqual(self.run_command("help"), expected)
        self.assertEqual(self.run_command("help", "help"), expected)
        for name in SUBCOMMANDS:
            self.assertIn("\n  %s " % name, expected[1])


class Documentation(CommandTest):
    def help_texts(self):
        for subcommand in ([], *([name] for name in SUBCOMMANDS[:-1])):
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
            for option in re.findall(r"--(\w[\w-]*)", text):
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
        self.assertEqual(complete("murmuration", "help", "se"), ["selftest"])
        self.assertEqual(complete("murmuration", "bench", "--r"), ["--rounds"])
        self.assertEqual(complete("murmuration", "bench", "-a", "w"), ["wide32"])
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
