"""An emulator of Google's Sheets v4, Forms v1, Drive v3 and OAuth token service, over real sockets on loopback.

It promises to answer as the real services were recorded to answer, to clients that were not changed for it, and
to say 501 where it does not know how. It knows nothing of the project whose tests use it.
"""
