"""The process beside the service that keeps the embedded Valkey: starts, restarts and ends it.

It is a process of its own, since the service's parent process forks workers and reaps every child,
and since it can still shut Valkey down when the service was killed without a chance to. It runs as
a plain script on the standard library alone:

    keeper.py DATA_DIR VALKEY_SERVER APPENDFSYNC LINES [SOCKET]

LINES is json or plain, the form of what it tells on standard error. On standard output it says
`ready SOCKET` or `error SENTENCE`, once; when standard input closes, the service is gone. With
SOCKET it takes over from a keeper that died, whose Valkey listens there if it lives.

In the data directory:

    croupier.lock    locked by the keeper: one service a directory; holds the service's pid
    valkey.lock      locked by Valkey itself, which inherits it: one Valkey a directory
    valkey.socket    the path of the socket
    valkey.pid, valkey.log, appendonlydir/    Valkey's own
"""

import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import socket
import subprocess  # nosec B404 # its words are our own
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

NO_SOCKET = Path()
"""Stands for the socket until there is one."""

SHORT = "/tmp"  # noqa: S108 # nosec B108 # a new directory of our own is made in it
"""Where paths are short enough for a socket."""

LONGEST_SOCKET_PATH = 100
"""Bytes. The kernel's limit is 107 on Linux and 103 on macOS."""

PATIENCE = 30.0
"""Seconds to wait for something that should take less than one: a process to end, a first reply."""

GRACE = 10.0
"""Seconds that a Valkey left behind gets for each way of ending it."""

LONGEST_PAUSE = 10.0
"""Seconds between two tries to start a Valkey that will not start."""

SECOND_TRY = 5.0
"""Seconds after which another keeper tries to take over where one could not."""

INSTEAD = "set REDIS_URL to a Redis or Valkey server, version 7 or newer"


class KeeperError(Exception):
    """The store cannot be kept. The text is one sentence for the operator."""


class ServiceGone(Exception):
    """The service went away while its store was starting."""


def ask(socket_path: Path, command: bytes) -> bytes | None:
    """Send a command without arguments; the start of the reply, None when nobody listens."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(1.0)
        try:
            connection.connect(str(socket_path))
        except OSError:
            return None
        with contextlib.suppress(OSError):
            connection.sendall(command + b"\r\n")
            return connection.recv(64)
    return b""


class Keeper:
    """Keeps one Valkey on one data directory for the service that is this process's parent."""

    def __init__(self, data_dir: Path, *, server: str, appendfsync: str, lines: str) -> None:
        self._dir = data_dir
        self._server = server
        self._appendfsync = appendfsync
        self._lines = lines
        self._service = os.getppid()
        self._log = data_dir / "valkey.log"
        self._log_start = 0
        self._pid_file = data_dir / "valkey.pid"
        self._socket_file = data_dir / "valkey.socket"
        self._socket = NO_SOCKET
        self._valkey: subprocess.Popen[bytes] | None = None
        #: Whether Valkey is one that another keeper started, and so no child of this process.
        self._adopted = False

    def open(self) -> Path:
        """Claim the directory and start Valkey; the path of its socket, once it answers.

        Raises KeeperError, or ServiceGone.
        """
        try:
            self._dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._service_lock = self._open_lock("croupier.lock")
            self._valkey_lock = self._open_lock("valkey.lock")
            self._claim()
            self._end_leftover()
            self._socket = self._new_socket()
            self._start()
        except OSError as error:
            raise KeeperError(f"the data directory {self._dir} cannot be used: {error}") from error
        return self._socket

    def take_over(self, socket_path: Path) -> None:
        """Claim the directory after a keeper that died, and go on with its Valkey, of which nobody
        notices anything; `keep` starts another where that has died too.

        Raises KeeperError, after a pause, as the service then starts another keeper at once.
        """
        try:
            self._service_lock = self._open_lock("croupier.lock")
            self._valkey_lock = self._open_lock("valkey.lock")
            self._claim()
            # Both are another's by now where a second service had the directory in between.
            self._socket_file.write_text(str(socket_path))
            socket_path.parent.mkdir(mode=0o700, exist_ok=True)
        except (KeeperError, OSError) as error:
            self._say(f"nobody keeps the embedded Valkey: {error}; another try in {SECOND_TRY:g} s")
            self._service_gone(within=SECOND_TRY)
            raise KeeperError(str(error)) from error
        self._socket = socket_path
        self._adopted = True
        self._say("the process that keeps the embedded Valkey died; another one has taken over")

    def keep(self) -> NoReturn:
        """Start Valkey again whenever it dies. Ends by raising ServiceGone."""
        while not self._service_gone(within=0.1):
            if (how := self._death()) is not None:
                self._say(f"the embedded Valkey died{how}; starting it again")
                self._adopted = False
                self._start_again()
        raise ServiceGone

    def _death(self) -> str | None:
        """What is known of how Valkey died; None while it lives."""
        if self._adopted:
            # Only its parent is told how a process ended; its lock tells everybody that it has.
            return "" if _locked(self._valkey_lock) else None
        if self._valkey is None or (status := self._valkey.poll()) is None:
            return None
        why = f"; it said: {self._last_words()}" if status >= 0 else ""
        return f" (status {status}){why}"

    def close(self) -> None:
        """Undo what `open` did, however far it came. Valkey writes out what it holds first."""
        if self._valkey is not None:
            # Who finds the lock held by nobody knows that it will soon be free.
            os.truncate(self._service_lock, 0)
            self._valkey.terminate()
            try:
                self._valkey.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._valkey.kill()
                self._valkey.wait()
        elif self._adopted:
            os.truncate(self._service_lock, 0)
            with contextlib.suppress(KeeperError):
                self._shut_down_leftover()
        if self._socket != NO_SOCKET:
            shutil.rmtree(self._socket.parent, ignore_errors=True)

    def _say(self, sentence: str) -> None:
        """Tell the operator, on standard error like the service's own log."""
        line = f"croupier: {sentence}"
        if self._lines == "json":
            moment = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            said = {"time": moment, "level": "warning", "message": sentence, "pid": os.getpid()}
            line = json.dumps(said, separators=(",", ":"))
        # The terminal may be gone; the store has to be kept all the same.
        with contextlib.suppress(OSError):
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()

    def _service_gone(self, *, within: float) -> bool:
        """Whether the service goes away within that many seconds."""
        readable, _, _ = select.select([sys.stdin], [], [], within)
        return bool(readable) or os.getppid() != self._service

    def _open_lock(self, name: str) -> int:
        return os.open(self._dir / name, os.O_RDWR | os.O_CREAT, 0o600)

    def _claim(self) -> None:
        """Lock the directory for this service, or raise KeeperError."""
        deadline = time.monotonic() + PATIENCE
        while not _locked(self._service_lock):
            owner = _pid(os.pread(self._service_lock, 32, 0))
            # A keeper whose service was killed holds the lock until its Valkey has ended.
            if _lives(owner) or time.monotonic() > deadline:
                raise KeeperError(
                    f"the data directory {self._dir} is in use by another running Croupier "
                    f"(pid {owner})"
                )
            time.sleep(0.05)
        os.truncate(self._service_lock, 0)
        os.pwrite(self._service_lock, b"%d\n" % self._service, 0)

    def _end_leftover(self) -> None:
        """Shut down the Valkey of a service that was killed together with its keeper."""
        if not _locked(self._valkey_lock):
            self._say("ending the Valkey that an earlier service left behind")
            self._shut_down_leftover()
        if self._socket_file.exists():
            directory = Path(self._socket_file.read_text()).parent
            if directory.name.startswith("croupier-"):
                shutil.rmtree(directory, ignore_errors=True)

    def _shut_down_leftover(self) -> None:
        if self._socket_file.exists():
            reply = ask(Path(self._socket_file.read_text()), b"SHUTDOWN")
            if reply is not None and _locked(self._valkey_lock, within=GRACE):
                return
        # While valkey.lock is held the pid is that of its holder, which wrote it at its start.
        pid = _pid(self._pid_file.read_bytes()) if self._pid_file.exists() else 0
        for way in (signal.SIGTERM, signal.SIGKILL):
            if _may_be_valkey(pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, way)
            if _locked(self._valkey_lock, within=GRACE):
                return
        raise KeeperError(f"another Valkey (pid {pid or 'unknown'}) works on {self._dir}")

    def _new_socket(self) -> Path:
        """A path for the socket, in a new directory that is closed to other users.

        Not in the data directory: its path may be too long, or its file system have no sockets.
        """
        path = Path(tempfile.mkdtemp(prefix="croupier-")) / "valkey.sock"
        if len(os.fsencode(path)) > LONGEST_SOCKET_PATH:
            path.parent.rmdir()
            path = Path(tempfile.mkdtemp(prefix="croupier-", dir=SHORT)) / "valkey.sock"
        self._socket_file.write_text(str(path))
        return path

    def _start(self) -> None:
        """Start Valkey on its socket and wait until it answers. Raises KeeperError, ServiceGone."""
        settings = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._dir),
            "appendonly": "yes",
            "appendfsync": self._appendfsync,
            "save": "",
            "maxmemory-policy": "noeviction",
            "pidfile": str(self._pid_file),
            "logfile": str(self._log),
            "loglevel": "warning",
        }
        # What is left of a Valkey that was killed; its number may belong to another process by now.
        self._pid_file.unlink(missing_ok=True)
        arguments = [part for name, value in settings.items() for part in (f"--{name}", value)]
        with self._log.open("ab") as log:
            self._log_start = log.tell()
            try:
                self._valkey = subprocess.Popen(  # nosec B603 # words of our own, no shell
                    [self._server, *arguments],
                    cwd=self._dir,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    pass_fds=[self._valkey_lock],
                )
            except OSError as error:
                raise KeeperError(
                    f"the embedded Valkey cannot be run here ({error}); {INSTEAD}"
                ) from error
        self._wait_until_ready(self._valkey)

    def _start_again(self) -> None:
        pause = 0.2
        while True:
            try:
                return self._start()
            except (KeeperError, OSError) as error:
                self._say(f"{error}; trying again in {pause:g} s")
            if self._service_gone(within=pause):
                raise ServiceGone
            pause = min(pause * 2, LONGEST_PAUSE)

    def _wait_until_ready(self, valkey: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not (reply := ask(self._socket, b"PING") or b"").startswith(b"+PONG"):
            if valkey.poll() is not None:
                raise KeeperError(
                    f"the embedded Valkey does not start: {self._last_words()} (see {self._log})"
                )
            if reply.startswith(b"-LOADING"):
                # Reading a long append-only file takes its time.
                deadline = time.monotonic() + PATIENCE
            if time.monotonic() > deadline:
                valkey.kill()
                raise KeeperError(f"the embedded Valkey does not answer (see {self._log})")
            if self._service_gone(within=0.02):
                raise ServiceGone

    def _last_words(self) -> str:
        """What Valkey logged last since it was started."""
        with self._log.open(errors="replace") as log:
            log.seek(self._log_start)
            said = [line.rpartition(" # ")[2].strip() for line in log if line.strip()]
        return said[-1] if said else "it said nothing"


def _locked(descriptor: int, *, within: float = 0.0) -> bool:
    """Whether the lock on that open file could be taken within that many seconds."""
    deadline = time.monotonic() + within
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.05)
        else:
            return True


def _pid(text: bytes) -> int:
    """The process number written there; 0 when there is none."""
    return int(text) if text.strip().isdigit() else 0


def _lives(pid: int) -> bool:
    if not pid:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _may_be_valkey(pid: int) -> bool:
    """False when there is a process of that number that is another program, as far as /proc tells.

    Such as when the data directory is shared by two containers, each with numbers of its own.
    """
    command = Path(f"/proc/{pid}/cmdline")
    return pid > 0 and (not command.exists() or b"valkey" in command.read_bytes())


def main() -> int:
    """Keep the store until the service is gone. Exit status 1 when it could not be opened."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # A stop that is sent to all processes at once must not end the store before the workers.
        signal.signal(number, lambda *_: None)
    keeper = Keeper(
        Path(sys.argv[1]), server=sys.argv[2], appendfsync=sys.argv[3], lines=sys.argv[4]
    )
    try:
        if sys.argv[5:]:
            keeper.take_over(Path(sys.argv[5]))
        else:
            sys.stdout.write(f"ready {keeper.open()}\n")
            sys.stdout.flush()
        keeper.keep()
    except KeeperError as error:
        sys.stdout.write(f"error {error}\n")
        return 1
    except (ServiceGone, BrokenPipeError):
        return 0
    finally:
        keeper.close()


if __name__ == "__main__":
    sys.exit(main())
