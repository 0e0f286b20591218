"""TLS before a server that has none: certificates, and a proxy that takes it off."""

from __future__ import annotations

import socket
import ssl
import threading
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import trustme

HANDSHAKE = b"\x16"
"""The byte that TLS begins with, and no command does."""


class Authority:
    """A certificate authority of a test's own, whose files are under `place`."""

    def __init__(self, place: Path) -> None:
        self._authority = trustme.CA()
        self._place = place
        self.file = place / "ca.pem"
        self._authority.cert_pem.write_to_path(str(self.file))

    def certificate(self, *names: str) -> tuple[Path, Path]:
        """The files of a certificate for these hosts or addresses, and of its key."""
        issued = self._authority.issue_cert(*names)
        files = self._place / f"{names[0]}.crt", self._place / f"{names[0]}.key"
        issued.cert_chain_pems[0].write_to_path(str(files[0]))
        issued.private_key_pem.write_to_path(str(files[1]))
        return files


class TlsProxy:
    """Takes TLS off before a TCP port of this machine. What comes in plain it passes on plain, as
    servers and Sentinels talk to each other; those who `trust` an authority want a certificate of
    it from whoever comes with TLS."""

    def __init__(
        self, port: int, certificate: tuple[Path, Path], trust: Authority | None = None
    ) -> None:
        self._target = port
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(*map(str, certificate))
        if trust is not None:
            self._context.verify_mode = ssl.CERT_REQUIRED
            self._context.load_verify_locations(trust.file)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.secured = 0
        """Connections that came with TLS so far."""
        self._open = ExitStack()
        self._accepting = threading.Thread(target=self._accept, daemon=True)

    def __enter__(self) -> Self:
        self._accepting.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Closing alone would not wake who waits in accept().
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        self._open.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            if client.recv(1, socket.MSG_PEEK) == HANDSHAKE:
                client = self._context.wrap_socket(client, server_side=True)
                self.secured += 1
            server = socket.create_connection(("127.0.0.1", self._target))
        except OSError:
            client.close()
            return
        for end in (client, server):
            self._open.callback(_hang_up, end)
        threading.Thread(target=_pump, args=(server, client), daemon=True).start()
        _pump(client, server)


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    for end in (source, sink):
        _hang_up(end)


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
