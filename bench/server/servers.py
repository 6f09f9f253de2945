"""Redis or Valkey servers on loopback: started, spoken to, and always ended.

Used by the benchmarks here and by tests/server. Every process is started in
`with Servers() as servers:` and ended, by process id, when the block is left
for whatever reason, signals included; the kernel ends it should this program
be killed outright.
"""
import ctypes
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import processor  # noqa: E402

START_SECONDS = 30
STOP_SECONDS = 10


class ServerError(Exception):
    """What a server answered, or why it did not start."""


def fail(message):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {message}")


def progress(message):
    print(message, file=sys.stderr, flush=True)


def binary(tree, name):
    """The program `name` ("server", "benchmark", "cli") of a built tree."""
    for product in ("redis", "valkey"):
        path = os.path.join(tree, "src", f"{product}-{name}")
        if os.access(path, os.X_OK):
            return path
    raise ServerError(f"{tree} has no redis-{name} or valkey-{name} in src")


# ------------------------------------------------------------------ processors

def _siblings(cpu):
    """The processors that share a core with this one, itself included."""
    path = f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"
    cpus = set()
    try:
        with open(path, encoding="ascii") as file:
            for part in file.read().strip().split(","):
                first, _, last = part.partition("-")
                cpus.update(range(int(first), int(last or first) + 1))
    except (OSError, ValueError):
        pass
    return cpus | {cpu}


def two_cores():
    """(processor for servers, processor for load), on different cores, or
    (None, None) where this program may run on one core only."""
    allowed = sorted(os.sched_getaffinity(0))
    for cpu in allowed[1:]:
        if cpu not in _siblings(allowed[0]):
            return allowed[0], cpu
    return None, None


def child_setup(cpu):
    """For preexec_fn: pins the child, and has it die with its parent."""
    parent = os.getpid()
    libc = ctypes.CDLL(None, use_errno=True)
    pr_set_pdeathsig = 1

    def setup():
        libc.prctl(pr_set_pdeathsig, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
        if cpu is not None:
            os.sched_setaffinity(0, {cpu})
    return setup


# ---------------------------------------------------------------------- client

class Client:
    """One blocking connection. `command` returns bytes, int, None or a list."""

    def __init__(self, address, timeout=600):
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        self._socket.settimeout(timeout)
        self._socket.connect(address)
        self._reader = self._socket.makefile("rb")

    def close(self):
        self._reader.close()
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def command(self, *arguments):
        self._socket.sendall(encode(*arguments))
        return self._reply()

    def info(self, section):
        """One section of INFO as a dictionary of strings."""
        lines = self.command("INFO", section).decode().splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)

    def _reply(self):
        line = self._reader.readline()
        if not line.endswith(b"\r\n"):
            raise ServerError("the server closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"+":
            return rest
        if kind == b"-":
            raise ServerError(rest.decode(errors="replace"))
        if kind == b":":
            return int(rest)
        if kind == b"$":
            length = int(rest)
            return None if length < 0 else self._reader.read(length + 2)[:-2]
        if kind == b"*":
            return None if rest == b"-1" else [self._reply() for _ in range(int(rest))]
        raise ServerError(f"not a reply: {line!r}")


def encode(*arguments):
    parts = [a if isinstance(a, bytes) else str(a).encode() for a in arguments]
    head = b"*%d\r\n" % len(parts)
    return head + b"".join(b"$%d\r\n%s\r\n" % (len(p), p) for p in parts)


# --------------------------------------------------------------------- servers

def _port_is_free(port):
    with socket.socket() as listener:
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_port():
    """A TCP port that was free, as was its cluster bus port, 10000 above."""
    for _ in range(200):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
        if port + 10000 < 65536 and _port_is_free(port + 10000):
            return port
        # The system hands out high ports; look below for one with room above.
        port = 10000 + (port * 7919) % 40000
        if _port_is_free(port) and _port_is_free(port + 10000):
            return port
    raise ServerError("found no free TCP port")


class Server:
    """A running server; Servers.start makes one."""

    def __init__(self, name, process, address, log):
        self.name = name
        self.process = process
        self.address = address
        self.log = log

    def client(self, timeout=600):
        return Client(self.address, timeout)

    def page_faults(self):
        """How many page faults the process has had."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        return int(fields[7]) + int(fields[9])  # minor and major

    def benchmark_arguments(self):
        """How redis-benchmark and redis-cli are told where it is."""
        if isinstance(self.address, str):
            return ["-s", self.address]
        return ["-h", self.address[0], "-p", str(self.address[1])]

    def last_log_lines(self):
        try:
            with open(self.log, encoding="utf-8", errors="replace") as file:
                return "".join(file.readlines()[-5:]).strip()
        except OSError:
            return ""


class Servers:
    """All servers of one program, and the folder they write in."""

    def __init__(self):
        self._running = []
        self._folder = None
        self._old_handlers = {}

    def __enter__(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            self._old_handlers[number] = signal.signal(
                number, lambda n, _: sys.exit(128 + n))
        self._folder = tempfile.mkdtemp(prefix="murmuration-")
        return self

    def __exit__(self, *_):
        # A second signal must not leave half of them running.
        numbers = (*self._old_handlers, signal.SIGINT)
        before = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
        for server in self._running:
            server.process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        for server in self._running:
            try:
                server.process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                server.process.kill()
                server.process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)
        for number, handler in {**before, **self._old_handlers}.items():
            signal.signal(number, handler)

    def start(self, name, tree, *options, unix_socket=False, kernel=None, cpu=None,
              environment=None):
        """A server of the tree, answering. `kernel` forces MURMURATION_KERNEL;
        `environment` adds variables to that of this program."""
        for attempt in range(5):
            try:
                return self._start_once(name, tree, options, unix_socket, kernel, cpu,
                                        environment or {})
            except ServerError:
                # Someone may have taken the port in the meantime.
                if attempt == 4 or unix_socket:
                    raise

    def _start_once(self, name, tree, options, unix_socket, kernel, cpu, variables):
        folder = tempfile.mkdtemp(prefix=name + "-", dir=self._folder)
        log = os.path.join(folder, "log")
        if unix_socket:
            address = os.path.join(folder, "socket")
            listen = ["--port", "0", "--unixsocket", address]
        else:
            address = ("127.0.0.1", free_port())
            listen = ["--port", str(address[1]), "--bind", "127.0.0.1"]
        # Settings of whoever starts this program would be measured too.
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("MURMURATION_KERNEL", "GLIBC_TUNABLES")
                       and not name.startswith("MALLOC_")}
        environment.update(variables)
        if kernel:
            environment["MURMURATION_KERNEL"] = kernel
        process = subprocess.Popen(
            [binary(tree, "server"), *listen, "--save", "", "--appendonly", "no",
             "--dir", folder, "--logfile", log, *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=environment, preexec_fn=child_setup(cpu))
        server = Server(name, process, address, log)
        self._running.append(server)
        self._wait_until_ready(server)
        return server

    def _wait_until_ready(self, server):
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if server.process.poll() is not None:
                self._running.remove(server)
                raise ServerError(f"server {server.name} ended at once: {server.last_log_lines()}")
            try:
                with server.client(timeout=5) as client:
                    if int(client.info("server")["process_id"]) == server.process.pid:
                        return
                raise ServerError(f"another server answers at {server.address}")
            except (OSError, KeyError):
                time.sleep(0.05)
        raise ServerError(f"server {server.name} did not answer within {START_SECONDS} s")

    def stop(self, server):
        """Ends one server before the others."""
        self._running.remove(server)
        server.process.terminate()
        try:
            server.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            server.process.kill()
            server.process.wait()


# -------------------------------------------------------------------- machine

def available_memory():
    """Bytes that may still be used, by the system and by this control group."""
    with open("/proc/meminfo", encoding="ascii") as file:
        fields = dict(line.split(":", 1) for line in file)
    available = int(fields["MemAvailable"].split()[0]) * 1024
    try:
        with open("/sys/fs/cgroup/memory.max", encoding="ascii") as file:
            limit = file.read().strip()
        with open("/sys/fs/cgroup/memory.current", encoding="ascii") as file:
            used = int(file.read())
        if limit != "max":
            available = min(available, int(limit) - used)
    except (OSError, ValueError):
        pass
    return available


def need_memory(size, what):
    available = available_memory()
    if available < size:
        fail(f"{what} need about {size / 2**30:.1f} GiB of memory and "
             f"{available / 2**30:.1f} GiB are free; take fewer keys or a smaller size")


def machine():
    """What every result says of the processor and the system."""
    facts = processor.read()
    return {"processor": facts, "system": f"{platform.system()} {platform.release()}"}


def machine_line(facts):
    """The same for people; `facts` are machine's and the compiler."""
    return (f"- processor {processor.describe(facts['processor'])}: "
            f"{' '.join(processor.telling_flags(facts['processor']))}\n"
            f"- system {facts['system']}, compiler {facts['compiler']}")


def run(main):
    """Runs a program's main, which ends with one line if a server fails."""
    try:
        main()
    except ServerError as error:
        fail(error)
    except KeyboardInterrupt:
        sys.exit(130)
