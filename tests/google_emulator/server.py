"""Sockets: a threading HTTP/1.1 server with kept connections, and the emulator as a thing to start and stop."""

from __future__ import annotations

import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.google_emulator import control
from tests.google_emulator.messages import Answer, Request
from tests.google_emulator.service import Service
from tests.google_emulator.world import World


class _Handler(BaseHTTPRequestHandler):
    """Reads one request after another from a connection; a dropped answer ends the connection."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    server: _Server

    def version_string(self) -> str:
        return "ESF"

    def _any(self) -> None:
        request = Request.make(self.command, self.path, dict(self.headers.items()), self._read())
        answer = self.server.service.answer(request)
        if answer.delay:
            time.sleep(answer.delay)
        if answer.drop:
            self._hang_up()
        else:
            self._write(answer)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = _any  # noqa: N815

    def _read(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _write(self, answer: Answer) -> None:
        self.send_response(answer.status)
        if answer.status not in (204, 304):
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(len(answer.body)))
        for name, value in {"Vary": "Origin, X-Origin, Referer", "Cache-Control": "private"}.items():
            self.send_header(name, answer.headers.pop(name, value))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "HEAD" or answer.status in (204, 304):
            return
        self.wfile.write(answer.body[: len(answer.body) // 2] if answer.cut else answer.body)
        self.wfile.flush()
        if answer.cut:
            self._hang_up()

    def _hang_up(self) -> None:
        """Closes at once; a shutdown in both directions reaches a client that still waits."""
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: the log of calls is behind /__control__/log."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, port: int, service: Service) -> None:
        self.service = service
        super().__init__(("127.0.0.1", port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class Emulator:
    """The emulator in this process: `with Emulator() as google: google.base, google.world, google.control(...)`."""

    def __init__(self, port: int = 0, world: World | None = None) -> None:
        self.service = Service(world)
        self._server = _Server(port, self.service)
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.service.rebase(self.base)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def world(self) -> World:
        return self.service.world

    def start(self) -> Emulator:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def control(self, operation: str, **body: Any) -> dict[str, Any]:
        """What a POST to `/__control__/<operation>` does, without the socket."""
        return control.operate(self.service, operation, body)

    def __enter__(self) -> Emulator:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
