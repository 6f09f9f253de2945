"""Checks of built servers: the order of pairs(), replication, and a huge string.

scripts/server-test.sh calls this with built variants (see
bench/server/build-variants.sh). Prints one line a check: "ok", "FAILED" or
"skipped", its name, and why; exits with 1 if one failed.
"""
import argparse
import itertools
import mmap
import os
import subprocess
import sys
import time

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(PROJECT, "bench", "server"))
import servers as s  # noqa: E402

# Names of keys that all have fewer than 64 bytes: there the order is that of
# scalar MurmurHash3.
SHORT_KEYS = """
    local names = {}
    for i = 1, 500 do
      names[#names + 1] = "k" .. i
      names[#names + 1] = string.rep("ab", i % 30) .. i
      names[#names + 1] = string.rep(string.char(128 + i % 128), i % 60 + 1) .. i % 1000
    end"""
# All of them have more: the order is wide32's, on every kernel.
LONG_KEYS = """
    local names = {}
    for i = 1, 500 do
      names[#names + 1] = string.rep("long", 15 + i) .. i
      names[#names + 1] = i .. string.rep(string.char(i % 256), 64 + i)
      names[#names + 1] = string.rep("x", 64 * (i % 40 + 1)) .. string.char(i % 256) .. i
    end"""
# string.format("%q") would do, but the lengths are what matters to a reader.
PAIRS = """
    local set, order = {}, {}
    for i, name in ipairs(names) do set[name] = i end
    for name, i in pairs(set) do order[#order + 1] = i end"""
RETURN_ORDER = PAIRS + " return table.concat(order, ' ')"
WRITE_ORDER = PAIRS + """
    for n, i in ipairs(order) do
      redis.call("RPUSH", "order", names[i])
      if n % 3 == 0 then redis.call("DEL", "last") end
      redis.call("APPEND", "last", names[i])
    end
    return #order"""

# (name, script, result, GiB in use, GiB that are allocated at once). cjson sets
# six bytes aside for each byte of a string, and doubles from there to a power of
# two, whether it uses them or not.
HUGE = [
    ("a string of 3 GiB",
     'local s = string.rep("a", 1024 * 1024 * 1024) return #(s .. s .. s)',
     3 * 2**30, 10, 3),
    ("the JSON text of a string of 3 GiB",
     'local s = string.rep("a", 1024 * 1024 * 1024) return #cjson.encode(s .. s .. s)',
     3 * 2**30 + 2, 18, 32),
]


def can_allocate(size):
    """Whether the system grants that much address space for memory at once."""
    try:
        mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except (OSError, ValueError):
        return False
    return True


class Checks:
    def __init__(self, folders):
        self.trees = {name: os.path.join(folder, "tree") for name, folder in folders.items()}
        self.kernels = subprocess.run(
            [os.path.join(folders["murmuration"], "hash_probe"), "--kernels"],
            check=True, capture_output=True, text=True).stdout.split()
        self.probe = os.path.join(folders["murmuration"], "hash_probe")
        self.failed = False

    def say(self, good, name, why=""):
        print(f"{'ok' if good else 'FAILED'}: {name}{': ' if why and not good else ''}"
              f"{why if not good else ''}", flush=True)
        self.failed = self.failed or not good

    def skip(self, name, why):
        print(f"skipped: {name}: {why}", flush=True)

    def check_kernels_can_be_forced(self):
        """Else the checks below would compare one kernel with itself."""
        for kernel in self.kernels:
            active = subprocess.run([self.probe, "--kernel"], check=True, capture_output=True,
                                    text=True, env={**os.environ, "MURMURATION_KERNEL": kernel})
            self.say(active.stdout.strip() == kernel, f"MURMURATION_KERNEL={kernel} forces it",
                     f"{active.stdout.strip()} is active")
        if len(self.kernels) == 1:
            self.skip("comparison of kernels", "this machine supports the scalar one only")

    # ------------------------------------------------------------------- order

    def order_of(self, variant, keys, kernel=None):
        with s.Servers() as group:
            server = group.start(variant, self.trees[variant], kernel=kernel)
            with server.client() as client:
                return client.command("EVAL", keys + RETURN_ORDER, 0)

    def check_order(self):
        scalar_murmur3 = self.order_of("scalar", SHORT_KEYS)
        every_byte = self.order_of("every-byte", SHORT_KEYS)
        self.say(scalar_murmur3 != every_byte, "the order of pairs() shows which hash there is",
                 "two hashes gave the same order: this check sees nothing")
        for kernel in self.kernels:
            order = self.order_of("murmuration", SHORT_KEYS, kernel)
            self.say(order == scalar_murmur3, f"order of pairs(), keys below 64 bytes, {kernel}",
                     "not the order of scalar MurmurHash3")
        first = self.order_of("murmuration", LONG_KEYS, self.kernels[0])
        for kernel in self.kernels[1:]:
            order = self.order_of("murmuration", LONG_KEYS, kernel)
            self.say(order == first,
                     f"order of pairs(), keys from 64 bytes, {kernel} and {self.kernels[0]}",
                     "the two differ")

    # ------------------------------------------------------------- replication

    def check_replication(self):
        """Every pair of kernels. After the replicated writes are compared, the
        replica is made a primary and both run the script again by themselves, as
        servers before 7.0 did when they replicated a script and not its writes."""
        for first, second in itertools.permutations(self.kernels, 2):
            with s.Servers() as group:
                primary = group.start("primary", self.trees["murmuration"],
                                      "--enable-debug-command", "local",
                                      "--repl-diskless-sync-delay", "0", kernel=first)
                replica = group.start("replica", self.trees["murmuration"],
                                      "--enable-debug-command", "local",
                                      "--repl-diskless-sync-delay", "0", kernel=second)
                name = f"primary on {first}, replica on {second}"
                with primary.client() as p, replica.client() as r:
                    r.command("REPLICAOF", *primary.address)
                    self.wait_for_link(r)
                    for keys in (SHORT_KEYS, LONG_KEYS):
                        p.command("EVAL", keys + WRITE_ORDER, 0)
                    self.compare(p, r, name + ", replicated", p.command("WAIT", 1, 60000) == 1)
                    r.command("REPLICAOF", "NO", "ONE")
                    for client in (p, r):
                        for keys in (SHORT_KEYS, LONG_KEYS):
                            client.command("EVAL", keys + WRITE_ORDER, 0)
                    self.compare(p, r, name + ", each by itself", True)

    @staticmethod
    def wait_for_link(client):
        for _ in range(600):
            if client.info("replication").get("master_link_status") == "up":
                return
            time.sleep(0.1)
        raise s.ServerError("the replica did not reach its primary within 60 s")

    def compare(self, primary, replica, name, received):
        digests = [client.command("DEBUG", "DIGEST") for client in (primary, replica)]
        length = primary.command("LLEN", "order")
        self.say(received and digests[0] == digests[1] and length > 0, name,
                 "the two data sets differ" if received else "the replica did not get the writes")

    # ------------------------------------------------------------- huge string

    def check_huge_strings(self):
        for what, script, expected, in_use, at_once in HUGE:
            for kernel in dict.fromkeys(["scalar", self.kernels[0]]):
                name = f"{what}, {kernel}"
                available = s.available_memory()
                if available < in_use * 2**30:
                    self.skip(name, f"needs {in_use} GiB of free memory, "
                                    f"{available / 2**30:.1f} are")
                elif not can_allocate(at_once * 2**30):
                    self.skip(name, f"the system refuses {at_once} GiB in one allocation")
                else:
                    self.check_huge_string(name, script, expected, kernel)

    def check_huge_string(self, name, script, expected, kernel):
        with s.Servers() as group:
            server = group.start("huge", self.trees["murmuration"], kernel=kernel)
            with server.client(timeout=1200) as client:
                try:
                    result = client.command("EVAL", script, 0)
                except (s.ServerError, OSError) as error:
                    result = f"{error}; {server.last_log_lines()}"
            self.say(result == expected, name, f"{result} and not {expected}")


def main():
    parser = argparse.ArgumentParser(prog="checks.py")
    parser.add_argument("--variant", nargs=2, action="append", required=True,
                        metavar=("NAME", "FOLDER"))
    parser.add_argument("check", nargs="+", choices=["order", "replication", "huge"])
    options = parser.parse_args()
    checks = Checks(dict(options.variant))
    checks.check_kernels_can_be_forced()
    for check in options.check:
        {"order": checks.check_order, "replication": checks.check_replication,
         "huge": checks.check_huge_strings}[check]()
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    s.run(main)
