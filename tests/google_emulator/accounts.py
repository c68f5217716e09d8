"""Who is calling: service accounts with their keys, tokens handed out, and what an unknown token may do."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from tests.google_emulator.errors import ApiError
from tests.google_emulator.world import OWNER, Caller, World

_HELP = (
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid "
    "authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."
)
INFO = "type.googleapis.com/google.rpc.ErrorInfo"


class JwtError(ValueError):
    """A token that is not signed as it should be; the text is for the caller."""


@dataclass
class Token:
    email: str
    scopes: frozenset[str] | None
    expires: float
    service_account: bool = False


@dataclass
class Grant:
    """A refresh token: whose it is, and which client may use it."""

    email: str
    client_id: str
    client_secret: str
    scopes: frozenset[str] | None


@dataclass
class Accounts:
    """All accounts of one server. `strict` refuses what Google would refuse: no token, or one never handed out."""

    world: World
    strict: bool = False
    keys: dict[str, dict[str, rsa.RSAPublicKey]] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    grants: dict[str, Grant] = field(default_factory=dict)

    def make_service_account(self, email: str, base: str) -> dict[str, Any]:
        """A new key pair; the answer is what Google's console would let you download, with our token address."""
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        key_id = self.register(email, key.public_key())
        secret = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return {
            "type": "service_account",
            "project_id": "emulated-project",
            "private_key_id": key_id,
            "private_key": secret.decode("ascii"),
            "client_email": email,
            "client_id": self.world.ids.of_account(email),
            "auth_uri": "https://accounts.google.com/o/oauth2/auth",
            "token_uri": f"{base}/token",
            "auth_provider_x509_cert_url": "https://www.googleapis.com/oauth2/v1/certs",
            "client_x509_cert_url": f"https://www.googleapis.com/robot/v1/metadata/x509/{email.replace('@', '%40')}",
            "universe_domain": "googleapis.com",
        }

    def register(self, email: str, public_key: rsa.RSAPublicKey, key_id: str = "") -> str:
        key_id = key_id or f"{self.world.ids.number(2**160):040x}"
        self.keys.setdefault(email.casefold(), {})[key_id] = public_key
        return key_id

    def register_pem(self, email: str, pem: str, key_id: str = "") -> str:
        """Registers a public key, or the public half of a private one."""
        data = pem.encode("ascii")
        if b"PRIVATE" in data:
            loaded: Any = serialization.load_pem_private_key(data, None)
            return self.register(email, loaded.public_key(), key_id)
        public: Any = serialization.load_pem_public_key(data)
        return self.register(email, public, key_id)

    def issue(
        self, email: str, scopes: frozenset[str] | None, lifetime: float = 3599, service_account: bool = False
    ) -> str:
        text = self.world.ids.token()
        expires = (self.world.now() + timedelta(seconds=lifetime)).timestamp()
        self.tokens[text] = Token(email, scopes, expires, service_account)
        return text

    def expire_all(self, email: str = "") -> int:
        """Every token handed out so far (or those of one account) is refused from now on."""
        hit = [token for token in self.tokens.values() if not email or token.email == email]
        for token in hit:
            token.expires = 0.0
        return len(hit)

    def caller(self, header: str, query_token: str = "") -> Caller:
        """The account behind a request; ApiError 401 where the token is no longer good."""
        kind, _, text = header.partition(" ")
        text = text.strip() or query_token
        if not text:
            if header or self.strict:
                raise unauthenticated("CREDENTIALS_MISSING")
            return Caller(OWNER)
        if header and kind.lower() != "bearer":
            raise unauthenticated("CREDENTIALS_MISSING")
        known = self.tokens.get(text)
        if known is not None:
            if known.expires <= self.world.now().timestamp():
                raise unauthenticated("ACCESS_TOKEN_EXPIRED")
            return Caller(known.email, known.scopes, known.service_account)
        if text.count(".") == 2 and text.startswith("eyJ"):
            return self._signed(text)
        if self.strict or text.startswith("ya29.emulator."):
            raise unauthenticated("ACCESS_TOKEN_TYPE_UNSUPPORTED" if self.strict else "ACCESS_TOKEN_EXPIRED")
        return Caller(OWNER)

    def _signed(self, text: str) -> Caller:
        """A service account may sign its own token instead of fetching one."""
        try:
            claims = self.verify(text)
        except JwtError as error:
            raise unauthenticated("ACCESS_TOKEN_TYPE_UNSUPPORTED") from error
        if claims.get("exp", 0) <= self.world.now().timestamp():
            raise unauthenticated("ACCESS_TOKEN_EXPIRED")
        scopes = frozenset(str(claims["scope"]).split()) if claims.get("scope") else None
        return Caller(str(claims.get("sub") or claims["iss"]), scopes, True)

    def verify(self, text: str) -> dict[str, Any]:
        """The claims of a token whose signature is that of a registered account.

        As long as no account at all is registered, claims are taken on trust, so that a suite can bring its own key.
        """
        head, body, signature = [*text.split("."), "", ""][:3]
        try:
            header, claims = json.loads(_decode(head)), json.loads(_decode(body))
            signed = _decode(signature)
        except ValueError as error:
            raise JwtError("Invalid JWT") from error
        if not isinstance(claims, dict) or not claims.get("iss"):
            raise JwtError("Invalid JWT: missing issuer")
        if not self.keys and not self.strict:
            return claims
        known = self.keys.get(str(claims["iss"]).casefold())
        if not known:
            raise JwtError("Invalid grant: account not found")
        named = header.get("kid")
        for key in [known[named]] if named in known else list(known.values()):
            try:
                key.verify(signed, f"{head}.{body}".encode("ascii"), padding.PKCS1v15(), hashes.SHA256())
            except InvalidSignature:
                continue
            return claims
        raise JwtError("Invalid JWT Signature.")


def _decode(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def unauthenticated(reason: str) -> ApiError:
    details = [{"@type": INFO, "reason": reason, "domain": "googleapis.com"}]
    return ApiError(
        401, _HELP, details=details, reason="authError", location="Authorization", location_type="header"
    )


def out_of_scope(service: str, method: str) -> ApiError:
    """403: the token is good, but was not asked for with a scope that opens this method."""
    metadata = {"service": f"{service}.googleapis.com", "method": method}
    details = [
        {
            "@type": INFO,
            "reason": "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
            "domain": "googleapis.com",
            "metadata": metadata,
        }
    ]
    text = "Request had insufficient authentication scopes."
    return ApiError(403, text, details=details, reason="insufficientPermissions")
