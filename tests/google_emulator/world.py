"""Everything the emulator remembers: files, who may use them, accounts, and what time it is.

One registry of files serves Drive, Sheets and Forms, because a spreadsheet made by one service is seen, renamed,
shared and deleted by another. What a file holds belongs to the service that made it and stays opaque here.

The contract with the package of Sheets:
- `File.name` is the title of the spreadsheet; there is no second copy of it. A rename is `world.rename(file, name)`.
- `File.data` is None for a spreadsheet that Drive made; the first look makes an ordinary empty one of it.
- A new spreadsheet is `world.create_file(name, SPREADSHEET, caller)`, whose `id` is the spreadsheetId.
- `world.lock` is held, access to the file is checked and the request is valid against the discovery document before
  `sheets.handle` is called. After a refusal `File.data` is put back as it was (`copy.deepcopy`).
- `world.touch(file, caller)` is called for every method that writes; Sheets need not.
- What Drive asks of it besides: `export(file, world, kind, sheet_id) -> bytes`, and `import_text` and
  `import_workbook`, which replace everything that the spreadsheet held.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from tests.google_emulator.clock import Clock
from tests.google_emulator.errors import no_storage
from tests.google_emulator.ids import Ids

OWNER = "owner@example.com"
SPREADSHEET = "application/vnd.google-apps.spreadsheet"
FORM = "application/vnd.google-apps.form"
FOLDER = "application/vnd.google-apps.folder"
RANK = {"reader": 1, "commenter": 2, "writer": 3, "fileOrganizer": 4, "organizer": 4, "owner": 5}


class Caller(NamedTuple):
    """Who sent a request. Scopes of None mean that the token was not made here and may do everything."""

    email: str = OWNER
    scopes: frozenset[str] | None = None
    service_account: bool = False


@dataclass
class Permission:
    """A share. `view` is "published" for those who may answer a form but not open its editor."""

    id: str
    type: str
    role: str
    email: str = ""
    domain: str = ""
    display_name: str = ""
    discoverable: bool = False
    view: str = ""
    expires: str = ""
    pending: bool = False

    def covers(self, email: str) -> bool:
        if self.type in ("user", "group"):
            return self.email.casefold() == email.casefold()
        return self.type == "anyone" or email.casefold().endswith(f"@{self.domain.casefold()}")


@dataclass
class File:
    """One file. `extra` holds the metadata that only Drive looks at, under Drive's own names."""

    id: str
    name: str
    mime: str
    owner: str
    permissions: list[Permission]
    created: datetime
    modified: datetime
    data: Any = None
    parents: list[str] = field(default_factory=list)
    trashed: bool = False
    version: int = 1
    modified_by: str = OWNER
    extra: dict[str, Any] = field(default_factory=dict)

    def role(self, email: str, view: str = "") -> int:
        """The rank of the strongest share for this account; 0 if there is none."""
        ranks = [
            RANK.get(share.role, 0)
            for share in self.permissions
            if share.view == view and share.covers(email)
        ]
        return max(ranks, default=0)

    def may_read(self, email: str) -> bool:
        return self.role(email) >= RANK["reader"]

    def may_write(self, email: str) -> bool:
        return self.role(email) >= RANK["writer"]


class World:
    """The state of one server, and the only place that hands out ids and the time."""

    def __init__(self, clock: Clock | None = None, seed: int | None = None) -> None:
        self.files: dict[str, File] = {}
        self.lock = threading.RLock()
        self.clock = clock or Clock()
        self.ids = Ids(seed)
        self.pages: dict[str, tuple[Any, ...]] = {}
        self.service_accounts_own_files = True
        self.metadata_follows_sort = False

    def now(self) -> datetime:
        return self.clock.now()

    def create_file(
        self, name: str, mime: str, caller: Caller, data: Any = None, file_id: str | None = None
    ) -> File:
        """A new file of the caller's, in the root of the caller's drive, shared with nobody."""
        if caller.service_account and not self.service_accounts_own_files:
            raise no_storage()
        now = self.now()
        owner = Permission(self.ids.of_account(caller.email), "user", "owner", caller.email)
        owner.display_name = caller.email.split("@")[0]
        made = File(file_id or self.ids.file(), name, mime, caller.email, [owner], now, now, data)
        made.parents = [self.root_of(caller.email)]
        made.modified_by = caller.email
        self.files[made.id] = made
        return made

    def root_of(self, email: str) -> str:
        """The id of an account's root folder; what the alias `root` stands for."""
        return f"0A{self.ids.of_account(email)[:11]}Uk9PVA"

    def role(self, file: File, email: str) -> int:
        """The rank of the strongest share of the file or of a folder above it; 0 if there is none."""
        ranks, seen, above = [file.role(email)], {file.id}, list(file.parents)
        while above:
            folder = self.files.get(above.pop())
            if folder is not None and folder.id not in seen:
                seen.add(folder.id)
                ranks.append(folder.role(email))
                above += folder.parents
        return max(ranks)

    def rename(self, file: File, name: str) -> None:
        file.name = name

    def touch(self, file: File, caller: Caller) -> None:
        file.modified = max(self.now(), file.modified)
        file.modified_by = caller.email
        file.version += 1

    @contextmanager
    def all_or_nothing(self, *file_ids: str) -> Iterator[None]:
        """Puts the named files, and the set of all files, back as they were if anything is raised inside."""
        listed = dict(self.files)
        kept = {name: copy.deepcopy(self.files[name]) for name in file_ids if name in self.files}
        try:
            yield
        except BaseException:
            self.files.clear()
            self.files.update(listed)
            self.files.update(kept)
            raise
