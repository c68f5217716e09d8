"""An emulator of Google's Sheets v4, Forms v1, Drive v3 and OAuth token service, over real sockets on loopback.

It promises to answer as the real services were recorded to answer, to clients that were not changed for it, and
to say 501 where it does not know how. It knows nothing of the project whose tests use it (`sample.py` apart).

Alone:      `python -m tests.google_emulator --port 0` prints `BASE http://127.0.0.1:PORT` first. It starts empty;
            `--sample` loads the sample game and prints `FILE name id` for each file of it, `--strict-auth` refuses
            missing and unknown tokens, `--key-file PATH` writes the key file of a service account (`--account`).
In a test:  `with Emulator() as google: google.base, google.world, google.control("submit", formId=..., answers=...)`.
Clients:    `clients.py` points google-api-python-client and gspread at it without changing them.
Accounts:   any bearer token, or none, is owner@example.com; a token from `/token` or from the control path is whom it
            was made for. Signed claims are verified once a service account is registered, on trust before that.
Control:    POST a JSON object to `/__control__/<operation>`; `GET /__control__/` lists the operations.
Faults:     `{"kind": "503", "match": {"method": "sheets.spreadsheets.values.*"}, "skip": 1, "times": 2}` sent to
            `/__control__/fault`; the kinds are in `faults.py`. Kind `change` takes `actions`, which are control
            operations named by `do`: what a human or a form does just before (or `when: after`) that call.
"""
