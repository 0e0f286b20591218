"""Several real Valkey servers for tests: replicas that Sentinels watch, and a Cluster."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import redis
from redis.crc import REDIS_CLUSTER_HASH_SLOTS as SLOTS

from api.store.embedded import valkey_server
from tests.services import eventually

SERVICE = "main"
"""The name under which Sentinels watch the servers."""

HOST = "127.0.0.1"


def free_ports(count: int) -> list[int]:
    """TCP ports that nobody listens on, each another."""
    with ExitStack() as stack:
        taken = [stack.enter_context(socket.create_server((HOST, 0))) for _ in range(count)]
        return [listener.getsockname()[1] for listener in taken]


class Node:
    """One server process on a TCP port; killed at the end of `with`.

    Settings of valkey.conf are keywords with underscores. `sentinel` is a Sentinel's whole
    configuration, which makes it one.
    """

    def __init__(self, port: int, *, sentinel: str | None = None, **settings: object) -> None:
        self.port = port
        self.directory = Path(tempfile.mkdtemp(prefix="croupier-"))
        self._command = [valkey_server()]
        if sentinel is not None:
            configuration = self.directory / "sentinel.conf"
            configuration.write_text(f"port {port}\nbind {HOST}\ndir {self.directory}\n{sentinel}")
            self._command += [str(configuration), "--sentinel"]
        else:
            settings = {"port": port, "bind": HOST, "save": "", "dir": self.directory, **settings}
            for name, value in settings.items():
                self._command += [f"--{name.replace('_', '-')}", *str(value).split(" ")]
        self._process: subprocess.Popen[bytes] | None = None
        self._paused = False

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()
        shutil.rmtree(self.directory)

    def start(self) -> None:
        """Start it and wait until it answers."""
        with (self.directory / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=self.directory, stdout=log, stderr=log
            )
        with self.client() as client:
            eventually(client.ping)

    @property
    def serves(self) -> bool:
        """Whether it was started, and neither ended nor was paused."""
        lives = self._process is not None and self._process.poll() is None
        return lives and not self._paused

    def kill(self) -> None:
        """End it at once, paused or not."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._paused = False

    def pause(self) -> None:
        """Let it hang: connections stay open and are accepted, but nothing is answered."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        self._paused = True

    def resume(self) -> None:
        """Let it go on where it was paused."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)
        self._paused = False

    @contextmanager
    def paused(self) -> Iterator[None]:
        """It hangs meanwhile."""
        self.pause()
        try:
            yield
        finally:
            self.resume()

    def client(self) -> redis.Redis:
        """A plain client. Close it after use."""
        return redis.Redis(host=HOST, port=self.port, protocol=2, retry=None)

    def ask(self, *command: object) -> object:
        """The reply to a command."""
        with self.client() as client:
            return client.execute_command(*command)

    def text(self, *command: object) -> str:
        """The reply to a command that is answered with text."""
        reply = self.ask(*command)
        assert isinstance(reply, bytes), reply
        return reply.decode()

    def replication(self) -> dict[str, object]:
        """What it says of its own part in replication."""
        with self.client() as client:
            return client.info("replication")

    def is_followed_by(self, replicas: int) -> bool:
        """Whether it is the primary of so many replicas that have begun to say what they have."""
        state = self.replication()
        following = [state.get(f"slave{number}") for number in range(replicas)]
        return state["role"] == "master" and all(
            isinstance(replica, dict) and replica["state"] == "online" and replica["offset"] > 0
            for replica in following
        )


@contextmanager
def followed() -> Iterator[tuple[Node, Node]]:
    """A primary, which has a Unix socket called `socket` too, and a replica of it."""
    ports = free_ports(2)
    with (
        Node(ports[0], unixsocket="socket", repl_diskless_sync_delay=0) as primary,
        Node(ports[1], replicaof=f"{HOST} {ports[0]}") as replica,
    ):
        eventually(lambda: primary.is_followed_by(1))
        yield primary, replica


class Group:
    """Nodes that are started together, and killed at the end of `with`."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._open(stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def _open(self, stack: ExitStack) -> None:
        raise NotImplementedError


class Watched(Group):
    """A primary, its replicas and three Sentinels that watch them, who take a primary for dead
    after `down_after` seconds. Settings are those of the servers."""

    def __init__(self, *, replicas: int = 1, down_after: float = 0.5, **settings: object) -> None:
        super().__init__()
        ports = free_ports(1 + replicas + 3)
        settings = {"repl_diskless_sync_delay": 0, "repl_ping_replica_period": 1} | settings
        first, *others = ports[: 1 + replicas]
        self.nodes = [Node(first, **settings)]
        self.nodes += [Node(port, replicaof=f"{HOST} {first}", **settings) for port in others]
        watch = (
            f"sentinel monitor {SERVICE} {HOST} {first} 2\n"
            f"sentinel down-after-milliseconds {SERVICE} {round(down_after * 1000)}\n"
            f"sentinel failover-timeout {SERVICE} 5000\n"
        )
        self.sentinels = [Node(port, sentinel=watch) for port in ports[1 + replicas :]]
        places = ",".join(f"{HOST}:{sentinel.port}" for sentinel in self.sentinels)
        self.url = f"redis+sentinel://{places}/{SERVICE}"

    def _open(self, stack: ExitStack) -> None:
        for node in self.nodes:
            stack.enter_context(node)
        eventually(lambda: self.nodes[0].is_followed_by(len(self.nodes) - 1))
        for sentinel in self.sentinels:
            stack.enter_context(sentinel)
            # They tell each other of themselves every two seconds otherwise.
            sentinel.ask("SENTINEL", "DEBUG", "PUBLISH-PERIOD", 100)
        for sentinel in self.sentinels:
            eventually(lambda sentinel=sentinel: self._sees_all(sentinel))
        for sentinel in self.sentinels:
            # Four such periods are what they wait before they correct a server that another
            # Sentinel may have had reason to change.
            sentinel.ask("SENTINEL", "DEBUG", "PUBLISH-PERIOD", 2000)

    def _sees_all(self, sentinel: Node) -> bool:
        with sentinel.client() as client:
            state = client.sentinel_master(SERVICE)
        return (state["num-slaves"], state["num-other-sentinels"]) == (
            len(self.nodes) - 1,
            len(self.sentinels) - 1,
        )

    @property
    def primary(self) -> Node:
        """The server that the first Sentinel takes for the primary."""
        with self.sentinels[0].client() as client:
            _, port = client.sentinel_get_master_addr_by_name(SERVICE)
        return next(node for node in self.nodes if node.port == int(port))

    @property
    def replicas(self) -> list[Node]:
        """The others."""
        primary = self.primary
        return [node for node in self.nodes if node is not primary]

    def settle(self) -> None:
        """Wait until there is a primary that all others follow."""
        eventually(lambda: self.primary.is_followed_by(len(self.nodes) - 1))


class Shards(Group):
    """A Cluster of so many primaries, each with a replica. A server that cannot be reached for
    `down_after` seconds counts as failed. Settings are those of the servers."""

    def __init__(self, *, primaries: int = 3, down_after: float = 1.0, **settings: object) -> None:
        super().__init__()
        ports = free_ports(4 * primaries)
        self._primaries = primaries
        self.nodes = [
            Node(
                port,
                cluster_enabled="yes",
                cluster_port=bus,
                cluster_node_timeout=round(down_after * 1000),
                cluster_require_full_coverage="no",
                repl_diskless_sync_delay=0,
                **settings,
            )
            for port, bus in zip(ports[::2], ports[1::2], strict=True)
        ]
        self._buses = dict(zip(ports[::2], ports[1::2], strict=True))
        self.url = "redis://" + ",".join(f"{HOST}:{node.port}" for node in self.nodes)

    def _open(self, stack: ExitStack) -> None:
        for node in self.nodes:
            stack.enter_context(node)
        first, *others = self.nodes
        for node in others:
            first.ask("CLUSTER", "MEET", HOST, node.port, self._buses[node.port])
        primaries, replicas = self.nodes[: self._primaries], self.nodes[self._primaries :]
        for number, node in enumerate(primaries):
            low, high = (SLOTS * n // self._primaries for n in (number, number + 1))
            node.ask("CLUSTER", "ADDSLOTSRANGE", low, high - 1)
        for node in self.nodes:
            eventually(lambda node=node: self._is_well(node))
        for primary, replica in zip(primaries, replicas, strict=True):
            eventually(
                lambda of=primary, replica=replica: replica.ask("CLUSTER", "REPLICATE", self.id(of))
            )
        self.settle()
        for node in self.nodes:
            eventually(lambda node=node: self._is_well(node))

    def id(self, node: Node) -> str:
        """The name that the Cluster knows a node by."""
        return node.text("CLUSTER", "MYID")

    def owner(self, slot: int) -> Node:
        """The node that keeps a slot, as a majority of those that live see it."""
        parts = next(node for node in self.nodes if node.serves).ask("CLUSTER", "SLOTS")
        assert isinstance(parts, list)
        port = next(primary[1] for low, high, primary, *_ in parts if low <= slot <= high)
        return next(node for node in self.nodes if node.port == port)

    def settle(self) -> None:
        """Wait until every primary has its replica."""
        followed = len(self.nodes) // 2
        eventually(lambda: sum(node.is_followed_by(1) for node in self.nodes) == followed)

    def has_slots(self, node: Node) -> bool:
        """Whether a node keeps any slots: a replica keeps none of its own."""
        return any(self.owner(slot) is node for slot in range(0, SLOTS, SLOTS // 16))

    @contextmanager
    def moving(self, slot: int, target: Node) -> Iterator[None]:
        """A slot is on its way, and is the target's at the end."""
        source = self.owner(slot)
        target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", self.id(source))
        source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", self.id(target))
        yield
        others = [n for n in self.nodes if self.has_slots(n) and n not in (source, target)]
        for node in (target, source, *others):
            node.ask("CLUSTER", "SETSLOT", slot, "NODE", self.id(target))

    def carry(self, name: str | bytes, source: Node, target: Node) -> None:
        """Carry a key over, which then is with the target alone."""
        source.ask("MIGRATE", HOST, target.port, name, 0, 5000)

    def move(self, slot: int, target: Node) -> None:
        """Move a slot with all that is in it, key by key, while everything goes on."""
        source = self.owner(slot)
        with self.moving(slot, target):
            while names := source.ask("CLUSTER", "GETKEYSINSLOT", slot, 10):
                assert isinstance(names, list)
                for name in names:
                    self.carry(name, source, target)

    def move_whole(self, slot: int, target: Node) -> None:
        """Move a slot in one step, as Valkey 9 can."""
        source = self.owner(slot)
        source.ask("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", self.id(target))
        eventually(lambda: self.owner(slot) is target)

    def calls(self, command: str) -> int:
        """How often a command was called on all nodes together."""
        total = 0
        for node in self.nodes:
            with node.client() as client:
                total += client.info("commandstats").get(f"cmdstat_{command}", {"calls": 0})[
                    "calls"
                ]
        return total

    def _is_well(self, node: Node) -> bool:
        """Whether a node knows all others and finds that all slots are served."""
        info = node.text("CLUSTER", "INFO").split("\r\n")
        return {"cluster_state:ok", f"cluster_known_nodes:{len(self.nodes)}"} <= set(info)
