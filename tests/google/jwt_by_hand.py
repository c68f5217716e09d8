"""Signed claims made without the client libraries, so that wrong ones can be made too."""

from __future__ import annotations

import base64
import json
from typing import Any

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa


def new_key() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()


def public(pem: str) -> str:
    key = serialization.load_pem_private_key(pem.encode(), None)
    return (
        key.public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        .decode()
    )


def sign(claims: dict[str, Any], pem: str, key_id: str) -> str:
    key: Any = serialization.load_pem_private_key(pem.encode(), None)
    head = _encode(json.dumps({"alg": "RS256", "typ": "JWT", "kid": key_id}).encode())
    body = _encode(json.dumps(claims).encode())
    signature = key.sign(f"{head}.{body}".encode(), padding.PKCS1v15(), hashes.SHA256())
    return f"{head}.{body}.{_encode(signature)}"


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
