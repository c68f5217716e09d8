"""`python -m tests.google_emulator --port 0`: prints `BASE http://127.0.0.1:PORT`, then serves until it is ended."""

from __future__ import annotations

import argparse
import json
import signal
import threading
from pathlib import Path

from tests.google_emulator.server import Emulator


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.google_emulator", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 (the default) takes any free port")
    parser.add_argument("--sample", action="store_true", help="starts with the sample game instead of empty")
    parser.add_argument("--strict-auth", action="store_true", help="refuses missing and unknown tokens")
    parser.add_argument("--key-file", type=Path, help="writes a new service account's key file there")
    parser.add_argument("--account", default="robot@emulated-project.iam.gserviceaccount.com")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    emulator = Emulator(options.port)
    emulator.service.accounts.strict = options.strict_auth
    if options.key_file:
        info = emulator.service.accounts.make_service_account(options.account, emulator.base)
        options.key_file.write_text(json.dumps(info, indent=2) + "\n", "utf-8")
    made: dict[str, str] = {}
    if options.sample:
        from tests.google_emulator.sample import load

        made = load(emulator, (options.account,))
    ended = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: ended.set())
    with emulator:
        print(
            "\n".join([f"BASE {emulator.base}", *(f"FILE {name} {each}" for name, each in made.items())]),
            flush=True,
        )
        ended.wait()


if __name__ == "__main__":
    main()
