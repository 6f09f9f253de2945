#!/usr/bin/env python3
"""What the benchmarks make of results, with results made up here: nothing is timed."""
import json
import os
import random
import stat
import subprocess
import sys
import tempfile
import unittest

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BENCH = os.path.join(PROJECT, "bench")
sys.path[:0] = [BENCH, os.path.join(BENCH, "lua")]
sys.dont_write_bytecode = True
import draw  # noqa: E402
import measure as bench_measure  # noqa: E402
import processor  # noqa: E402
import rounds  # noqa: E402
import tables  # noqa: E402

# The parts of /proc/cpuinfo that say what a processor is, as Linux writes them.
CPUINFO = {
    "amd-family25-model17": ("x86_64", """processor\t: 0
vendor_id\t: AuthenticAMD
cpu family\t: 25
model\t\t: 17
model name\t: AMD EPYC
stepping\t: 1
flags\t\t: fpu sse2 avx2 bmi2 fma avx512f avx512dq avx512cd avx512bw avx512vl avx512_vbmi2
""", "-march=x86-64-v4"),
    "amd-family26-model2": ("x86_64", """processor\t: 0
vendor_id\t: AuthenticAMD
cpu family\t: 26
model\t\t: 2
model name\t: AMD EPYC
stepping\t: 1
flags\t\t: fpu sse2 avx2 bmi2 fma
""", "-march=x86-64-v3"),
    "intel-family6-model23": ("x86_64", """vendor_id\t: GenuineIntel
cpu family\t: 6
model\t\t: 23
model name\t: Intel(R) Core(TM)2 Duo CPU     P8600  @ 2.40GHz
stepping\t: 10
flags\t\t: fpu sse2 ssse3 sse4_1
""", ""),
    "arm-family8-model3340": ("aarch64", """processor\t: 0
Features\t: fp asimd evtstrm aes
CPU implementer\t: 0x41
CPU architecture: 8
CPU variant\t: 0x3
CPU part\t: 0xd0c
CPU revision\t: 1
""", ""),
    "ibm-s390x-unknown": ("s390x", """vendor_id       : IBM/S390
# processors    : 2
processor 0: version = FF,  identification = 133371,  machine = 3931
""", ""),
    "ppc64le-ppc64le-power9-architected-altivec-supported": ("ppc64le", """processor\t: 0
cpu\t\t: POWER9 (architected), altivec supported
clock\t\t: 2600.000000MHz
revision\t: 2.2 (pvr 004e 0202)
""", ""),
    "riscv64-riscv64-sifive-u74-mc": ("riscv64", """processor\t: 0
hart\t\t: 1
isa\t\t: rv64imafdc
uarch\t\t: sifive,u74-mc
""", ""),
    "x86-64-x86-64-unknown": ("x86_64", "", ""),
}


class Processor(unittest.TestCase):
    def test_names_of_files_tell_generations_apart(self):
        for slug, (architecture, text, march) in CPUINFO.items():
            facts = processor.from_cpuinfo(text, architecture)
            self.assertEqual(processor.slug(facts), slug)
            self.assertEqual(processor.march(facts), march)

    def test_any_text_gives_a_name_for_a_file(self):
        source = random.Random(1)
        for _ in range(2000):
            text = "".join(source.choice("vendor_id: model family0x9\n\t\\/.é") for _ in range(80))
            facts = processor.from_cpuinfo(text + "model name: %s\n" % text[:20], "x/y")
            self.assertRegex(processor.slug(facts), r"^[a-z0-9]+(-[a-z0-9]+)*$")
            self.assertIsInstance(processor.describe(facts), str)

    def test_what_the_command_says_goes_first(self):
        told = {"vendor": "AuthenticAMD", "name": "AMD EPYC", "family": 26, "model": 2,
                "stepping": 1, "microarchitecture": "Zen 5", "flags": ["avx2"]}
        facts = processor.from_command({"architecture": "x86_64", "processor": told})
        self.assertEqual(processor.describe(facts),
                         "AMD EPYC (Zen 5, family 26 model 2 stepping 1)")
        self.assertEqual(processor.slug(facts), "amd-family26-model2")
        self.assertEqual(facts["architecture"], "x86_64")
        self.assertIsNone(processor.from_command({"processor": "only a name"}))

    def test_wrong_usage(self):
        for arguments in ([], ["frobnicate"], ["slug", "a", "b"]):
            done = subprocess.run([sys.executable, os.path.join(BENCH, "processor.py"), *arguments],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(len(done.stderr.splitlines()), 1)


class Rounds(unittest.TestCase):
    def test_disturbed_rounds_do_not_count_and_many_are_told(self):
        quiet = [1.0, 1.001, 1.002, 1.003, 1.4, 1.4, 1.4]
        self.assertEqual(rounds.fastest(quiet), 1.0)
        self.assertLess(rounds.unsettled(quiet), rounds.NOISE)
        self.assertGreater(rounds.unsettled([1.0] + 9 * [1.4]), rounds.BELIEVABLE)
        self.assertEqual(rounds.unsettled([3.0]), 0)

    def test_a_clock_that_jumps_is_not_believed(self):
        self.assertEqual(rounds.fastest([0.4, 1.01, 1.4, 1.0, 1.4]), 1.0)
        self.assertEqual(rounds.fastest([0.4, 0.7, 1.0, 1.01]), 1.0)
        self.assertEqual(rounds.fastest([3.0]), 3.0)
        self.assertEqual(rounds.fastest([3.0, 4.0]), 3.0)


# ------------------------------------------------------------------------- Lua

FACTS = processor.from_cpuinfo(CPUINFO["amd-family26-model2"][1], "x86_64")
COLUMNS = ("stock", "every-byte", "scalar", "no-hash", "xxh3", "ours:avx2", tables.AGAIN)


def lua_result(workloads, time, unsettled, facts=FACTS):
    """time(workload, column) in microseconds, and unsettled(workload, column)."""
    result = {"processor": facts, "kernel": "avx2", "compiler": "cc 12", "rounds": 15,
              "workloads": {}}
    for workload in workloads:
        times = {column: time(workload, column) for column in COLUMNS}
        result["workloads"][workload] = {
            column: {"microseconds": times[column], "unsettled": unsettled(workload, column),
                     "times_faster_than": {o: times[o] / times[column] for o in COLUMNS
                                           if o != column}} for column in COLUMNS}
    return result


class FirstImpression(unittest.TestCase):
    KINDS = ("fresh:102400", "value:102400", "hit:102400")

    def impression(self, time, unsettled):
        return tables.first_impression(lua_result(self.KINDS, time, unsettled), 102400)

    def test_begins_with_who_is_compared_and_how_many_times(self):
        lines = self.impression(
            lambda _, column: {"every-byte": 170.0, "scalar": 50.0}.get(column, 5.0),
            lambda *_: 0.01)
        lead = " ".join(lines[:lines.index("")])
        self.assertEqual(lead, "Lua 5.1 makes a new string of 100 KB 34.0 times as fast with "
                         "Murmuration as with the string hash that Redis gives it, and 10.0 times "
                         "as fast as with that of Valkey 8.1.")
        text = " ".join(" ".join(lines).split())
        self.assertNotIn("?", text)
        self.assertIn("Lua itself looks at 32 characters", text)
        self.assertIn("AMD EPYC (family 26 model 2 stepping 1)", text)
        for kind, meaning in tables.KINDS.items():
            self.assertIn("%-6s %s" % (kind, meaning), lines)

    def test_numbers_that_are_not_to_be_believed_have_a_mark_and_no_sentence(self):
        for column in ("ours:avx2", "every-byte", "scalar"):
            for wide, kinds in ((5.58, ("fresh", "value", "hit")), (0.11, ("fresh",))):
                lines = self.impression(
                    lambda *_: 7.0,
                    lambda workload, c, column=column, wide=wide, kinds=kinds:
                        wide if c == column and workload.split(":")[0] in kinds else 0.01)
                text = " ".join(" ".join(lines).split())
                self.assertIn("cannot be said", text)
                self.assertNotIn("times as fast with Murmuration as with", text)
                self.assertIn("not to be believed", text)
                self.assertIn("7.00?", text)
        # Of a column that no sentence speaks of, only the number is marked.
        lines = self.impression(lambda *_: 7.0, lambda _, c: 9.0 if c == "no-hash" else 0.0)
        self.assertIn("times as fast with", " ".join(lines))
        self.assertEqual(sum("7.00?" in line for line in lines), 1)

    def test_any_numbers_fit_a_terminal(self):
        source = random.Random(2)
        for _ in range(500):
            lines = self.impression(lambda *_: 10 ** source.uniform(-3, 9),
                                    lambda *_: 10 ** source.uniform(-4, 2))
            for line in lines:
                self.assertLessEqual(len(line), tables.WIDTH, line)
                self.assertTrue(line.isprintable(), line)
                self.assertEqual(line, line.rstrip())


FAKE_BENCH = """#!/bin/sh
case $1 in --kernel | --kernels) echo avx2; exit ;; esac
while read -r workload; do
  case $workload in broken:*) echo 'lua_bench: no workload broken' >&2; exit 1 ;; esac
  echo %s
done
"""


class Piped(unittest.TestCase):
    """bench/lua/measure.py with programs that only say they measured."""

    def run_measure(self, folder, *arguments):
        command = [sys.executable, os.path.join(BENCH, "lua", "measure.py"), "--workloads", "x",
                   "--compiler", "cc 12", "--rounds", "3", "--milliseconds", "1"]
        for name, time in (("stock", 4), ("every-byte", 160), ("scalar", 48), ("no-hash", 4),
                           ("ours:avx2", 8)):
            program = os.path.join(folder, name)
            with open(program, "w", encoding="utf-8") as file:
                file.write(FAKE_BENCH % time)
            os.chmod(program, stat.S_IRWXU)
            command += ["--column", name, program, "avx2" if name == "ours:avx2" else ""]
        return subprocess.run(command + list(arguments), capture_output=True, check=False)

    def test_first_impression(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.json")
            done = self.run_measure(folder, "--first-impression", "102400", "--json", path,
                                    *FirstImpression.KINDS)
            with open(path, encoding="utf-8") as file:
                facts = json.load(file)["processor"]
        self.assertEqual(done.returncode, 0, done.stderr)
        for stream in (done.stdout, done.stderr):
            self.assertNotIn(b"\r", stream)
        self.assertIn(b"20.0 times", b" ".join(done.stdout.splitlines()))
        self.assertLessEqual(max(map(len, done.stdout.decode().splitlines())), tables.WIDTH)
        self.assertEqual({"family", "model", "stepping", "flags", "microarchitecture"} - set(facts),
                         set())

    def test_full_table(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_measure(folder, "fresh:128", "gsub:100")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn(b"\r", done.stdout + done.stderr)
        self.assertIn("times as fast as no hash", done.stdout.decode())

    def test_a_program_that_fails_is_told_with_its_own_words(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_measure(folder, "broken:1")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"no workload broken", done.stderr)


# ---------------------------------------------------------------- report of a run

SIZES = (64, 128, 256, 1024)


def xxh3_result(facts, time, xxh3=True):
    """time(function, kernel, size) in ns."""
    names = [("memcpy", "libc")]
    names += [(f, k) for f in ("wide32", "wide32_again", "wide32_copy")
              for k in ("avx2", "sse4", "scalar")]
    if xxh3:
        names += [(f, s) for f in ("XXH3", "XXH3_then_memcpy") for s in ("avx2", "sse2")]
    rows = {"%s/%s/%d" % (f, k, size): {"ns": time(f, k, size), "cycles_per_call": 9.0}
            for f, k in names for size in SIZES}
    return {"processor": facts, "kernels": ["avx2", "sse4", "scalar"], "rounds": 9,
            "version": "1", "missing_peers": "none" if xxh3 else "XXH3: no xxhash.h",
            "compilers": ["GNU 12"], "rows": {"GNU 12": rows}}


def wide32_from_256_on(function, _, size):
    return (50.0 if size >= 256 else 200.0) if function.startswith("wide32") else 100.0


class Report(unittest.TestCase):
    def test_who_is_ahead_where(self):
        self.assertEqual(
            draw.ahead({64: 0.5, 128: 0.4, 256: 1.02, 300: 1.1, 512: None, 1000: 1.5}),
            "XXH3 is ahead at 64 B to 128 B (up to 2.50 times as fast); they are level at 256 B; "
            "wide32 is ahead at 300 B, 1000 B (up to 1.50 times as fast).")
        self.assertEqual(draw.ahead({64: None}), "")

    def test_same_instruction_set_in_one_table(self):
        text = draw.xxh3_short(xxh3_result(FACTS, wide32_from_256_on))
        self.assertIn("| avx2, GNU 12 | 0.50 | 0.50 | 2.00 | 2.00 |", text)
        self.assertIn("| sse4, GNU 12 | 0.50", text)
        self.assertNotIn("| scalar", text)
        self.assertIn("| wide32 measured twice | ±0.0 % |", text)
        self.assertNotIn("say nothing", text)

    def test_noise_is_told(self):
        text = draw.xxh3_short(xxh3_result(
            FACTS, lambda f, k, s: 104.0 if f == "wide32_again" and s == 256 else 100.0))
        self.assertIn("±4.0 %", text)
        self.assertIn("differs by 4.0 %, more than 3 %", text)

    def test_a_missing_peer_is_named_and_its_rows_are_left_out(self):
        result = xxh3_result(FACTS, wide32_from_256_on, xxh3=False)
        self.assertIn("XXH3: no xxhash.h", draw.xxh3_short(result))
        self.assertNotIn("XXH3/", draw.xxh3_long(result))

    def draw_all(self, folder, facts, parts):
        for part, result in parts.items():
            os.makedirs(os.path.join(folder, "json"), exist_ok=True)
            with open(os.path.join(folder, "json", part + ".json"), "w", encoding="utf-8") as file:
                json.dump({**result, "processor": facts}, file)
        results = os.path.join(folder, "docs", "results")
        os.makedirs(results, exist_ok=True)
        document = os.path.join(folder, "docs", "benchmarks.md")
        if not os.path.exists(document):
            with open(document, "w", encoding="utf-8") as file:
                file.write("before\n<!-- results: begin -->\n<!-- results: end -->\nafter\n")
        done = subprocess.run(
            [sys.executable, "-B", os.path.join(BENCH, "draw.py"), "--json",
             os.path.join(folder, "json"), "--results", results, "--document", document,
             "--page", os.path.join(folder, "page.html")],
            capture_output=True, text=True, check=False, env={**os.environ, "PATH": ""})
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in parts:
            os.remove(os.path.join(folder, "json", part + ".json"))
        with open(document, encoding="utf-8") as file:
            return done.stderr, file.read()

    def test_processors_lie_side_by_side_and_parts_stay(self):
        other = processor.from_cpuinfo(CPUINFO["amd-family25-model17"][1], "x86_64")
        xxh3 = xxh3_result(FACTS, wide32_from_256_on)
        lua = lua_result(("fresh:128", "hit:300"), lambda *_: 2.0, lambda *_: 0.0)
        with tempfile.TemporaryDirectory() as folder:
            said, _ = self.draw_all(folder, FACTS, {"xxh3": xxh3, "lua": lua})
            self.assertIn("no gnuplot: charts are left out", said)
            _, document = self.draw_all(folder, other, {"xxh3": xxh3})
            self.assertTrue(document.startswith("before\n") and document.endswith("after\n"))
            first = document.index("AMD EPYC (family 25 model 17 stepping 1)")
            second = document.index("AMD EPYC (family 26 model 2 stepping 1)")
            self.assertLess(first, second)
            for slug in ("amd-family25-model17", "amd-family26-model2"):
                self.assertIn("(results/%s.md)" % slug, document)
            page = os.path.join(folder, "docs", "results", "amd-family26-model2.md")
            before = draw.sections_of(draw.read_text(page))
            self.assertEqual(set(before), {"xxh3", "xxh3-cycles", "lua", "lua-fresh"})
            # One part again: it alone changes, and a second time nothing does.
            lua = lua_result(("fresh:128",), lambda *_: 3.0, lambda *_: 0.0)
            _, document = self.draw_all(folder, FACTS, {"lua": lua})
            after = draw.sections_of(draw.read_text(page))
            self.assertEqual(after["xxh3"], before["xxh3"])
            self.assertNotEqual(after["lua"], before["lua"])
            text = draw.read_text(page)
            self.assertEqual((self.draw_all(folder, FACTS, {"lua": lua})[1],
                              draw.read_text(page)), (document, text))

    def test_servers_under_one_condition_and_under_several(self):
        variants = {"scalar": {"rps": 19000.0}, "murmuration": {"rps": 42000.0}}
        one = {"size": 102400, "values": "differing", "variants": variants}
        self.assertIn("| murmuration | 42000 |", draw.server_table(one))
        two = {**one, "conditions": [
            {"values": "differing", "memory": "default", "variants": variants},
            {"values": "differing", "memory": "kept", "variants": {
                name: {"rps": 2 * row["rps"]} for name, row in variants.items()}}]}
        text = draw.server_table(two)
        self.assertIn("| differing values, memory default | differing values, memory kept |", text)
        self.assertIn("| murmuration | 42000 | 84000 |", text)

    def test_nothing_measured_yet(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, "-B", os.path.join(BENCH, "draw.py"), "--json", folder,
                 "--results", folder, "--document", "x", "--page", "y"],
                capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 1)


class WithXxh3(unittest.TestCase):
    """bench/with-xxh3.sh with compilers that only say they are."""

    def run_script(self, compiler, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cc")
            with open(path, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n" + compiler)
            os.chmod(path, stat.S_IRWXU)
            return subprocess.run(
                [os.path.join(BENCH, "with-xxh3.sh"), *arguments], capture_output=True, text=True,
                check=False, env={**os.environ, "CC": path})

    def test_no_header(self):
        done = self.run_script("exit 1\n", "library.a", "out.o")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("libxxhash-dev", done.stderr)

    def test_no_library(self):
        done = self.run_script("exit 0\n", "/nothing.a", "out.o")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("/nothing.a", done.stderr)

    def test_wrong_usage(self):
        self.assertEqual(self.run_script("exit 0\n", "library.a").returncode, 2)


class InstallDependencies(unittest.TestCase):
    """What the first command of a stranger says of apt, with an apt that installs nothing."""

    APT = """case "$*" in
  *--print-uris*) echo "'http://x/a.deb' a.deb 1500000 S"; echo "'http://x/b.deb' b.deb 500000 S" ;;
  *) printf 'progress\\r'; exit %d ;;
esac
"""

    def run_script(self, status):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("apt-get", self.APT % status), ("dpkg-query", "exit 1\n"),
                               ("id", "echo 0\n")):
                path = os.path.join(folder, name)
                with open(path, "w", encoding="utf-8") as file:
                    file.write("#!/bin/sh\n" + text)
                os.chmod(path, stat.S_IRWXU)
            return subprocess.run(
                [os.path.join(PROJECT, "scripts", "install-dependencies.sh"), "a"],
                capture_output=True, check=False,
                env={**os.environ, "PATH": folder + ":" + os.environ["PATH"], "TMPDIR": folder})

    def test_says_what_apt_does_in_plain_lines(self):
        done = self.run_script(0)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"fetching the lists", done.stderr)
        self.assertIn(b"fetching 2.0 MB in 2 packages", done.stderr)
        self.assertNotIn(b"\r", done.stdout + done.stderr)

    def test_failure(self):
        done = self.run_script(100)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"missing packages: a", done.stderr)


class Ports(unittest.TestCase):
    LOOP = ["vpxord (%rdi),%zmm2,%zmm0", "vpmulld %zmm1,%zmm0,%zmm3", "vprold $0xf,%zmm3,%zmm3",
            "vpmulld %zmm4,%zmm3,%zmm3", "add $0x40,%rdi", "cmp %rsi,%rdi"]

    def test_bytes_of_a_loop(self):
        self.assertEqual(bench_measure.bytes_hashed(self.LOOP), 64)
        self.assertEqual(bench_measure.bytes_hashed(
            ["pmulld %xmm1,%xmm0", "sub    $0xffffffffffffff80,%rax", "add $0x1,%rcx"]), 128)
        self.assertEqual(bench_measure.bytes_hashed(["pmulld %xmm1,%xmm0"]), 0)
        self.assertEqual(bench_measure.bytes_hashed(["vpmuludq %ymm1,%ymm0,%ymm0",
                                                     "add $0x40,%rdi"]), 0)

    def test_the_main_loop_is_the_dense_one(self):
        body, address = [], 0x100
        for text in ["push %rbx"] + self.LOOP + ["jb 101 <f+0x1>"] + 9 * ["nop"] + self.LOOP + [
                "jb 109 <f+0x9>", "jmp 100 <f>"]:
            body.append((address, text))
            address += 1
        loop = bench_measure.main_loop(
            [("murmuration::N_AVX3::Wide32(void const*)>:", body),
             ("murmuration::N_AVX3::HashFixed()>:", [(0, self.LOOP[1])])], "N_AVX3")
        self.assertEqual(loop, self.LOOP)


if __name__ == "__main__":
    unittest.main()
